package io.metaq.cli;

import io.metaq.client.MetaqClientOptions;
import java.time.Duration;
import picocli.CommandLine.Option;
import picocli.CommandLine.ScopeType;

/** Options every command that talks to a cluster has. */
final class ClientOptions {
  private static final String DEFAULT_NAME_SERVERS = "localhost:9876";

  /** A person waits for the answer: less patience than a service has. */
  private static final Duration SEND_TIMEOUT = Duration.ofSeconds(4);

  @Option(
      names = {"-n", "--namesrv"},
      paramLabel = "HOST:PORT;...",
      scope = ScopeType.INHERIT,
      description = "Name servers. Default: NAMESRV_ADDR, else " + DEFAULT_NAME_SERVERS + ".")
  private String nameServers;

  MetaqClientOptions clientOptions() {
    String environment = System.getenv("NAMESRV_ADDR");
    String chosen = nameServers != null ? nameServers : environment != null && !environment.isBlank() ? environment : DEFAULT_NAME_SERVERS;
    return new MetaqClientOptions().setNameServers(chosen).setSendTimeout(SEND_TIMEOUT);
  }
}

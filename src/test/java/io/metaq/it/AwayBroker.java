package io.metaq.it;

import io.metaq.FreePorts;
import io.metaq.codec.registry.RegisterBody;
import io.metaq.codec.registry.RegisterBodyCodec;
import io.metaq.model.DataVersion;
import io.metaq.model.Perm;
import io.metaq.model.RequestCode;
import io.metaq.model.TopicConfig;
import java.io.IOException;
import java.util.List;

/** A broker {@code away} that is registered as long as this is open, and that nobody reaches. */
public final class AwayBroker implements AutoCloseable {
  private final RawClient registration;

  private AwayBroker(RawClient registration) {
    this.registration = registration;
  }

  /** Registers it with one queue of a topic, and of one that no other broker has. */
  public static AwayBroker register(String nameServer, String topic) throws IOException {
    RawClient registration = RawClient.connect(Integer.parseInt(nameServer.substring(nameServer.lastIndexOf(':') + 1)));
    RegisterBody body = new RegisterBody(new DataVersion(0, 1, 1), List.of(
        TopicConfig.of(topic, 1, Perm.READ | Perm.WRITE), TopicConfig.of("away-alone", 1, Perm.READ | Perm.WRITE)));
    RawFrame answer = registration.call(RawFrame.request(RequestCode.REGISTER_BROKER.wire()).ext("clusterName", "DefaultCluster")
        .ext("brokerName", "away").ext("brokerId", 0).ext("brokerAddr", "127.0.0.1:" + FreePorts.next()).ext("haServerAddr", "127.0.0.1:1")
        .body(RegisterBodyCodec.encode(body)));
    if (answer.code() != 0) {
      throw new IllegalStateException("not registered: " + answer.code());
    }
    return new AwayBroker(registration);
  }

  @Override
  public void close() throws IOException {
    registration.close();
  }
}

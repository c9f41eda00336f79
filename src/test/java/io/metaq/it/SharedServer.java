package io.metaq.it;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.junit.jupiter.api.extension.AfterAllCallback;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ParameterResolver;
import org.junit.jupiter.api.extension.ParameterContext;

/**
 * One server for all tests of a test JVM that do not harm it. It runs with delay levels of 1 s (level 18: 2 s) and with a tight
 * blocked-thread checker; each test class fails when an event loop was blocked during it.
 *
 * <p>With {@code -Dmetaq.it.namesrv=PORT -Dmetaq.it.broker=PORT} the tests run against a server that is there already, for
 * example an Apache RocketMQ, to learn what the reference answers.
 */
public final class SharedServer implements ParameterResolver, AfterAllCallback {

  private static final String DELAY_LEVELS = "1s ".repeat(17) + "2s";
  private static final int BLOCKED_LIMIT_MS = 400;
  private static final ExtensionContext.Namespace NAMESPACE = ExtensionContext.Namespace.create(SharedServer.class);

  @Override
  public boolean supportsParameter(ParameterContext parameter, ExtensionContext context) {
    return parameter.getParameter().getType() == Server.class;
  }

  @Override
  public Object resolveParameter(ParameterContext parameter, ExtensionContext context) {
    return running(context).server();
  }

  @Override
  public void afterAll(ExtensionContext context) {
    running(context).assertNoLoopWasBlocked();
  }

  private static Running running(ExtensionContext context) {
    return context.getRoot().getStore(NAMESPACE).getOrComputeIfAbsent("server", key -> Running.start(), Running.class);
  }

  private record Running(Server server, Path data, AtomicInteger blocksTold) implements AutoCloseable {

    static Running start() {
      if (System.getProperty("metaq.it.namesrv") != null) {
        return new Running(new Server(Integer.getInteger("metaq.it.namesrv"), Integer.getInteger("metaq.it.broker"), null), null,
            new AtomicInteger());
      }
      try {
        Path data = Files.createTempDirectory("metaq-it");
        BrokerProcess process = BrokerProcess.standalone(data).key("messageDelayLevel", DELAY_LEVELS)
            .key("eventLoopBlockedTime", BLOCKED_LIMIT_MS).start();
        return new Running(new Server(process.namesrvPort(), process.brokerPort(), process), data, new AtomicInteger());
      } catch (Exception e) {
        throw new IllegalStateException("the shared server did not start", e);
      }
    }

    void assertNoLoopWasBlocked() {
      if (server.isMetaq()) {
        List<BlockedLoop> blocked = server.process().blockedLoops();
        if (blocked.size() > blocksTold.getAndSet(blocked.size())) {
          throw new AssertionError("an event loop was blocked: " + blocked);
        }
      }
    }

    @Override
    public void close() throws Exception {
      if (!server.isMetaq()) {
        return;
      }
      try {
        int status = server.process().stop();
        if (status != 0) {
          throw new AssertionError("stopped with status " + status + ":\n" + server.process().standardError());
        }
      } finally {
        server.process().close();
        try (Stream<Path> files = Files.walk(data)) {
          files.sorted(Comparator.reverseOrder()).forEach(file -> file.toFile().delete());
        }
      }
    }
  }
}

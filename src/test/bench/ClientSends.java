import com.sun.management.OperatingSystemMXBean;
import io.metaq.client.Message;
import io.metaq.client.MetaqClient;
import io.metaq.client.MetaqClientOptions;
import io.vertx.core.Vertx;
import java.lang.management.ManagementFactory;
import java.util.Locale;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicLong;

/** Sends of MetaQ's client for src/test/bench/client; prints one line of figures. Arguments: name server, messages, bytes of a body. */
public final class ClientSends {
  private static final int WINDOW = 1024;

  private ClientSends() {}

  public static void main(String[] args) {
    Vertx vertx = Vertx.vertx();
    MetaqClient client = MetaqClient.create(vertx, new MetaqClientOptions().setNameServers(args[0]));
    int messages = Integer.parseInt(args[1]);
    Message message = Message.to("ClientBench").body(new byte[Integer.parseInt(args[2])]);
    client.send(message).await().indefinitely();
    run(client, message, messages / 3);
    OperatingSystemMXBean system = (OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean();
    long cpuNs = system.getProcessCpuTime();
    long startNs = System.nanoTime();
    long failed = run(client, message, messages);
    long tookNs = System.nanoTime() - startNs;
    System.out.printf(
        Locale.ROOT, "rate=%d cpu_us=%.2f failed=%d%n",
        messages * 1_000_000_000L / tookNs, (system.getProcessCpuTime() - cpuNs) / 1e3 / messages, failed);
    client.close().await().indefinitely();
    vertx.close();
  }

  private static long run(MetaqClient client, Message message, int messages) {
    Semaphore window = new Semaphore(WINDOW);
    AtomicLong failed = new AtomicLong();
    for (int i = 0; i < messages; i++) {
      window.acquireUninterruptibly();
      client
          .send(message)
          .subscribe()
          .with(
              receipt -> window.release(),
              failure -> {
                failed.incrementAndGet();
                window.release();
              });
    }
    window.acquireUninterruptibly(WINDOW);
    return failed.get();
  }
}

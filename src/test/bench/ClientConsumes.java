import com.sun.management.OperatingSystemMXBean;
import io.metaq.client.Delivery;
import io.metaq.client.MetaqClient;
import io.metaq.client.MetaqClientOptions;
import io.metaq.client.Position;
import io.metaq.client.Subscription;
import io.vertx.core.Vertx;
import java.lang.management.ManagementFactory;
import java.util.Locale;
import java.util.UUID;

/**
 * Reads of MetaQ's client for src/test/bench/client-consume, each message acknowledged by itself; prints one line of figures. Arguments: name
 * server, messages; a third of them is read before the clock starts.
 */
public final class ClientConsumes {
  private ClientConsumes() {}

  public static void main(String[] args) {
    Vertx vertx = Vertx.vertx();
    MetaqClient client = MetaqClient.create(vertx, new MetaqClientOptions().setNameServers(args[0]));
    int messages = Integer.parseInt(args[1]);
    OperatingSystemMXBean system = (OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean();
    long[] start = new long[2];
    int[] count = new int[1];
    client
        .subscribe(Subscription.to("ClientBench").group("bench-" + UUID.randomUUID()).from(Position.EARLIEST).readAhead(512))
        .onItem()
        .call(Delivery::ack)
        .onItem()
        .invoke(() -> {
          if (++count[0] == messages / 3) {
            start[0] = System.nanoTime();
            start[1] = system.getProcessCpuTime();
          }
        })
        .select()
        .first(messages + messages / 3)
        .collect()
        .last()
        .await()
        .indefinitely();
    long tookNs = System.nanoTime() - start[0];
    System.out.printf(
        Locale.ROOT, "rate=%d cpu_us=%.2f%n", messages * 1_000_000_000L / tookNs, (system.getProcessCpuTime() - start[1]) / 1e3 / messages);
    client.close().await().indefinitely();
    vertx.close();
  }
}

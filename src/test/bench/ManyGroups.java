import io.metaq.client.MemberStatus;
import io.metaq.client.Message;
import io.metaq.client.MetaqClient;
import io.metaq.client.MetaqClientOptions;
import io.metaq.client.Position;
import io.metaq.client.Subscription;
import io.smallrye.mutiny.Uni;
import io.vertx.core.Vertx;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;

/**
 * Many groups in one client, each with a subscriber of a topic of four queues, for src/test/bench/client-consume; prints one line of figures.
 * Arguments: name server, groups. Each group has read one message when the figures are taken.
 */
public final class ManyGroups {
  private ManyGroups() {}

  public static void main(String[] args) throws Exception {
    Vertx vertx = Vertx.vertx();
    MetaqClient client = MetaqClient.create(vertx, new MetaqClientOptions().setNameServers(args[0]));
    int groups = Integer.parseInt(args[1]);
    client.send(Message.to("ManyGroups").body("hello")).await().indefinitely();
    CountDownLatch read = new CountDownLatch(groups);
    long startNs = System.nanoTime();
    for (int i = 0; i < groups; i++) {
      Subscription subscription = Subscription.to("ManyGroups").group("many-" + i).from(Position.EARLIEST);
      client.consume(subscription, 1, delivery -> {
        read.countDown();
        return Uni.createFrom().voidItem();
      }).subscribe().with(done -> {});
    }
    boolean all = read.await(120, TimeUnit.SECONDS);
    double readyS = (System.nanoTime() - startNs) / 1e9;
    TimeUnit.SECONDS.sleep(35);
    long queues = IntStream.range(0, groups).mapToLong(i -> client.membership("many-" + i).status().await().indefinitely().queues().stream()
        .filter(queue -> queue.state() == MemberStatus.State.READING).count()).sum();
    System.gc();
    Runtime runtime = Runtime.getRuntime();
    String resident = Files.readAllLines(Path.of("/proc/self/status")).stream().filter(line -> line.startsWith("VmRSS")).findFirst().orElse("");
    System.out.printf(
        Locale.ROOT, "all=%b ready_s=%.1f queues=%d heap_mb=%d resident_kb=%s%n", all, readyS, queues,
        (runtime.totalMemory() - runtime.freeMemory()) >> 20, resident.replaceAll("\\D+", ""));
    client.close().await().indefinitely();
    vertx.close();
  }
}

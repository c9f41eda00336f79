import com.sun.management.OperatingSystemMXBean;
import java.lang.management.ManagementFactory;
import java.util.Locale;
import java.util.UUID;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.rocketmq.client.consumer.DefaultMQPushConsumer;
import org.apache.rocketmq.client.consumer.listener.ConsumeConcurrentlyStatus;
import org.apache.rocketmq.client.consumer.listener.MessageListenerConcurrently;
import org.apache.rocketmq.common.consumer.ConsumeFromWhere;

/** As ClientConsumes, with the official push consumer as it is set up by itself: one message for each call of its listener. */
public final class OfficialConsumes {
  private OfficialConsumes() {}

  public static void main(String[] args) throws Exception {
    int messages = Integer.parseInt(args[1]);
    OperatingSystemMXBean system = (OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean();
    long[] start = new long[2];
    AtomicInteger count = new AtomicInteger();
    CountDownLatch done = new CountDownLatch(1);
    DefaultMQPushConsumer consumer = new DefaultMQPushConsumer("bench-" + UUID.randomUUID());
    consumer.setNamesrvAddr(args[0]);
    consumer.setConsumeFromWhere(ConsumeFromWhere.CONSUME_FROM_FIRST_OFFSET);
    consumer.subscribe("ClientBench", "*");
    consumer.registerMessageListener((MessageListenerConcurrently) (batch, context) -> {
      int now = count.addAndGet(batch.size());
      if (now == messages / 3) {
        start[0] = System.nanoTime();
        start[1] = system.getProcessCpuTime();
      } else if (now == messages + messages / 3) {
        done.countDown();
      }
      return ConsumeConcurrentlyStatus.CONSUME_SUCCESS;
    });
    consumer.start();
    done.await();
    long tookNs = System.nanoTime() - start[0];
    System.out.printf(
        Locale.ROOT, "rate=%d cpu_us=%.2f%n", messages * 1_000_000_000L / tookNs, (system.getProcessCpuTime() - start[1]) / 1e3 / messages);
    System.exit(0);
  }
}

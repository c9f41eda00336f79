import com.sun.management.OperatingSystemMXBean;
import java.lang.management.ManagementFactory;
import java.util.Locale;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.rocketmq.client.producer.DefaultMQProducer;
import org.apache.rocketmq.client.producer.SendCallback;
import org.apache.rocketmq.client.producer.SendResult;
import org.apache.rocketmq.common.message.Message;

/** As ClientSends, with the official client's asynchronous sends. */
public final class OfficialSends {
  private static final int WINDOW = 1024;

  private OfficialSends() {}

  public static void main(String[] args) throws Exception {
    DefaultMQProducer producer = new DefaultMQProducer("bench");
    producer.setNamesrvAddr(args[0]);
    producer.start();
    int messages = Integer.parseInt(args[1]);
    byte[] body = new byte[Integer.parseInt(args[2])];
    producer.send(new Message("ClientBench", body));
    run(producer, body, messages / 3);
    OperatingSystemMXBean system = (OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean();
    long cpuNs = system.getProcessCpuTime();
    long startNs = System.nanoTime();
    long failed = run(producer, body, messages);
    long tookNs = System.nanoTime() - startNs;
    System.out.printf(
        Locale.ROOT, "rate=%d cpu_us=%.2f failed=%d%n",
        messages * 1_000_000_000L / tookNs, (system.getProcessCpuTime() - cpuNs) / 1e3 / messages, failed);
    producer.shutdown();
    System.exit(0);
  }

  private static long run(DefaultMQProducer producer, byte[] body, int messages) throws Exception {
    Semaphore window = new Semaphore(WINDOW);
    AtomicLong failed = new AtomicLong();
    for (int i = 0; i < messages; i++) {
      window.acquireUninterruptibly();
      producer.send(
          new Message("ClientBench", body),
          new SendCallback() {
            @Override
            public void onSuccess(SendResult result) {
              window.release();
            }

            @Override
            public void onException(Throwable failure) {
              failed.incrementAndGet();
              window.release();
            }
          });
    }
    window.acquireUninterruptibly(WINDOW);
    return failed.get();
  }
}

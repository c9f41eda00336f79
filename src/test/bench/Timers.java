import java.io.DataInputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Load of timers for src/test/bench/timers, over the wire as any producer's.
 *
 * <pre>
 *   java Timers.java fill PORT COUNT FROM_S TO_S       COUNT messages that are due evenly between FROM_S and TO_S seconds from now
 *   java Timers.java late PORT RATE SECONDS LEAD_S     RATE a second are due for SECONDS, the first LEAD_S from now; then how
 *   late they were
 * </pre>
 *
 * How late a message was is the broker's own time of its record less the time it was to come at. It prints one line of key=value
 * figures.
 */
public final class Timers {
  private static final int SEND = 310;
  private static final int PULL = 11;
  private static final int WINDOW = 256;
  private static final int BODY_BYTES = 100;
  private static final Pattern NEXT = Pattern.compile("\"nextBeginOffset\":\"?(\\d+)");

  private final DataInputStream in;
  private final OutputStream out;
  private int opaque;

  private Timers(int port) throws IOException {
    Socket socket = new Socket("127.0.0.1", port);
    socket.setTcpNoDelay(true);
    in = new DataInputStream(new java.io.BufferedInputStream(socket.getInputStream(), 1 << 16));
    out = new java.io.BufferedOutputStream(socket.getOutputStream(), 1 << 16);
  }

  public static void main(String[] args) throws Exception {
    Timers timers = new Timers(Integer.parseInt(args[1]));
    if (args[0].equals("fill")) {
      timers.fill(Integer.parseInt(args[2]), Long.parseLong(args[3]) * 1_000, Long.parseLong(args[4]) * 1_000);
    } else {
      timers.late(Integer.parseInt(args[2]), Integer.parseInt(args[3]), Long.parseLong(args[4]) * 1_000);
    }
  }

  private void fill(int count, long fromMs, long toMs) throws IOException {
    long startNs = System.nanoTime();
    long nowMs = System.currentTimeMillis();
    send("waiting", count, i -> nowMs + fromMs + (toMs - fromMs) * i / count);
    System.out.printf("sent=%d rate=%d%n", count, (long) (count / ((System.nanoTime() - startNs) / 1e9)));
  }

  private void late(int rate, int seconds, long leadMs) throws Exception {
    int count = rate * seconds;
    long firstMs = System.currentTimeMillis() + leadMs;
    send("late", count, i -> firstMs + i * 1_000L / rate);
    if (System.currentTimeMillis() >= firstMs) {
      throw new IllegalStateException("sending took longer than the lead of " + leadMs + " ms");
    }
    Thread.sleep(firstMs + seconds * 1_000L + 3_000 - System.currentTimeMillis());
    long[] lateMs = lateness(count);
    Arrays.sort(lateMs);
    System.out.printf("delivered=%d rate=%d p50ms=%d p99ms=%d p999ms=%d maxms=%d earliestms=%d%n", count, rate, lateMs[count / 2],
        lateMs[(int) (count * 0.99)], lateMs[(int) (count * 0.999)], lateMs[count - 1], lateMs[0]);
  }

  private interface Due {
    long ofMessage(int i);
  }

  private void send(String topic, int count, Due due) throws IOException {
    byte[] body = new byte[BODY_BYTES];
    int answered = 0;
    for (int i = 0; i < count; i++) {
      String properties = "TIMER_DELIVER_MS\\u0001" + due.ofMessage(i) + "\\u0002UNIQ_KEY\\u0001K" + i + "\\u0002";
      write(SEND, "\"a\":\"bench\",\"b\":\"" + topic + "\",\"c\":\"TBW102\",\"d\":\"1\",\"e\":\"0\",\"f\":\"0\",\"g\":\"1\",\"h\":\"0\",\"i\":\""
          + properties + "\",\"j\":\"0\",\"k\":\"false\",\"m\":\"false\"", body);
      if (i - answered == WINDOW) {
        out.flush();
        for (; answered < i - WINDOW / 2; answered++) {
          expectSuccess(read());
        }
      }
    }
    out.flush();
    for (; answered < count; answered++) {
      expectSuccess(read());
    }
  }

  private long[] lateness(int count) throws IOException {
    long[] lateMs = new long[count];
    int found = 0;
    long next = 0;
    while (found < count) {
      write(PULL, "\"consumerGroup\":\"bench\",\"topic\":\"late\",\"queueId\":\"0\",\"queueOffset\":\"" + next
          + "\",\"maxMsgNums\":\"32\",\"sysFlag\":\"4\",\"commitOffset\":\"0\",\"suspendTimeoutMillis\":\"0\",\"subscription\":\"*\","
          + "\"subVersion\":\"0\"", new byte[0]);
      out.flush();
      Frame answer = read();
      if (answer.body.remaining() == 0) {
        throw new IllegalStateException(found + " of " + count + " were delivered: " + answer.header);
      }
      while (answer.body.hasRemaining()) {
        lateMs[found++] = lateMs(answer.body);
      }
      Matcher offset = NEXT.matcher(answer.header);
      offset.find();
      next = Long.parseLong(offset.group(1));
    }
    return lateMs;
  }

  /** Reads one record with addresses of 4 bytes; its time is in the property TIMER_OUT_MS, the last ms before it is due. */
  private static long lateMs(ByteBuffer records) {
    int start = records.position();
    int size = records.getInt(start);
    long storedMs = records.getLong(start + 56);
    String text = new String(records.array(), records.arrayOffset() + start, size, StandardCharsets.ISO_8859_1);
    int at = text.indexOf("TIMER_OUT_MS\u0001") + "TIMER_OUT_MS\u0001".length();
    records.position(start + size);
    return storedMs - (Long.parseLong(text.substring(at, text.indexOf('\u0002', at))) + 1);
  }

  private record Frame(String header, ByteBuffer body) {}

  private static void expectSuccess(Frame answer) {
    if (!answer.header.contains("\"code\":0,")) {
      throw new IllegalStateException("refused: " + answer.header);
    }
  }

  private void write(int code, String fields, byte[] body) throws IOException {
    byte[] header = ("{\"code\":" + code + ",\"extFields\":{" + fields + "},\"flag\":0,\"language\":\"JAVA\",\"opaque\":" + opaque++
        + ",\"serializeTypeCurrentRPC\":\"JSON\",\"version\":401}").getBytes(StandardCharsets.UTF_8);
    out.write(ByteBuffer.allocate(8).putInt(4 + header.length + body.length).putInt(header.length).array());
    out.write(header);
    out.write(body);
  }

  private Frame read() throws IOException {
    byte[] frame = new byte[in.readInt()];
    in.readFully(frame);
    ByteBuffer bytes = ByteBuffer.wrap(frame);
    int headerLength = bytes.getInt() & 0xFFFFFF;
    String header = new String(frame, 4, headerLength, StandardCharsets.UTF_8);
    return new Frame(header, bytes.position(4 + headerLength).slice());
  }
}

package io.metaq.bench;

import io.metaq.codec.record.PropertiesText;
import io.metaq.codec.record.RecordEncoder;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;

/** What it costs to write a record with its checksum into a batch, beside a copy of as many bytes. */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Fork(2)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 3, time = 1)
public class RecordBenchmark {
  private static final byte[] TOPIC = "bench".getBytes(StandardCharsets.US_ASCII);

  @Param({"128", "1024", "16384"})
  int bodyBytes;

  private final byte[] host = new byte[8];
  private final byte[] properties = PropertiesText.encode(Map.of("UNIQ_KEY", Frames.KEY, "WAIT", "true", "TAGS", "tagA"));
  private final RecordEncoder encoder = new RecordEncoder(host);
  private ByteBuffer body;
  private ByteBuffer batch;
  private ByteBuffer record;

  @Setup
  public void encodeOnce() {
    body = ByteBuffer.allocateDirect(bodyBytes);
    batch = ByteBuffer.allocateDirect(256 * 1024);
    record = ByteBuffer.allocateDirect(encodeRecord());
  }

  @Benchmark
  public ByteBuffer plainCopy() {
    return batch.put(0, record, 0, record.capacity());
  }

  @Benchmark
  public int encodeRecord() {
    return encoder
        .topic(TOPIC, 0, TOPIC.length)
        .properties(properties, 0, properties.length)
        .body(body)
        .born(host, 1_700_000_000_123L)
        .message(1, 0, 0, 0, 0)
        .writeTo(batch, 0);
  }
}

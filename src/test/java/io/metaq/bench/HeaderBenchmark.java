package io.metaq.bench;

import io.metaq.codec.remoting.ByteSink;
import io.metaq.codec.remoting.HeaderCodec;
import io.metaq.codec.remoting.PullHeader;
import io.metaq.codec.remoting.RemotingCommand;
import io.metaq.codec.remoting.SendHeader;
import io.metaq.codec.remoting.SerializeType;
import java.util.Arrays;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;

/** What the header of a request costs the loop that reads it, in both forms, beside a copy of the same bytes. */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Fork(2)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 3, time = 1)
public class HeaderBenchmark {
  private final byte[] jsonSend = Frames.send();
  private final byte[] jsonPull = Frames.pull();
  private final byte[] binarySend = binary(jsonSend);
  private final byte[] target = new byte[4096];
  private final SendHeader send = new SendHeader();
  private final PullHeader pull = new PullHeader();

  @Benchmark
  public byte[] plainCopy() {
    System.arraycopy(jsonSend, 0, target, 0, jsonSend.length);
    return target;
  }

  @Benchmark
  public int readJsonSend() {
    send.read(jsonSend, jsonSend.length, SerializeType.JSON);
    return send.queueId();
  }

  @Benchmark
  public int readBinarySend() {
    send.read(binarySend, binarySend.length, SerializeType.ROCKETMQ);
    return send.queueId();
  }

  @Benchmark
  public long readJsonPull() {
    pull.read(jsonPull, jsonPull.length, SerializeType.JSON);
    return pull.queueOffset();
  }

  /** What every request cost that has no reader of its own: decoded into a map. */
  @Benchmark
  public RemotingCommand decodeJsonSend() {
    return HeaderCodec.decode(jsonSend, 0, jsonSend.length, SerializeType.JSON);
  }

  private static byte[] binary(byte[] json) {
    RemotingCommand read = HeaderCodec.decode(json, 0, json.length, SerializeType.JSON);
    RemotingCommand same = RemotingCommand.decoded(
        read.code(), RemotingCommand.LANGUAGE, read.version(), read.opaque(), 0, SerializeType.ROCKETMQ);
    read.ext().forEach(same::ext);
    ByteSink sink = new ByteSink(1024);
    HeaderCodec.encodeHead(same, sink);
    return Arrays.copyOfRange(sink.array(), HeaderCodec.PREFIX_LENGTH, sink.length());
  }
}

package io.metaq.bench;

import io.metaq.codec.remoting.ByteSink;
import io.metaq.codec.remoting.PullAnswers;
import io.metaq.codec.remoting.SendAnswers;
import io.metaq.codec.remoting.SerializeType;
import io.metaq.model.ResultCode;
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

/** What the answers to sends and pulls cost to encode, beside a copy of an answer that is there. */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Fork(2)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 3, time = 1)
public class AnswerBenchmark {
  @Param({"JSON", "ROCKETMQ"})
  SerializeType type;

  private final SendAnswers sends = new SendAnswers(new byte[8], "DefaultRegion", true);
  private final PullAnswers pulls = new PullAnswers();
  private final ByteSink sink = new ByteSink(1024);
  private final byte[] target = new byte[1024];
  private byte[] answer;
  private long phyOffset = 1L << 34;

  @Setup
  public void encodeOnce() {
    sendAnswer();
    answer = sink.toByteArray();
  }

  @Benchmark
  public byte[] plainCopy() {
    System.arraycopy(answer, 0, target, 0, answer.length);
    return target;
  }

  @Benchmark
  public ByteSink sendAnswer() {
    sink.clear();
    sends.encode(sink, type, 4711, ResultCode.SUCCESS, null, phyOffset++, 1, 123_456);
    return sink;
  }

  @Benchmark
  public ByteSink pullAnswer() {
    sink.clear();
    pulls.encode(sink, type, 4711, ResultCode.SUCCESS, null, phyOffset++, 0, 987_654, 0, 8192);
    return sink;
  }
}

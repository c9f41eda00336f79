package io.metaq.net;

import static org.assertj.core.api.Assertions.assertThat;

import io.metaq.codec.remoting.ByteSink;
import io.metaq.codec.remoting.HeaderCodec;
import io.metaq.codec.remoting.RemotingCommand;
import io.metaq.codec.remoting.SerializeType;
import io.metaq.model.SharedBytes;
import io.metaq.model.SharedFile;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Answers whose bodies lie in a file: sent as parts of it where they are long, with either kind of sockets. */
class SharedFileTest {
  private static final int FILE_BYTES = 8 << 20;
  private static final int LONG_BYTES = 256 * 1024;
  private static final int UNSENT_LIMIT_BYTES = 1 << 20;
  private static final long SHORT_MS = 300;
  private static final long LONG_MS = 60_000;

  @TempDir
  Path folder;

  private final byte[] content = new byte[FILE_BYTES];
  private final AtomicInteger lent = new AtomicInteger();
  private final AtomicInteger asFile = new AtomicInteger();
  private final AtomicLong mostUnsent = new AtomicLong();
  private final CompletableFuture<Void> closed = new CompletableFuture<>();
  private Path path;
  private FileChannel file;
  private TestServer server;
  private TestPeer peer;

  @BeforeEach
  void write() throws IOException {
    new Random(1).nextBytes(content);
    path = Files.write(folder.resolve("log"), content);
    file = FileChannel.open(path, StandardOpenOption.READ);
  }

  @AfterEach
  void close() throws Exception {
    if (peer != null) {
      peer.close();
    }
    server.close();
    file.close();
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void shouldSendLongPartsFromTheFileAndShortOnesFromMemory(boolean nativeTransport) throws Exception {
    start(nativeTransport, List.of(part(3, 100), part(4096, LONG_BYTES), part(70, 10_000), part(5, 64 * 1024 - 1), part(0, 64 * 1024)));

    for (int i = 0; i < 20; i++) {
      peer.send(request(i));
    }

    byte[] expected = bytes(3, 100, 4096, LONG_BYTES, 70, 10_000, 5, 64 * 1024 - 1, 0, 64 * 1024);
    for (int i = 0; i < 20; i++) {
      RemotingCommand answer = peer.receive();
      assertThat(answer.opaque()).isEqualTo(i);
      assertThat(Arrays.equals(answer.body(), expected)).isTrue();
    }
    assertThat(asFile).hasValue(40);
    awaitAllGivenBack();
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void shouldSendAFileWhoseNameIsGone(boolean nativeTransport) throws Exception {
    start(nativeTransport, List.of(part(0, FILE_BYTES)));

    peer.send(request(1));
    awaitAnswered();
    Files.delete(path);

    assertThat(Arrays.equals(peer.receive().body(), content)).isTrue();
    awaitAllGivenBack();
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void shouldBoundWhatIsUnsentToASlowReader(boolean nativeTransport) throws Exception {
    start(nativeTransport, List.of(part(0, LONG_BYTES)));

    for (int i = 0; i < 100; i++) {
      peer.send(request(i));
    }

    for (int i = 0; i < 100; i++) {
      RemotingCommand answer = peer.receive();
      assertThat(answer.opaque()).isEqualTo(i);
      assertThat(Arrays.equals(answer.body(), bytes(0, LONG_BYTES))).isTrue();
    }
    assertThat(mostUnsent.get()).isBetween((long) UNSENT_LIMIT_BYTES, UNSENT_LIMIT_BYTES + 2L * LONG_BYTES);
    awaitAllGivenBack();
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void shouldDropWhoDoesNotRead(boolean nativeTransport) throws Exception {
    start(nativeTransport, List.of(part(0, FILE_BYTES)), SHORT_MS);

    peer.send(request(1));

    closed.get(LONG_MS, TimeUnit.MILLISECONDS);
    awaitAllGivenBack();
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void shouldGiveBackWhatAPeerThatIsGoneWillNotGet(boolean nativeTransport) throws Exception {
    start(nativeTransport, List.of(part(0, FILE_BYTES), part(0, LONG_BYTES)));

    peer.send(request(1));
    awaitAnswered();
    peer.close();

    closed.get(LONG_MS, TimeUnit.MILLISECONDS);
    awaitAllGivenBack();
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void shouldEndTheConnectionWhenTheFileIsTooShort(boolean nativeTransport) throws Exception {
    start(nativeTransport, List.of(part(FILE_BYTES - 1000, LONG_BYTES), part(0, LONG_BYTES)));

    peer.send(request(1));

    assertThat(peer.receiveToEnd().length).isLessThan(LONG_BYTES);
    awaitAllGivenBack();
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void shouldEndTheConnectionWhenTheFileCannotBeHad(boolean nativeTransport) throws Exception {
    file.close();
    start(nativeTransport, List.of(part(0, LONG_BYTES), part(0, 100)));

    peer.send(request(1));

    assertThat(peer.receiveToEnd()).isEmpty();
    awaitAllGivenBack();
  }

  private void start(boolean nativeTransport, List<Part> parts) throws IOException {
    start(nativeTransport, parts, LONG_MS);
  }

  private void start(boolean nativeTransport, List<Part> parts, long stalledTimeoutMs) throws IOException {
    server = new TestServer(new EchoHandler() {
      @Override
      public void request(Connection connection, InboundFrame frame) {
        int bodyBytes = parts.stream().mapToInt(Part::size).sum();
        ByteSink sink = new ByteSink(256);
        HeaderCodec.encode(frame.command().success(), sink);
        ByteBuffer head = ByteBuffer.wrap(sink.toByteArray());
        head.putInt(0, head.getInt(0) + bodyBytes);
        connection.write(head);
        lent.addAndGet(parts.size());
        connection.writeShared(parts);
        mostUnsent.accumulateAndGet(connection.unsentBytes(), Math::max);
      }

      @Override
      public void closed(Connection connection) {
        closed.complete(null);
      }
    }, RemotingServerOptions.of("127.0.0.1", 0).withUnsentLimit(UNSENT_LIMIT_BYTES, stalledTimeoutMs), nativeTransport);
    peer = server.connect();
  }

  private void awaitAnswered() {
    while (mostUnsent.get() == 0) {
      Thread.onSpinWait();
    }
  }

  private void awaitAllGivenBack() {
    long deadlineNs = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(LONG_MS);
    while (lent.get() != 0 && System.nanoTime() - deadlineNs < 0) {
      Thread.onSpinWait();
    }
    assertThat(lent).hasValue(0);
  }

  private static RemotingCommand request(int opaque) {
    return RemotingCommand.decoded(1, "JAVA", 513, opaque, 0, SerializeType.JSON);
  }

  private byte[] bytes(int... placesAndSizes) {
    ByteArrayOutputStream all = new ByteArrayOutputStream();
    for (int i = 0; i < placesAndSizes.length; i += 2) {
      all.write(content, placesAndSizes[i], placesAndSizes[i + 1]);
    }
    return all.toByteArray();
  }

  private Part part(int place, int size) {
    return new Part(place, size);
  }

  private final class Part implements SharedBytes, SharedFile {
    private final int place;
    private final int size;

    Part(int place, int size) {
      this.place = place;
      this.size = size;
    }

    @Override
    public ByteBuffer bytes() {
      return ByteBuffer.allocateDirect(size).put(content, place, size).flip();
    }

    @Override
    public FileChannel channel() throws IOException {
      asFile.incrementAndGet();
      if (!file.isOpen()) {
        throw new IOException("it was closed");
      }
      return file;
    }

    @Override
    public long place() {
      return place;
    }

    @Override
    public int size() {
      return size;
    }

    @Override
    public void release() {
      lent.decrementAndGet();
    }
  }
}

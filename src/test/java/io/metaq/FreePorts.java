package io.metaq;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.ServerSocket;
import java.nio.channels.FileChannel;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.concurrent.ThreadLocalRandom;
import java.util.stream.IntStream;

/**
 * Ports for servers of tests that are told theirs, or start again on the one they had. They lie below those that the system gives to
 * connections and to servers without a wish, so a port is still free when its server comes back; and no other test of this machine gets
 * one of them before this JVM ends: each is a byte of a file that is locked.
 */
public final class FreePorts {
  private static final int FIRST = 12_000;
  private static final int LAST = 32_000;
  private static final FileChannel TAKEN = open();

  private FreePorts() {
  }

  /**
   * A port of the caller alone.
   *
   * @param beside distances from it at which ports are the caller's, too
   */
  public static int next(int... beside) {
    int[] distances = IntStream.concat(IntStream.of(0), IntStream.of(beside)).toArray();
    for (int tries = 0; tries < 10_000; tries++) {
      int port = ThreadLocalRandom.current().nextInt(FIRST, LAST);
      if (IntStream.of(distances).allMatch(distance -> take(port + distance))) {
        return port;
      }
    }
    throw new AssertionError("no free ports");
  }

  private static boolean take(int port) {
    try {
      return FIRST <= port && port <= LAST && TAKEN.tryLock(port, 1, false) != null && isFree(port);
    } catch (OverlappingFileLockException ours) {
      return false;
    } catch (IOException failure) {
      throw new UncheckedIOException(failure);
    }
  }

  private static boolean isFree(int port) {
    try (ServerSocket probe = new ServerSocket(port, 1)) {
      return probe.isBound();
    } catch (IOException taken) {
      return false;
    }
  }

  private static FileChannel open() {
    try {
      Path file = Path.of(System.getProperty("java.io.tmpdir"), "metaq-test-ports-" + System.getProperty("user.name"));
      return FileChannel.open(file, StandardOpenOption.CREATE, StandardOpenOption.WRITE);
    } catch (IOException failure) {
      throw new UncheckedIOException(failure);
    }
  }
}

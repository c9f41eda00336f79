package io.metaq;

import io.metaq.bus.LocalBus;
import io.vertx.core.Vertx;
import io.vertx.core.VertxOptions;
import io.vertx.core.internal.VertxInternal;
import io.vertx.core.internal.threadchecker.BlockedThreadEvent;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.junit.jupiter.api.extension.AfterEachCallback;
import org.junit.jupiter.api.extension.BeforeEachCallback;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ParameterContext;
import org.junit.jupiter.api.extension.ParameterResolver;

/**
 * Gives each test a {@link Vertx} whose event loops are watched closely, with the local bus installed, and fails the test when one of
 * them was blocked. Use with {@code @ExtendWith(WatchedVertx.class)} and a parameter of type {@code Vertx}.
 *
 * <p>Blocked means: caught for {@value #LIMIT_MS} ms in one task while it waits (lock, park, sleep) or works on files, and caught at the
 * same place again at the next look: when the machine stood still, that is over by then. A loop that computes is given
 * {@value #BUSY_LIMIT_MS} ms, because a starved test machine looks just like that.
 */
public final class WatchedVertx implements BeforeEachCallback, AfterEachCallback, ParameterResolver {
  private static final int CHECK_MS = 20;
  private static final int LIMIT_MS = 80;
  private static final int BUSY_LIMIT_MS = 3_000;
  private static final int CLOSE_LIMIT_S = 60;
  private static final List<String> FILE_WORK =
      List.of("sun.nio.ch.FileDispatcherImpl", "sun.nio.ch.UnixFileDispatcherImpl", "java.nio.MappedMemoryUtils",
          "sun.nio.fs.UnixNativeDispatcher", "java.io.RandomAccessFile", "java.io.FileInputStream", "java.io.FileOutputStream");

  private final Queue<String> blocked = new ConcurrentLinkedQueue<>();
  private final Map<Thread, Suspicion> suspicions = new ConcurrentHashMap<>();
  private Vertx vertx;

  @Override
  public void beforeEach(ExtensionContext test) {
    vertx();
  }

  /** Also called before {@link #beforeEach}, for the parameters of a constructor. */
  private synchronized Vertx vertx() {
    if (vertx == null) {
      blocked.clear();
      suspicions.clear();
      vertx = Vertx.vertx(new VertxOptions()
          .setEventLoopPoolSize(2)
          .setBlockedThreadCheckInterval(CHECK_MS).setBlockedThreadCheckIntervalUnit(TimeUnit.MILLISECONDS)
          .setMaxEventLoopExecuteTime(LIMIT_MS).setMaxEventLoopExecuteTimeUnit(TimeUnit.MILLISECONDS)
          .setDisableTCCL(true));
      ((VertxInternal) vertx).blockedThreadChecker().setThreadBlockedHandler(this::look);
      LocalBus.install(vertx);
    }
    return vertx;
  }

  @Override
  public void afterEach(ExtensionContext test) throws Exception {
    Vertx ended;
    synchronized (this) {
      ended = vertx;
      vertx = null;
    }
    ended.close().toCompletionStage().toCompletableFuture().get(CLOSE_LIMIT_S, TimeUnit.SECONDS);
    if (!blocked.isEmpty()) {
      throw new AssertionError("an event loop was blocked:\n" + blocked.peek());
    }
  }

  @Override
  public boolean supportsParameter(ParameterContext parameter, ExtensionContext test) {
    return parameter.getParameter().getType() == Vertx.class;
  }

  @Override
  public Object resolveParameter(ParameterContext parameter, ExtensionContext test) {
    return vertx();
  }

  private void look(BlockedThreadEvent event) {
    Thread thread = event.thread();
    if (!thread.getName().contains("eventloop")) {
      return;
    }
    Thread.State state = thread.getState();
    StackTraceElement[] stack = thread.getStackTrace();
    boolean waits = state != Thread.State.RUNNABLE && stack.length > 0;
    boolean filesAtWork = stack.length > 0 && FILE_WORK.contains(stack[0].getClassName());
    boolean tooLong = TimeUnit.NANOSECONDS.toMillis(event.duration()) > BUSY_LIMIT_MS;
    if (!(waits || filesAtWork || tooLong) || loadsClasses(stack) || writesToASocket(stack)) {
      suspicions.remove(thread);
      return;
    }
    Suspicion now = new Suspicion(stack.length == 0 ? "" : stack[0].toString(), System.nanoTime());
    Suspicion before = suspicions.put(thread, now);
    if (before != null && before.place.equals(now.place) && now.atNs - before.atNs < TimeUnit.MILLISECONDS.toNanos(LIMIT_MS)) {
      blocked.add(thread.getName() + " " + state + " after " + TimeUnit.NANOSECONDS.toMillis(event.duration()) + " ms\n"
          + Arrays.stream(stack).map(frame -> "    at " + frame).collect(Collectors.joining("\n")));
    }
  }

  /** What a thread was caught at. */
  private record Suspicion(String place, long atNs) {}

  /** Which never waits, and is done by the same class as the writing of files. */
  private static boolean writesToASocket(StackTraceElement[] stack) {
    return Arrays.stream(stack).anyMatch(frame -> frame.getClassName().equals("sun.nio.ch.SocketDispatcher"));
  }

  /** The first use of a class reads the jar; that happens once in a process and says nothing about the code under test. */
  private static boolean loadsClasses(StackTraceElement[] stack) {
    return Arrays.stream(stack).anyMatch(frame -> frame.getClassName().equals("java.lang.ClassLoader"));
  }
}

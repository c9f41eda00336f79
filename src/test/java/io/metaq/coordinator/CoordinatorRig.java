package io.metaq.coordinator;

import io.metaq.HandClock;
import io.metaq.bus.BusAddress;
import io.metaq.bus.LocalBus;
import io.metaq.coordinator.CoordinatorOptions.GroupRules;
import io.metaq.coordinator.CoordinatorOptions.TopicRules;
import io.metaq.coordinator.api.GroupsProxy;
import io.metaq.coordinator.api.OffsetsProxy;
import io.metaq.coordinator.api.TopicsProxy;
import io.vertx.core.Deployable;
import io.vertx.core.DeploymentOptions;
import io.vertx.core.Future;
import io.vertx.core.ThreadingModel;
import io.vertx.core.Vertx;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** The coordinators on a real bus, with two loops and registration as listeners that write down what they hear. */
final class CoordinatorRig implements AutoCloseable {
  static final int LOOPS = 2;
  private static final long SCAN_MS = 20;
  private static final long PATIENCE_S = 60;

  final Vertx vertx;
  final HandClock clock = new HandClock();
  final TopicsProxy topics;
  final GroupsProxy groups;
  final OffsetsProxy offsets;
  final BlockingQueue<Object> registration = new LinkedBlockingQueue<>();

  private final List<BlockingQueue<Object>> loops = new ArrayList<>();
  private final Deque<String> deployments = new ArrayDeque<>();
  private final Path folder;

  CoordinatorRig(Vertx vertx, Path folder) {
    this.vertx = vertx;
    this.folder = folder;
    topics = new TopicsProxy(vertx);
    groups = new GroupsProxy(vertx);
    offsets = new OffsetsProxy(vertx);
    for (int loop = 0; loop < LOOPS; loop++) {
      loops.add(listenAt(BusAddress.deltas(loop), new LinkedBlockingQueue<>()));
    }
    listenAt(RegistrationVerticle.TOPICS, registration);
  }

  /** Defaults but for a fast scan. */
  static GroupRules groupRules() {
    return new GroupRules(true, true, 120_000, SCAN_MS, ConflictRule.HOLD);
  }

  String startTopics() {
    return deployed(vertx.deployVerticle(new TopicCoordinatorVerticle(TopicRules.defaults("c1", "b1"), LOOPS, clock)));
  }

  String startConfig() {
    return deployWorker(new ConfigVerticle(folder, clock), "metaq-config");
  }

  String startGroups(GroupRules rules) {
    return deployed(vertx.deployVerticle(new GroupCoordinatorVerticle(rules, LOOPS, clock)));
  }

  String startOffsets(long saveIntervalMs) {
    return deployed(vertx.deployVerticle(new OffsetCoordinatorVerticle(saveIntervalMs, false, LOOPS, clock)));
  }

  String deploy(Deployable verticle) {
    return deployed(vertx.deployVerticle(verticle));
  }

  String deployWorker(Deployable verticle, String pool) {
    DeploymentOptions worker =
        new DeploymentOptions().setThreadingModel(ThreadingModel.WORKER).setWorkerPoolName(pool).setWorkerPoolSize(1);
    return deployed(vertx.deployVerticle(verticle, worker));
  }

  void undeploy(String deployment) {
    await(beginUndeploy(deployment));
  }

  Future<Void> beginUndeploy(String deployment) {
    deployments.remove(deployment);
    return vertx.undeploy(deployment);
  }

  /** Ends what is still deployed, the last first: whoever saves at its end needs the config verticle. */
  @Override
  public void close() {
    while (!deployments.isEmpty()) {
      await(vertx.undeploy(deployments.pop()));
    }
  }

  /** The next thing of this type that a loop hears; what comes before it is passed over. */
  <T> T heard(int loop, Class<T> type) {
    return next(loops.get(loop), type);
  }

  /** Everything that was sent to a loop before this call and not looked at yet. */
  List<Object> drain(int loop) {
    Object end = new Object();
    vertx.eventBus().send(BusAddress.deltas(loop), end, LocalBus.LOCAL);
    List<Object> all = new ArrayList<>();
    for (Object next = heard(loop, Object.class); next != end; next = heard(loop, Object.class)) {
      all.add(next);
    }
    return all;
  }

  <T> T next(BlockingQueue<Object> queue, Class<T> type) {
    try {
      while (true) {
        Object next = queue.poll(PATIENCE_S, TimeUnit.SECONDS);
        if (next == null) {
          throw new AssertionError("never heard a " + type.getSimpleName());
        }
        if (type.isInstance(next)) {
          return type.cast(next);
        }
      }
    } catch (InterruptedException stopped) {
      throw new AssertionError(stopped);
    }
  }

  static <T> T await(Future<T> future) {
    try {
      return future.toCompletionStage().toCompletableFuture().get(PATIENCE_S, TimeUnit.SECONDS);
    } catch (ExecutionException failed) {
      throw new AssertionError(failed.getCause());
    } catch (InterruptedException | TimeoutException stopped) {
      throw new AssertionError(stopped);
    }
  }

  private String deployed(Future<String> deployment) {
    deployments.push(await(deployment));
    return deployments.peek();
  }

  private BlockingQueue<Object> listenAt(String address, BlockingQueue<Object> heard) {
    await(vertx.eventBus().localConsumer(address, message -> heard.add(message.body())).completion());
    return heard;
  }
}

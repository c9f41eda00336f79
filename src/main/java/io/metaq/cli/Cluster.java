package io.metaq.cli;

import io.metaq.model.Clock;
import io.metaq.model.OwnedBy;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * The running nodes of a plan: started tier by tier, stopped in the reverse order within {@value #STOP_LIMIT_MS} ms. A node that
 * ends by itself is announced and not started again. {@link #start} and {@link #awaitEnd} belong to the main thread, {@link #stop}
 * may come from the thread of a signal at any time.
 */
@OwnedBy("its monitor")
final class Cluster {
  static final long STOP_LIMIT_MS = 4_900;

  private static final long START_LIMIT_S = 120;
  /** What a tier that stops must leave to each tier behind it. */
  private static final long TIER_SHARE_MS = 800;
  private static final long KILL_LIMIT_MS = 100;

  private final ClusterPlan plan;
  private final NodeConsole console;
  private final Clock clock;
  private final List<List<ClusterNode>> running = new ArrayList<>();
  private boolean stopping;

  Cluster(ClusterPlan plan, NodeConsole console, Clock clock) {
    this.plan = plan;
    this.console = console;
    this.clock = clock;
  }

  /**
   * Starts every node and returns when all are ready.
   *
   * @throws CommandFailure when one did not become ready; the others run until {@link #stop}
   */
  void start() {
    for (List<ClusterPlan.Node> tier : plan.tiers()) {
      begin(tier).forEach(Cluster::awaitReady);
    }
    begun().forEach(node -> node.ended().thenAccept(status ->
        announce(node.plan().name() + " (process " + node.pid() + ") ended with status " + status + ", it is not started again")));
  }

  private synchronized List<ClusterNode> begin(List<ClusterPlan.Node> tier) {
    if (stopping) {
      throw new CommandFailure("stopped before every node was ready");
    }
    List<ClusterNode> nodes = new ArrayList<>();
    running.add(nodes);
    for (ClusterPlan.Node node : tier) {
      nodes.add(ClusterNode.start(node, plan.nodes().indexOf(node), console));
    }
    return nodes;
  }

  private static void awaitReady(ClusterNode node) {
    try {
      node.ready().get(START_LIMIT_S, TimeUnit.SECONDS);
    } catch (ExecutionException ended) {
      throw new CommandFailure(ended.getCause().getMessage());
    } catch (TimeoutException | InterruptedException late) {
      throw new CommandFailure(node.plan().name() + " was not ready within " + START_LIMIT_S + " s");
    }
  }

  /** Returns when every node has ended. */
  void awaitEnd() {
    try {
      CompletableFuture.allOf(begun().stream().map(ClusterNode::ended).toArray(CompletableFuture[]::new)).join();
    } catch (CompletionException impossible) {
      throw new IllegalStateException(impossible);
    }
    announce("every node has ended");
  }

  private synchronized void announce(String text) {
    if (!stopping) {
      console.announce(text);
    }
  }

  private synchronized List<ClusterNode> begun() {
    return running.stream().flatMap(List::stream).toList();
  }

  /**
   * Stops what runs, the last tier first; what does not end in time is killed.
   *
   * @return whether every node that still ran ended in order
   */
  boolean stop() {
    long deadlineMs = nowMs() + STOP_LIMIT_MS;
    List<List<ClusterNode>> tiers = stopOrder();
    boolean clean = true;
    for (int i = 0; i < tiers.size(); i++) {
      List<ClusterNode> alive = tiers.get(i).stream().filter(node -> !node.ended().isDone()).toList();
      alive.forEach(ClusterNode::stop);
      long tierDeadlineMs = deadlineMs - (tiers.size() - 1 - i) * TIER_SHARE_MS - KILL_LIMIT_MS;
      for (ClusterNode node : alive) {
        clean &= endedInOrder(node, tierDeadlineMs);
      }
    }
    return clean;
  }

  private synchronized List<List<ClusterNode>> stopOrder() {
    stopping = true;
    List<List<ClusterNode>> tiers = new ArrayList<>(running);
    Collections.reverse(tiers);
    return tiers;
  }

  private boolean endedInOrder(ClusterNode node, long deadlineMs) {
    try {
      return node.ended().get(Math.max(1, deadlineMs - nowMs()), TimeUnit.MILLISECONDS) == 0;
    } catch (TimeoutException | ExecutionException | InterruptedException late) {
      console.announce(node.plan().name() + " did not end in time, it is killed");
      node.kill();
      return false;
    }
  }

  private long nowMs() {
    return clock.nanos() / 1_000_000;
  }
}

package io.metaq.replication;

import io.vertx.core.Deployable;
import io.vertx.core.DeploymentOptions;
import io.vertx.core.ThreadingModel;
import io.vertx.core.Vertx;
import java.util.ArrayDeque;
import java.util.Deque;

/** What a test deployed: it stops in the reverse order, as in a broker, so that nobody gives work to one that has ended. */
final class Deployments {
  private final Vertx vertx;
  /** The last first. */
  private final Deque<String> deployed = new ArrayDeque<>();

  Deployments(Vertx vertx) {
    this.vertx = vertx;
  }

  void worker(Deployable verticle, String pool) throws Exception {
    deploy(verticle, new DeploymentOptions().setThreadingModel(ThreadingModel.WORKER).setWorkerPoolName(pool).setWorkerPoolSize(1));
  }

  void eventLoop(Deployable verticle) throws Exception {
    deploy(verticle, new DeploymentOptions());
  }

  private void deploy(Deployable verticle, DeploymentOptions options) throws Exception {
    deployed.push(TestNode.await(vertx.deployVerticle(verticle, options)));
  }

  void stopLast() throws Exception {
    TestNode.await(vertx.undeploy(deployed.pop()));
  }

  void stopAll() throws Exception {
    while (!deployed.isEmpty()) {
      stopLast();
    }
  }
}

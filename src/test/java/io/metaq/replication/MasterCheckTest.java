package io.metaq.replication;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.net.HostAndPort;
import java.nio.file.Path;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class MasterCheckTest {
  @TempDir Path folder;

  /** The pool and the store of a slave that stops are closed next. */
  @Test
  void shouldHaveEndedWhatItAskedWhenItIsClosed() throws Exception {
    try (TestMaster master = new TestMaster(folder.resolve("master"), false, TestNode.master(1))) {
      master.silent = true;
      AtomicReference<Future<Verdict>> verdict = new AtomicReference<>();
      Promise<MasterCheck> made = Promise.promise();
      Context owner = master.vertx.getOrCreateContext();
      owner.runOnContext(loop -> {
        MasterCheck check = new MasterCheck(master.vertx, master.store.view(), master.vertx.createSharedWorkerExecutor("readers", 1));
        verdict.set(check.compare(HostAndPort.create("127.0.0.1", master.brokerPort)));
        made.complete(check);
      });
      MasterCheck check = TestNode.await(made.future());
      TestNode.until("asked", () -> !master.questions.isEmpty());

      Promise<Boolean> failedBefore = Promise.promise();
      owner.runOnContext(loop -> check.close().onComplete(closed -> failedBefore.complete(verdict.get().failed())));

      assertThat(TestNode.await(failedBefore.future())).isTrue();
      TestNode.until("its connection is closed", () -> master.questions.isEmpty());
    }
  }

  @Test
  void shouldNotWaitWhenClosedForWhatCouldNotBeAsked() throws Exception {
    try (TestMaster master = new TestMaster(folder.resolve("master"), false, TestNode.master(1))) {
      MasterCheck check = new MasterCheck(master.vertx, master.store.view(), master.vertx.createSharedWorkerExecutor("readers", 1));

      assertThatThrownBy(() -> check.first(HostAndPort.create("127.0.0.1", 70_000))).isInstanceOf(IllegalArgumentException.class);

      assertThat(check.close().succeeded()).isTrue();
      assertThat(check.first(HostAndPort.create("127.0.0.1", master.brokerPort)).cause()).hasMessage("this slave stops");
    }
  }

  @Test
  void shouldBeClosedAtOnceWhenItAsksNothing() throws Exception {
    try (TestMaster master = new TestMaster(folder.resolve("master"), false, TestNode.master(1))) {
      MasterCheck check = new MasterCheck(master.vertx, master.store.view(), master.vertx.createSharedWorkerExecutor("readers", 1));

      assertThat(check.close().succeeded()).isTrue();
    }
  }
}

package io.metaq.coordinator;

import static io.metaq.coordinator.PopRig.RETRY;
import static io.metaq.coordinator.PopRig.TOPIC;
import static org.assertj.core.api.Assertions.assertThat;

import io.metaq.coordinator.PopRig.Given;
import io.metaq.coordinator.PopTarget.Waiter;
import io.metaq.coordinator.api.PopAnswer;
import io.metaq.coordinator.api.PopRequest;
import io.metaq.coordinator.api.PopRequest.Kind;
import io.metaq.model.AppendStatus;
import io.metaq.model.ResultCode;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Pops and notices that wait while messages come, also between a look and what follows from it, while notes are refused, queues are
 * added to the topic and taken away, and the group is moved: nobody waits for what is there.
 */
class PopWakeRandomTest {
  private static final int STEPS = 60;
  private static final int MOST_QUEUES = 4;
  private static final long LONG_MS = 3_600_000;

  @TempDir Path folder;

  private PopRig rig;
  private SplittableRandom random;
  private final List<Given> held = new ArrayList<>();
  private int queues = 1;
  private int taken;
  private int sent;

  @AfterEach
  void close() {
    rig.close();
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24})
  void shouldLetNobodyWaitForWhatIsThere(long seed) {
    random = new SplittableRandom(seed);
    rig = new PopRig(folder);

    for (int step = 0; step < STEPS; step++) {
      rig.afterLook = random.nextInt(4) == 0 ? this::send : () -> {};
      switch (random.nextInt(14)) {
        case 0, 1 -> send();
        case 2, 3, 4, 5, 6 -> rig.ask(wait(random.nextInt(3)));
        case 7 -> settleOne();
        case 8 -> rig.pass(random.nextInt((int) PopRig.INVISIBLE_MS));
        case 9 -> refuseOnce();
        case 10 -> queues = Math.max(1, Math.min(MOST_QUEUES, queues + random.nextInt(4) - 1));
        default -> rig.move(random.nextInt(queues), random.nextInt(3));
      }
      rig.run();
      take();
      assertThat(waitingForWhatIsThere()).as("step " + step).isEmpty();
    }
  }

  private void send() {
    if (random.nextInt(5) == 0) {
      rig.send(RETRY, 0, "m" + sent++, Map.of());
    } else {
      rig.send(random.nextInt(queues), "m" + sent++);
    }
  }

  private PopRequest wait(int kind) {
    int queueId = random.nextInt(3) == 0 ? random.nextInt(queues) : PopRequest.ANY_QUEUE;
    PopRequest like = kind == 0 ? rig.look(Kind.NOTICE, LONG_MS)
        : rig.request(queueId, 1 + random.nextInt(3), LONG_MS, kind == 1, "attempt" + random.nextInt(3));
    return new PopRequest(like.loop(), like.connectionId(), like.ticket(), like.kind(), like.group(), like.topic(), like.queueId(), queues,
        like.retryQueues(), like.maxMessages(), like.invisibleMs(), like.holdUntilMs(), like.fromFirst(), like.filter(), like.ordered(),
        like.attemptId());
  }

  private void settleOne() {
    if (!held.isEmpty()) {
      rig.settle(held.remove(random.nextInt(held.size())).ack());
    }
  }

  private void refuseOnce() {
    rig.ask(wait(1 + random.nextInt(2)));
    rig.ask(wait(1 + random.nextInt(2)));
    rig.refusal = AppendStatus.UNAVAILABLE;
    send();
    rig.runOnce();
    rig.refusal = null;
    rig.pass(1);
  }

  private void take() {
    for (; taken < rig.answers.size(); taken++) {
      PopAnswer answer = rig.answers.get(taken);
      if (answer.code() == ResultCode.SUCCESS) {
        held.addAll(PopRig.given(answer));
      }
    }
  }

  private List<String> waitingForWhatIsThere() {
    List<String> found = new ArrayList<>();
    for (PopTarget target : rig.pops.table().targets()) {
      for (Waiter waiter : target.waiters()) {
        PopRequest request = waiter.request();
        target.queues().stream().filter(queue -> request.anyQueue() ? queue.queueId() < request.readQueues()
                : queue.queueId() == request.queueId())
            .filter(queue -> !queue.blockedFor(request, rig.clock.millis()))
            .filter(this::hasMessages)
            .forEach(queue -> found.add(request + " of " + queue));
        if (!request.ordered()) {
          target.retryQueues().stream().filter(this::hasMessages).forEach(queue -> found.add(request + " of " + queue));
        }
      }
    }
    return found;
  }

  private boolean hasMessages(PopQueue queue) {
    return rig.maxOffset(queue.topic(), queue.queueId()) > Math.max(0, queue.next());
  }
}

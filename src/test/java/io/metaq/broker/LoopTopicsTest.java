package io.metaq.broker;

import static org.assertj.core.api.Assertions.assertThat;

import io.metaq.coordinator.api.TopicsDelta;
import io.metaq.model.DataVersion;
import io.metaq.model.Perm;
import io.metaq.model.TopicConfig;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class LoopTopicsTest {
  private final LoopTopics topics = new LoopTopics();

  @Test
  void shouldFindATopicByNameAndByBytes() {
    apply(false, topic("orders", 4));

    assertThat(topics.find("orders")).isPresent();
    assertThat(byBytes("orders")).isSameAs(topics.find("orders").orElseThrow());
    assertThat(byBytes("order")).isNull();
    assertThat(byBytes("orders2")).isNull();
  }

  @Test
  void shouldKeepTheQueueHandlesOfATopicThatChanged() {
    apply(false, topic("orders", 4));
    var queue = byBytes("orders").queue(1);

    apply(false, topic("orders", 8));

    assertThat(byBytes("orders").queue(1)).isSameAs(queue);
    assertThat(byBytes("orders").config().writeQueues()).isEqualTo(8);
    assertThat(byBytes("orders").queue(7).queueId()).isEqualTo(7);
  }

  @Test
  void shouldForgetWhatACompleteTableDoesNotHave() {
    apply(false, topic("a", 1), topic("b", 1));

    apply(true, topic("b", 1));

    assertThat(topics.find("a")).isEmpty();
    assertThat(byBytes("a")).isNull();
    assertThat(byBytes("b")).isNotNull();
  }

  @Test
  void shouldFindEachOfManyTopics() {
    apply(false, IntStream.range(0, 10_000).mapToObj(i -> topic("t" + i, 1)).toArray(TopicConfig[]::new));

    assertThat(IntStream.range(0, 10_000)).allMatch(i -> byBytes("t" + i).name().equals("t" + i));
  }

  @Test
  void shouldFindTopicsThatCameOneByOneAndNoneThatWent() {
    IntStream.range(0, 500).forEach(i -> apply(false, topic("t" + i, 1)));
    topics.apply(new TopicsDelta(DataVersion.INITIAL, List.of(topic("new", 1)), List.of("t7", "t8"), false));

    assertThat(IntStream.range(0, 500)).allMatch(i -> (byBytes("t" + i) == null) == (i == 7 || i == 8));
    assertThat(byBytes("new")).isSameAs(topics.find("new").orElseThrow());
  }

  private TopicEntry byBytes(String name) {
    byte[] text = ("__" + name + "__").getBytes(StandardCharsets.UTF_8);
    return topics.find(text, 2, text.length - 4);
  }

  private void apply(boolean complete, TopicConfig... changed) {
    topics.apply(new TopicsDelta(DataVersion.INITIAL, List.of(changed), List.of(), complete));
  }

  private static TopicConfig topic(String name, int queues) {
    return TopicConfig.of(name, queues, Perm.READ_WRITE);
  }
}

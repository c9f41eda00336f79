package io.metaq.client;

import static org.assertj.core.api.Assertions.assertThat;

import io.metaq.codec.registry.TopicRouteCodec;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

class RouteTest {
  private static final String TWO_BROKERS =
      """
      {"brokerDatas":[
        {"brokerAddrs":{0:"10.0.0.1:10911",1:"10.0.0.2:10911"},"brokerName":"b0","cluster":"c"},
        {"brokerAddrs":{"1":"10.0.0.3:10911"},"brokerName":"b1","cluster":"c"}],
       "filterServerTable":{},
       "queueDatas":[
        {"brokerName":"b0","perm":6,"readQueueNums":3,"topicSysFlag":0,"writeQueueNums":2},
        {"brokerName":"b1","perm":6,"readQueueNums":1,"topicSysFlag":0,"writeQueueNums":1}]}""";

  @Test
  void shouldWriteOnlyWhereABrokerHasAMaster() {
    Route route = route(TWO_BROKERS);

    assertThat(route.writable()).containsExactly(new TopicQueue("T", "b0", 0), new TopicQueue("T", "b0", 1));
    assertThat(route.master("b0")).contains(new Address("10.0.0.1", 10911));
    assertThat(route.master("b1")).isEmpty();
  }

  @Test
  void shouldReadFromSlavesToo() {
    Route route = route(TWO_BROKERS);

    assertThat(route.readable())
        .containsExactly(
            new TopicQueue("T", "b0", 0), new TopicQueue("T", "b0", 1), new TopicQueue("T", "b0", 2), new TopicQueue("T", "b1", 0));
    assertThat(route.reading("b0", 1)).contains(new Address("10.0.0.2", 10911));
    assertThat(route.reading("b0", 7)).contains(new Address("10.0.0.1", 10911));
    assertThat(route.reading("b1", 0)).contains(new Address("10.0.0.3", 10911));
    assertThat(route.reading("gone", 0)).isEmpty();
  }

  @Test
  void shouldObeyPermissions() {
    Route writeOnly = route(TWO_BROKERS.replace("\"perm\":6", "\"perm\":2"));
    Route readOnly = route(TWO_BROKERS.replace("\"perm\":6", "\"perm\":4"));

    assertThat(writeOnly.readable()).isEmpty();
    assertThat(writeOnly.writable()).hasSize(2);
    assertThat(readOnly.writable()).isEmpty();
    assertThat(readOnly.readable()).hasSize(4);
  }

  @Test
  void shouldMakeUpFourQueuesFromTheTemplate() {
    String template = TWO_BROKERS.replace("\"readQueueNums\":3", "\"readQueueNums\":8").replace("\"perm\":6", "\"perm\":7");

    Route route = Route.fromTemplate("new", TopicRouteCodec.decode(template.getBytes(StandardCharsets.UTF_8)));

    assertThat(route.provisional()).isTrue();
    assertThat(route.writable()).extracting(TopicQueue::queueId).containsExactly(0, 1, 2, 3);
    assertThat(route.writable()).extracting(TopicQueue::topic).containsOnly("new");
  }

  @Test
  void shouldHaveQueuesInTheOrderOfTheirBrokersNamesAsOfficialProducersDo() {
    Route route =
        route(
            TWO_BROKERS
                .replace("\"brokerName\":\"b0\"", "\"brokerName\":\"z\"")
                .replace("\"1\":\"10.0.0.3", "\"0\":\"10.0.0.3"));

    assertThat(route.writable())
        .containsExactly(new TopicQueue("T", "b1", 0), new TopicQueue("T", "z", 0), new TopicQueue("T", "z", 1));
  }

  @Test
  void shouldIgnoreAddressesThatAreNone() {
    Route route = route(TWO_BROKERS.replace("10.0.0.1:10911", "nowhere"));

    assertThat(route.writable()).isEmpty();
    assertThat(route.addresses()).containsExactlyInAnyOrder(new Address("10.0.0.2", 10911), new Address("10.0.0.3", 10911));
  }

  private static Route route(String json) {
    return Route.of("T", TopicRouteCodec.decode(json.getBytes(StandardCharsets.UTF_8)));
  }
}

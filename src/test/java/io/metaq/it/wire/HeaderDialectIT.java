package io.metaq.it.wire;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeFalse;

import io.metaq.it.Queues;
import io.metaq.it.RawClient;
import io.metaq.it.RawFrame;
import io.metaq.it.RawFrame.Header;
import io.metaq.it.Requests;
import io.metaq.it.Server;
import io.metaq.it.SharedServer;
import io.metaq.it.StoredRecord;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Headers as other clients than the Java ones write them, and what every answer must carry. */
@ExtendWith(SharedServer.class)
class HeaderDialectIT {

  private static final int UNKNOWN_CODE = 9_999;

  private final Server server;

  HeaderDialectIT(Server server) {
    this.server = server;
  }

  @ParameterizedTest
  @ValueSource(strings = {
      "{'code':30,'flag':0,'language':'GO','opaque':7,'version':1,'extFields':{'topic':'TBW102','queueId':'0'}}",
      "{'code':30,'flag':0,'language':'KLINGON','opaque':7,'version':0,'extFields':{'topic':'TBW102','queueId':0}}",
      "{'code':'30','flag':'0','opaque':'7','extFields':{'topic':'TBW102','queueId':0}}",
      "{ 'opaque' : 7 , 'code' : 30, 'new' : {'a':[1,2,{'b':null}]}, 'extFields' : {'queueId':'0','topic':'TBW102','x':true} }",
      "{'code':30,'flag':0,'language':'CPP','opaque':7,'remark':null,'extFields':{'topic':'TBW102','queueId':'0','y':null}}",
      "{'code':30,'flag':0,'language':'CPP','opaque':7,'extFields':{'t\\u006fpic':'TBW102','queueId':'0'}}",
  })
  void shouldAcceptHeadersOfOtherClients(String header) throws Exception {
    try (RawClient client = RawClient.connect(server.brokerPort())) {
      client.write(RawFrame.frame(0, header.replace('\'', '"').getBytes(UTF_8), new byte[0]));
      RawFrame answer = client.receive();

      assertThat(answer.code()).as(answer.toString()).isZero();
      assertThat(answer.opaque()).isEqualTo(7);
      assertThat(answer.flag()).isEqualTo(1);
      assertThat(answer.number("offset")).isZero();
    }
  }

  @Test
  void shouldAcceptNullExtFieldsWhereNoneAreNeeded() throws Exception {
    String heartbeat = "{\"clientID\":\"it@null-ext\",\"producerDataSet\":[{\"groupName\":\"it-null-ext\"}],\"consumerDataSet\":[]}";

    try (RawClient client = RawClient.connect(server.brokerPort())) {
      client.write(RawFrame.frame(0, "{\"code\":34,\"opaque\":8,\"extFields\":null}".getBytes(UTF_8), heartbeat.getBytes(UTF_8)));

      assertThat(client.receive().code()).isZero();
    }
  }

  @ParameterizedTest
  @EnumSource(Header.class)
  void shouldAnswerInTheSerializationOfTheRequest(Header header) throws Exception {
    String topic = Queues.freshName("serialization");

    try (RawClient client = RawClient.connect(server.brokerPort())) {
      RawFrame sent = client.call(Requests.send(topic, 1, "hello").in(header));
      RawFrame pulled = client.call(Requests.pull(topic, 1, 0, 32, 20_000).in(header));

      assertThat(sent.code()).as(sent.toString()).isZero();
      assertThat(sent.ext()).containsEntry("queueId", "1").containsEntry("queueOffset", "0").containsKey("msgId");
      assertThat(pulled.ext()).containsEntry("nextBeginOffset", "1").containsEntry("minOffset", "0")
          .containsEntry("maxOffset", "1").containsEntry("suggestWhichBrokerId", "0");
      if (server.isMetaq()) {
        assertThat(List.of(sent.header(), pulled.header())).containsOnly(header);
      }
    }
  }

  @ParameterizedTest
  @EnumSource(Header.class)
  void shouldAnswerThreeToAnUnknownCode(Header header) throws Exception {
    for (int port : List.of(server.brokerPort(), server.namesrvPort())) {
      try (RawClient client = RawClient.connect(port)) {
        RawFrame answer = client.call(RawFrame.request(UNKNOWN_CODE).in(header));

        assertThat(answer.code()).isEqualTo(3);
        assertThat(answer.remark()).contains(Integer.toString(UNKNOWN_CODE));
      }
    }
  }

  @Test
  void shouldAnswerNothingToOnewayRequests() throws Exception {
    String topic = Queues.freshName("oneway");

    try (RawClient client = RawClient.connect(server.brokerPort())) {
      client.send(RawFrame.request(UNKNOWN_CODE).oneway());
      client.send(Requests.send(topic, 0, "stored").oneway());
      client.send(Requests.send("no such/topic", 0, "refused").oneway());
      int asked = client.send(Requests.send(topic, 0, "answered"));
      RawFrame first = client.receive();

      assertThat(first.opaque()).isEqualTo(asked);
      assertThat(Queues.readFirst(client, topic, 0, 2)).extracting(StoredRecord::text).contains("stored", "answered");
    }
  }

  @Test
  void shouldAnswerPipelinedRequestsWithoutWaitingForAHeldOne() throws Exception {
    String topic = Queues.freshName("pipelined");

    try (RawClient client = RawClient.connect(server.brokerPort())) {
      client.call(Requests.send(topic, 0, "creates the topic"));
      int held = client.send(Requests.pull(topic, 3, 0, 32, 20_000));
      List<Integer> sent = IntStream.range(0, 200).mapToObj(i -> unchecked(client, Requests.send(topic, 0, "m" + i))).toList();
      List<Long> offsets = sent.stream().map(opaque -> unchecked(client, opaque).number("queueOffset")).toList();
      client.call(Requests.send(topic, 3, "ends the hold"));

      assertThat(client.await(held).code()).isZero();
      assertThat(offsets).doesNotHaveDuplicates();
      if (server.isMetaq()) {
        assertThat(offsets).as("the order of a connection is kept").isSorted();
      }
    }
  }

  @Test
  void shouldServeThePortTwoBelowAsOlderClientsUseIt() throws Exception {
    assumeFalse(server.isMetaq() && server.process().standardError().contains("VIP channel is not served"),
        "another process has that port");

    try (RawClient client = RawClient.connect(server.brokerPort() - 2)) {
      assertThat(client.call(Requests.send(Queues.freshName("vip"), 0, "m")).code()).isZero();
    }
  }

  private static int unchecked(RawClient client, RawFrame request) {
    try {
      return client.send(request);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static RawFrame unchecked(RawClient client, int opaque) {
    try {
      return client.await(opaque);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}

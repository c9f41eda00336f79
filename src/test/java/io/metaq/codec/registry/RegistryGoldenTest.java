package io.metaq.codec.registry;

import static org.assertj.core.api.Assertions.assertThat;

import io.metaq.model.DataVersion;
import io.metaq.model.TopicConfig;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/** Against bodies that Apache RocketMQ 5.5.0 wrote; golden/registry/README.md says how they were made. */
class RegistryGoldenTest {
  private static final BrokerData BROKER =
      new BrokerData("c0", "b0", new TreeMap<>(Map.of(0L, "10.0.0.1:10911", 1L, "10.0.0.2:10911")), false);
  private static final TopicRoute ROUTE =
      new TopicRoute(Optional.of("b0:4"), List.of(new QueueData("b0", 4, 8, 6, 1)), List.of(BROKER));
  private static final TopicConfig TOPIC =
      new TopicConfig("T", 4, 8, 6, "SINGLE_TAG", 0, false, Map.of("message.type", "FIFO"));
  private static final TopicConfig RETRY = new TopicConfig("%RETRY%g", 1, 1, 6, "SINGLE_TAG", 2, true, Map.of());
  private static final DataVersion VERSION = new DataVersion(2, 1_700_000_000_000L, 3);

  @Test
  void shouldWriteTheRouteInStrictJson() throws IOException {
    byte[] written = TopicRouteCodec.encode(ROUTE, IdKeys.QUOTED);

    assertThat(text(written)).isEqualTo(text(golden("route-strict.json")));
  }

  @Test
  void shouldWriteTheRouteWithBareIdsForOldClients() throws IOException {
    byte[] written = TopicRouteCodec.encode(ROUTE, IdKeys.BARE);

    assertThat(text(written)).isEqualTo(text(golden("route-old.json")));
  }

  @Test
  void shouldReadTheRouteInBothForms() throws IOException {
    assertThat(TopicRouteCodec.decode(golden("route-strict.json"))).isEqualTo(ROUTE);
    assertThat(TopicRouteCodec.decode(golden("route-old.json"))).isEqualTo(ROUTE);
  }

  @Test
  void shouldWriteTheClusterTableWithQuotedIds() throws IOException {
    byte[] written = ClusterInfoCodec.encode(new ClusterInfo(List.of(BROKER)));

    assertThat(text(written)).isEqualTo(quoted(golden("cluster.json")));
  }

  @Test
  void shouldReadTheClusterTable() throws IOException {
    ClusterInfo info = ClusterInfoCodec.decode(golden("cluster.json"));

    assertThat(info.brokers()).containsExactly(BROKER);
    assertThat(info.namesByCluster()).containsOnlyKeys("c0");
  }

  @Test
  void shouldWriteTheMembersOfABroker() throws IOException {
    assertThat(text(ClusterInfoCodec.encodeMembers(BROKER))).isEqualTo(quoted(golden("members.json")));
  }

  @Test
  void shouldWriteAndReadTheTopicList() throws IOException {
    byte[] written = TopicListCodec.encode(List.of("%RETRY%g", "T"), Optional.of("10.0.0.1:10911"));

    assertThat(text(written)).isEqualTo(text(golden("topics.json")));
    assertThat(TopicListCodec.decode(written)).containsExactly("%RETRY%g", "T");
  }

  @Test
  void shouldWriteAndReadAKeyValueTable() throws IOException {
    assertThat(text(KvTableCodec.encode(Map.of("T", "b0:4")))).isEqualTo(text(golden("kv.json")));
    assertThat(KvTableCodec.decode(golden("kv.json"))).isEqualTo(Map.of("T", "b0:4"));
  }

  @Test
  void shouldReadAPlainRegistration() throws IOException {
    RegisterBody body = RegisterBodyCodec.decode(golden("register.json"), 513);

    assertThat(body.version()).isEqualTo(VERSION);
    assertThat(body.topics()).containsExactlyInAnyOrder(TOPIC, RETRY);
  }

  @Test
  void shouldReadACompressedRegistrationWithoutOrderAndSystemFlag() throws IOException {
    RegisterBody body = RegisterBodyCodec.decodeCompressed(golden("register-513.zlib"));

    assertThat(body.version()).isEqualTo(VERSION);
    assertThat(body.topics())
        .containsExactlyInAnyOrder(TOPIC, new TopicConfig("%RETRY%g", 1, 1, 6, "SINGLE_TAG", 0, false, Map.of()));
  }

  @Test
  void shouldWriteAPlainRegistration() throws IOException {
    byte[] written = RegisterBodyCodec.encode(new RegisterBody(VERSION, List.of(TOPIC, RETRY)));

    // The mappings' version is the moment of the capture there; ours has no mappings and says the first one.
    String golden = text(golden("register.json")).replaceAll("(\"mappingDataVersion\":.*?\"timestamp\":)\\d+", "$10");
    assertThat(text(written)).isEqualTo(golden);
  }

  private static String quoted(byte[] json) {
    return text(json).replace("{0:", "{\"0\":").replace(",1:", ",\"1\":");
  }

  private static String text(byte[] utf8) {
    return new String(utf8, StandardCharsets.UTF_8);
  }

  private static byte[] golden(String name) throws IOException {
    try (InputStream in = RegistryGoldenTest.class.getResourceAsStream("/golden/registry/" + name)) {
      return in.readAllBytes();
    }
  }
}

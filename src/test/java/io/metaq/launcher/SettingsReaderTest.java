package io.metaq.launcher;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SettingsReaderTest {
  private static final Set<Component> STANDALONE = Set.of(Component.NAMESERVER, Component.BROKER);

  @TempDir Path folder;

  @Test
  void shouldPreferTheCommandLineThenTheEnvironmentThenTheFileThenTheDescriptorThenTheDefault() {
    Source descriptor = new Source(new Origin(Origin.Kind.DESCRIPTOR, "the descriptor x"),
        Map.of("brokerName", "d", "regionId", "d", "brokerClusterName", "d", "msgTraceTopicName", "d"));
    Source file = new Source(new Origin(Origin.Kind.FILE, "x.conf"), Map.of("brokerName", "f", "regionId", "f", "brokerClusterName", "f"));
    Source environment = Source.environment(Map.of("METAQ_BROKER_NAME", "e", "METAQ_REGION_ID", "e", "PATH", "/bin"));
    Source options = Source.options(Map.of("brokerName", "o"));

    Settings settings = read(STANDALONE, file, options, descriptor, environment).settings();

    assertThat(settings.text("brokerName")).isEqualTo("o");
    assertThat(settings.text("regionId")).isEqualTo("e");
    assertThat(settings.text("brokerClusterName")).isEqualTo("f");
    assertThat(settings.text("msgTraceTopicName")).isEqualTo("d");
    assertThat(settings.integer("listenPort")).isEqualTo(10911);
    assertThat(settings.setting("brokerName").origin()).hasToString("the command line");
    assertThat(settings.setting("regionId").origin()).hasToString("the environment");
    assertThat(settings.setting("brokerClusterName").origin()).hasToString("x.conf");
    assertThat(settings.setting("msgTraceTopicName").origin()).hasToString("the descriptor x");
    assertThat(settings.setting("listenPort").origin()).hasToString("default");
  }

  @Test
  void shouldReadAnOperatorsFileWithBlanksAroundItsValues() throws Exception {
    Path file = folder.resolve("broker.conf");
    Files.writeString(file, "# from an operator\nlistenPort = 20911  \nbrokerName=  b\\u0061  \n autoCreateTopicEnable : FALSE\n",
        StandardCharsets.ISO_8859_1);

    Settings settings = read(STANDALONE, Source.file(file)).settings();

    assertThat(settings.integer("listenPort")).isEqualTo(20911);
    assertThat(settings.text("brokerName")).isEqualTo("ba");
    assertThat(settings.flag("autoCreateTopicEnable")).isFalse();
  }

  @Test
  void shouldSayWhichConfigurationFileIsMissing() {
    Path missing = folder.resolve("no.conf");

    assertThatThrownBy(() -> Source.file(missing))
        .isInstanceOf(StartFailure.class)
        .hasMessage("the configuration file " + missing + " (-c) does not exist");
  }

  @ParameterizedTest
  @CsvSource(delimiter = '|', value = {
    "listenPort            | abc          | listenPort must be a port from 0 to 65535, not \"abc\" (from the command line)",
    "listenPort            | 65536        | listenPort must be a port from 0 to 65535, not \"65536\" (from the command line)",
    "listenPort            | -1           | listenPort must be a port from 0 to 65535, not \"-1\" (from the command line)",
    "maxMessageSize        | 4m           | maxMessageSize must be a whole number from 1 to 16000000, not \"4m\" (from the command line)",
    "defaultTopicQueueNums | 0            | defaultTopicQueueNums must be a whole number from 1 to 1024, not \"0\" (from the command line)",
    "brokerId              | -1           | brokerId must be a whole number from 0 to 2147483647, not \"-1\" (from the command line)",
    "autoCreateTopicEnable | yes          | autoCreateTopicEnable must be true or false, not \"yes\" (from the command line)",
    "flushDiskType         | SYNC         | flushDiskType must be ASYNC_FLUSH or SYNC_FLUSH, not \"SYNC\" (from the command line)",
    "namesrvAddr           | host         | namesrvAddr must be host:port, several joined by ;, not \"host\" (from the command line)",
    "namesrvAddr           | a:1;b:70000  | namesrvAddr must be host:port, several joined by ;, not \"a:1;b:70000\" (from the command line)",
    "messageDelayLevel     | 1s 5x        | messageDelayLevel must be delays like \"1s 5s 10m 2h 1d\", not \"1s 5x\" (from the command line)",
  })
  void shouldEndTheStartWithOneSentenceForABadValue(String key, String value, String sentence) {
    Source options = Source.options(Map.of(key, value));

    assertThatThrownBy(() -> read(STANDALONE, options)).isInstanceOf(StartFailure.class).hasMessage(sentence);
  }

  @Test
  void shouldNotMindABadValueThatAStrongerOneReplaces() {
    Source file = new Source(new Origin(Origin.Kind.FILE, "x.conf"), Map.of("listenPort", "abc"));

    Settings settings = read(STANDALONE, file, Source.options(Map.of("listenPort", "7"))).settings();

    assertThat(settings.integer("listenPort")).isEqualTo(7);
  }

  @ParameterizedTest
  @CsvSource({
    "aclEnable,true",
    "authenticationEnabled,TRUE",
    "authorizationEnabled,true",
    "storeType,defaultRocksDB",
    "enableControllerMode,true",
    "enableDLegerCommitLog,true",
    "enableConsumeQueueExt,true",
    "readOnlyCommitLogStorePaths,/other",
  })
  void shouldRefuseWhatWouldBeUnsafeToIgnore(String key, String value) {
    Source options = Source.options(Map.of(key, value));

    assertThatThrownBy(() -> read(STANDALONE, options))
        .isInstanceOf(StartFailure.class)
        .hasMessageStartingWith(key + "=" + value + " (from the command line) is refused: ");
  }

  @ParameterizedTest
  @CsvSource({"aclEnable,false", "storeType,default", "brokerRole,ASYNC_MASTER", "readOnlyCommitLogStorePaths,''"})
  void shouldAcceptTheHarmlessValueOfARefusedKey(String key, String value) {
    assertThat(read(STANDALONE, Source.options(Map.of(key, value))).remarks()).noneMatch(remark -> remark.contains("refused"));
  }

  @Test
  void shouldSuggestTheNearestKeyForAnUnknownOne() {
    Source options = Source.options(Map.of("brokerNmae", "x", "somethingElse", "y"));

    List<String> remarks = read(STANDALONE, options).remarks();

    assertThat(remarks).containsExactly(
        "unknown key brokerNmae (the command line) has no effect; did you mean brokerName?",
        "unknown key somethingElse (the command line) has no effect");
  }

  @Test
  void shouldSuggestTheNearestVariableButBeSilentAboutThoseOfOrchestrators() {
    Source environment = Source.environment(Map.of("METAQ_BROKERIP1", "1.2.3.4", "METAQ_PORT_10911_TCP_PROTO", "tcp"));

    List<String> remarks = read(STANDALONE, environment).remarks();

    assertThat(remarks)
        .containsExactly("unknown variable METAQ_BROKERIP1 in the environment; did you mean METAQ_BROKER_IP1?");
  }

  @Test
  void shouldTellWhichKeysHaveNoEffectWhenTheyWereChanged() {
    Source options = Source.options(Map.of("sendMessageThreadPoolNums", "64", "forceRegister", "true"));

    List<String> remarks = read(STANDALONE, options).remarks();

    assertThat(remarks).containsExactly(
        "sendMessageThreadPoolNums=64 (from the command line) has no effect here. "
            + "Threads of the peer; here event loops do this work.");
  }

  @Test
  void shouldReadListenPortOfANameServersFileAsTheNameServersPort() {
    Source options = Source.options(Map.of("listenPort", "19876"));

    Settings nameServer = read(Set.of(Component.NAMESERVER), options).settings();
    Settings standalone = read(STANDALONE, options).settings();

    assertThat(nameServer.integer("namesrvListenPort")).isEqualTo(19876);
    assertThat(standalone.integer("namesrvListenPort")).isEqualTo(9876);
    assertThat(standalone.integer("listenPort")).isEqualTo(19876);
  }

  @Test
  void shouldTellWhenAKeyBelongsToAPartThatDoesNotRun() {
    Source options = Source.options(Map.of("flushDiskType", "SYNC_FLUSH"));

    SettingsReader.Result result = read(Set.of(Component.NAMESERVER), options);

    assertThat(result.remarks()).containsExactly(
        "flushDiskType (the command line) is a key of the broker, which this process does not run; it has no effect");
  }

  @Test
  void shouldMaskSecrets() {
    Settings settings = read(STANDALONE, Source.options(Map.of("initAuthenticationUser", "root:secret"))).settings();

    assertThat(settings.all()).noneMatch(setting -> setting.shown().contains("secret"));
  }

  @Test
  void shouldRefuseToReadAKeyThatIsNotHonoured() {
    Settings settings = read(STANDALONE).settings();

    assertThatThrownBy(() -> settings.text("sendMessageThreadPoolNums")).isInstanceOf(IllegalArgumentException.class);
  }

  private static SettingsReader.Result read(Set<Component> process, Source... sources) {
    return new SettingsReader(ConfigKeys.load(), process).read(List.of(sources));
  }
}

package io.metaq.nameserver;

import static org.assertj.core.api.Assertions.assertThat;

import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.junit5.VertxExtension;
import io.vertx.junit5.VertxTestContext;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

@ExtendWith(VertxExtension.class)
class KvConfigTest {
  @TempDir Path folder;

  @Test
  void shouldFindAfterARestartWhatWasPut(Vertx vertx, VertxTestContext test) {
    Path path = folder.resolve("made").resolve("kvConfig.json");

    load(vertx, path)
        .compose(config -> config.put("n", "k", "v").compose(done -> config.put("n", "gone", "x")).compose(
            done -> config.delete("n", "gone")))
        .compose(done -> load(vertx, path))
        .onComplete(test.succeeding(config -> test.verify(() -> {
          assertThat(config.namespace("n")).contains(Map.of("k", "v"));
          assertThat(config.get("n", "k")).contains("v");
          assertThat(config.get("n", "gone")).isEmpty();
          assertThat(config.namespace("other")).isEmpty();
          assertThat(path.resolveSibling("kvConfig.json.new")).doesNotExist();
          test.completeNow();
        })));
  }

  @Test
  void shouldMakeChangesThatAreAskedForTogetherOneAfterTheOther(Vertx vertx, VertxTestContext test) {
    Path path = folder.resolve("kvConfig.json");

    load(vertx, path)
        .compose(config -> {
          for (int i = 0; i < 20; i++) {
            config.put("n", "k" + i, "v" + i);
          }
          return config.settled();
        })
        .compose(done -> load(vertx, path))
        .onComplete(test.succeeding(config -> test.verify(() -> {
          assertThat(config.namespace("n").orElseThrow()).hasSize(20).containsEntry("k19", "v19");
          test.completeNow();
        })));
  }

  @Test
  void shouldReadAFileOfARocketMqNameServer(Vertx vertx, VertxTestContext test) throws IOException {
    Path path = Files.writeString(folder.resolve("kvConfig.json"), "{\"configTable\":{\"ORDER_TOPIC_CONFIG\":{\"T\":\"b0:4\"}}}");

    load(vertx, path).onComplete(test.succeeding(config -> test.verify(() -> {
      assertThat(config.get(KvConfig.ORDER_TOPICS, "T")).contains("b0:4");
      test.completeNow();
    })));
  }

  @Test
  void shouldNotHaveMadeAChangeThatCannotBeWritten(Vertx vertx, VertxTestContext test) throws IOException {
    Files.createDirectory(folder.resolve("kvConfig.json.new"));

    load(vertx, folder.resolve("kvConfig.json"))
        .onComplete(test.succeeding(config -> config.put("n", "k", "v").onComplete(test.failing(failure -> test.verify(() -> {
          assertThat(config.get("n", "k")).isEmpty();
          assertThat(config.settled().succeeded()).isTrue();
          test.completeNow();
        })))));
  }

  @Test
  void shouldGoOnWithTheTableBeforeWhenTheFileIsDamagedAndKeepIt(Vertx vertx, VertxTestContext test) {
    Path path = folder.resolve("kvConfig.json");

    load(vertx, path)
        .compose(config -> config.put("n", "k", "before").compose(done -> config.put("n", "k", "last")))
        .compose(done -> vertx.fileSystem().writeFile(path.toString(), Buffer.buffer("{\"configTable\":{\"n\":")))
        .compose(done -> load(vertx, path))
        .compose(config -> config.put("n", "other", "x"))
        .compose(done -> load(vertx, path))
        .onComplete(test.succeeding(config -> test.verify(() -> {
          assertThat(config.namespace("n")).contains(Map.of("k", "before", "other", "x"));
          assertThat(path.resolveSibling("kvConfig.json.damaged-1")).hasContent("{\"configTable\":{\"n\":");
          test.completeNow();
        })));
  }

  @Test
  void shouldRefuseALinkThatLeadsNowhereInsteadOfBeginningAnew(Vertx vertx, VertxTestContext test) throws IOException {
    Path path = Files.createSymbolicLink(folder.resolve("kvConfig.json"), Path.of("/nowhere/at/all"));

    load(vertx, path).onComplete(test.failing(failure -> test.verify(() -> {
      assertThat(failure).hasMessageStartingWith("kvConfigPath " + path + " cannot be read");
      assertThat(path).isSymbolicLink();
      test.completeNow();
    })));
  }

  @Test
  void shouldRefuseADamagedFileInsteadOfBeginningAnew(Vertx vertx, VertxTestContext test) throws IOException {
    Path path = Files.writeString(folder.resolve("kvConfig.json"), "{\"configTable\":{\"n\":");

    load(vertx, path).onComplete(test.failing(failure -> test.verify(() -> {
      assertThat(failure).hasMessageStartingWith("kvConfigPath " + path + " cannot be read");
      assertThat(path).exists();
      test.completeNow();
    })));
  }

  private static Future<KvConfig> load(Vertx vertx, Path path) {
    return KvConfig.load(vertx, new KvConfigFile(path));
  }
}

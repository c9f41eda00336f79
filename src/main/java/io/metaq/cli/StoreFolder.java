package io.metaq.cli;

import io.metaq.launcher.Source;
import io.metaq.launcher.StartFailure;
import io.metaq.launcher.StoreSettings;
import io.metaq.store.StoreOptions;
import io.metaq.store.inspect.StoreInspector;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;

/** Options of the commands that read a store's files: where it is, and its broker's configuration, which tells the file sizes. */
final class StoreFolder {
  @Option(names = "--data", required = true, paramLabel = "DIR", description = "Folder of the store.")
  private Path data;

  @Option(names = "-c", paramLabel = "FILE", description = "Configuration of the broker; needed when it sets file sizes.")
  private Path file;

  @Option(names = "-D", paramLabel = "KEY=VALUE", description = "One configuration key, such as mappedFileSizeCommitLog=65536.")
  private Map<String, String> keys = Map.of();

  /**
   * The options the store is to be read with.
   *
   * @throws ParameterException when there is no store, or a value of the configuration is wrong: that says nothing about the store
   */
  StoreOptions options(CommandSpec spec) {
    StoreOptions options = configured(spec);
    if (!Files.isDirectory(data)) {
      String fault = Files.exists(data) ? " is no folder" : " does not exist";
      throw new ParameterException(spec.commandLine(), "--data " + data + fault);
    }
    if (!StoreInspector.isStore(options)) {
      throw new ParameterException(spec.commandLine(), "--data " + data + " holds no store: there is no commitlog in it");
    }
    return options;
  }

  private StoreOptions configured(CommandSpec spec) {
    Map<String, String> given = new LinkedHashMap<>(keys);
    given.put("storePathRootDir", data.toString());
    try {
      List<Source> sources = new ArrayList<>(List.of(Source.options(given), Source.environment(System.getenv())));
      if (file != null) {
        sources.add(Source.file(file));
      }
      return StoreSettings.of(sources);
    } catch (StartFailure wrong) {
      throw new ParameterException(spec.commandLine(), wrong.getMessage(), wrong);
    }
  }
}

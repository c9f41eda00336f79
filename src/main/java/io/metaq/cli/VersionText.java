package io.metaq.cli;

import io.metaq.launcher.Version;
import picocli.CommandLine.IVersionProvider;

/** What {@code --version} prints. */
final class VersionText implements IVersionProvider {
  @Override
  public String[] getVersion() {
    return new String[] {"MetaQ " + Version.current()};
  }
}

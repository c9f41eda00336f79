package io.metaq.it.crash;

import static org.junit.jupiter.api.Assumptions.abort;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** A memory file system of a few MiB, mounted for a test; tests that need one are skipped where mounting is not allowed. */
public final class SmallDisk implements AutoCloseable {

  private final Path folder;

  private SmallDisk(Path folder) {
    this.folder = folder;
  }

  public static SmallDisk mount(int mebibytes) throws Exception {
    Path folder = Files.createTempDirectory("metaq-small-disk");
    if (run("mount", "-t", "tmpfs", "-o", "size=" + mebibytes + "m", "tmpfs", folder.toString()) != 0) {
      Files.delete(folder);
      abort("mounting a small disk needs root");
    }
    return new SmallDisk(folder);
  }

  public Path folder() {
    return folder;
  }

  public void resize(int mebibytes) throws Exception {
    remount("size=" + mebibytes + "m");
  }

  public void makeReadOnly() throws Exception {
    remount("ro");
  }

  /** Takes all space that is left. */
  public void fill() throws IOException {
    try (var out = Files.newOutputStream(folder.resolve("filler"))) {
      byte[] block = new byte[4096];
      while (true) {
        out.write(block);
      }
    } catch (IOException full) {
      if (Files.getFileStore(folder).getUsableSpace() > 0) {
        throw full;
      }
    }
  }

  private void remount(String option) throws Exception {
    if (run("mount", "-o", "remount," + option, folder.toString()) != 0) {
      throw new IOException("cannot remount " + folder + " with " + option);
    }
  }

  private static int run(String... command) throws IOException, InterruptedException {
    try {
      return new ProcessBuilder(command).redirectErrorStream(true).redirectOutput(ProcessBuilder.Redirect.DISCARD).start().waitFor();
    } catch (IOException noSuchCommand) {
      return 127;
    }
  }

  @Override
  public void close() throws Exception {
    run("umount", "-l", folder.toString());
    Files.delete(folder);
  }
}

package io.metaq.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.DirectoryNotEmptyException;
import java.nio.file.FileSystemException;
import java.nio.file.NoSuchFileException;
import org.junit.jupiter.api.Test;

/** Messages of the JDK were printed as they are, such as a file alone where it could not be opened. */
class IoReasonTest {
  @Test
  void shouldTellTheReasonWhateverTheFailureTells() {
    assertThat(IoReason.of(new AccessDeniedException("/f"))).isEqualTo("permission denied");
    assertThat(IoReason.of(new NoSuchFileException("/f"))).isEqualTo("it does not exist");
    assertThat(IoReason.of(new FileSystemException("/f", null, "Too many open files"))).isEqualTo("Too many open files");
    assertThat(IoReason.of(new DirectoryNotEmptyException("/f"))).isEqualTo("DirectoryNotEmptyException");
    assertThat(IoReason.of(new IOException("Is a directory"))).isEqualTo("Is a directory");
    assertThat(IoReason.of(new IOException())).isEqualTo("IOException");
  }

  @Test
  void shouldNameTheFileWhereTheFailureDoes() {
    assertThat(IoReason.withFile(new AccessDeniedException("/f"))).isEqualTo("/f: permission denied");
    assertThat(IoReason.withFile(new IOException("Is a directory"))).isEqualTo("Is a directory");
  }
}

package io.metaq.store;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.NoSuchFileException;
import org.junit.jupiter.api.Test;

class DiskFaultTest {
  @Test
  void shouldSayMoreThanThePathThatTheExceptionHas() {
    assertThat(DiskFault.reasonOf(new AccessDeniedException("a/b")))
        .isEqualTo("access to a/b is denied to the user that this process runs as");
    assertThat(DiskFault.reasonOf(new UncheckedIOException(new NoSuchFileException("a/b"))))
        .isEqualTo("a/b is not there, or is a link that leads nowhere");
  }

  @Test
  void shouldSayOneLine() {
    assertThat(DiskFault.reasonOf(new IOException("first\nsecond"))).isEqualTo("first");
    assertThat(DiskFault.reasonOf(new IOException())).isEqualTo("java.io.IOException");
  }
}

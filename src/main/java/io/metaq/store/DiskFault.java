package io.metaq.store;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.NoSuchFileException;

/** Why files cannot be used, in words. */
public final class DiskFault {
  private DiskFault() {}

  /** A clause for people, one line; the messages of some exceptions are but a path. */
  public static String reasonOf(Exception failure) {
    if (failure instanceof UncheckedIOException wrapper) {
      return reasonOf(wrapper.getCause());
    }
    if (failure instanceof AccessDeniedException denied) {
      return "access to " + denied.getFile() + " is denied to the user that this process runs as";
    }
    if (failure instanceof NoSuchFileException missing) {
      return missing.getFile() + " is not there, or is a link that leads nowhere";
    }
    if (failure instanceof FileAlreadyExistsException exists) {
      return exists.getFile() + " is a file, or a link that leads nowhere, not a folder";
    }
    String text = failure.getMessage() == null ? failure.toString() : failure.getMessage();
    return text.lines().findFirst().orElse(text);
  }
}

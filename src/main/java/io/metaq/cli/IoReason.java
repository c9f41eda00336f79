package io.metaq.cli;

import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileSystemException;
import java.nio.file.NoSuchFileException;

/** Why input or output failed, in words: the JDK's own message is for some failures the file alone, for others the reason alone. */
final class IoReason {
  private IoReason() {}

  /** The reason, for a sentence that names the file. */
  static String of(IOException failure) {
    if (failure instanceof NoSuchFileException) {
      return "it does not exist";
    }
    if (failure instanceof AccessDeniedException) {
      return "permission denied";
    }
    if (failure instanceof FileSystemException told && told.getReason() != null) {
      return told.getReason();
    }
    boolean untold = failure instanceof FileSystemException || failure.getMessage() == null;
    return untold ? failure.getClass().getSimpleName() : failure.getMessage();
  }

  /** The reason, behind the file where the failure tells of one. */
  static String withFile(IOException failure) {
    return failure instanceof FileSystemException told && told.getFile() != null ? told.getFile() + ": " + of(failure) : of(failure);
  }
}

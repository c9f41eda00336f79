package io.metaq.store.inspect;

import java.nio.file.Path;

/**
 * Something that is not as it should be, or that is worth a word.
 *
 * @param file relative to the store's folder
 * @param place bytes from the start of the file, {@link #WHOLE_FILE} when it is about all of it
 * @param what a clause for people
 * @param recovery what the next start of a broker would do about it, a clause; empty when there is nothing to do
 */
public record Finding(Area area, Severity severity, Path file, long place, String what, String recovery) {
  /** Place of what is about a file as a whole. */
  public static final long WHOLE_FILE = -1;

  /** How much it matters. */
  public enum Severity {
    /** Something that was stored cannot be read, or is not what it should be. */
    DAMAGE,
    /** As it may be, for instance while a broker writes or after it was killed. */
    REMARK
  }
}

package io.metaq.store;

import java.util.Optional;

/**
 * From where on a disk counts as too full. Two of the marks are told in percent used and in bytes free; the one reached first holds.
 *
 * @param maxUsedPercent above this share of the disk, expired files are deleted at any hour
 * @param cleanForciblyPercent from this share on, the oldest files are deleted even when not expired
 * @param cleanForciblyFreeBytes the same when less is free; 0 for never
 * @param fullPercent from this share on, the disk counts as full and nothing is taken
 * @param fullFreeBytes the same when less is free; 0 for never
 */
public record DiskMarks(
    int maxUsedPercent, int cleanForciblyPercent, long cleanForciblyFreeBytes, int fullPercent, long fullFreeBytes) {
  public static final DiskMarks DEFAULT = new DiskMarks(75, 85, 0, 90, 0);

  /** The mark, as key and value, from which on nothing is taken, if it is reached. */
  Optional<String> full(double usedPercent, long freeBytes) {
    return reached("diskSpaceWarningLevelRatio", fullPercent, usedPercent, "diskSpaceWarningLevelFreeBytes", fullFreeBytes, freeBytes);
  }

  /** The mark, as key and value, from which on files are deleted that are not expired, if it is reached. */
  Optional<String> cleanForcibly(double usedPercent, long freeBytes) {
    return reached("diskSpaceCleanForciblyRatio", cleanForciblyPercent, usedPercent,
        "diskSpaceCleanForciblyFreeBytes", cleanForciblyFreeBytes, freeBytes);
  }

  /** The mark in bytes, as key and value, that a disk of so many bytes would always have reached, if there is one. */
  Optional<String> beyond(long diskBytes) {
    if (cleanForciblyFreeBytes >= diskBytes && cleanForciblyFreeBytes > 0) {
      return Optional.of("diskSpaceCleanForciblyFreeBytes=" + cleanForciblyFreeBytes);
    }
    return fullFreeBytes >= diskBytes && fullFreeBytes > 0 ? Optional.of("diskSpaceWarningLevelFreeBytes=" + fullFreeBytes) : Optional.empty();
  }

  private static Optional<String> reached(
      String ratioKey, int mostPercent, double usedPercent, String bytesKey, long leastBytes, long freeBytes) {
    if (usedPercent >= mostPercent) {
      return Optional.of(ratioKey + "=" + mostPercent);
    }
    return freeBytes < leastBytes ? Optional.of(bytesKey + "=" + leastBytes) : Optional.empty();
  }
}

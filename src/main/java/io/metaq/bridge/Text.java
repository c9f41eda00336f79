package io.metaq.bridge;

/** Texts that strangers sent, made fit for a sentence or a log line. */
final class Text {
  private static final int MOST = 80;

  private Text() {}

  /** Without control characters, and cut where it gets long. */
  static String printable(String text) {
    String clean = text.replaceAll("\\p{Cntrl}|[\\u2028\\u2029]", "?");
    return clean.length() <= MOST ? clean : clean.substring(0, MOST) + "...";
  }
}

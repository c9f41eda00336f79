package io.metaq.model;

/** Permission bits of a topic or broker, as in topics.json and in routes. */
public final class Perm {
  public static final int INHERIT = 1;
  public static final int WRITE = 2;
  public static final int READ = 4;
  public static final int READ_WRITE = READ | WRITE;

  private Perm() {}

  public static boolean readable(int perm) {
    return (perm & READ) != 0;
  }

  public static boolean writable(int perm) {
    return (perm & WRITE) != 0;
  }

  public static boolean inheritable(int perm) {
    return (perm & INHERIT) != 0;
  }
}

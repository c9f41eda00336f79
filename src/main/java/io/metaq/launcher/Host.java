package io.metaq.launcher;

/** What a {@link MetaqProcess} asks of the program it runs in. Called on any thread; every call returns at once. */
public interface Host {
  /** A failure the process must not outlive; it is to be stopped soon, from another thread. */
  void fatal(Throwable cause);

  /** A slave's log has to begin anew at {@code position}: the process is to be stopped and started again for it, from another thread. */
  void beginAnew(long position);

  /** An administrator wants another {@code logLevel}. */
  void logLevel(String level);
}

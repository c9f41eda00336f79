package io.metaq.model;

/**
 * Remembers the first thread that uses an object and notices any other. Owner methods begin with {@code assert confined.here();}, so
 * the check runs in tests and costs nothing in production.
 */
@OwnedBy("whoever owns the object it guards")
public final class Confined {
  private Thread owner;

  /**
   * True when the calling thread is the owner; the first caller becomes it.
   *
   * @throws AssertionError naming both threads when it is another one
   */
  public boolean here() {
    Thread current = Thread.currentThread();
    if (owner == null) {
      owner = current;
    }
    if (owner != current) {
      throw new AssertionError("owned by " + owner.getName() + ", called on " + current.getName());
    }
    return true;
  }

  /** Forgets the owner, for the moment in which an object is handed from one thread to the next. Always true. */
  public boolean handOver() {
    owner = null;
    return true;
  }
}

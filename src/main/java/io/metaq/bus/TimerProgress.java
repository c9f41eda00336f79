package io.metaq.bus;

import io.metaq.model.OwnedBy;

/** What timers publish for every thread: how far they are, and how many wait. */
@OwnedBy("TimerVerticle; read by everyone")
public final class TimerProgress {
  private volatile Places places = new Places(0, 0, 0);
  private volatile long waiting;
  private volatile double takenPerSecond;
  private volatile double deliveredPerSecond;

  /**
   * One moment's places.
   *
   * @param readTimeMs everything due in an earlier second has been stored for its consumers; 0 when there was never a timer
   * @param logPos end of the timer log
   * @param queueOffset the next message of the timer topic to be taken up
   */
  public record Places(long readTimeMs, long logPos, long queueOffset) {}

  public Places places() {
    return places;
  }

  /** Messages that wait for their time. */
  public long waiting() {
    return waiting;
  }

  /** Messages taken up, per second, lately. */
  public double takenPerSecond() {
    return takenPerSecond;
  }

  /** Messages stored for their consumers, per second, lately. */
  public double deliveredPerSecond() {
    return deliveredPerSecond;
  }

  /** Owner: publishes where it is. */
  public void at(Places now, long waitingNow) {
    places = now;
    waiting = waitingNow;
  }

  /** Owner: publishes how fast it goes. */
  public void rates(double taken, double delivered) {
    takenPerSecond = taken;
    deliveredPerSecond = delivered;
  }
}

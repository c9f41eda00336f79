package io.metaq.coordinator;

import java.io.IOException;

/** What the index of the timers holds cannot be right, so that messages would be missed; it is to be made again from the log. */
final class DamagedTimersException extends IOException {
  private static final long serialVersionUID = 1L;

  DamagedTimersException(String fault) {
    super(fault);
  }
}

package io.metaq.broker;

import io.metaq.model.AppendStatus;

/** Hears what became of a record that the broker itself sent to the log, on the loop that sent it. */
interface AppendCallback {
  /**
   * @param detail why it was refused, null when stored
   */
  void appended(AppendStatus status, String detail);
}

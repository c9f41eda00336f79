package io.metaq.broker;

import io.metaq.model.DataVersion;
import java.util.List;
import java.util.Map;

/** The settings of a running broker, some of which can be changed. For any thread. */
public interface LiveConfig {
  /**
   * A setting that is not changed.
   *
   * @param why a sentence that names it
   * @param forbidden whether it is there, and no value would do
   */
  record Refusal(String why, boolean forbidden) {}

  /** Every effective setting, secrets masked. */
  Map<String, String> shown();

  /** Grows with each change. */
  DataVersion version();

  /**
   * Makes all of a change, which has effect when this returns, or nothing of it. It holds until the process ends.
   *
   * @return why not, by setting; empty when all of it was made
   */
  List<Refusal> change(Map<String, String> wished);
}

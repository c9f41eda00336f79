package io.metaq.client;

import io.vertx.core.Future;
import java.util.OptionalLong;

/** Where a group's progress in one queue is kept. */
interface Progress {
  /** What is kept, empty when nothing is. */
  Future<OptionalLong> load();

  /** Keeps an offset if it is news and nothing is on its way; the next note does it otherwise. Ignores negative ones. */
  void note(long queueOffset);

  /**
   * Keeps the last offset, behind any that is on its way; completes when that is done, or has failed and was logged.
   *
   * @param late whether another member may have gone on by now; a progress that is further is left as it is
   */
  Future<Void> finish(long queueOffset, boolean late);

  /** Keeps an offset in any case, forwards or back; fails when that cannot be done. */
  Future<Void> move(long queueOffset);
}

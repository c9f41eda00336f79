package io.metaq.coordinator;

import io.metaq.coordinator.LocalCommits.Place;
import java.util.Optional;
import java.util.Set;

/**
 * What a master told of progress in one round of questions, all of which rests on what its log holds in front of one position.
 *
 * @param offsets the consumers' progress, but for the places of {@code takenOver}; empty when the master gave none
 * @param delays the progress of delayed delivery; empty when the master gave none
 * @param logEnd where its log ended after it had told them
 * @param takenOver places of which the master has taken progress over from here since: what it told of them by then is outdated
 */
record MasterTold(Optional<OffsetsFile> offsets, Optional<DelayOffsetsFile> delays, long logEnd, Set<Place> takenOver) {
  /** The same, but that it says nothing of some places' progress. */
  MasterTold without(Set<Place> places) {
    return places.isEmpty() ? this : new MasterTold(offsets.map(file -> file.without(places)), delays, logEnd, takenOver);
  }
}

package io.metaq.torture;

import io.metaq.model.OwnedBy;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Set;

/**
 * What was sent and acknowledged in one round, and what is found of it after each restart: the arithmetic of the verdict.
 *
 * <p>A message is <em>promised</em> from the moment on from which it must not be lost: its acknowledgement or, where a power cut may
 * take acknowledged messages, its force. Whatever a restart shows to consumers is promised too. A <em>duplicate</em> is a message that
 * is found at a place that was never acknowledged although it stands at another one: a client that heard nothing of its first attempt
 * has sent it again.
 */
@OwnedBy("the thread of the round")
final class Ledger {
  private static final int FAULTS_KEPT = 20;

  private final Set<Long> sent = new HashSet<>();
  private final Map<Place, Long> acknowledged = new HashMap<>();
  private final Map<Place, Long> promised = new HashMap<>();
  private final List<String> faults = new ArrayList<>();
  private long acknowledgedCount;
  private long lost;
  private long lostUnpromised;
  private long duplicates;

  /** Message {@code number} is on its way. */
  void sent(long number) {
    sent.add(number);
  }

  /** It was acknowledged, with its place. */
  void acknowledged(Place place, long number) {
    acknowledgedCount++;
    acknowledged.put(place, number);
  }

  /** All that is acknowledged by now must be found. */
  void promise() {
    promised.putAll(acknowledged);
    acknowledged.clear();
  }

  /** The message at this place, which is acknowledged, must be found. */
  void promise(Place place) {
    Long number = acknowledged.remove(place);
    if (number != null) {
      promised.put(place, number);
    }
  }

  /** Numbers of the messages that must be found. */
  Set<Long> promised() {
    return new HashSet<>(promised.values());
  }

  /** Something is not as it must be, whatever the messages say. */
  void fault(String sentence) {
    if (faults.size() < FAULTS_KEPT) {
      faults.add(sentence);
    }
  }

  /**
   * Compares with all that can be read after a restart.
   *
   * @param found bodies by place
   */
  void compare(Map<Place, byte[]> found) {
    Map<Place, Long> numbers = new HashMap<>();
    Map<Long, Integer> copies = new HashMap<>();
    found.forEach((place, body) -> {
      OptionalLong number = Payload.numberOf(body);
      if (number.isEmpty() || !sent.contains(number.getAsLong())) {
        fault("at " + place + " stands what was never sent, " + body.length + " bytes");
      } else {
        numbers.put(place, number.getAsLong());
        copies.merge(number.getAsLong(), 1, Integer::sum);
      }
    });
    promised.forEach((place, number) -> {
      if (!number.equals(numbers.get(place))) {
        lost++;
        fault("message " + number + " is lost, at " + place + " stands " + numbers.getOrDefault(place, -1L));
      }
    });
    acknowledged.forEach((place, number) -> {
      if (!number.equals(numbers.get(place))) {
        lostUnpromised++;
      }
    });
    numbers.forEach((place, number) -> {
      if (!number.equals(promised.get(place)) && !number.equals(acknowledged.get(place))) {
        acknowledgedCount++;
      }
    });
    duplicates = copies.values().stream().mapToLong(count -> count - 1).sum();
    promised.clear();
    promised.putAll(numbers);
    acknowledged.clear();
  }

  /** Acknowledged messages, and those that a restart showed. */
  long acknowledged() {
    return acknowledgedCount;
  }

  /** Those that should have been found and were not. */
  long lost() {
    return lost;
  }

  /** Acknowledged messages that were lost as they may be. */
  long lostUnpromised() {
    return lostUnpromised;
  }

  long duplicates() {
    return duplicates;
  }

  List<String> faults() {
    return List.copyOf(faults);
  }
}

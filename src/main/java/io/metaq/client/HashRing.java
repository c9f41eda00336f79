package io.metaq.client;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Collection;
import java.util.Map;
import java.util.TreeMap;

/**
 * Members on a ring of hashes, several places for each; a queue is the member's whose place comes next. Hash and the texts that are
 * hashed are those of official clients: the first four bytes of MD5 as a number, of {@code <client id>-<place>} and of a queue's name.
 */
final class HashRing {
  private static final int HASH_BYTES = 4;

  private final TreeMap<Long, String> memberAt = new TreeMap<>();

  HashRing(Collection<String> members, int places) {
    members.forEach(
        member -> {
          for (int place = 0; place < places; place++) {
            memberAt.put(hash(member + "-" + place), member);
          }
        });
  }

  /** The member a queue belongs to; null without members. */
  String memberFor(TopicQueue queue) {
    String name = "MessageQueue [topic=" + queue.topic() + ", brokerName=" + queue.broker() + ", queueId=" + queue.queueId() + "]";
    Map.Entry<Long, String> next = memberAt.ceilingEntry(hash(name));
    Map.Entry<Long, String> chosen = next == null ? memberAt.firstEntry() : next;
    return chosen == null ? null : chosen.getValue();
  }

  private static long hash(String text) {
    byte[] digest = md5().digest(text.getBytes(StandardCharsets.UTF_8));
    long hash = 0;
    for (int i = 0; i < HASH_BYTES; i++) {
      hash = hash << Byte.SIZE | digest[i] & 0xFF;
    }
    return hash;
  }

  private static MessageDigest md5() {
    try {
      return MessageDigest.getInstance("MD5");
    } catch (NoSuchAlgorithmException missing) {
      throw new IllegalStateException("every Java platform has MD5", missing);
    }
  }
}

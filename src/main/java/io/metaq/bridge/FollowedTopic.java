package io.metaq.bridge;

import io.metaq.client.Position;
import io.metaq.model.OwnedBy;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * One topic under one filter, and the streams it is read by: one, as long as all readers are in about the same place. Readers join the
 * stream that is furthest ahead of those that have all they lack, and pass on to such a one when they have passed everything in their own.
 * So readers that fell off together go on together, and streams that have caught up with one another become one.
 */
@OwnedBy("BridgeVerticle")
final class FollowedTopic {
  /** A reader that is so many messages ahead of a stream, as one that has just asked where the topic ends, may wait for it. */
  private static final long NEAR = TopicStream.MOST_KEPT;

  private final TopicStreams all;
  private final Wanted wanted;
  private final Runnable onEnd;
  /** The oldest first. */
  private final List<TopicStream> streams = new ArrayList<>();

  /** @param onEnd called when the last stream has ended */
  FollowedTopic(TopicStreams all, Wanted wanted, Runnable onEnd) {
    this.all = all;
    this.wanted = wanted;
    this.onEnd = onEnd;
  }

  /** As {@link TopicStreams#at}. */
  TopicStream at(ReadPosition position, boolean atEnd) {
    TopicStream best = null;
    for (TopicStream stream : streams) {
      if (stream.covers(position) && isInTime(stream, position, atEnd) && (best == null || stream.lead(best.position()) > 0)) {
        best = stream;
      }
    }
    return best == null ? begin(position, atEnd) : best;
  }

  private boolean isInTime(TopicStream stream, ReadPosition position, boolean atEnd) {
    return stream.lead(position) >= -NEAR || atEnd && !wanted.takesAll() && stream.isAtEnd();
  }

  private TopicStream begin(ReadPosition position, boolean atEnd) {
    TopicStream stream = new TopicStream(this, position, atEnd);
    streams.add(stream);
    all.begun();
    return stream;
  }

  /**
   * The stream that a reader had better go on with who has passed everything in its own. Nobody passes back and forth: the other is ahead,
   * or as far and older.
   */
  Optional<TopicStream> better(TopicStream own, ReadPosition position) {
    if (streams.size() == 1) {
      return Optional.empty();
    }
    TopicStream best = null;
    long bestLead = -1;
    boolean older = true;
    for (TopicStream stream : streams) {
      long lead = stream.lead(position);
      if (stream == own) {
        older = false;
      } else if (lead > bestLead && (lead > 0 || older) && stream.covers(position)) {
        best = stream;
        bestLead = lead;
      }
    }
    return Optional.ofNullable(best);
  }

  void read(ReadPosition from, TopicStream stream) {
    all.read(wanted, Position.at(from.offsets()), stream);
  }

  long mostKeptBytes(int readers) {
    return all.mostKeptBytes(readers);
  }

  void ended(TopicStream stream) {
    streams.remove(stream);
    all.ended();
    if (streams.isEmpty()) {
      onEnd.run();
    }
  }
}

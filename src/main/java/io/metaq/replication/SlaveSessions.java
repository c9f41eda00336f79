package io.metaq.replication;

import io.metaq.bus.ReplicaProgress;
import io.metaq.model.Clock;
import io.metaq.model.OwnedBy;
import io.metaq.net.ByteStream;
import io.vertx.core.Context;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.Optional;
import java.util.Set;
import java.util.function.LongConsumer;

/** The slaves of a master, and how far enough of them have the log. */
@OwnedBy("ReplicationVerticle")
final class SlaveSessions {
  /** A slave needs one; the rest of the bound is for its tries to come back. */
  static final int MAX_SESSIONS = 64;

  private final LogSource source;
  private final ReplicationOptions options;
  private final Context loop;
  private final Clock clock;
  private final ReplicaProgress progress;
  private final LongConsumer replicated;
  private final Set<SlaveSession> sessions = new LinkedHashSet<>();
  private long replicatedOffset = -1;

  /** @param replicated hears of a position that enough slaves have, each higher than the one before */
  SlaveSessions(
      LogSource source, ReplicationOptions options, Context loop, Clock clock, ReplicaProgress progress, LongConsumer replicated) {
    this.source = source;
    this.options = options;
    this.loop = loop;
    this.clock = clock;
    this.progress = progress;
    this.replicated = replicated;
  }

  /** A session for a connection, in the place of one that has not said anything yet when there are too many; else null. */
  SlaveSession accept(ByteStream stream) {
    if (sessions.size() >= MAX_SESSIONS && !endASilentOne()) {
      stream.refuse("comes when " + MAX_SESSIONS + " slaves are connected");
      return null;
    }
    SlaveSession session = new SlaveSession(stream, source, options, loop, clock, this);
    sessions.add(session);
    return session;
  }

  private boolean endASilentOne() {
    Optional<SlaveSession> oldest = sessions.stream().filter(session -> session.state() == SlaveSession.State.SILENT).findFirst();
    oldest.ifPresent(session -> {
      sessions.remove(session);
      session.giveWay();
    });
    return oldest.isPresent();
  }

  /** Whether nobody needs to hear that the log has grown. */
  boolean isEmpty() {
    return sessions.isEmpty();
  }

  /** The log has grown. */
  void send() {
    sessions.forEach(SlaveSession::send);
  }

  void sweep() {
    long nowNs = clock.nanos();
    new ArrayList<>(sessions).forEach(session -> session.sweep(nowNs));
    publishStates();
  }

  /** A slave began, or gets nothing any more. */
  void changed() {
    acknowledged();
    publishStates();
  }

  /** A slave has more than before. */
  void acknowledged() {
    if (options.slavesNeeded() == 0) {
      return;
    }
    long[] positions = sessions.stream().mapToLong(SlaveSession::acknowledged).toArray();
    long reached = Quorum.reached(positions, options.slavesNeeded());
    progress.inSync(reached);
    if (reached > replicatedOffset) {
      replicatedOffset = reached;
      replicated.accept(reached);
    }
  }

  void remove(SlaveSession session) {
    sessions.remove(session);
    changed();
  }

  /** Whether every slave has all there is. */
  boolean areUpToDate() {
    return sessions.stream().allMatch(SlaveSession::isUpToDate);
  }

  void close() {
    new ArrayList<>(sessions).forEach(SlaveSession::close);
  }

  private void publishStates() {
    progress.peers(sessions.stream().map(SlaveSession::peer).toList(), sessions.stream().map(SlaveSession::toString).toList());
  }
}

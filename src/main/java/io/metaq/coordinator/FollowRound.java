package io.metaq.coordinator;

import io.metaq.codec.registry.BodyException;
import io.metaq.codec.registry.KvTableCodec;
import io.metaq.codec.remoting.RemotingCommand;
import io.metaq.codec.store.TimerCheckLayout;
import io.metaq.codec.store.TimerCheckLayout.TimerCheck;
import io.metaq.coordinator.FollowProxy.MasterOffsets;
import io.metaq.coordinator.LocalCommits.Place;
import io.metaq.coordinator.api.OffsetCommits;
import io.metaq.model.OwnedBy;
import io.metaq.model.RequestCode;
import io.metaq.model.ResultCode;
import io.metaq.net.RemotingLink;
import io.vertx.core.Future;
import java.util.HashSet;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One round of questions of a slave to its master: each table in turn, what the master is to be told, and where its log ends after all
 * that. A table that the master does not give, or that cannot be read, is logged and left as it is; the round fails only when the master
 * does not answer.
 *
 * <p>The requests carry no page numbers on purpose: RocketMQ 5.5.0 answers those that do with at most 2,000 topics, and the others with the
 * whole table (checked with 4,500), at the price of an error line in its log.
 */
@OwnedBy("MasterTablesVerticle")
final class FollowRound {
  /** A MetaQ master says with this field since when it has kept the table in memory. */
  private static final String OWNED_SINCE = "metaqOwnedSince";
  private static final long TIMEOUT_MS = 3_000;
  private static final Logger log = LoggerFactory.getLogger(FollowRound.class);

  private final ConfigProxy config;
  private final FollowProxy coordinators;
  private final RemotingLink master;
  private final Consumer<MasterTold> told;
  private final Consumer<MasterTimers> timers;
  private final RepeatedWarning refused;

  private Optional<OffsetsFile> offsets = Optional.empty();
  private Optional<DelayOffsetsFile> delays = Optional.empty();
  private Optional<TimerCheck> timerCheck = Optional.empty();
  private final Set<Place> takenOver = new HashSet<>();

  /**
   * @param told hears of progress that was told
   * @param timers hears how far the master's timers are
   */
  FollowRound(
      ConfigProxy config, FollowProxy coordinators, RemotingLink master, Consumer<MasterTold> told,
      Consumer<MasterTimers> timers, RepeatedWarning refused) {
    this.config = config;
    this.coordinators = coordinators;
    this.master = master;
    this.told = told;
    this.timers = timers;
    this.refused = refused;
  }

  /** Whether the table of topics was taken over, once the round is done. */
  Future<Boolean> run() {
    return table(RequestCode.GET_ALL_TOPIC_CONFIG, TopicsFile.FORMAT, (topics, answer) -> coordinators.topics(topics))
        .compose(taken ->
            table(RequestCode.GET_ALL_SUBSCRIPTIONGROUP_CONFIG, GroupsFile.FORMAT, (groups, answer) -> coordinators.groups(groups))
                .compose(done -> table(RequestCode.GET_ALL_CONSUMER_OFFSET, OffsetsFile.FORMAT, this::offsets))
                .compose(done -> table(RequestCode.GET_ALL_DELAY_OFFSET, DelayOffsetsFile.FORMAT, this::delays))
                .compose(done -> table(
                    RequestCode.GET_ALL_MESSAGE_REQUEST_MODE, RequestModesFile.FORMAT,
                    (modes, answer) -> coordinators.requestModes(modes)))
                .compose(done -> timers())
                .compose(done -> logEnd())
                .map(done -> taken));
  }

  private Future<?> delays(DelayOffsetsFile file, RemotingCommand answer) {
    delays = Optional.of(file);
    return Future.succeededFuture();
  }

  /** How far the master's timers are; a master without timers tells nothing. */
  private Future<Void> timers() {
    return master.request(RemotingCommand.request(RequestCode.GET_TIMER_CHECK_POINT), TIMEOUT_MS)
        .map(answer -> {
          timerCheck = answer.code() == ResultCode.SUCCESS.wire() ? TimerCheckLayout.received(answer.body()) : Optional.empty();
          return null;
        });
  }

  /** Where its log ends now: all that the progress it told before rests on lies in front of that. */
  private Future<Void> logEnd() {
    return master.request(RemotingCommand.request(RequestCode.GET_BROKER_RUNTIME_INFO), TIMEOUT_MS).map(answer -> {
      logEnd(answer).ifPresentOrElse(
          end -> {
            told.accept(new MasterTold(offsets, delays, end, Set.copyOf(takenOver)).without(takenOver));
            timerCheck.ifPresent(check -> timers.accept(new MasterTimers(check.readTimeMs(), end)));
          },
          () -> {
            if (refused.due()) {
              log.warn("the master does not say where its log ends, its progress is not taken over code={} remark={} suppressed={}",
                  answer.code(), answer.remark(), refused.takeSuppressed());
            }
          });
      return null;
    });
  }

  private static Optional<Long> logEnd(RemotingCommand answer) {
    try {
      return Optional.ofNullable(KvTableCodec.decode(answer.body()).get("commitLogMaxOffset")).map(Long::valueOf);
    } catch (BodyException | NumberFormatException unreadable) {
      return Optional.empty();
    }
  }

  /** Takes one table over. */
  private interface Taker<T> {
    Future<?> take(T content, RemotingCommand answer);
  }

  /** Whether it was taken over. */
  private <T> Future<Boolean> table(RequestCode code, ConfigFormat<T> format, Taker<T> taker) {
    return master.request(RemotingCommand.request(code), TIMEOUT_MS).compose(answer -> {
      if (answer.code() != ResultCode.SUCCESS.wire()) {
        if (refused.due()) {
          log.warn("the master does not give a table request={} code={} remark={} suppressed={}",
              code, answer.code(), answer.remark(), refused.takeSuppressed());
        }
        return Future.succeededFuture(false);
      }
      return config.decode(format, answer.body()).map(Optional::of).otherwise(unreadable -> {
        if (refused.due()) {
          log.warn("a table of the master cannot be read, it is not taken over request={} reason={} suppressed={}",
              code, unreadable.getMessage(), refused.takeSuppressed());
        }
        return Optional.empty();
      }).compose(content -> content.isEmpty() ? Future.succeededFuture(false) : taker.take(content.get(), answer).map(taken -> true));
    });
  }

  private Future<?> offsets(OffsetsFile file, RemotingCommand answer) {
    offsets = Optional.of(file);
    return coordinators.offsets(new MasterOffsets(file, answer.longOr(OWNED_SINCE, 0))).compose(this::tell);
  }

  /** The master is told one after the other, so that what it took is known exactly. */
  private Future<Void> tell(OffsetCommits commits) {
    Future<Void> told = Future.succeededFuture();
    for (int i = 0; i < commits.count(); i++) {
      int index = i;
      told = told.compose(earlier -> tell(commits, index));
    }
    return told;
  }

  private Future<Void> tell(OffsetCommits commits, int index) {
    RemotingCommand update = RemotingCommand.request(RequestCode.UPDATE_CONSUMER_OFFSET)
        .ext("consumerGroup", commits.group(index))
        .ext("topic", commits.topic(index))
        .ext("queueId", commits.queueId(index))
        .ext("commitOffset", commits.queueOffset(index));
    return master.request(update, TIMEOUT_MS).map(answer -> {
      if (answer.code() == ResultCode.SUCCESS.wire()) {
        takenOver.add(new Place(commits.group(index), commits.topic(index), commits.queueId(index)));
        coordinators.offsetsTaken(commits.single(index));
      } else if (refused.due()) {
        log.warn("the master does not take a consumer's progress over group={} topic={} queueId={} code={} remark={} suppressed={}",
            commits.group(index), commits.topic(index), commits.queueId(index), answer.code(), answer.remark(),
            refused.takeSuppressed());
      }
      return null;
    });
  }
}

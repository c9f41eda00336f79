package io.metaq.client;

import io.metaq.model.PropertyNames;
import io.smallrye.mutiny.Uni;
import io.vertx.core.Context;
import io.vertx.core.Vertx;
import java.util.function.Function;

/**
 * Sends messages that consumers get if, and only if, some local work was done: the message is put aside at its broker first, then
 * the work runs, then the broker is told. When it is not told, because this process died or the work did not know, it asks the
 * {@link TransactionChecker} of any client of the group. Made by {@link MetaqClient#transaction}.
 *
 * <pre>{@code
 * TransactionProducer orders = client.transaction("orders-producer", message -> db.paid(message.keys().get(0)).map(
 *     paid -> paid ? Verdict.COMMIT : Verdict.ROLLBACK));
 * orders.send(Message.to("orders").body("...").key("o-1"), receipt -> db.pay("o-1").replaceWith(Verdict.COMMIT))
 * }</pre>
 */
public final class TransactionProducer {
  private final Home home;
  private final Producer producer;
  private final Transactions transactions;
  private final String group;

  TransactionProducer(Home home, Producer producer, Transactions transactions, String group) {
    this.home = home;
    this.producer = producer;
    this.transactions = transactions;
    this.group = group;
  }

  /**
   * One transaction. Fails as {@link MetaqClient#send} does when the message could not be put aside safely: then the work is not
   * begun. Fails with {@code HANDLER} when the work failed: then no verdict is told, and the checker decides. When a verdict was
   * reached it succeeds, also when the broker could not be told; see {@link TransactionReceipt#confirmed}.
   *
   * @param message a delay level is dropped, brokers have none for transactions
   * @param work called on the subscriber's Vert.x context, or on the client's; must not block
   */
  public Uni<TransactionReceipt> send(Message message, Function<SendReceipt, Uni<Verdict>> work) {
    Message half =
        message
            .without(PropertyNames.DELAY)
            .with(PropertyNames.TRAN_MSG, Boolean.TRUE.toString())
            .with(PropertyNames.PGROUP, group);
    return Uni.createFrom()
        .deferred(
            () -> {
              Context caller = Vertx.currentContext();
              return home.cancellable(
                  () -> new TransactionRun(home, transactions, group, producer.sendHalf(half, group), work, caller));
            });
  }
}

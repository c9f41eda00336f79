package io.metaq.broker;

import io.metaq.bus.AppendBatch;
import io.metaq.bus.GiantBuffers;
import io.metaq.codec.remoting.SendAnswers;
import io.metaq.codec.remoting.SerializeType;
import io.metaq.model.OwnedBy;
import io.metaq.net.Connection;
import java.util.Arrays;

/** One {@link AppendBatch} and who asked for its records: what the loop remembers while the batch is with the writer. */
@OwnedBy("its event loop")
final class SendRound {
  private final AppendBatch batch;
  private Connection[] connections = new Connection[64];
  private int[] opaques = new int[64];
  private int[] queueIds = new int[64];
  private SerializeType[] types = new SerializeType[64];
  private boolean[] waits = new boolean[64];
  private AppendCallback[] callbacks = new AppendCallback[64];
  private SendAnswers.Extra[] extras = new SendAnswers.Extra[64];
  private long sentAtNs;

  SendRound(int sender, GiantBuffers giants) {
    this.batch = new AppendBatch(sender, giants);
  }

  AppendBatch batch() {
    return batch;
  }

  /** Notes when it goes to the writer. */
  void sentAt(long nanos) {
    sentAtNs = nanos;
  }

  long sentAtNs() {
    return sentAtNs;
  }

  /** The unit that begins at {@code index} is answered to a client. */
  void client(int index, Connection connection, int opaque, SerializeType type, int queueId, boolean waiting) {
    room(index);
    connections[index] = connection;
    opaques[index] = opaque;
    types[index] = type;
    queueIds[index] = queueId;
    waits[index] = waiting;
    if (waiting) {
      batch.waiting();
    }
  }

  /** The answer to the unit that begins at {@code index}, and that is answered to a client, has a field of its own. */
  void extra(int index, SendAnswers.Extra extra) {
    extras[index] = extra;
  }

  /** The unit that begins at {@code index} is told to {@code callback}. */
  void callback(int index, AppendCallback callback) {
    room(index);
    callbacks[index] = callback;
  }

  /** Who hears of the unit; null when it was sent one-way. */
  Connection connection(int index) {
    return index < connections.length ? connections[index] : null;
  }

  AppendCallback callback(int index) {
    return index < callbacks.length ? callbacks[index] : null;
  }

  int opaque(int index) {
    return opaques[index];
  }

  SerializeType type(int index) {
    return types[index];
  }

  int queueId(int index) {
    return queueIds[index];
  }

  boolean waits(int index) {
    return waits[index];
  }

  /** The field that only this unit's answer has; null for most. */
  SendAnswers.Extra extra(int index) {
    return extras[index];
  }

  void clear() {
    int used = Math.min(batch.count(), connections.length);
    Arrays.fill(connections, 0, used, null);
    Arrays.fill(callbacks, 0, used, null);
    Arrays.fill(extras, 0, used, null);
    batch.clear();
  }

  private void room(int index) {
    if (index >= connections.length) {
      int length = Math.max(index + 1, connections.length * 2);
      connections = Arrays.copyOf(connections, length);
      opaques = Arrays.copyOf(opaques, length);
      queueIds = Arrays.copyOf(queueIds, length);
      types = Arrays.copyOf(types, length);
      waits = Arrays.copyOf(waits, length);
      callbacks = Arrays.copyOf(callbacks, length);
      extras = Arrays.copyOf(extras, length);
    }
  }
}

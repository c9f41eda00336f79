package io.metaq.codec.admin;

import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.JsonParser;
import io.metaq.codec.registry.BodyException;
import io.metaq.codec.registry.RegistryJson;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * The answer of GET_BROKER_HA_STATUS.
 *
 * @param logEnd end of the broker's log
 * @param slaves of a master; a slave has none
 * @param master of a slave; a master has an empty one
 */
public record HaStatusBody(boolean isMaster, long logEnd, List<Slave> slaves, Master master) {
  /** MetaQ's own: tools of RocketMQ do not look at it. */
  private static final String ANSWERED = "metaqLastAnswerTimestamp";

  public HaStatusBody {
    slaves = List.copyOf(slaves);
  }

  /**
   * A slave as its master sees it.
   *
   * @param acknowledged log position it has
   * @param sent log position up to which it was sent the log
   * @param inSync whether it counts for a {@code SYNC_MASTER}
   * @param answeredMs when it reported last, ms since 1970; 0 when unknown
   */
  public record Slave(String address, long acknowledged, long sent, boolean inSync, long bytesPerSecond, long answeredMs) {}

  /**
   * A master as its slave sees it.
   *
   * @param active whether its log comes
   * @param received log position up to which it came
   * @param heardMs when it sent something last, ms since 1970; 0 when unknown
   */
  public record Master(String address, boolean active, long received, long bytesPerSecond, long heardMs) {
    public static final Master NONE = new Master("", false, 0, 0, 0);
  }

  public byte[] encode() {
    return RegistryJson.write(out -> {
      out.writeStartObject();
      out.writeObjectFieldStart("haClientRuntimeInfo");
      out.writeBooleanField("activated", master.active);
      out.writeNumberField("lastReadTimestamp", master.heardMs);
      out.writeNumberField("lastWriteTimestamp", 0);
      out.writeStringField("masterAddr", master.address);
      out.writeNumberField("masterFlushOffset", master.received);
      out.writeNumberField("maxOffset", isMaster ? 0 : logEnd);
      out.writeNumberField("transferredByteInSecond", master.bytesPerSecond);
      out.writeEndObject();
      out.writeArrayFieldStart("haConnectionInfo");
      for (Slave slave : slaves) {
        write(out, slave);
      }
      out.writeEndArray();
      out.writeNumberField("inSyncSlaveNums", slaves.stream().filter(Slave::inSync).count());
      out.writeBooleanField("master", isMaster);
      out.writeNumberField("masterCommitLogMaxOffset", isMaster ? logEnd : 0);
      out.writeEndObject();
    });
  }

  private void write(JsonGenerator out, Slave slave) throws IOException {
    out.writeStartObject();
    out.writeStringField("addr", slave.address);
    out.writeNumberField("diff", logEnd - slave.acknowledged);
    out.writeBooleanField("inSync", slave.inSync);
    if (slave.answeredMs > 0) {
      out.writeNumberField(ANSWERED, slave.answeredMs);
    }
    out.writeNumberField("slaveAckOffset", slave.acknowledged);
    out.writeNumberField("transferFromWhere", slave.sent);
    out.writeNumberField("transferredByteInSecond", slave.bytesPerSecond);
    out.writeEndObject();
  }

  /**
   * Reads the answer of one broker.
   *
   * @throws BodyException when it is none
   */
  public static HaStatusBody decode(byte[] json) {
    return RegistryJson.read("state of replication", json, HaStatusBody::read);
  }

  private static HaStatusBody read(JsonParser in) throws IOException {
    List<Slave> slaves = new ArrayList<>();
    Master[] master = {Master.NONE};
    boolean[] isMaster = new boolean[1];
    long[] ends = new long[2];
    RegistryJson.object(in, name -> {
      switch (name) {
        case "master" -> isMaster[0] = RegistryJson.flag(in);
        case "masterCommitLogMaxOffset" -> ends[0] = RegistryJson.number(in);
        case "haConnectionInfo" -> RegistryJson.array(in, () -> slaves.add(readSlave(in)));
        case "haClientRuntimeInfo" -> master[0] = readMaster(in, ends);
        default -> { }
      }
    });
    return new HaStatusBody(isMaster[0], isMaster[0] ? ends[0] : ends[1], slaves, master[0]);
  }

  private static Slave readSlave(JsonParser in) throws IOException {
    Map<String, String> fields = RegistryJson.texts(in);
    return new Slave(fields.getOrDefault("addr", ""), number(fields, "slaveAckOffset"), number(fields, "transferFromWhere"),
        Boolean.parseBoolean(fields.get("inSync")), number(fields, "transferredByteInSecond"), number(fields, ANSWERED));
  }

  /** @param ends takes the end of the slave's own log at 1 */
  private static Master readMaster(JsonParser in, long[] ends) throws IOException {
    Map<String, String> fields = RegistryJson.texts(in);
    ends[1] = number(fields, "maxOffset");
    return new Master(fields.getOrDefault("masterAddr", ""), Boolean.parseBoolean(fields.get("activated")),
        number(fields, "masterFlushOffset"), number(fields, "transferredByteInSecond"), number(fields, "lastReadTimestamp"));
  }

  private static long number(Map<String, String> fields, String name) {
    String text = fields.getOrDefault(name, "0");
    try {
      return Long.parseLong(text);
    } catch (NumberFormatException e) {
      throw new BodyException("'" + name + "' is not a whole number: '" + text + "'");
    }
  }
}

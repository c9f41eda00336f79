package io.metaq.codec.admin;

import com.fasterxml.jackson.core.JsonGenerator;
import io.metaq.codec.registry.RegistryJson;
import java.io.IOException;
import java.util.List;

/**
 * The answer of GET_BROKER_HA_STATUS.
 *
 * @param logEnd end of the broker's log
 * @param slaves of a master; a slave has none
 * @param master of a slave; a master has an empty one
 */
public record HaStatusBody(boolean isMaster, long logEnd, List<Slave> slaves, Master master) {
  public HaStatusBody {
    slaves = List.copyOf(slaves);
  }

  /**
   * A slave as its master sees it.
   *
   * @param acknowledged log position it has
   * @param sent log position up to which it was sent the log
   * @param inSync whether it counts for a {@code SYNC_MASTER}
   */
  public record Slave(String address, long acknowledged, long sent, boolean inSync, long bytesPerSecond) {}

  /**
   * A master as its slave sees it.
   *
   * @param active whether its log comes
   * @param received log position up to which it came
   */
  public record Master(String address, boolean active, long received, long bytesPerSecond) {
    public static final Master NONE = new Master("", false, 0, 0);
  }

  public byte[] encode() {
    return RegistryJson.write(out -> {
      out.writeStartObject();
      out.writeObjectFieldStart("haClientRuntimeInfo");
      out.writeBooleanField("activated", master.active);
      out.writeNumberField("lastReadTimestamp", 0);
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
    out.writeNumberField("slaveAckOffset", slave.acknowledged);
    out.writeNumberField("transferFromWhere", slave.sent);
    out.writeNumberField("transferredByteInSecond", slave.bytesPerSecond);
    out.writeEndObject();
  }
}

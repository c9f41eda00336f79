package io.metaq.codec.registry;

import com.fasterxml.jackson.core.JsonParser;
import io.metaq.model.DataVersion;
import io.metaq.model.OwnedBy;
import io.metaq.model.TopicConfig;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.zip.CRC32;
import java.util.zip.Deflater;
import java.util.zip.DeflaterOutputStream;
import java.util.zip.InflaterInputStream;

/**
 * The body of REGISTER_BROKER, in its two forms. Filter servers and queue mappings of static topics are read over, and written
 * empty.
 *
 * <p>Plain: a JSON object; brokers before version {@value #FULL_BODY_SINCE} sent only its inner part, the topic table. Compressed:
 * a zlib stream, integers big-endian, each piece of text led by its length in bytes:
 *
 * <pre>
 *   i32 n, data version JSON | i32 topics, then for each: i32 n, topic line | i32 n, filter servers JSON
 *   | from version 413 on: i32 mappings, then for each: i32 n, mapping JSON
 * </pre>
 *
 * Source: the RocketMQ remoting protocol; checked against brokers and name servers of 5.5.0.
 */
public final class RegisterBodyCodec {
  private static final int FULL_BODY_SINCE = 37;
  private static final int MAPPINGS_SINCE = 413;
  private static final byte ZLIB_FIRST_BYTE = 0x78;
  /** A frame holds 16 MiB; what unpacks to more than this is not a registration. */
  private static final int MAX_UNPACKED_BYTES = 64 * 1024 * 1024;

  private RegisterBodyCodec() {}

  /**
   * Whether a body is in the compressed form, by its first byte: no JSON begins so. The field that says it cannot be relied on:
   * brokers of 5.5.0 with {@code compressedRegister=true} compress and say {@code compressed=false}.
   */
  public static boolean isCompressed(byte[] body) {
    return body.length > 0 && body[0] == ZLIB_FIRST_BYTE;
  }

  /** The checksum that goes with a body; 0 on the wire means "not given". */
  public static int crc(byte[] body) {
    CRC32 crc = new CRC32();
    crc.update(body);
    return (int) crc.getValue() & Integer.MAX_VALUE;
  }

  public static byte[] encode(RegisterBody body) {
    return RegistryJson.write(out -> {
      out.writeStartObject();
      out.writeArrayFieldStart("filterServerList");
      out.writeEndArray();
      out.writeObjectFieldStart("topicConfigSerializeWrapper");
      out.writeFieldName("dataVersion");
      DataVersionCodec.write(out, body.version());
      out.writeFieldName("mappingDataVersion");
      DataVersionCodec.write(out, DataVersion.INITIAL);
      out.writeObjectFieldStart("topicConfigTable");
      for (TopicConfig topic : body.topics()) {
        out.writeFieldName(topic.name());
        TopicConfigCodec.write(out, topic);
      }
      out.writeEndObject();
      out.writeObjectFieldStart("topicQueueMappingDetailMap");
      out.writeEndObject();
      out.writeObjectFieldStart("topicQueueMappingInfoMap");
      out.writeEndObject();
      out.writeEndObject();
      out.writeEndObject();
    });
  }

  /**
   * Reads a plain body of a broker of {@code version}; no bytes are {@link RegisterBody#EMPTY}.
   *
   * @throws BodyException when it is not a registration
   */
  public static RegisterBody decode(byte[] json, int version) {
    if (json.length == 0) {
      return RegisterBody.EMPTY;
    }
    Draft draft = new Draft();
    RegistryJson.read("registration", json, in -> {
      if (version < FULL_BODY_SINCE) {
        readTable(in, draft);
      } else {
        RegistryJson.object(in, name -> {
          if (name.equals("topicConfigSerializeWrapper")) {
            readTable(in, draft);
          }
        });
      }
      return null;
    });
    return draft.body();
  }

  private static void readTable(JsonParser in, Draft draft) throws IOException {
    RegistryJson.object(in, name -> {
      switch (name) {
        case "dataVersion" -> draft.version = DataVersionCodec.read(in);
        case "topicConfigTable" -> RegistryJson.object(in, topic -> draft.topics.add(TopicConfigCodec.read(in, topic)));
        default -> { }
      }
    });
  }

  /** The compressed form of a sender of {@code version}. */
  public static byte[] encodeCompressed(RegisterBody body, int version) {
    Deflater deflater = new Deflater(Deflater.BEST_COMPRESSION);
    ByteArrayOutputStream bytes = new ByteArrayOutputStream(1024);
    try (DataOutputStream out = new DataOutputStream(new DeflaterOutputStream(bytes, deflater, 8192))) {
      writeText(out, DataVersionCodec.encode(body.version()));
      out.writeInt(body.topics().size());
      for (TopicConfig topic : body.topics()) {
        writeText(out, TopicConfigCodec.line(topic).getBytes(StandardCharsets.UTF_8));
      }
      writeText(out, "[]".getBytes(StandardCharsets.UTF_8));
      if (version >= MAPPINGS_SINCE) {
        out.writeInt(0);
      }
    } catch (IOException impossible) {
      throw new UncheckedIOException(impossible);
    } finally {
      deflater.end();
    }
    return bytes.toByteArray();
  }

  /**
   * Reads the compressed form, up to and without the parts this server has no use for.
   *
   * @throws BodyException when it is not a registration, is cut, or unpacks to more than 64 MiB
   */
  public static RegisterBody decodeCompressed(byte[] bytes) {
    try (DataInputStream in = new DataInputStream(new InflaterInputStream(new ByteArrayInputStream(bytes)))) {
      Unpacking unpacking = new Unpacking(in);
      DataVersion version = DataVersionCodec.decode(unpacking.text());
      int count = in.readInt();
      List<TopicConfig> topics = new ArrayList<>();
      for (int i = 0; i < count; i++) {
        topics.add(TopicConfigCodec.ofLine(new String(unpacking.text(), StandardCharsets.UTF_8)));
      }
      return new RegisterBody(version, topics);
    } catch (EOFException e) {
      throw new BodyException("the compressed registration ends too early", e);
    } catch (IOException e) {
      throw new BodyException("the compressed registration cannot be unpacked: " + e.getMessage(), e);
    }
  }

  private static void writeText(DataOutputStream out, byte[] text) throws IOException {
    out.writeInt(text.length);
    out.write(text);
  }

  /** Takes pieces of text off the stream and counts them. */
  @OwnedBy("the call that reads it")
  private static final class Unpacking {
    private final DataInputStream in;
    private int left = MAX_UNPACKED_BYTES;

    private Unpacking(DataInputStream in) {
      this.in = in;
    }

    private byte[] text() throws IOException {
      int length = in.readInt();
      if (length < 0 || length > left) {
        throw new BodyException("the compressed registration names a piece of " + length + " bytes");
      }
      left -= length;
      byte[] text = in.readNBytes(length);
      if (text.length < length) {
        throw new EOFException();
      }
      return text;
    }
  }

  @OwnedBy("the call that reads it")
  private static final class Draft {
    private DataVersion version = DataVersion.INITIAL;
    private final List<TopicConfig> topics = new ArrayList<>();

    private RegisterBody body() {
      return new RegisterBody(version, topics);
    }
  }
}

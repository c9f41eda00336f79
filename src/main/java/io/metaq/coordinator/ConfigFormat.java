package io.metaq.coordinator;

import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.JsonParser;
import java.io.IOException;

/**
 * How the content of one file under {@code config/} is written and read. Stateless; called on the config worker. The forms are
 * RocketMQ's own, so that the files can go to a RocketMQ broker and come from one.
 *
 * @param <T> the content, immutable or given away
 */
interface ConfigFormat<T> {
  /** Name below {@code config/}. */
  String fileName();

  /**
   * Reads the content; the parser stands on the opening brace and must be left on the closing one.
   *
   * @throws IOException when it cannot be understood
   */
  T read(JsonParser json) throws IOException;

  /** Writes the content as one object, braces included. */
  void write(T content, JsonGenerator json) throws IOException;
}

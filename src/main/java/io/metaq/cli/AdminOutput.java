package io.metaq.cli;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import io.metaq.client.MissingBroker;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.time.Instant;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;
import java.util.List;
import java.util.OptionalLong;
import java.util.function.Consumer;

/**
 * What an administrative command prints: tables for people, or one JSON value for programs.
 *
 * @param json whether a program reads it
 */
record AdminOutput(PrintWriter out, boolean json) {
  private static final JsonFactory JSON = new JsonFactory();
  private static final DateTimeFormatter TIME = DateTimeFormatter.ofPattern("yyyy-MM-dd HH:mm:ss");
  private static final String NONE = "-";

  /** Writes one thing as JSON. */
  interface Json<T> {
    void write(JsonGenerator out, T value) throws IOException;
  }

  /** A list of things: an array, or what {@code people} prints. */
  <T> void list(List<T> things, Json<T> writer, Consumer<PrintWriter> people) {
    value(things, (generator, all) -> {
      generator.writeStartArray();
      for (T thing : all) {
        writer.write(generator, thing);
      }
      generator.writeEndArray();
    }, people);
  }

  /** One thing. */
  <T> void value(T thing, Json<T> writer, Consumer<PrintWriter> people) {
    if (!json) {
      people.accept(out);
      return;
    }
    StringWriter text = new StringWriter();
    try (JsonGenerator generator = JSON.createGenerator(text)) {
      writer.write(generator, thing);
    } catch (IOException e) {
      throw new UncheckedIOException("writing to memory failed", e);
    }
    out.println(text);
  }

  /** Names that something was done at. */
  void done(String what, List<String> brokers) {
    value(brokers, (generator, names) -> {
      generator.writeStartObject();
      texts(generator, "brokers", names);
      generator.writeEndObject();
    }, people -> people.println(what + " at " + String.join(", ", brokers)));
  }

  /** A number, or nothing at all when it is not known. */
  static void number(JsonGenerator out, String field, OptionalLong number) throws IOException {
    if (number.isPresent()) {
      out.writeNumberField(field, number.getAsLong());
    }
  }

  static void texts(JsonGenerator out, String field, List<String> texts) throws IOException {
    out.writeArrayFieldStart(field);
    for (String text : texts) {
      out.writeString(text);
    }
    out.writeEndArray();
  }

  /** Brokers that told nothing, so that nobody takes what is shown for all there is. */
  static void missing(PrintWriter people, List<MissingBroker> missing) {
    missing.forEach(broker -> people.println("without what broker " + broker.broker() + " has: " + broker.fault()));
  }

  /** As {@link #missing(PrintWriter, List)}, a field; nothing at all when all have answered. */
  static void missing(JsonGenerator out, List<MissingBroker> missing) throws IOException {
    if (missing.isEmpty()) {
      return;
    }
    out.writeArrayFieldStart("missing");
    for (MissingBroker broker : missing) {
      out.writeStartObject();
      out.writeStringField("broker", broker.broker());
      out.writeStringField("reason", broker.reason().name());
      out.writeStringField("fault", broker.fault());
      out.writeEndObject();
    }
    out.writeEndArray();
  }

  /** A sum; with parts of it missing it is at least so much. */
  static String sum(long known, List<MissingBroker> missing) {
    return (missing.isEmpty() ? "" : ">=") + known;
  }

  /** A sum, or nothing at all when parts of it are missing. */
  static void sum(JsonGenerator out, String field, long known, List<MissingBroker> missing) throws IOException {
    if (missing.isEmpty()) {
      out.writeNumberField(field, known);
    }
  }

  /** A moment in this machine's time zone. */
  static String time(long ms) {
    return ms <= 0 ? NONE : TIME.format(Instant.ofEpochMilli(ms).atZone(ZoneId.systemDefault()));
  }

  /** Words after one another. */
  static String words(List<String> words) {
    return words.isEmpty() ? NONE : String.join(", ", words);
  }

  static String orNone(String text) {
    return text.isEmpty() ? NONE : text;
  }

  /** {@code 1 queue}, {@code 2 queues}. */
  static String count(long number, String one) {
    return number + " " + one + (number == 1 ? "" : "s");
  }
}

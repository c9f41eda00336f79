package io.metaq.bridge;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonLocation;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.StreamReadConstraints;
import com.fasterxml.jackson.core.exc.StreamConstraintsException;
import com.fasterxml.jackson.core.io.JsonEOFException;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.io.UncheckedIOException;

/**
 * Reads a JSON object, but keeps what its field {@value #RAW} has as the text it is, and likewise in the objects of its arrays:
 * read and written again, {@code 1.10} would be another text and {@code 12345678901234567890.12} another number.
 */
final class JsonText {
  static final String RAW = "json";

  static final int MOST_NESTED = 1000;

  /** No number that is asked for is longer; what is longer is kept as its text, for to make a number of a million digits takes minutes. */
  private static final int LONGEST_NUMBER = 32;

  /**
   * Names come from strangers: they are not kept for ever. How long a text may be is the matter of who takes it; only nesting needs a bound
   * of its own, for it is read by recursion.
   */
  private static final JsonFactory FACTORY = JsonFactory.builder().disable(JsonFactory.Feature.INTERN_FIELD_NAMES)
      .streamReadConstraints(StreamReadConstraints.builder().maxNestingDepth(MOST_NESTED).maxStringLength(Integer.MAX_VALUE)
          .maxNumberLength(Integer.MAX_VALUE).maxNameLength(Integer.MAX_VALUE).build())
      .build();

  private final String text;
  private final JsonParser parser;

  /** The text of a value, as it was sent. */
  record Raw(String text) {}

  private JsonText(String text, JsonParser parser) {
    this.text = text;
    this.parser = parser;
  }

  /** @throws BridgeException {@code MALFORMED_JSON} when the text is no object, {@code INVALID} when it is nested too deep */
  static JsonObject object(String text) {
    try (JsonParser parser = FACTORY.createParser(text)) {
      JsonToken first = parser.nextToken();
      if (first == null) {
        throw Fault.MALFORMED_JSON.because("the text is no JSON: it is empty");
      }
      if (first != JsonToken.START_OBJECT) {
        throw Fault.MALFORMED_JSON.because("the text is no JSON object: it must begin with '{'");
      }
      JsonObject object = new JsonText(text, parser).fields(true);
      if (parser.nextToken() != null) {
        throw Fault.MALFORMED_JSON.because("the text is no JSON: something comes after its object");
      }
      return object;
    } catch (StreamConstraintsException deep) {
      throw Fault.INVALID.because("the JSON is nested deeper than " + MOST_NESTED + " objects and arrays");
    } catch (JsonEOFException cut) {
      throw Fault.MALFORMED_JSON.because("the text is no JSON: it ends before its object does");
    } catch (JsonProcessingException malformed) {
      JsonLocation place = malformed.getLocation();
      throw Fault.MALFORMED_JSON.because(
          "the text is no JSON: it breaks the rules at line " + place.getLineNr() + ", column " + place.getColumnNr());
    } catch (IOException impossible) {
      throw new UncheckedIOException(impossible);
    }
  }

  /** @param sendObject whether it may have a value that is kept as text */
  private JsonObject fields(boolean sendObject) throws IOException {
    JsonObject object = new JsonObject();
    while (parser.nextToken() != JsonToken.END_OBJECT) {
      String name = parser.currentName();
      JsonToken token = parser.nextToken();
      if (sendObject && name.equals(RAW)) {
        object.put(name, raw());
      } else if (sendObject && token == JsonToken.START_ARRAY) {
        object.put(name, items(true));
      } else {
        object.put(name, value(token, false));
      }
    }
    return object;
  }

  private JsonArray items(boolean sendObjects) throws IOException {
    JsonArray array = new JsonArray();
    for (JsonToken token = parser.nextToken(); token != JsonToken.END_ARRAY; token = parser.nextToken()) {
      array.add(value(token, sendObjects));
    }
    return array;
  }

  private Object value(JsonToken token, boolean sendObject) throws IOException {
    return switch (token) {
      case START_OBJECT -> fields(sendObject);
      case START_ARRAY -> items(false);
      case VALUE_STRING -> parser.getText();
      case VALUE_NUMBER_INT, VALUE_NUMBER_FLOAT ->
          parser.getTextLength() <= LONGEST_NUMBER ? parser.getNumberValue() : new Raw(parser.getText());
      case VALUE_TRUE -> true;
      case VALUE_FALSE -> false;
      default -> null;
    };
  }

  private Raw raw() throws IOException {
    int begin = (int) parser.currentTokenLocation().getCharOffset();
    parser.skipChildren();
    parser.finishToken();
    return new Raw(text.substring(begin, (int) parser.currentLocation().getCharOffset()));
  }
}

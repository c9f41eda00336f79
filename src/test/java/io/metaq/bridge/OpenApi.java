package io.metaq.bridge;

import io.vertx.core.buffer.Buffer;
import io.vertx.core.json.Json;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import io.vertx.core.json.pointer.JsonPointer;
import io.vertx.json.schema.Draft;
import io.vertx.json.schema.JsonSchema;
import io.vertx.json.schema.JsonSchemaOptions;
import io.vertx.json.schema.OutputFormat;
import io.vertx.json.schema.OutputUnit;
import io.vertx.json.schema.Validator;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.StringJoiner;
import java.util.stream.Stream;

/** The packed {@code openapi.json} as something to ask; every reference is replaced by what it refers to. */
record OpenApi(JsonObject document) {
  private static final JsonSchemaOptions RULES =
      new JsonSchemaOptions().setBaseUri("app://openapi").setDraft(Draft.DRAFT202012).setOutputFormat(OutputFormat.Basic);

  /** As it is served. */
  static JsonObject packed() {
    return new JsonObject(Buffer.buffer(StaticFile.bytes("openapi.json")));
  }

  static OpenApi resolved() {
    JsonObject packed = packed();
    return new OpenApi((JsonObject) resolved(packed, packed));
  }

  private static Object resolved(Object value, JsonObject root) {
    if (value instanceof JsonArray array) {
      JsonArray all = new JsonArray();
      array.forEach(each -> all.add(resolved(each, root)));
      return all;
    }
    if (!(value instanceof JsonObject object)) {
      return value;
    }
    String reference = object.getString("$ref");
    if (reference != null) {
      return resolved(Objects.requireNonNull(JsonPointer.from(reference.substring(1)).queryJson(root), reference), root);
    }
    JsonObject all = new JsonObject();
    object.forEach(field -> all.put(field.getKey(), resolved(field.getValue(), root)));
    return all;
  }

  List<Operation> operations() {
    List<Operation> all = new ArrayList<>();
    for (Map.Entry<String, Object> path : document.getJsonObject("paths")) {
      for (Map.Entry<String, Object> method : (JsonObject) path.getValue()) {
        all.add(new Operation(method.getKey().toUpperCase(), path.getKey(), (JsonObject) method.getValue()));
      }
    }
    return all;
  }

  Operation operation(String id) {
    return operations().stream().filter(operation -> operation.json.getString("operationId").equals(id)).findFirst().orElseThrow();
  }

  JsonObject schema(String name) {
    return document.getJsonObject("components").getJsonObject("schemas").getJsonObject(name);
  }

  /** Every schema of the document. */
  List<JsonObject> schemas() {
    return objects(document).filter(object -> object.getValue("schema") instanceof JsonObject)
        .map(object -> object.getJsonObject("schema")).toList();
  }

  /** Each object of the document that has a schema and examples of what keeps to it. */
  List<JsonObject> withExamples() {
    return objects(document)
        .filter(object -> object.getValue("schema") instanceof JsonObject)
        .filter(object -> !examples(object).isEmpty())
        .toList();
  }

  private static Stream<JsonObject> objects(Object value) {
    if (value instanceof JsonArray array) {
      return array.stream().flatMap(OpenApi::objects);
    }
    return value instanceof JsonObject object
        ? Stream.concat(Stream.of(object), object.stream().map(Map.Entry::getValue).flatMap(OpenApi::objects))
        : Stream.empty();
  }

  /** The values of {@code example} and {@code examples}. */
  static List<Object> examples(JsonObject described) {
    List<Object> all = new ArrayList<>();
    if (described.containsKey("example")) {
      all.add(described.getValue("example"));
    }
    described.getJsonObject("examples", new JsonObject()).forEach(
        named -> all.add(((JsonObject) named.getValue()).getValue("value")));
    return all;
  }

  /** What a value does against a schema, with which it may have no property that is not described; empty text when nothing. */
  static String fault(JsonObject schema, Object value) {
    OutputUnit result = Validator.create(JsonSchema.of((JsonObject) closed(schema)), RULES).validate(value);
    return result.getValid() ? "" : result.toString();
  }

  private static Object closed(Object value) {
    if (value instanceof JsonArray array) {
      JsonArray all = new JsonArray();
      array.forEach(each -> all.add(closed(each)));
      return all;
    }
    if (!(value instanceof JsonObject object)) {
      return value;
    }
    JsonObject all = new JsonObject();
    object.forEach(field -> all.put(field.getKey(), closed(field.getValue())));
    // A property may be named "properties" or "type", too; then its value is no text.
    boolean describesProperties = "object".equals(all.getValue("type")) && all.containsKey("properties");
    return describesProperties ? all.put("additionalProperties", false) : all;
  }

  /** One method of one path. */
  record Operation(String method, String path, JsonObject json) {
    /** What is answered with a status; null when nothing is said of it. */
    JsonObject answer(int status) {
      return json.getJsonObject("responses").getJsonObject(Integer.toString(status));
    }

    /** The media types of an answer with their schemas; empty when it has no body. */
    JsonObject content(int status) {
      return answer(status).getJsonObject("content", new JsonObject());
    }

    /** A request for each example of a body; without a body, one. */
    List<Request> requests() {
      JsonObject bodies = json.getJsonObject("requestBody", new JsonObject()).getJsonObject("content", new JsonObject());
      if (bodies.isEmpty()) {
        return List.of(new Request(this, "", null));
      }
      List<Request> all = new ArrayList<>();
      for (Map.Entry<String, Object> body : bodies) {
        examples((JsonObject) body.getValue()).forEach(example -> all.add(new Request(this, body.getKey(), example)));
      }
      return all;
    }

    private Stream<JsonObject> parametersWithExamples(String place) {
      return json.getJsonArray("parameters", new JsonArray()).stream().map(JsonObject.class::cast)
          .filter(parameter -> parameter.getString("in").equals(place) && parameter.containsKey("example"));
    }
  }

  /**
   * One request, with the examples of its parameters.
   *
   * @param contentType empty when it has no body
   */
  record Request(Operation operation, String contentType, Object body) {
    /** Path and query. */
    String target() {
      String path = operation.path;
      for (JsonObject parameter : operation.parametersWithExamples("path").toList()) {
        path = path.replace("{" + parameter.getString("name") + "}", encodedExample(parameter));
      }
      StringJoiner query = new StringJoiner("&", "?", "").setEmptyValue("");
      operation.parametersWithExamples("query").forEach(
          parameter -> query.add(parameter.getString("name") + "=" + encodedExample(parameter)));
      return path + query;
    }

    private static String encodedExample(JsonObject parameter) {
      return Http.encoded(String.valueOf(parameter.getValue("example")));
    }

    /** Names and values. */
    String[] headers() {
      List<String> all = new ArrayList<>();
      operation.parametersWithExamples("header").forEach(
          parameter -> all.addAll(List.of(parameter.getString("name"), String.valueOf(parameter.getValue("example")))));
      if (!contentType.isEmpty()) {
        all.addAll(List.of("Content-Type", contentType));
      }
      return all.toArray(String[]::new);
    }

    /** Null when it has none. */
    String text() {
      return contentType.isEmpty() || body instanceof String ? (String) body : Json.encode(body);
    }

    @Override
    public String toString() {
      return operation.method + " " + target() + (contentType.isEmpty() ? "" : " " + contentType + " " + text());
    }
  }
}

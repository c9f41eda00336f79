package io.metaq.codec.client;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import io.metaq.codec.remoting.HeaderException;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/** The answer of GET_CONSUMER_LIST_BY_GROUP: {@code {"consumerIdList":["10.0.0.9@1#2"]}}. */
public final class MemberList {
  private static final JsonFactory JSON = new JsonFactory();

  private MemberList() {}

  /**
   * The client ids of the members.
   *
   * @throws HeaderException when it is no such list
   */
  public static List<String> decode(byte[] json) {
    List<String> members = new ArrayList<>();
    try (JsonParser in = JSON.createParser(json)) {
      boolean inList = false;
      for (JsonToken token = in.nextToken(); token != null; token = in.nextToken()) {
        if (token == JsonToken.FIELD_NAME) {
          inList = in.currentName().equals("consumerIdList");
        } else if (inList && token == JsonToken.VALUE_STRING) {
          members.add(in.getText());
        }
      }
    } catch (IOException e) {
      throw new HeaderException("the list of members is not JSON: " + e.getMessage(), e);
    }
    return members;
  }
}

package io.metaq.bridge;

import static org.assertj.core.api.Assertions.assertThat;

import io.vertx.core.json.JsonObject;
import java.util.Map;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;

/**
 * Ids that hold a message's place, at a broker with nothing set: its messages have the machine's address, while clients on the machine know
 * it as 127.0.0.1. Over HTTP such messages were not found, and dead letters could not be sent again from the console.
 */
@Timeout(120)
class OffsetIdTest {
  @RegisterExtension
  static final Standalone SERVER = new Standalone(Map.of("bindAddress", "0.0.0.0"));

  private static JsonObject receipt;

  private static Http http() {
    return new Http(SERVER.httpPort());
  }

  @BeforeAll
  static void send() throws Exception {
    receipt = http().json("POST", "/v1/topics/placed/messages", new JsonObject().put("body", "here")).json();
  }

  @Test
  void shouldFindAMessageByItsPlace() throws Exception {
    Http.Reply reply = http().get("/v1/messages/" + receipt.getString("offsetId"));

    assertThat(reply.status()).as(reply.text()).isEqualTo(200);
    assertThat(reply.json().getString("messageId")).isEqualTo(receipt.getString("messageId"));
    assertThat(reply.json().getString("broker")).isEqualTo(SERVER.brokerName());
  }

  @Test
  void shouldSendItAgain() throws Exception {
    Http.Reply reply = http().call("POST", "/v1/messages/" + receipt.getString("offsetId") + "/resend?topic=placed", null);

    assertThat(reply.status()).as(reply.text()).isEqualTo(201);
    assertThat(reply.json().getString("topic")).isEqualTo("placed");
  }

  @Test
  void shouldNotTakeAnotherPlaceOrAnotherBrokersForIt() throws Exception {
    String id = receipt.getString("offsetId");
    String elsewhere = "C6336401" + id.substring(8);
    String between = id.substring(0, id.length() - 1) + (id.endsWith("1") ? "2" : "1");

    for (String none : new String[] {elsewhere, between, "C6336401000000500000000000000000"}) {
      assertThat(http().get("/v1/messages/" + none).json().getString("type")).as(none).isEqualTo("urn:metaq:problem:unknown-message");
    }
  }
}

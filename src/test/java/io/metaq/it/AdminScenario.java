package io.metaq.it;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** What a person does with {@code metaq admin}, from a new topic to its end; the same against every server. */
public final class AdminScenario {
  private static final Duration LIMIT = Duration.ofSeconds(120);

  /** At midnight the count of a day begins anew. */
  private final LocalDate firstDay = LocalDate.now();
  private final String namesrv;
  private final String broker;

  /** @param broker name of the only one */
  public AdminScenario(String namesrv, String broker) {
    this.namesrv = namesrv;
    this.broker = broker;
  }

  public void play() throws Exception {
    makesATopic();
    showsAGroupThatHasReadIt();
    String id = findsTheMessage();
    movesTheGroup();
    sendsTheMessageAgain(id);
    tellsOfTheBroker();
    deletesNothingUnasked();
    deletes();
  }

  private void makesATopic() throws Exception {
    assertThat(admin("topic", "create", "orders", "--queues", "2", "--yes").text()).isEqualTo("topic 'orders' is at " + broker + "\n");
    assertThat(admin("topics").text()).containsPattern("(?m)^TOPIC +KIND +QUEUES +ACCESS +BROKERS$")
        .containsPattern("(?m)^orders +normal +2 +read, write +" + broker + "$").doesNotContain("%RETRY%");
    assertThat(admin("topics", "--all").text()).contains("SCHEDULE_TOPIC_XXXX");
    MetaqCommand.run("produce", "-n", namesrv, "-t", "orders", "--tag", "paid", "--key", "o-1", "hello").text();
    Await.until("the message is in its queue", LIMIT, () -> admin("topic", "orders").text().startsWith("orders: 1 message in 2 queues"));
    assertThat(admin("topic", "orders").text()).containsPattern("(?m)^BROKER +QUEUE +FROM +TO +MESSAGES +LAST STORED$")
        .containsPattern("(?m)^" + broker + " +[01] +0 +1 +1 +\\d{4}-\\d\\d-\\d\\d \\d\\d:\\d\\d:\\d\\d$");
  }

  private void showsAGroupThatHasReadIt() throws Exception {
    admin("group", "create", "billing", "--yes").text();
    MetaqCommand.run("consume", "-n", namesrv, "-t", "orders", "-g", "billing", "--from", "earliest", "--count", "1").text();

    try {
      Await.until("the group's progress is known", LIMIT, () -> lag("billing") == 0 && offsets("billing") == 1);
    } catch (AssertionError late) {
      throw new AssertionError(late.getMessage() + ": " + group("billing"), late);
    }
    assertThat(admin("group", "billing").text()).startsWith("billing: 0 members, 0 messages behind")
        .containsPattern("(?m)^TOPIC +BROKER +QUEUE +OFFSET +END +LAG +LAST CONSUMED +HELD BY$");
    assertThat(admin("groups").text()).containsPattern("(?m)^GROUP +MEMBERS +LAG +TOPICS$")
        .containsPattern("(?m)^billing +0 +0 +orders$");
  }

  private String findsTheMessage() throws Exception {
    Await.until("the message is in the index", LIMIT,
        () -> !((List<?>) admin("message", "find", "-t", "orders", "--key", "o-1", "--json").json()).isEmpty());
    Map<?, ?> found = (Map<?, ?>) ((List<?>) admin("message", "find", "-t", "orders", "--key", "o-1", "--json").json()).get(0);
    String id = (String) found.get("messageId");
    String offsetId = (String) found.get("offsetId");
    String queue = String.valueOf(found.get("queueId"));

    assertThat(found.get("body")).isEqualTo("hello");
    assertThat(admin("message", id, "-t", "orders").text()).contains("message id  " + id, "offset id   " + offsetId, "\n\nhello\n");
    assertThat(admin("message", offsetId).text()).contains("message id  " + id);
    assertThat(admin("message", "find", "-t", "orders", "--since", "earliest").text())
        .containsPattern("(?m)^STORED +BROKER +QUEUE +OFFSET +MESSAGE ID +TAG +KEYS +BODY$").contains(id);
    assertThat(admin("message", "find", "-t", "orders", "--broker", broker, "--queue", queue, "--offset", "0").text()).contains(id);
    assertThat(admin("message", "find", "-t", "orders", "--broker", broker, "--queue", queue, "--offset", "7").err())
        .contains("metaq: offset 7 is outside of queue " + queue + " of topic 'orders'");
    return id;
  }

  private void movesTheGroup() throws Exception {
    assertThat(admin("group", "reset", "billing", "-t", "orders", "--to", "earliest", "--yes").text())
        .containsPattern("(?m)^BROKER +QUEUE +NEXT OFFSET$").containsPattern("(?m)^" + broker + " +[01] +0$");
    assertThat(lag("billing")).isEqualTo(1);
  }

  private void sendsTheMessageAgain(String id) throws Exception {
    assertThat(admin("message", "resend", id, "-t", "orders", "--yes").text()).startsWith("sent again as ");
    Await.until("the copy is in its queue", LIMIT, () -> lag("billing") == 2);
  }

  private void tellsOfTheBroker() throws Exception {
    assertThat(admin("brokers").text())
        .containsPattern("(?m)^CLUSTER +BROKER +ROLE +ADDRESS +VERSION +IN/S +OUT/S +P99 MS +TODAY +DISK$")
        .containsPattern("(?m) " + broker + " +master +127\\.0\\.0\\.1:\\d+ .* " + (LocalDate.now().equals(firstDay) ? "2" : "\\d") + " +\\d+%$");
    Map<?, ?> figures = (Map<?, ?>) ((Map<?, ?>) ((List<?>) admin("brokers", "--json").json()).get(0)).get("figures");
    assertThat((String) figures.get("putTps")).isNotBlank();
  }

  private void deletesNothingUnasked() throws Exception {
    MetaqCommand.Result refused = admin("topic", "delete", "orders");

    assertThat(refused.status()).isEqualTo(2);
    assertThat(refused.err()).contains("--yes is needed, there is no terminal to ask at: Delete topic 'orders' with its messages?");
    assertThat(admin("topic", "orders").status()).isZero();
  }

  private void deletes() throws Exception {
    assertThat(admin("group", "delete", "billing", "--yes").text()).isEqualTo("consumer group 'billing' is deleted at " + broker + "\n");
    assertThat(admin("topic", "delete", "orders", "--yes").text()).isEqualTo("topic 'orders' is deleted at " + broker + "\n");

    MetaqCommand.Result topic = admin("topic", "orders");
    MetaqCommand.Result group = admin("group", "delete", "billing", "--yes");
    assertThat(topic.status()).isEqualTo(1);
    assertThat(topic.err()).startsWith("metaq: topic 'orders' does not exist; ");
    assertThat(group.status()).isEqualTo(1);
    assertThat(group.err()).startsWith("metaq: consumer group 'billing' does not exist; ");
  }

  private long lag(String group) throws Exception {
    return ((Number) group(group).get("lag")).longValue();
  }

  /** Messages the group has consumed in all queues. */
  private long offsets(String group) throws Exception {
    return ((List<?>) group(group).get("queues")).stream()
        .map(queue -> (Map<?, ?>) queue)
        .filter(queue -> queue.get("topic").equals("orders"))
        .mapToLong(queue -> ((Number) queue.get("offset")).longValue()).sum();
  }

  private Map<?, ?> group(String group) throws Exception {
    return (Map<?, ?>) admin("group", group, "--json").json();
  }

  private MetaqCommand.Result admin(String... arguments) throws Exception {
    List<String> all = new ArrayList<>(List.of("admin", "-n", namesrv));
    all.addAll(List.of(arguments));
    return MetaqCommand.run(all.toArray(String[]::new));
  }
}

package io.metaq.nameserver;

import static org.assertj.core.api.Assertions.assertThat;

import io.metaq.HandClock;
import io.metaq.codec.remoting.RemotingCommand;
import io.metaq.model.RequestCode;
import io.metaq.model.ResultCode;
import io.vertx.core.Future;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class RequestHandlersTest {
  private final RouteTable routes = new RouteTable(new HandClock());
  private final List<String> levels = new ArrayList<>();
  private final Settings settings = new Settings(NameServerSwitches.DEFAULTS, Map.of("listenPort", "9876", "logLevel", "INFO"), levels::add);
  private final RequestHandlers handlers = new RequestHandlers();

  RequestHandlersTest() {
    new AdminHandlers(routes, settings).join(handlers);
    new TopicListHandlers(routes, settings).join(handlers);
  }

  @Test
  void shouldAnswerAnUnknownCodeWithCode3() {
    RemotingCommand answer = handle(RemotingCommand.request(12345).opaque(8), true);

    assertThat(answer.code()).isEqualTo(ResultCode.REQUEST_CODE_NOT_SUPPORTED.wire());
    assertThat(answer.opaque()).isEqualTo(8);
    assertThat(answer.remark()).contains("12345");
  }

  @Test
  void shouldNameTheFieldThatIsMissing() {
    RemotingCommand answer = handle(RemotingCommand.request(RequestCode.WIPE_WRITE_PERM_OF_BROKER), true);

    assertThat(answer.code()).isEqualTo(ResultCode.SYSTEM_ERROR.wire());
    assertThat(answer.remark()).contains("'brokerName'");
  }

  @Test
  void shouldAnswerABugWithCode1() {
    handlers.on(RequestCode.GET_BROKER_CLUSTER_INFO, request -> {
      throw new IllegalStateException("on purpose");
    });
    handlers.onAsync(RequestCode.GET_ROUTEINFO_BY_TOPIC, request -> Future.failedFuture("later, on purpose"));

    RemotingCommand now = handle(RemotingCommand.request(RequestCode.GET_BROKER_CLUSTER_INFO), true);
    RemotingCommand later = handle(RemotingCommand.request(RequestCode.GET_ROUTEINFO_BY_TOPIC), true);

    assertThat(now.code()).isEqualTo(ResultCode.SYSTEM_ERROR.wire());
    assertThat(now.remark()).contains("on purpose");
    assertThat(later.code()).isEqualTo(ResultCode.SYSTEM_ERROR.wire());
  }

  @Test
  void shouldTakeAdministrativeRequestsOnlyFromThoseWhoMay() {
    for (RequestCode code : new RequestCode[] {
        RequestCode.WIPE_WRITE_PERM_OF_BROKER,
        RequestCode.ADD_WRITE_PERM_OF_BROKER,
        RequestCode.DELETE_TOPIC_IN_NAMESRV,
        RequestCode.UPDATE_NAMESRV_CONFIG}) {
      RemotingCommand request =
          RemotingCommand.request(code).ext("brokerName", "b0").ext("topic", "T").body(bytes("enableTopicList=true"));

      assertThat(handle(request, false).code()).isEqualTo(ResultCode.NO_PERMISSION.wire());
      assertThat(handle(request, true).code()).isEqualTo(ResultCode.SUCCESS.wire());
    }
  }

  @Test
  void shouldSwitchTopicListsOffAndShowIt() {
    RemotingCommand before = handle(RemotingCommand.request(RequestCode.GET_ALL_TOPIC_LIST_FROM_NAMESERVER), false);
    RemotingCommand change = update("enableAllTopicList = false\nenableTopicList=FALSE\n");
    RemotingCommand all = handle(RemotingCommand.request(RequestCode.GET_ALL_TOPIC_LIST_FROM_NAMESERVER), false);
    RemotingCommand unit = handle(RemotingCommand.request(RequestCode.GET_UNIT_TOPIC_LIST), false);
    RemotingCommand shown = handle(RemotingCommand.request(RequestCode.GET_NAMESRV_CONFIG), false);

    assertThat(before.code()).isEqualTo(ResultCode.SUCCESS.wire());
    assertThat(change.code()).isEqualTo(ResultCode.SUCCESS.wire());
    assertThat(all.code()).isEqualTo(ResultCode.SYSTEM_ERROR.wire());
    assertThat(unit.code()).isEqualTo(ResultCode.SYSTEM_ERROR.wire());
    assertThat(new String(shown.body(), StandardCharsets.UTF_8).lines())
        .contains("enableAllTopicList=false", "enableTopicList=false", "listenPort=9876");
  }

  @Test
  void shouldLogMoreFromNowOnWhenAnAdministratorWantsItAndShowIt() {
    RemotingCommand changed = update("logLevel=DEBUG");
    RemotingCommand again = update("logLevel=DEBUG");
    RemotingCommand wrong = update("logLevel=LOUD\nenableTopicList=false");

    assertThat(changed.code()).isEqualTo(ResultCode.SUCCESS.wire());
    assertThat(again.code()).isEqualTo(ResultCode.SUCCESS.wire());
    assertThat(wrong.code()).isEqualTo(ResultCode.SYSTEM_ERROR.wire());
    assertThat(wrong.remark()).contains("must be one of [DEBUG, ERROR, INFO, TRACE, WARN]");
    assertThat(levels).containsExactly("DEBUG");
    assertThat(settings.switches()).isEqualTo(NameServerSwitches.DEFAULTS);
    RemotingCommand shown = handle(RemotingCommand.request(RequestCode.GET_NAMESRV_CONFIG), false);
    assertThat(new String(shown.body(), StandardCharsets.UTF_8).lines()).contains("logLevel=DEBUG");
  }

  @Test
  void shouldChangeNothingWhenOneKeyIsNotSafe() {
    RemotingCommand answer = update("enableTopicList=false\nkvConfigPath=/etc/passwd\n");

    assertThat(answer.code()).isEqualTo(ResultCode.NO_PERMISSION.wire());
    assertThat(answer.remark()).contains("'kvConfigPath'");
    assertThat(settings.switches()).isEqualTo(NameServerSwitches.DEFAULTS);
  }

  @Test
  void shouldRefuseAValueThatIsNeitherTrueNorFalseAndTextThatIsNotProperties() {
    assertThat(update("enableTopicList=maybe").code()).isEqualTo(ResultCode.SYSTEM_ERROR.wire());
    assertThat(update("enableTopicList=\\u12").code()).isEqualTo(ResultCode.SYSTEM_ERROR.wire());
    assertThat(update("").code()).isEqualTo(ResultCode.SYSTEM_ERROR.wire());
    assertThat(settings.switches()).isEqualTo(NameServerSwitches.DEFAULTS);
  }

  @Test
  void shouldSwitchEachKeyAloneAndBack() {
    for (String key : NameServerSwitches.DEFAULTS.shown().keySet()) {
      boolean was = Boolean.parseBoolean(NameServerSwitches.DEFAULTS.shown().get(key));

      NameServerSwitches changed = NameServerSwitches.DEFAULTS.with(key, !was).orElseThrow();

      assertThat(changed.shown()).containsEntry(key, Boolean.toString(!was));
      assertThat(changed.with(key, was)).contains(NameServerSwitches.DEFAULTS);
    }
  }

  private RemotingCommand update(String properties) {
    return handle(RemotingCommand.request(RequestCode.UPDATE_NAMESRV_CONFIG).body(bytes(properties)), true);
  }

  private RemotingCommand handle(RemotingCommand command, boolean mayAdminister) {
    return handlers.handle(new NameServerRequest(command, 1, "192.0.2.1:5", false, mayAdminister)).result();
  }

  private static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }
}

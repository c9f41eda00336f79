package io.metaq.client;

import static org.assertj.core.api.Assertions.assertThat;

import io.metaq.codec.remoting.RemotingCommand;
import io.metaq.model.RequestCode;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Signatures beside those that official clients 4.9.8 and 5.5.0 make. */
class RequestSignerTest {
  @Test
  void shouldSignARequestAsOfficialClientsDo() {
    RemotingCommand request = RemotingCommand.request(RequestCode.GET_ROUTEINFO_BY_TOPIC).ext("topic", "TopicTest");

    new RequestSigner(new Credentials("rocketmq2", "12345678")).sign(request);

    assertThat(request.text("AccessKey")).contains("rocketmq2");
    assertThat(request.text("Signature")).contains("GeeGoP9mRvDhoVp4PD5omX0prgE=");
  }

  @Test
  void shouldSignTokenAndBodyToo() {
    RemotingCommand request =
        RemotingCommand.request(RequestCode.GET_ROUTEINFO_BY_TOPIC)
            .ext("topic", "TopicTest")
            .body("hello".getBytes(StandardCharsets.UTF_8));

    new RequestSigner(new Credentials("rocketmq2", "12345678", Optional.of("tok"))).sign(request);

    assertThat(request.text("SecurityToken")).contains("tok");
    assertThat(request.text("Signature")).contains("wzSCqNRb2+qlfVuwogPFQUNSzfY=");
  }

  @Test
  void shouldNotTellTheSecretInLogs() {
    assertThat(new Credentials("rocketmq2", "12345678")).hasToString("Credentials of rocketmq2");
  }
}

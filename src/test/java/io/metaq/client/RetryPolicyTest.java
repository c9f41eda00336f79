package io.metaq.client;

import static org.assertj.core.api.Assertions.assertThat;

import io.metaq.client.MetaqException.Reason;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

class RetryPolicyTest {
  private final RetryPolicy policy = new RetryPolicy(3);

  @ParameterizedTest
  @EnumSource(value = Reason.class, names = {"CONNECTION", "TIMEOUT", "NO_NAME_SERVER", "NO_ROUTE", "NO_BROKER"})
  void shouldTryAgainHoweverOftenWithoutAnAnswer(Reason reason) {
    assertThat(policy.again(MetaqException.of(reason, "x"), 99, false)).isTrue();
  }

  @ParameterizedTest
  @EnumSource(value = Reason.class, names = {"INVALID", "CLOSED", "ALREADY_SETTLED", "QUEUE_LOST"})
  void shouldNotTryAgainWhatCannotGetBetter(Reason reason) {
    assertThat(policy.again(MetaqException.of(reason, "x"), 0, true)).isFalse();
  }

  @ParameterizedTest
  @ValueSource(ints = {2, 14})
  void shouldTryABusyBrokerUntilTheTimeIsOver(int code) {
    assertThat(policy.again(MetaqException.refused("b", code, "busy"), 50, false)).isTrue();
  }

  @Test
  void shouldTryAnErrorThreeTimes() {
    MetaqException failure = MetaqException.refused("b", 1, "bad luck");

    assertThat(policy.again(failure, 1, false)).isTrue();
    assertThat(policy.again(failure, 2, false)).isTrue();
    assertThat(policy.again(failure, 3, false)).isFalse();
  }

  @ParameterizedTest
  @ValueSource(ints = {16, 17, 204, 205})
  void shouldTryAtAnotherBrokerOnlyWhereThereIsOne(int code) {
    assertThat(policy.again(MetaqException.refused("b", code, "not here"), 1, true)).isTrue();
    assertThat(policy.again(MetaqException.refused("b", code, "not here"), 1, false)).isFalse();
  }

  @ParameterizedTest
  @ValueSource(ints = {13, 23, 26, 29, 215, 604, 4711})
  void shouldNotRepeatWhatTheMessageIsRefusedFor(int code) {
    assertThat(policy.again(MetaqException.refused("b", code, "no"), 1, true)).isFalse();
  }
}

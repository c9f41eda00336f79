package io.metaq.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.NullSource;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;

class ConfirmationTest {
  private final CommandSpec spec = CommandSpec.create();
  private final CommandLine commandLine = new CommandLine(spec);

  @ParameterizedTest
  @ValueSource(strings = {"y", "yes", " Y ", "YES"})
  void shouldGoOnWhenThePersonAgrees(String answer) {
    List<String> asked = new ArrayList<>();

    asking(asked, answer).ask(spec, "Delete topic 'T'");

    assertThat(asked).containsExactly("Delete topic 'T'? [y/N] ");
  }

  @ParameterizedTest
  @NullSource
  @ValueSource(strings = {"", "n", "no", "yess", "maybe"})
  void shouldStopWhenThePersonDoesNot(String answer) {
    Confirmation confirmation = asking(new ArrayList<>(), answer);

    assertThatThrownBy(() -> confirmation.ask(spec, "Delete")).isInstanceOf(Confirmation.Refused.class)
        .hasMessage("nothing was changed");
  }

  @Test
  void shouldRefuseWhereNobodyCanBeAsked() {
    Confirmation confirmation = new Confirmation(Optional.empty());

    assertThatThrownBy(() -> confirmation.ask(spec, "Delete topic 'T'")).isInstanceOf(ParameterException.class)
        .hasMessage("--yes is needed, there is no terminal to ask at: Delete topic 'T'?");
  }

  @Test
  void shouldAskNobodyWhoSaidYesBefore() {
    Confirmation confirmation = new Confirmation(Optional.empty());
    new CommandLine(CommandSpec.create().addMixin("confirmation", CommandSpec.forAnnotatedObject(confirmation))).parseArgs("--yes");

    assertThatCode(() -> confirmation.ask(commandLine.getCommandSpec(), "Delete")).doesNotThrowAnyException();
  }

  private static Confirmation asking(List<String> asked, String answer) {
    return new Confirmation(Optional.of(question -> {
      asked.add(question);
      return answer;
    }));
  }
}

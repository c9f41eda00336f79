package io.metaq.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.reflect.Field;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import picocli.CommandLine;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Option;

class PlainArgumentsTest {
  static Stream<Supplier<ServerCommand>> commands() {
    return Stream.of(StandaloneCommand::new, NameServerCommand::new, BrokerCommand::new, BridgeCommand::new);
  }

  @ParameterizedTest
  @MethodSource("commands")
  void shouldReadEveryOptionAsPicocliDoes(Supplier<ServerCommand> command) throws IllegalAccessException {
    List<String> arguments = new ArrayList<>(List.of("command"));
    for (OptionSpec option : new CommandLine(command.get()).getCommandSpec().options()) {
      if (option.arity().max() > 0) {
        arguments.addAll(List.of(option.longestName(), option.isMultiValue() ? "key=a=b c" : "value of " + option.longestName()));
      }
    }
    arguments.addAll(List.of("-D", "other=1", "-D", "key=2"));

    assertThat(plain(command.get(), arguments)).isEqualTo(picocli(command.get(), arguments)).isNotEmpty();
  }

  @ParameterizedTest
  @MethodSource("commands")
  void shouldReadNoArgumentsAsPicocliDoes(Supplier<ServerCommand> command) throws IllegalAccessException {
    assertThat(plain(command.get(), List.of("command"))).isEqualTo(picocli(command.get(), List.of("command")));
  }

  @Test
  void shouldLeaveToPicocliWhatIsNotPlain() {
    List<List<String>> others = List.of(
        List.of("--help"), List.of("--data"), List.of("--data=x"), List.of("--port", "1", "--data"), List.of("--no-such", "1"),
        List.of("--port", "1", "--port", "2"), List.of("--data", "-x"), List.of("--data", "@file"), List.of("--data", ""),
        List.of("--data", "\"a b\""), List.of("-D", "a"), List.of("-D", "=a"), List.of("-D", "a="), List.of("-Da=b"), List.of("x"),
        List.of("@file", "x"), List.of("--", "x"), List.of("-D", "a=\"b\""));

    for (List<String> other : others) {
      List<String> arguments = new ArrayList<>(List.of("standalone"));
      arguments.addAll(other);
      assertThat(PlainArguments.read(new StandaloneCommand(), arguments.toArray(String[]::new))).as("%s", other).isFalse();
    }
  }

  /** Also in combinations that nobody thought of: what it reads, picocli reads, to the same end. */
  @ParameterizedTest
  @MethodSource("commands")
  void shouldReadNothingThatPicocliReadsOtherwise(Supplier<ServerCommand> made) throws IllegalAccessException {
    List<String> parts = List.of(
        "-c", "-D", "-n", "--data", "--port", "--http-port", "--namesrv-port", "--prot", "-h", "--help", "-V", "--version", "--", "-", "-Da=b",
        "-nx", "--port=1", "-D=", "a=b", "a=", "=b", "a==b", "a=b=c", " a = b ", "a=-b", "a=@b", "a='b'", "a=\"b\"", "a", "", " ", "1", "-1",
        "65536", "x y", "'x'", "\"x\"", "\\", "\\\"", "@x", "@@x", "${x}", "$x", "%s", "%", "#x", "x,y", "x;y", "x|y", "standalone", "broker",
        "no\0path", "\u00e4");
    SplittableRandom random = new SplittableRandom(1);
    int read = 0;
    for (int round = 0; round < 20_000; round++) {
      List<String> arguments = new ArrayList<>(List.of("command"));
      for (int pairs = random.nextInt(1, 4); pairs > 0; pairs--) {
        arguments.add(parts.get(random.nextInt(random.nextInt(4) == 0 ? parts.size() : 7)));
        arguments.add(parts.get(random.nextInt(parts.size())));
      }
      ServerCommand command = made.get();
      if (PlainArguments.read(command, arguments.toArray(String[]::new))) {
        read++;
        assertThat(values(command, new TreeMap<>())).as("%s", arguments).isEqualTo(picocli(made.get(), arguments));
      }
    }
    assertThat(read).isGreaterThan(500);
  }

  private static Map<String, String> plain(ServerCommand command, List<String> arguments) throws IllegalAccessException {
    assertThat(PlainArguments.read(command, arguments.toArray(String[]::new))).isTrue();
    return values(command, new TreeMap<>());
  }

  private static Map<String, String> picocli(ServerCommand command, List<String> arguments) throws IllegalAccessException {
    new CommandLine(command).parseArgs(arguments.subList(1, arguments.size()).toArray(String[]::new));
    return values(command, new TreeMap<>());
  }

  /** What the options of a command and of those mixed into it are set to. */
  private static Map<String, String> values(Object object, Map<String, String> into) throws IllegalAccessException {
    for (Field field : object.getClass().getDeclaredFields()) {
      field.setAccessible(true);
      if (field.isAnnotationPresent(Option.class)) {
        into.put(field.getName(), String.valueOf(field.get(object)));
      } else if (field.isAnnotationPresent(CommandLine.Mixin.class)) {
        values(field.get(object), into);
      }
    }
    return into;
  }
}

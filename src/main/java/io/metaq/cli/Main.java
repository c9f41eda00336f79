package io.metaq.cli;

import io.metaq.launcher.ConfigKeys;
import io.metaq.launcher.Logging;
import io.metaq.launcher.StartFailure;
import java.io.PrintWriter;
import java.security.Security;
import java.util.List;
import java.util.Set;
import org.slf4j.LoggerFactory;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.OptionSpec;

/**
 * Entry point of the jar. Without a command it runs {@code standalone}.
 *
 * <p>Exit status: 0 success, 1 the action failed, 2 wrong usage.
 */
@Command(
    name = "metaq",
    mixinStandardHelpOptions = true,
    versionProvider = VersionText.class,
    description = "MetaQ, a message broker that speaks the RocketMQ protocol.",
    synopsisSubcommandLabel = "COMMAND",
    footer = {"", "Without a command: standalone. 'metaq COMMAND --help' tells the options of one."})
public final class Main {
  private static final String DEFAULT_COMMAND = "standalone";
  /** Events of Netty's buffers for the flight recorder: a hundred classes that hardly anybody looks at. */
  private static final String NETTY_FLIGHT_RECORDER = "io.netty.jfr.enabled";

  /** Host names are resolved as the JDK does it; Vert.x's own client for name servers is not needed for the few links there are. */
  private static final String VERTX_WITHOUT_DNS_CLIENT = "vertx.disableDnsResolver";
  private static final String ADDRESS_LIFE = "networkaddress.cache.ttl";
  private static final String ADDRESS_LIFE_S = "3";
  private static final Set<String> OWN_OPTIONS = Set.of("-h", "--help", "-V", "--version");

  /** In the order in which help lists them. */
  private static final List<String> COMMANDS = List.of(
      DEFAULT_COMMAND, "nameserver", "broker", "bridge", "cluster", "deploy", "produce", "consume", "admin", "bench", "verify", "dump",
      "torture");

  /** Those that read a configuration. */
  private static final Set<String> SERVERS = Set.of(DEFAULT_COMMAND, "nameserver", "broker", "bridge", "deploy");

  private Main() {}

  /** A command of a name; a switch makes no class but that of the one. */
  private static Object command(String name) {
    return switch (name) {
      case DEFAULT_COMMAND -> new StandaloneCommand();
      case "nameserver" -> new NameServerCommand();
      case "broker" -> new BrokerCommand();
      case "bridge" -> new BridgeCommand();
      case "cluster" -> new ClusterCommand();
      case "deploy" -> new DeployCommand();
      case "produce" -> new ProduceCommand();
      case "consume" -> new ConsumeCommand();
      case "admin" -> new AdminCommand();
      case "bench" -> new BenchCommand();
      case "verify" -> new VerifyCommand();
      case "dump" -> new DumpCommand();
      case "torture" -> new TortureCommand();
      default -> throw new IllegalArgumentException(name);
    };
  }

  /** In the order in which help lists them. */
  static List<String> commandNames() {
    return COMMANDS;
  }

  public static void main(String[] arguments) {
    leaveOut(NETTY_FLIGHT_RECORDER, "false");
    leaveOut(VERTX_WITHOUT_DNS_CLIENT, "true");
    forgetAddressesSoon();
    if (SERVERS.contains(withCommand(arguments)[0])) {
      ConfigKeys.loadAhead();
    }
    Logging.setUp();
    ParentWatch.begin();
    System.exit(runToEnd(arguments));
  }

  /** Also when the JVM itself fails: threads that were started before would keep a half-dead process alive. */
  private static int runToEnd(String[] arguments) {
    try {
      return run(arguments);
    } catch (Error failure) {
      LoggerFactory.getLogger(Main.class).error("metaq ends, the JVM failed", failure);
      return CommandLine.ExitCode.SOFTWARE;
    }
  }

  /** Sets a property that keeps classes from being loaded at start, unless the user has set it. */
  private static void leaveOut(String property, String value) {
    if (System.getProperty(property) == null) {
      System.setProperty(property, value);
    }
  }

  /** The JDK keeps the address of a host name for 30 s; a name server that moved shall be found at the next try. */
  private static void forgetAddressesSoon() {
    if (Security.getProperty(ADDRESS_LIFE) == null) {
      Security.setProperty(ADDRESS_LIFE, ADDRESS_LIFE_S);
    }
  }

  /** Runs one command and returns its exit status. */
  static int run(String... arguments) {
    String[] effective = withCommand(arguments);
    if (SERVERS.contains(effective[0]) && command(effective[0]) instanceof ServerCommand server && PlainArguments.read(server, effective)) {
      return runPlainly(server, effective);
    }
    CommandLine main = commandLine(effective);
    int status = main.setParameterExceptionHandler(Main::wrongUsage).setExecutionExceptionHandler(Main::failed).execute(effective);
    return status == CommandLine.ExitCode.OK ? printed(main) : status;
  }

  /** No success where what was printed got lost. */
  private static int printed(CommandLine main) {
    if (!main.getOut().checkError()) {
      return CommandLine.ExitCode.OK;
    }
    PrintWriter err = main.getErr();
    err.println("metaq: " + StandardOutput.LOST);
    err.flush();
    return CommandLine.ExitCode.SOFTWARE;
  }

  /** Without picocli, unless it fails. */
  private static int runPlainly(ServerCommand server, String[] arguments) {
    try {
      server.run();
      return CommandLine.ExitCode.OK;
    } catch (Exception failure) {
      return failed(failure, arguments[0], commandLine(arguments).getErr());
    }
  }

  private static String[] withCommand(String[] arguments) {
    boolean named = arguments.length > 0 && (!arguments[0].startsWith("-") || OWN_OPTIONS.contains(arguments[0]));
    if (named) {
      return arguments;
    }
    String[] effective = new String[arguments.length + 1];
    effective[0] = DEFAULT_COMMAND;
    System.arraycopy(arguments, 0, effective, 1, arguments.length);
    return effective;
  }

  /** Only the named command is made where one is named: reading the others' options would be a tenth of the start. */
  private static CommandLine commandLine(String[] arguments) {
    CommandLine main = new CommandLine(new Main());
    List<String> wanted = COMMANDS.contains(arguments[0]) ? List.of(arguments[0]) : COMMANDS;
    wanted.forEach(name -> main.addSubcommand(name, command(name)));
    // Behind the commands: it is for all that are there.
    return main.setOut(new StandardOutput(main.getOut(), System.out));
  }

  private static int wrongUsage(CommandLine.ParameterException wrong, String[] arguments) {
    CommandLine command = wrong.getCommandLine();
    PrintWriter err = command.getErr();
    err.println("metaq: " + sentence(wrong));
    CommandLine.UnmatchedArgumentException.printSuggestions(wrong, err);
    err.println("'" + command.getCommandSpec().qualifiedName() + " --help' tells what can be given.");
    err.flush();
    return command.getCommandSpec().exitCodeOnInvalidInput();
  }

  /** picocli's own, but for an option of keys and values, where it says "option option". */
  private static String sentence(CommandLine.ParameterException wrong) {
    String value = wrong.getValue();
    if (wrong.getArgSpec() instanceof OptionSpec option && option.typeInfo().isMap() && value != null && value.indexOf('=') < 0) {
      return option.longestName() + " takes " + option.paramLabel() + ", not '" + value + "'";
    }
    return wrong.getMessage();
  }

  /** One sentence is the last line, also when it is a bug and its stack stands before it. */
  private static int failed(Exception failure, CommandLine command, CommandLine.ParseResult parsed) {
    return failed(failure, parsed.originalArgs().get(0), command.getErr());
  }

  private static int failed(Exception failure, String command, PrintWriter err) {
    if (failure instanceof StartFailure) {
      err.println("metaq: " + failure.getMessage());
    } else {
      failure.printStackTrace(err);
      err.println("metaq: unexpected failure of " + command + ": " + failure);
    }
    err.flush();
    return CommandLine.ExitCode.SOFTWARE;
  }
}

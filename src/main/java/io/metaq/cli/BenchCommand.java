package io.metaq.cli;

import picocli.CommandLine.Command;

/** Measures a cluster. */
@Command(
    name = "bench",
    mixinStandardHelpOptions = true,
    versionProvider = VersionText.class,
    description = "Measures a cluster: rates, and a table and histogram of latencies.",
    synopsisSubcommandLabel = "send|pull|e2e",
    subcommands = {BenchSendCommand.class, BenchPullCommand.class, BenchEndToEndCommand.class})
final class BenchCommand {}

package io.metaq.cli;

import picocli.CommandLine.Command;

/** Measures a cluster, or the disk under a store. */
@Command(
    name = "bench",
    mixinStandardHelpOptions = true,
    versionProvider = VersionText.class,
    description = "Measures a cluster: rates, and a table and histogram of latencies; or what a disk does for a store.",
    synopsisSubcommandLabel = "send|pull|e2e|store",
    subcommands = {BenchSendCommand.class, BenchPullCommand.class, BenchEndToEndCommand.class, BenchStoreCommand.class})
final class BenchCommand {}

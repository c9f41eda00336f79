package io.metaq.store;

/** What recovery hands to the parts of the store. */
record Recovered(Segments segments, ConsumeQueues queues, RecoveryReport report) {}

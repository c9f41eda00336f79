package io.metaq.coordinator;

/** A client's connection, named by the loop that has it and its number there. */
record ClientConnection(int loop, long connectionId) {}

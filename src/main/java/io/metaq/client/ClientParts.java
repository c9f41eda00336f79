package io.metaq.client;

/** What the parts of one client share. */
record ClientParts(
    Home home,
    Links links,
    RouteCache routes,
    BrokerOffsets offsets,
    Pulls pulls,
    ReaderFactory readers,
    String clientId,
    long timeoutMs) {}

package io.metaq.nameserver;

/** What tells registered brokers apart: the address they gave, within their cluster. */
record BrokerKey(String cluster, String address) {}

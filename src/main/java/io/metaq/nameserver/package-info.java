/**
 * The name server: which brokers live, and where the queues of a topic are. Everything but the key-value table is soft state, made
 * anew from registrations. One verticle owns it; {@link io.metaq.nameserver.RouteTable} holds the rules and knows no runtime.
 */
package io.metaq.nameserver;

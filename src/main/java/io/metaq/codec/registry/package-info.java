/**
 * Bodies that brokers, name servers and clients exchange about who serves what: registrations, routes, the cluster, topic lists and
 * key-value tables. JSON as RocketMQ writes it is accepted (unquoted broker ids, unknown members), strict JSON is written.
 */
package io.metaq.codec.registry;

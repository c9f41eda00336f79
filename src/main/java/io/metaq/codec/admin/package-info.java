/**
 * Bodies that administration tools ask brokers for: statistics of topics and groups, connections, settings of groups. JSON as
 * RocketMQ's tools expect it, tables keyed by queue objects included.
 */
package io.metaq.codec.admin;

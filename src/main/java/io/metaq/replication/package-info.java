/** Copies the commit log from a master to its slaves, byte for byte, in the HA protocol of Apache RocketMQ; both sides of it. */
package io.metaq.replication;

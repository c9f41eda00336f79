/** Bodies that a client writes and the answers it reads, in JSON as RocketMQ's brokers expect it. Bytes to model and back. */
package io.metaq.codec.client;

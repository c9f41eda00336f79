package io.metaq.client;

import java.util.OptionalDouble;
import java.util.OptionalLong;

/**
 * A consumer group that reads a topic.
 *
 * @param lag messages it has still to consume; empty when a broker does not say, or the group has no progress
 * @param readPerSecond messages it was given, mean of the last minute; empty when a broker does not say, or it was given none since the brokers' start
 */
public record TopicReader(String group, OptionalLong lag, OptionalDouble readPerSecond) {}

package io.metaq.coordinator.api;

/**
 * Told to a loop: ask the producer at one of its connections (request 39) what became of a transaction.
 *
 * @param topic where the message would go
 * @param messageId id made of the half message's place
 * @param message the half message as a record of its real topic and queue; given away
 */
public record CheckTransaction(
    long connectionId, String topic, long halfQueueOffset, long halfPhyOffset, String uniqueKey, String messageId, byte[] message) {}

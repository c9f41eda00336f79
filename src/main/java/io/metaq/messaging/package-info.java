/**
 * MetaQ for SmallRye Reactive Messaging 4, and so for Quarkus: {@code @Incoming} and {@code @Outgoing} channels over the connector
 * {@value io.metaq.messaging.MetaqConnector#NAME}. It stands on {@code io.metaq.client} alone and runs on the Vert.x 4.5 of SmallRye.
 * docs/quarkus.md tells how to use it.
 */
package io.metaq.messaging;

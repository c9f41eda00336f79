/**
 * The coordinators: topics, consumer groups with their members and queue locks, consumer progress, delayed delivery. Each verticle
 * owns one table in memory, tells the loops what changed, and hands what must last to {@code ConfigVerticle}, which writes the
 * files under {@code config/}. Others see only {@code io.metaq.coordinator.api}.
 */
package io.metaq.coordinator;

package io.metaq.broker;

/**
 * Which timers a broker takes.
 *
 * @param enabled whether any ({@code timerWheelEnable})
 * @param maxDelayMs longest time from now ({@code timerMaxDelaySec})
 * @param recall whether they can be taken back ({@code recallMessageEnable})
 */
public record TimerOptions(boolean enabled, long maxDelayMs, boolean recall) {}

/**
 * Proves on this machine what the store promises: kills brokers, cuts the power of a simulated disk, damages files, and compares what was
 * acknowledged with what is found afterwards. The commands' {@code torture} runs it.
 */
package io.metaq.torture;

/**
 * Turns a descriptor and a configuration into a running process and back: which verticles, with which values, in which order. The only
 * place that knows every room and wires one to another.
 */
package io.metaq.launcher;

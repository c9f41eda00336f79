/** The ground everything stands on: ids, offsets, outcomes, result codes. Values and enums only; depends on the JDK alone. */
package io.metaq.model;

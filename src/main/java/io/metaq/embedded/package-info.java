/**
 * A MetaQ cluster inside the JVM of a test: name server and brokers as in production, on free ports, in a folder that goes away.
 * {@link io.metaq.embedded.EmbeddedMetaq} starts one anywhere, {@link io.metaq.embedded.EmbeddedMetaqExtension} with JUnit 5. It needs
 * Vert.x 5 on the class path.
 */
package io.metaq.embedded;

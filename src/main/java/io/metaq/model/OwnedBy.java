package io.metaq.model;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Names the one verticle (or other thread owner) that may change the mutable state of the annotated class. Everyone else sends it
 * messages or reads what it published; docs/OWNERSHIP.md lists how.
 */
@Documented
@Retention(RetentionPolicy.CLASS)
@Target(ElementType.TYPE)
public @interface OwnedBy {
  /** The owner, for example {@code "CommitLogVerticle"} or {@code "its event loop"}. */
  String value();
}

package io.metaq.embedded;

import io.vertx.core.Vertx;
import java.net.URL;
import java.security.CodeSource;
import java.util.Optional;

/** Looks which Vert.x is there before a class of the server is loaded, which would fail with the name of a class that is missing. */
final class VertxCheck {
  private static final String NEW_IN_5 = "io.vertx.core.VerticleBase";

  private VertxCheck() {}

  /**
   * @throws EmbeddedMetaqException on an older one
   */
  static void require5() {
    try {
      Class.forName(NEW_IN_5, false, Vertx.class.getClassLoader());
    } catch (ClassNotFoundException older) {
      String found = Optional.ofNullable(Vertx.class.getProtectionDomain().getCodeSource())
          .map(CodeSource::getLocation)
          .map(URL::toString)
          .orElse("an unknown place");
      throw new EmbeddedMetaqException(
          EmbeddedMetaqException.Reason.NEEDS_VERTX_5,
          "an embedded MetaQ needs Vert.x 5, and this class path has an older one, from " + found
              + "; the client runs on it, the broker has to be a process of its own (docs/testing.md)",
          older);
    }
  }
}

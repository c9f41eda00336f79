package io.metaq.bridge;

import java.io.IOException;
import java.io.StringReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;
import java.util.Properties;
import java.util.regex.Pattern;

/**
 * A library of others that pages of the console import, from its WebJar: {@code /lib/NAME/FILE} without a version, which the pom
 * alone says.
 *
 * @param files those that are served; the shaded jar carries no others
 */
record Library(String name, String maven, Pattern files) {
  static final List<Library> ALL = List.of(
      new Library("uplot", "org.webjars.npm", Pattern.compile("dist/uPlot\\.(esm\\.js|min\\.css)")),
      new Library("lit-html", "org.webjars.npm", Pattern.compile("(directives/)?[a-z-]+\\.js")),
      new Library("swagger-ui", "org.webjars", Pattern.compile("swagger-ui(-bundle\\.js|\\.css)")));

  /**
   * Where a file lies.
   *
   * @param path {@code NAME/FILE}
   */
  static Optional<String> resource(String path) {
    int end = path.indexOf('/');
    String name = path.substring(0, Math.max(0, end));
    String file = path.substring(end + 1);
    return ALL.stream()
        .filter(library -> library.name.equals(name) && library.files.matcher(file).matches())
        .findFirst()
        .map(library -> "/META-INF/resources/webjars/" + name + "/" + library.version() + "/" + file);
  }

  private String version() {
    Properties maven = new Properties();
    try {
      maven.load(new StringReader(new String(
          StaticFile.bytes("/META-INF/maven/" + this.maven + "/" + name + "/pom.properties"), StandardCharsets.ISO_8859_1)));
    } catch (IOException impossible) {
      throw new UncheckedIOException(impossible);
    }
    return maven.getProperty("version");
  }
}

package io.metaq.codec.remoting;

import java.util.List;

/** The languages a peer can say it is written in: names in JSON headers, one byte in binary ones. */
final class Languages {
  private static final List<String> NAMES = List.of(
      "JAVA", "CPP", "DOTNET", "PYTHON", "DELPHI", "ERLANG", "RUBY", "OTHER", "HTTP", "GO", "PHP", "OMS", "RUST", "NODE_JS");
  private static final int OTHER = NAMES.indexOf("OTHER");

  private Languages() {}

  /** The name of a language byte; unknown ones are {@code OTHER}. */
  static String name(int wire) {
    return NAMES.get(wire >= 0 && wire < NAMES.size() ? wire : OTHER);
  }

  /** The byte of a name; unknown ones are that of {@code OTHER}. */
  static int wire(String name) {
    int wire = NAMES.indexOf(name);
    return wire < 0 ? OTHER : wire;
  }
}

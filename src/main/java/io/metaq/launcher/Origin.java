package io.metaq.launcher;

/** Where a value comes from. The kinds are in order of precedence, the strongest first. */
public record Origin(Kind kind, String detail) {
  /** Kinds of origin, the strongest first. */
  public enum Kind {
    /** An administrator's request while the process runs. */
    REQUEST,
    OPTION,
    ENVIRONMENT,
    FILE,
    /** {@code NAMESRV_ADDR}, which clients and servers of a machine share. */
    SHARED_ENVIRONMENT,
    DESCRIPTOR,
    DEFAULT
  }

  static final Origin REQUEST = new Origin(Kind.REQUEST, "a request");
  static final Origin DEFAULT = new Origin(Kind.DEFAULT, "default");

  /** True when a person chose the value for this start. */
  public boolean chosen() {
    return kind.compareTo(Kind.DESCRIPTOR) < 0;
  }

  @Override
  public String toString() {
    return detail;
  }
}

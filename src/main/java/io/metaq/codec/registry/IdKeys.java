package io.metaq.codec.registry;

/** How broker ids are written where they are keys of a JSON object. Reading takes both. */
public enum IdKeys {
  /** {@code {"0":"10.0.0.1:10911"}}: strict JSON, read by every client. */
  QUOTED,
  /** {@code {0:"10.0.0.1:10911"}}: what clients before 4.9.4 get from a RocketMQ name server. */
  BARE;

  /** The first client version that is answered in strict JSON without asking for it. */
  private static final int STRICT_SINCE = 401;

  /** The form for a client of {@code version} that did or did not ask for strict JSON. */
  public static IdKeys forClient(int version, boolean asksStrict) {
    return asksStrict || version >= STRICT_SINCE ? QUOTED : BARE;
  }
}

package io.metaq.net;

/** Why a connection is ended by this side before its peer wanted, with the clause that goes to the log. */
enum Refusal {
  HTTP("speaks HTTP; this is the remoting port"),
  TLS("speaks TLS, which this port does not"),
  PROXY("announces itself by the PROXY protocol, which this port does not speak"),
  FRAME_LENGTH("sent a frame of an impossible length"),
  HEADER_LENGTH("sent a header longer than its frame"),
  SERIALIZE_TYPE("sent a header of an unknown form"),
  HEADER("sent a header that cannot be decoded"),
  UNFINISHED_FRAME("did not finish a big frame in time"),
  NOT_READING("does not take its answers"),
  IDLE("was silent for too long"),
  REPLICATION("breaks the rules of replication"),
  TOO_MANY("is one connection too many");

  private final String clause;

  Refusal(String clause) {
    this.clause = clause;
  }

  /** What the peer did; the sentence begins with "the peer". */
  String clause() {
    return clause;
  }
}

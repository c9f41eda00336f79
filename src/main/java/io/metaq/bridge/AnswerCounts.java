package io.metaq.bridge;

import io.metaq.model.OwnedBy;

/** Answers over HTTP by the kind of their status. */
@OwnedBy("BridgeVerticle")
final class AnswerCounts {
  private static final int CLASS_WIDTH = 100;

  private final long[] counts = new long[Kind.values().length];

  /** Kinds of status that a bridge answers with. */
  enum Kind {
    DONE("2xx"),
    CALLER_AT_FAULT("4xx"),
    FAILED("5xx");

    private final String label;

    Kind(String label) {
      this.label = label;
    }

    String label() {
      return label;
    }
  }

  void add(Answer answer) {
    int first = answer.status() / CLASS_WIDTH;
    counts[(first < 4 ? Kind.DONE : first == 4 ? Kind.CALLER_AT_FAULT : Kind.FAILED).ordinal()]++;
  }

  long of(Kind kind) {
    return counts[kind.ordinal()];
  }
}

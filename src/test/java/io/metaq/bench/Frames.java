package io.metaq.bench;

import java.nio.charset.StandardCharsets;

/** Headers as the official clients write them, so that the benchmarks read what a broker reads. */
final class Frames {
  static final String KEY = "7F0000011A2B3C4D5E6F708192A3B4C5";
  /** As it travels in JSON, where the two separators are escaped. */
  private static final String PROPERTIES =
      "UNIQ_KEY\\u0001" + KEY + "\\u0002WAIT\\u0001true\\u0002TAGS\\u0001tagA\\u0002";
  private static final String TAIL =
      "},\"flag\":0,\"language\":\"JAVA\",\"opaque\":4711,\"serializeTypeCurrentRPC\":\"JSON\",\"version\":495}";

  private Frames() {}

  /** The JSON header of a SEND_MESSAGE_V2. */
  static byte[] send() {
    return ascii("{\"code\":310,\"extFields\":{\"a\":\"PG_bench\",\"b\":\"bench\",\"c\":\"TBW102\",\"d\":\"4\",\"e\":\"1\",\"f\":\"0\","
        + "\"g\":\"1700000000123\",\"h\":\"0\",\"i\":\"" + PROPERTIES + "\",\"j\":\"0\",\"k\":\"false\",\"m\":\"false\"" + TAIL);
  }

  /** The JSON header of a PULL_MESSAGE. */
  static byte[] pull() {
    return ascii("{\"code\":11,\"extFields\":{\"consumerGroup\":\"CG_bench\",\"topic\":\"bench\",\"queueId\":\"1\",\"queueOffset\":\"123456\","
        + "\"maxMsgNums\":\"32\",\"sysFlag\":\"4\",\"commitOffset\":\"0\",\"suspendTimeoutMillis\":\"15000\",\"subscription\":\"*\","
        + "\"subVersion\":\"0\",\"expressionType\":\"TAG\"" + TAIL);
  }

  private static byte[] ascii(String text) {
    return text.getBytes(StandardCharsets.US_ASCII);
  }
}

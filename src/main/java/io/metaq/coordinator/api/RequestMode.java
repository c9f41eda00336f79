package io.metaq.coordinator.api;

/**
 * How members of a group get messages of a topic when the broker shares the queues out.
 *
 * @param pop they pop; else they pull
 * @param share with how many members after him a member that pops shares his queues; below 1: all with all
 */
public record RequestMode(boolean pop, int share) {
  public static final RequestMode PULL = new RequestMode(false, 0);

  /** RocketMQ's word for it. */
  public String word() {
    return pop ? "POP" : "PULL";
  }
}

package io.metaq.it;

/** Where the tests connect to. {@code process} is null for a server that was started outside, see {@link SharedServer}. */
public record Server(int namesrvPort, int brokerPort, BrokerProcess process) {

  public String namesrv() {
    return "127.0.0.1:" + namesrvPort;
  }

  /** True when this is MetaQ, false when it is the reference that the tests themselves are checked against. */
  public boolean isMetaq() {
    return process != null;
  }
}

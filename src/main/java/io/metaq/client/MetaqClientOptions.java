package io.metaq.client;

import io.metaq.model.OwnedBy;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;

/** Settings of a client. {@link MetaqClient#create} takes a copy; later changes have no effect. */
@OwnedBy("whoever fills it in")
public final class MetaqClientOptions {
  static final int DEFAULT_NAME_SERVER_PORT = 9876;

  private String nameServers = "localhost:" + DEFAULT_NAME_SERVER_PORT;
  private String producerGroup = "DEFAULT_PRODUCER";
  private Duration connectTimeout = Duration.ofSeconds(3);
  private Duration requestTimeout = Duration.ofSeconds(3);
  private Duration sendTimeout = Duration.ofSeconds(10);
  private int maxInFlight = 4096;
  private int maxInFlightBytes = 32 << 20;
  private int maxBodyBytes = 4 << 20;

  public MetaqClientOptions() {}

  MetaqClientOptions(MetaqClientOptions other) {
    nameServers = other.nameServers;
    producerGroup = other.producerGroup;
    connectTimeout = other.connectTimeout;
    requestTimeout = other.requestTimeout;
    sendTimeout = other.sendTimeout;
    maxInFlight = other.maxInFlight;
    maxInFlightBytes = other.maxInFlightBytes;
    maxBodyBytes = other.maxBodyBytes;
  }

  /** {@code host:port} of each name server, separated by {@code ;} or {@code ,}. Without a port, 9876. */
  public MetaqClientOptions setNameServers(String addresses) {
    nameServers = addresses;
    return this;
  }

  /** The group that messages are sent in. */
  public MetaqClientOptions setProducerGroup(String group) {
    producerGroup = group;
    return this;
  }

  /** How long one connection attempt may take. */
  public MetaqClientOptions setConnectTimeout(Duration timeout) {
    connectTimeout = timeout;
    return this;
  }

  /** How long one request waits for its answer. */
  public MetaqClientOptions setRequestTimeout(Duration timeout) {
    requestTimeout = timeout;
    return this;
  }

  /** How long a send may take with all its attempts. */
  public MetaqClientOptions setSendTimeout(Duration timeout) {
    sendTimeout = timeout;
    return this;
  }

  /** Messages sent and not yet answered, at most; further ones wait. */
  public MetaqClientOptions setMaxInFlight(int messages) {
    maxInFlight = messages;
    return this;
  }

  /** Body bytes sent and not yet answered, at most; further messages wait. One message always goes. */
  public MetaqClientOptions setMaxInFlightBytes(int bytes) {
    maxInFlightBytes = bytes;
    return this;
  }

  /** Longest body that is sent; the broker has a limit of its own. */
  public MetaqClientOptions setMaxBodyBytes(int bytes) {
    maxBodyBytes = bytes;
    return this;
  }

  public String getNameServers() {
    return nameServers;
  }

  public String getProducerGroup() {
    return producerGroup;
  }

  public Duration getConnectTimeout() {
    return connectTimeout;
  }

  public Duration getRequestTimeout() {
    return requestTimeout;
  }

  public Duration getSendTimeout() {
    return sendTimeout;
  }

  public int getMaxInFlight() {
    return maxInFlight;
  }

  public int getMaxInFlightBytes() {
    return maxInFlightBytes;
  }

  public int getMaxBodyBytes() {
    return maxBodyBytes;
  }

  /** The name servers one by one. */
  List<Address> nameServerList() {
    List<Address> list =
        Stream.of(nameServers.split("[;,]")).map(String::trim).filter(text -> !text.isEmpty()).map(Address::parseNameServer).toList();
    if (list.isEmpty()) {
      throw MetaqException.of(MetaqException.Reason.INVALID, "no name server is given; set one as host:port");
    }
    return list;
  }
}

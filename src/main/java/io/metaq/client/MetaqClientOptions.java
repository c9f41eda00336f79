package io.metaq.client;

import io.metaq.model.OwnedBy;
import io.metaq.model.Topics;
import io.vertx.core.net.KeyCertOptions;
import io.vertx.core.net.TrustOptions;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** Settings of a client. {@link MetaqClient#create} takes a copy; later changes have no effect. */
@OwnedBy("whoever fills it in")
public final class MetaqClientOptions {
  static final int DEFAULT_NAME_SERVER_PORT = 9876;

  private static final Pattern INSTANCE_NAME = Pattern.compile("[A-Za-z0-9][A-Za-z0-9._-]{0,63}");

  private String nameServers = "localhost:" + DEFAULT_NAME_SERVER_PORT;
  private String instanceName = "metaq";
  private Path localOffsets = Path.of(System.getProperty("user.home"), ".metaq", "offsets");
  private String producerGroup = "DEFAULT_PRODUCER";
  /** What fits into the milliseconds of a connection's settings. */
  private static final Duration LONGEST = Duration.ofDays(24);

  private Duration connectTimeout = Duration.ofSeconds(3);
  private Duration requestTimeout = Duration.ofSeconds(3);
  private Duration sendTimeout = Duration.ofSeconds(10);
  private int maxInFlight = 4096;
  private int maxInFlightBytes = 32 << 20;
  private int maxBodyBytes = 4 << 20;
  private int compressFromBytes = 4096;
  private Credentials credentials;
  private boolean tls;
  private boolean verifyHosts = true;
  private TrustOptions trust;
  private KeyCertOptions keyCert;

  public MetaqClientOptions() {}

  MetaqClientOptions(MetaqClientOptions other) {
    nameServers = other.nameServers;
    instanceName = other.instanceName;
    localOffsets = other.localOffsets;
    producerGroup = other.producerGroup;
    connectTimeout = other.connectTimeout;
    requestTimeout = other.requestTimeout;
    sendTimeout = other.sendTimeout;
    maxInFlight = other.maxInFlight;
    maxInFlightBytes = other.maxInFlightBytes;
    maxBodyBytes = other.maxBodyBytes;
    compressFromBytes = other.compressFromBytes;
    credentials = other.credentials;
    tls = other.tls;
    verifyHosts = other.verifyHosts;
    trust = other.trust;
    keyCert = other.keyCert;
  }

  /** {@code host:port} of each name server, separated by {@code ;} or {@code ,}. Without a port, 9876. */
  public MetaqClientOptions setNameServers(String addresses) {
    nameServers = addresses;
    return this;
  }

  /**
   * A name for this client that stays the same when it is started again: the beginning of its client id ({@code NAME@uuid}), and
   * the folder of its progress in broadcasting groups. 1 to 64 letters, digits, {@code . _ -}; {@code metaq} unless it is said.
   */
  public MetaqClientOptions setInstanceName(String name) {
    instanceName = name;
    return this;
  }

  /**
   * Where broadcasting groups keep their progress: {@code <folder>/<instance name>/<group>.json}. {@code ~/.metaq/offsets} unless
   * it is said. Two clients that run at the same time need different folders or instance names.
   */
  public MetaqClientOptions setLocalOffsets(Path folder) {
    localOffsets = folder;
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

  /** Body bytes sent and not yet answered, at most; further messages wait. One request always goes. */
  public MetaqClientOptions setMaxInFlightBytes(int bytes) {
    maxInFlightBytes = bytes;
    return this;
  }

  /** Longest body that is sent, and longest batch; the broker has a limit of its own. Counts before compression. */
  public MetaqClientOptions setMaxBodyBytes(int bytes) {
    maxBodyBytes = bytes;
    return this;
  }

  /**
   * Bodies of so many bytes or more are compressed (zlib), if that makes them shorter; {@link Integer#MAX_VALUE} for none. Whoever
   * reads them unpacks them by itself.
   */
  public MetaqClientOptions setCompressFromBytes(int bytes) {
    compressFromBytes = bytes;
    return this;
  }

  /** Signs every request, for clusters that check who is asking. None by default. */
  public MetaqClientOptions setCredentials(Credentials credentials) {
    this.credentials = credentials;
    return this;
  }

  /**
   * Speaks TLS with name servers and brokers. Their certificates are checked, by the JVM's list unless {@link #setTrust} gives
   * another.
   */
  public MetaqClientOptions setTls(boolean tls) {
    this.tls = tls;
    return this;
  }

  /** Whose certificates are trusted, for example {@code new PemTrustOptions().addCertPath("ca.pem")}. Goes with {@link #setTls}. */
  public MetaqClientOptions setTrust(TrustOptions trust) {
    this.trust = trust;
    return this;
  }

  /** The client's own certificate, for servers that ask for one. Goes with {@link #setTls}. */
  public MetaqClientOptions setKeyCert(KeyCertOptions keyCert) {
    this.keyCert = keyCert;
    return this;
  }

  /**
   * Whether a certificate must be made out to the address that is connected to. Brokers are mostly registered by their IP; switch
   * it off when their certificates do not name it.
   */
  public MetaqClientOptions setVerifyHosts(boolean verify) {
    verifyHosts = verify;
    return this;
  }

  public String getNameServers() {
    return nameServers;
  }

  public String getInstanceName() {
    return instanceName;
  }

  public Path getLocalOffsets() {
    return localOffsets;
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

  public int getCompressFromBytes() {
    return compressFromBytes;
  }

  public Optional<Credentials> getCredentials() {
    return Optional.ofNullable(credentials);
  }

  public boolean isTls() {
    return tls;
  }

  public Optional<TrustOptions> getTrust() {
    return Optional.ofNullable(trust);
  }

  public Optional<KeyCertOptions> getKeyCert() {
    return Optional.ofNullable(keyCert);
  }

  public boolean isVerifyHosts() {
    return verifyHosts;
  }

  /** Fails with {@code INVALID} when a number or a time cannot be used. */
  void requireUsable() {
    requireTime("connectTimeout", connectTimeout);
    requireTime("requestTimeout", requestTimeout);
    requireTime("sendTimeout", sendTimeout);
    requireAtLeastOne("maxInFlight", maxInFlight);
    requireAtLeastOne("maxInFlightBytes", maxInFlightBytes);
    requireAtLeastOne("maxBodyBytes", maxBodyBytes);
  }

  private static void requireTime(String name, Duration time) {
    if (time == null || time.compareTo(Duration.ofMillis(1)) < 0 || time.compareTo(LONGEST) > 0) {
      throw MetaqException.of(MetaqException.Reason.INVALID, name + " must be 1 ms to " + LONGEST.toDays() + " days, not " + time);
    }
  }

  private static void requireAtLeastOne(String name, int number) {
    if (number < 1) {
      throw MetaqException.of(MetaqException.Reason.INVALID, name + " must be at least 1, not " + number);
    }
  }

  /** The instance name; fails with {@code INVALID} when it cannot be one. */
  String validInstanceName() {
    if (!INSTANCE_NAME.matcher(instanceName).matches()) {
      throw MetaqException.of(
          MetaqException.Reason.INVALID, "'" + instanceName + "' is no instance name: 1 to 64 letters, digits, '.', '_' or '-'");
    }
    return instanceName;
  }

  /** The producer group; fails with {@code INVALID} when it cannot be one. */
  String validProducerGroup() {
    String fault = Topics.groupFault(producerGroup);
    if (fault != null) {
      throw MetaqException.of(
          MetaqException.Reason.INVALID, "the producer group '" + producerGroup + "' cannot be used: " + fault);
    }
    return producerGroup;
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

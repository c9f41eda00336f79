package io.metaq.model;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.regex.Pattern;

/** A set of IP ranges, for rules about who may do something: {@code 127.0.0.0/8, ::1, 10.1.2.3}. */
public final class AddressRanges {
  private static final String OCTET = "(25[0-5]|2[0-4]\\d|1?\\d?\\d)";
  /** What the JDK parses without ever asking a resolver. */
  private static final Pattern NUMERIC = Pattern.compile(OCTET + "(\\." + OCTET + "){3}|[0-9a-fA-F:.]*:[0-9a-fA-F:.]*");
  private static final int V4_BYTES = 4;
  private static final int V4_IN_V6_BYTES = 16;

  /** This machine itself. */
  public static final AddressRanges LOOPBACK = parse("127.0.0.0/8,::1");

  private final List<Range> ranges;

  private AddressRanges(List<Range> ranges) {
    this.ranges = List.copyOf(ranges);
  }

  /**
   * Reads a list separated by commas or blanks; no entry at all means nobody. Names are not accepted, so nothing is ever looked up.
   *
   * @throws IllegalArgumentException a sentence that quotes the entry at fault
   */
  public static AddressRanges parse(String text) {
    List<Range> ranges = new ArrayList<>();
    for (String entry : text.split("[,\\s]+")) {
      if (!entry.isEmpty()) {
        ranges.add(range(entry));
      }
    }
    return new AddressRanges(ranges);
  }

  /** Whether {@code ip}, 4 or 16 bytes at the start of {@code bytes}, lies in one of the ranges. */
  public boolean contains(byte[] bytes, int ipLength) {
    byte[] ip = plain(Arrays.copyOf(bytes, ipLength));
    return ranges.stream().anyMatch(range -> range.contains(ip));
  }

  /** As {@link #contains(byte[], int)}, for the form stored records have: the IP, then the port as i32. */
  public boolean containsHost(byte[] host) {
    return contains(host, host.length - Integer.BYTES);
  }

  private static Range range(String entry) {
    int slash = entry.indexOf('/');
    byte[] ip = numeric(entry, slash < 0 ? entry : entry.substring(0, slash));
    int bits = ip.length * Byte.SIZE;
    int prefix = slash < 0 ? bits : prefix(entry, entry.substring(slash + 1), bits);
    return new Range(ip, prefix);
  }

  private static int prefix(String entry, String text, int bits) {
    try {
      int prefix = Integer.parseInt(text);
      if (prefix >= 0 && prefix <= bits) {
        return prefix;
      }
    } catch (NumberFormatException notANumber) {
      // answered below, as a number out of range is
    }
    throw new IllegalArgumentException("'" + entry + "' has no prefix length between 0 and " + bits + " behind its slash");
  }

  private static byte[] numeric(String entry, String address) {
    if (NUMERIC.matcher(address).matches()) {
      try {
        return InetAddress.getByName(address).getAddress();
      } catch (UnknownHostException notAnAddress) {
        // answered below, as a name is
      }
    }
    throw new IllegalArgumentException("'" + entry + "' is not an IP address or range, for example 10.1.0.0/16");
  }

  /** An IPv4 address that came mapped into IPv6 is treated as the former. */
  private static byte[] plain(byte[] ip) {
    if (ip.length != V4_IN_V6_BYTES) {
      return ip;
    }
    for (int i = 0; i < V4_IN_V6_BYTES - V4_BYTES; i++) {
      if (ip[i] != (byte) (i < 10 ? 0 : 0xFF)) {
        return ip;
      }
    }
    return Arrays.copyOfRange(ip, V4_IN_V6_BYTES - V4_BYTES, V4_IN_V6_BYTES);
  }

  private record Range(byte[] ip, int prefix) {
    boolean contains(byte[] other) {
      if (other.length != ip.length) {
        return false;
      }
      for (int bit = 0; bit < prefix; bit += Byte.SIZE) {
        int at = bit / Byte.SIZE;
        int mask = prefix - bit >= Byte.SIZE ? 0xFF : 0xFF << (Byte.SIZE - (prefix - bit));
        if (((ip[at] ^ other[at]) & mask) != 0) {
          return false;
        }
      }
      return true;
    }
  }
}

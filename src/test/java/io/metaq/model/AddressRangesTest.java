package io.metaq.model;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.net.InetAddress;
import java.net.UnknownHostException;
import org.junit.jupiter.api.Test;

class AddressRangesTest {
  @Test
  void shouldKnowThisMachineInBothFamilies() throws UnknownHostException {
    assertThat(holds(AddressRanges.LOOPBACK, "127.0.0.1")).isTrue();
    assertThat(holds(AddressRanges.LOOPBACK, "127.255.255.255")).isTrue();
    assertThat(holds(AddressRanges.LOOPBACK, "::1")).isTrue();
    assertThat(holds(AddressRanges.LOOPBACK, "128.0.0.1")).isFalse();
    assertThat(holds(AddressRanges.LOOPBACK, "::2")).isFalse();
  }

  @Test
  void shouldTakeAMappedAddressAsTheIpv4AddressItIs() {
    byte[] mapped = {0, 0, 0, 0, 0, 0, 0, 0, 0, 0, -1, -1, 127, 0, 0, 1};

    assertThat(AddressRanges.LOOPBACK.contains(mapped, mapped.length)).isTrue();
  }

  @Test
  void shouldReadTheHostOfAStoredRecord() {
    byte[] host = {10, 1, 2, 3, 0, 0, 42, -97};

    assertThat(AddressRanges.parse("10.1.0.0/16").containsHost(host)).isTrue();
    assertThat(AddressRanges.parse("10.2.0.0/16").containsHost(host)).isFalse();
  }

  @Test
  void shouldEndARangeAtItsPrefix() throws UnknownHostException {
    AddressRanges ranges = AddressRanges.parse("10.1.128.0/17 192.168.1.1");

    assertThat(holds(ranges, "10.1.128.0")).isTrue();
    assertThat(holds(ranges, "10.1.255.255")).isTrue();
    assertThat(holds(ranges, "10.1.127.255")).isFalse();
    assertThat(holds(ranges, "192.168.1.1")).isTrue();
    assertThat(holds(ranges, "192.168.1.2")).isFalse();
  }

  @Test
  void shouldLetEverybodyInWithPrefixZeroAndNobodyWithoutAnEntry() throws UnknownHostException {
    assertThat(holds(AddressRanges.parse("0.0.0.0/0"), "8.8.8.8")).isTrue();
    assertThat(holds(AddressRanges.parse(" "), "127.0.0.1")).isFalse();
  }

  @Test
  void shouldNameTheEntryAtFault() {
    assertThatThrownBy(() -> AddressRanges.parse("127.0.0.1,localhost")).hasMessageContaining("'localhost'");
    assertThatThrownBy(() -> AddressRanges.parse("10.0.0.0/33")).hasMessageContaining("'10.0.0.0/33'");
    assertThatThrownBy(() -> AddressRanges.parse("10.0.0.0/x")).hasMessageContaining("'10.0.0.0/x'");
    assertThatThrownBy(() -> AddressRanges.parse("300.0.0.1")).hasMessageContaining("'300.0.0.1'");
  }

  private static boolean holds(AddressRanges ranges, String address) throws UnknownHostException {
    byte[] ip = InetAddress.getByName(address).getAddress();
    return ranges.contains(ip, ip.length);
  }
}

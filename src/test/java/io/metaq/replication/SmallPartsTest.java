package io.metaq.replication;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.ByteBuffer;
import org.junit.jupiter.api.Test;

class SmallPartsTest {
  private static final long SECOND_NS = 1_000_000_000L;

  @Test
  void shouldPutAReportTogetherThatCameByteByByte() {
    ReportReader reports = new ReportReader();
    byte[] bytes = ByteBuffer.allocate(8).putLong(0x0102030405060708L).array();

    for (int i = 0; i < 7; i++) {
      assertThat(reports.read(ByteBuffer.wrap(bytes, i, 1))).isFalse();
    }

    assertThat(reports.read(ByteBuffer.wrap(bytes, 7, 1))).isTrue();
    assertThat(reports.last()).isEqualTo(0x0102030405060708L);
  }

  @Test
  void shouldKeepTheBeginningOfTheNextReport() {
    ReportReader reports = new ReportReader();
    ByteBuffer both = ByteBuffer.allocate(16).putLong(1).putLong(2).flip();

    assertThat(reports.read(both.slice(0, 11))).isTrue();
    assertThat(reports.last()).isEqualTo(1);
    assertThat(reports.read(both.slice(11, 5))).isTrue();
    assertThat(reports.last()).isEqualTo(2);
  }

  @Test
  void shouldFindWhatTheNeededNumberOfSlavesHas() {
    assertThat(Quorum.reached(new long[] {10, 30, 20}, 1)).isEqualTo(30);
    assertThat(Quorum.reached(new long[] {10, 30, 20}, 2)).isEqualTo(20);
    assertThat(Quorum.reached(new long[] {10, 30, 20}, 3)).isEqualTo(10);
  }

  @Test
  void shouldReachNothingWithoutEnoughSlaves() {
    assertThat(Quorum.reached(new long[0], 1)).isEqualTo(-1);
    assertThat(Quorum.reached(new long[] {10}, 2)).isEqualTo(-1);
    assertThat(Quorum.reached(new long[] {10, -1}, 2)).isEqualTo(-1);
  }

  @Test
  void shouldLetPassWhatASecondAllows() {
    FlowLimit limit = new FlowLimit(1000, 0);

    limit.sent(1500);

    assertThat(limit.allows(SECOND_NS / 2)).isFalse();
    assertThat(limit.allows(SECOND_NS)).isTrue();
    limit.sent(500);
    assertThat(limit.allows(SECOND_NS)).isFalse();
  }

  @Test
  void shouldNotSaveUpMoreThanASecond() {
    FlowLimit limit = new FlowLimit(1000, 0);

    assertThat(limit.allows(100 * SECOND_NS)).isTrue();
    limit.sent(1000);

    assertThat(limit.allows(100 * SECOND_NS)).isFalse();
  }

  @Test
  void shouldLetEverythingPassWithoutALimit() {
    FlowLimit limit = new FlowLimit(0, 0);

    limit.sent(Integer.MAX_VALUE);

    assertThat(limit.allows(0)).isTrue();
  }
}

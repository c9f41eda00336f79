package io.metaq.codec.store;

import static org.assertj.core.api.Assertions.assertThat;

import io.metaq.codec.store.TimerCheckLayout.TimerCheck;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;

class TimerCheckLayoutTest {
  private static final TimerCheck CHECK = TimerCheck.of(1_700_000_000_000L, 5_200, 100, 77_000, 99_000);

  @Test
  void shouldReadBackWhatItWrote() {
    byte[] file = TimerCheckLayout.encode(CHECK);

    assertThat(file).hasSize(TimerCheckLayout.FILE_SIZE);
    assertThat(TimerCheckLayout.decode(file)).contains(CHECK);
  }

  @Test
  void shouldLieWhereRocketmqReadsIt() {
    ByteBuffer file = ByteBuffer.wrap(TimerCheckLayout.encode(CHECK));

    assertThat(file.getLong(0)).isEqualTo(1_700_000_000_000L);
    assertThat(file.getLong(8)).isEqualTo(5_200);
    assertThat(file.getLong(16)).isEqualTo(100);
    assertThat(file.getLong(24)).isEqualTo(100);
  }

  @Test
  void shouldKnowWhenRocketmqHasWrittenTheFileSince() {
    byte[] file = TimerCheckLayout.encode(CHECK);
    ByteBuffer.wrap(file).putLong(0, 1_700_000_001_000L).putLong(16, 101).putLong(40, 1_700_000_001_020L).putLong(48, 1);

    TimerCheck read = TimerCheckLayout.decode(file).orElseThrow();

    assertThat(read).isEqualTo(new TimerCheck(1_700_000_001_000L, 5_200, 101, OptionalLong.empty(), 0));
  }

  @Test
  void shouldReadWhatABrokerSendsToItsSlave() {
    byte[] body = TimerCheckLayout.sent(1_700_000_000_000L, 5_200, 100);

    assertThat(body).hasSize(56);
    assertThat(TimerCheckLayout.received(body)).contains(new TimerCheck(1_700_000_000_000L, 5_200, 100, OptionalLong.empty(), 0));
  }

  @Test
  void shouldNotTakeStrayBytesForIt() {
    byte[] stray = new byte[TimerCheckLayout.FILE_SIZE];
    Arrays.fill(stray, (byte) 0xA5);

    assertThat(TimerCheckLayout.decode(stray)).isEmpty();
    assertThat(TimerCheckLayout.decode(new byte[TimerCheckLayout.FILE_SIZE])).isEmpty();
    assertThat(TimerCheckLayout.decode(Arrays.copyOf(TimerCheckLayout.encode(CHECK), 56))).isEmpty();
    assertThat(TimerCheckLayout.received(new byte[31])).isEmpty();
  }

  @Test
  void shouldKnowAFileOfRocketmqByItsDataVersionOrByNothingBehindIt() {
    byte[] file = new byte[TimerCheckLayout.FILE_SIZE];
    ByteBuffer.wrap(file).putLong(0, 1_700_000_000_000L).putLong(8, 5_200).putLong(16, 100).putLong(24, 100);
    TimerCheck expected = new TimerCheck(1_700_000_000_000L, 5_200, 100, OptionalLong.empty(), 0);

    assertThat(TimerCheckLayout.decode(file)).contains(expected);
    ByteBuffer.wrap(file).putLong(40, 1_700_000_000_020L).putLong(48, 9);
    assertThat(TimerCheckLayout.decode(file)).contains(expected);
  }

  @Test
  void shouldNotBelieveAFileOfWhicheverBrokerThatIsDamaged() {
    byte[] ours = TimerCheckLayout.encode(CHECK);
    byte[] rocketmqs = new byte[TimerCheckLayout.FILE_SIZE];
    ByteBuffer.wrap(rocketmqs).putLong(0, 1_700_000_000_000L).putLong(8, 5_200).putLong(16, 100).putLong(40, 1_700_000_000_020L);
    for (int at : new int[] {0, 3, 7, 12, 20, 60, 70, 79}) {
      byte[] damaged = ours.clone();
      damaged[at] ^= 0x55;
      assertThat(TimerCheckLayout.decode(damaged)).as("byte " + at).isEmpty();
    }
    rocketmqs[3] = (byte) 0xFF;

    assertThat(TimerCheckLayout.decode(rocketmqs)).isEmpty();
  }
}

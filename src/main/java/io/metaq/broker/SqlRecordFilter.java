package io.metaq.broker;

import io.metaq.codec.record.PropertyCursor;
import io.metaq.codec.record.RecordCheck;
import io.metaq.codec.record.RecordLayout;
import io.metaq.codec.record.RecordReader;
import io.metaq.filter.SqlFilter;
import io.metaq.model.OwnedBy;
import io.metaq.model.RecordFilter;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.List;

/**
 * Judges stored records by their properties, in one read of the store. Of a record only its properties are copied, of these only
 * the ones the filter names become texts.
 *
 * <p>Bound: a read ends when its judgements may have cost {@value #MAX_STEPS} steps of the filter, a longer text counting for more;
 * some milliseconds of a loop, whatever filter and messages are. At least one record is judged, so readers always get on.
 */
@OwnedBy("the read it was made for")
final class SqlRecordFilter implements RecordFilter {
  static final int MAX_STEPS = 200_000;
  /** Bytes of properties that are taken to cost about as much as one more step. */
  private static final int BYTES_A_STEP = 64;

  private final SqlFilter filter;
  private final List<byte[]> names;
  private final String[] values;
  private final RecordCheck check = new RecordCheck(false);
  private final RecordReader reader = new RecordReader();
  private final PropertyCursor cursor = new PropertyCursor();
  private byte[] properties = new byte[512];
  private long steps;

  /**
   * A filter for one read.
   *
   * @param names those of {@link SqlFilter#properties()}, encoded
   */
  SqlRecordFilter(SqlFilter filter, List<byte[]> names) {
    this.filter = filter;
    this.names = names;
    values = new String[names.size()];
  }

  @Override
  public boolean admits(long tagsCode) {
    return true;
  }

  /**
   * A record whose parts do not add up is let through: its reader finds the damage, as without a filter, and nothing is lost
   * unseen.
   */
  @Override
  public boolean admits(ByteBuffer log, int at) {
    int end = at + log.getInt(at);
    if (check.check(log, at, end, log.getLong(at + RecordLayout.PHY_OFFSET)) != RecordCheck.Verdict.RECORD) {
      return true;
    }
    reader.wrap(log, at);
    int length = reader.propertiesLength();
    steps += (long) filter.weight() * (1 + length / BYTES_A_STEP);
    readValues(log, reader.propertiesStart(), length);
    return filter.matches(values);
  }

  @Override
  public boolean judgesRecords() {
    return true;
  }

  @Override
  public boolean tired() {
    return steps >= MAX_STEPS;
  }

  /** Of a name that stands there twice, the last value counts, as for whoever decodes the message. */
  private void readValues(ByteBuffer log, int from, int length) {
    Arrays.fill(values, null);
    if (properties.length < length) {
      properties = new byte[length];
    }
    log.get(from, properties, 0, length);
    cursor.over(properties, 0, length);
    while (cursor.next()) {
      for (int i = 0; i < values.length; i++) {
        byte[] name = names.get(i);
        if (cursor.nameFirst() == name[0] && cursor.nameIs(name)) {
          values[i] = cursor.value();
        }
      }
    }
  }
}

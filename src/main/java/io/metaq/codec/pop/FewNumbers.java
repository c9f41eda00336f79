package io.metaq.codec.pop;

import com.fasterxml.jackson.core.JsonParser;
import io.metaq.codec.registry.BodyException;
import io.metaq.codec.registry.RegistryJson;
import io.metaq.model.OwnedBy;
import java.io.IOException;
import java.util.Arrays;

/** Numbers of a JSON array, as many as messages of one check point; those behind are read and left out. */
@OwnedBy("the call that made it")
final class FewNumbers {
  private final long[] values = new long[CheckpointBody.MAX_MESSAGES];
  private int count;

  /** Takes the array at which the parser stands. */
  void read(JsonParser in) throws IOException {
    RegistryJson.array(in, () -> {
      long value = RegistryJson.number(in);
      if (count < values.length) {
        values[count++] = value;
      }
    });
  }

  boolean isEmpty() {
    return count == 0;
  }

  /** @throws BodyException when one of them is too large for it */
  int[] ints() {
    int[] small = new int[count];
    for (int i = 0; i < count; i++) {
      small[i] = (int) values[i];
      if (small[i] != values[i]) {
        throw new BodyException("a number of an array is out of range: " + values[i]);
      }
    }
    return small;
  }

  long[] values() {
    return Arrays.copyOf(values, count);
  }
}

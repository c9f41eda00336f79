package io.metaq.codec.record;

import io.metaq.model.OwnedBy;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/** Walks over the entries of a {@link PropertiesText} in place, without making an object for any of them. Reusable. */
@OwnedBy("whoever walks with it")
public final class PropertyCursor {
  private byte[] text;
  private int next;
  private int end;
  private int nameStart;
  private int nameLength;
  private int valueLength;

  /** Starts over a text; before its first entry. */
  public void over(byte[] bytes, int from, int length) {
    text = bytes;
    next = from;
    end = from + length;
  }

  /** Moves to the next entry that has a name and a value; false when there is none. */
  public boolean next() {
    while (next < end) {
      int start = next;
      int separator = -1;
      int at = start;
      while (at < end && text[at] != PropertiesText.ENTRY_END) {
        if (separator < 0 && text[at] == PropertiesText.NAME_END) {
          separator = at;
        }
        at++;
      }
      next = at + 1;
      if (separator > start && separator < at - 1) {
        nameStart = start;
        nameLength = separator - start;
        valueLength = at - separator - 1;
        return true;
      }
    }
    return false;
  }

  /** Place of the entry's first byte. */
  public int entryStart() {
    return nameStart;
  }

  /** Place behind the entry, its closing separator included when there is one. */
  public int entryEnd() {
    return Math.min(next, end);
  }

  public int nameLength() {
    return nameLength;
  }

  /** First byte of the name: the cheapest way to pass over entries that do not matter. */
  public byte nameFirst() {
    return text[nameStart];
  }

  public boolean nameIs(byte[] name) {
    return Arrays.equals(text, nameStart, nameStart + nameLength, name, 0, name.length);
  }

  public int valueStart() {
    return nameStart + nameLength + 1;
  }

  public int valueLength() {
    return valueLength;
  }

  public boolean valueIs(byte[] value) {
    return Arrays.equals(text, valueStart(), valueStart() + valueLength, value, 0, value.length);
  }

  public String name() {
    return new String(text, nameStart, nameLength, StandardCharsets.UTF_8);
  }

  public String value() {
    return new String(text, valueStart(), valueLength, StandardCharsets.UTF_8);
  }
}

package io.metaq.broker;

import io.metaq.filter.SqlFilter;
import io.metaq.model.RecordFilter;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.function.Supplier;

/** Selects records by a compiled SQL filter. Immutable, so loop and workers may share it; each read gets a filter of its own. */
final class SqlSelection implements Supplier<RecordFilter> {
  private final SqlFilter filter;
  private final List<byte[]> names;

  SqlSelection(SqlFilter filter) {
    this.filter = filter;
    names = filter.properties().stream().map(name -> name.getBytes(StandardCharsets.UTF_8)).toList();
  }

  @Override
  public RecordFilter get() {
    return new SqlRecordFilter(filter, names);
  }
}

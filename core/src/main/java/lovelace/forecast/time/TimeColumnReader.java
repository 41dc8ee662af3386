package lovelace.forecast.time;

import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import lovelace.forecast.time.TimeForm.Kind;
import org.jspecify.annotations.Nullable;

/// Reads the texts of a column one by one, and then says how the column is written.
final class TimeColumnReader {

  private final String table, column;
  private final Optional<ZoneId> given;
  private long rows;
  private @Nullable TimeWritten first;

  /// The kinds that digits alone may still be.
  private final Set<Kind> digits = new LinkedHashSet<>(List.of(Kind.YEAR, Kind.MONTH, Kind.DATE));

  TimeColumnReader(String table, String column, Optional<ZoneId> given) {
    this.table = table;
    this.column = column;
    this.given = given;
  }

  /// Reads the text of the next row.
  TimeWritten add(@Nullable String text) {
    rows++;
    if (text == null || text.isBlank())
      throw new IllegalArgumentException(
          String.format(
              Locale.ROOT,
              "row %,d of '%s': column '%s' is empty, but each row needs a time; fill it in or"
                  + " remove the row",
              rows,
              table,
              column));
    TimeWritten written = TimeWritten.read(text);
    if (written == null) throw refused(text, "not a time that exists; " + TimeForm.FORMS);
    if (first == null) first = written;
    if (written.kind() != first.kind())
      throw refused(
          text,
          "%s, but row 1 is '%s', %s, and a column has one kind of times; %s"
              .formatted(written.kind().words, first.text(), first.kind().words, TimeForm.FORMS));
    if (written.kind() == Kind.NUMBER) digits.removeIf(kind -> written.as(kind).isEmpty());
    return written;
  }

  private IllegalArgumentException refused(String text, String why) {
    return refused(rows, text, why);
  }

  private IllegalArgumentException refused(long row, String text, String why) {
    return new IllegalArgumentException(
        String.format(
            Locale.ROOT,
            "row %,d of '%s': column '%s' is '%s', %s",
            row,
            table,
            column,
            text,
            why));
  }

  /// The column of all texts that were added.
  TimeForm.Column column(List<TimeWritten> all) {
    if (first == null) throw new IllegalStateException("no texts");
    TimeForm form = form(first, all);
    List<Moment> moments = new ArrayList<>(all.size());
    for (TimeWritten each : all)
      try {
        moments.add(each.as(form.kind()).orElse(each).moment(form.zone()));
      } catch (IllegalArgumentException e) {
        throw refused(moments.size() + 1, each.text(), String.valueOf(e.getMessage()));
      }
    return new TimeForm.Column(form, moments);
  }

  private TimeForm form(TimeWritten first, List<TimeWritten> all) {
    if (first.kind() == Kind.NUMBER) return formOfDigits(first, all);
    if (first.kind() != Kind.TIME && first.kind() != Kind.INSTANT)
      return new TimeForm(first.kind(), first.pattern(), Optional.empty(), 0, "");
    int fraction = 0;
    TimeWritten longest = first;
    for (TimeWritten each : all) {
      fraction = Math.max(fraction, each.decimals());
      if (each.pattern().length() > longest.pattern().length()) longest = each;
    }
    String[] parts = longest.pattern().split("\\|", -1);
    String pattern = parts[0] + (fraction == 0 ? "" : "." + "S".repeat(fraction)) + parts[1];
    if (first.kind() == Kind.TIME) return new TimeForm(Kind.TIME, pattern, given, 0, "");
    return instants(pattern, all);
  }

  private TimeForm formOfDigits(TimeWritten first, List<TimeWritten> all) {
    if (!digits.isEmpty()) {
      Kind kind = digits.iterator().next();
      String remark =
          kind == Kind.YEAR
              ? ""
              : "The digits of column '%s' were read as %ss, such as %s."
                  .formatted(column, kind.name().toLowerCase(Locale.ROOT), first.text());
      return new TimeForm(
          kind, first.as(kind).orElseThrow().pattern(), Optional.empty(), 0, remark);
    }
    int fewest = all.stream().mapToInt(TimeWritten::decimals).min().orElse(0);
    return new TimeForm(Kind.NUMBER, "", Optional.empty(), fewest, "");
  }

  /// The form of times with offsets: one offset, or the zone whose clocks change so.
  private TimeForm instants(String pattern, List<TimeWritten> all) {
    if (given.isPresent()) return new TimeForm(Kind.INSTANT, pattern, given, 0, "");
    Set<ZoneOffset> offsets = new LinkedHashSet<>();
    Set<ZoneId> regions = new LinkedHashSet<>();
    Map<Instant, ZoneOffset> seen = new HashMap<>();
    for (TimeWritten each : all) {
      ZoneOffset offset = each.offset();
      if (offset == null) throw new IllegalStateException("no offset: " + each.text());
      offsets.add(offset);
      if (each.region() != null) regions.add(each.region());
      seen.put(each.moment(Optional.empty()).instant(), offset);
    }
    if (regions.size() == 1)
      return new TimeForm(Kind.INSTANT, pattern, Optional.of(regions.iterator().next()), 0, "");
    if (offsets.size() == 1)
      return new TimeForm(Kind.INSTANT, pattern, Optional.of(offsets.iterator().next()), 0, "");
    Optional<ZoneId> zone = regions.isEmpty() ? ZoneSearch.of(seen) : Optional.empty();
    String remark =
        zone.isPresent()
            ? "The offsets of column '%s' change as in %s, so its days are those of that zone."
                .formatted(column, zone.get())
            : "The offsets of column '%s' are those of no one zone, so its times are counted in UTC."
                .formatted(column);
    return new TimeForm(Kind.INSTANT, pattern, Optional.of(zone.orElse(ZoneOffset.UTC)), 0, remark);
  }
}

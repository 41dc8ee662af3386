package lovelace.forecast.time;

import java.math.BigDecimal;
import java.math.RoundingMode;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// How one column of a table writes its times: the kind of texts, their pattern, and their zone.
/// Reads the texts as moments, and writes any moment, also one of the future, in the same way.
///
/// A column has one kind: years `2020`, quarters `2020Q1`, months `2020-03`, dates `2020-03-31`,
/// times `2020-03-31 12:30`, times with a zone or an offset `2020-03-31T12:30:00+02:00`, or plain
/// numbers. Four digits from 1500 to 2500 in every row are years, and `20200331` and `202003` in
/// every row are dates and months. A quarter is its first month.
///
/// If the offsets of a column change through the year, their zone is that of the best known region
/// whose clocks change so. If no region's do, the times are counted in UTC.
public final class TimeForm {

  /// How to write a time, for messages.
  public static final String FORMS =
      "write all of them like one of 2020, 2020Q1, 2020-03, 2020-03-31, 2020-03-31 12:30,"
          + " 2020-03-31T12:30:00Z or as plain numbers";

  /// The kind of the texts of a column.
  public enum Kind {
    /// `2020`.
    YEAR("a year"),
    /// `2020Q1`.
    QUARTER("a quarter"),
    /// `2020-03`.
    MONTH("a month"),
    /// `2020-03-31`.
    DATE("a date"),
    /// `2020-03-31 12:30`.
    TIME("a time without a zone"),
    /// `2020-03-31T12:30:00+02:00`.
    INSTANT("a time with a zone"),
    /// Plain numbers.
    NUMBER("a number");

    final String words;

    Kind(String words) {
      this.words = words;
    }
  }

  /// A column that was read.
  ///
  /// @param form how its texts are written
  /// @param moments the moments of its rows
  public record Column(TimeForm form, List<Moment> moments) {
    public Column {
      moments = List.copyOf(moments);
    }
  }

  private final Kind kind;
  private final String pattern;
  private final Optional<ZoneId> zone;
  private final int decimals;
  private final String remark;
  private final @Nullable DateTimeFormatter format;

  TimeForm(Kind kind, String pattern, Optional<ZoneId> zone, int decimals, String remark) {
    this.kind = kind;
    this.pattern = pattern;
    this.zone = zone;
    this.decimals = decimals;
    this.remark = remark;
    format = kind == Kind.NUMBER ? null : DateTimeFormatter.ofPattern(pattern, Locale.ROOT);
  }

  /// Plain numbers without decimals.
  public static TimeForm numbers() {
    return new TimeForm(Kind.NUMBER, "", Optional.empty(), 0, "");
  }

  /// The form as texts, from which [#ofParts] makes it again.
  public List<String> parts() {
    return List.of(
        kind.name(),
        pattern,
        zone.map(ZoneId::getId).orElse(""),
        Integer.toString(decimals),
        remark);
  }

  /// The form that [#parts] described.
  public static TimeForm ofParts(List<String> parts) {
    return new TimeForm(
        Kind.valueOf(parts.get(0)),
        parts.get(1),
        parts.get(2).isEmpty() ? Optional.empty() : Optional.of(ZoneId.of(parts.get(2))),
        Integer.parseInt(parts.get(3)),
        parts.get(4));
  }

  /// Reads a column of texts.
  ///
  /// @param table the name of the table, for messages
  /// @param column the name of the column, for messages
  /// @param texts the texts of its rows
  /// @throws IllegalArgumentException if a text is no time, or of another kind than the first; the
  ///   message names row, value and remedy
  public static Column read(String table, String column, List<? extends @Nullable String> texts) {
    return read(table, column, texts, Optional.empty());
  }

  /// Reads a column of texts whose clocks are those of a zone. Times without a zone are taken as
  /// shown by these clocks.
  public static Column read(
      String table, String column, List<? extends @Nullable String> texts, Optional<ZoneId> zone) {
    if (texts.isEmpty())
      throw new IllegalArgumentException(
          "column '%s' of '%s' has 0 rows; at least 1 is needed".formatted(column, table));
    TimeColumnReader reader = new TimeColumnReader(table, column, zone);
    List<TimeWritten> written = new ArrayList<>(texts.size());
    for (String text : texts) written.add(reader.add(text));
    return reader.column(written);
  }

  /// The kind of the texts.
  public Kind kind() {
    return kind;
  }

  /// The zone of the times; empty if they have none.
  public Optional<ZoneId> zone() {
    return zone;
  }

  /// A remark for people on how the texts were understood; empty if there is nothing to say.
  public String remark() {
    return remark;
  }

  /// Reads one more text of the same form.
  ///
  /// @throws IllegalArgumentException if the text is of another kind
  public Moment parse(String text) {
    TimeWritten written = TimeWritten.read(text);
    Optional<TimeWritten> as = written == null ? Optional.empty() : written.as(kind);
    if (as.isEmpty())
      throw new IllegalArgumentException(
          "'%s' is not %s; write it like %s".formatted(text, kind.words, example()));
    return as.get().moment(zone);
  }

  /// Writes a moment as the texts of the column are written.
  public String format(Moment moment) {
    if (format == null) {
      BigDecimal number = moment.number().stripTrailingZeros();
      return number
          .setScale(Math.max(decimals, Math.max(0, number.scale())), RoundingMode.UNNECESSARY)
          .toPlainString();
    }
    return zone.isEmpty()
        ? format.format(moment.local())
        : format.format(moment.instant().atZone(zone.get()));
  }

  /// A moment in this form, for messages.
  private String example() {
    return format(Moment.of(java.time.LocalDate.of(2020, 3, 31)));
  }

  /// The pattern of the texts, as [DateTimeFormatter] has it; empty for plain numbers.
  String pattern() {
    return pattern;
  }
}

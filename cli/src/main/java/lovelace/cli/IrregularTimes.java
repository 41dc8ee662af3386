package lovelace.cli;

import static lovelace.cli.Database.quoted;

import java.io.IOException;
import java.io.InputStream;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.DoubleStream;
import lovelace.cli.SeriesTable.Rows;
import lovelace.forecast.time.Frequency;
import lovelace.forecast.time.Inference;
import lovelace.forecast.time.Moment;
import lovelace.forecast.time.TimeForm;

/// The times of a table whose series lie on no regular steps, and the times that are forecast.
final class IrregularTimes {

  private static final int VOTERS = 300;

  /// Usual seasons in seconds: a day, a week, a year.
  private static final double[] SEASONS = {86_400, 604_800, 365.25 * 86_400};

  /// A season needs this many of the median gap, and this many periods.
  private static final double GAPS = 4, PERIODS = 2;

  private final SeriesTimes times;
  private final String reason;
  private final Optional<Frequency> step;
  private final double unit;
  private final double[] seasons;
  private final List<Moment> named;

  private IrregularTimes(
      SeriesTimes times,
      String reason,
      Optional<Frequency> step,
      double unit,
      double[] seasons,
      List<Moment> named) {
    this.times = times;
    this.reason = reason;
    this.step = step;
    this.unit = unit;
    this.seasons = seasons;
    this.named = named;
  }

  /// The times of a table; empty if they lie on regular steps and nothing else is asked for.
  static Optional<IrregularTimes> find(
      SeriesTable table, SeriesOptions options, IrregularOptions asked) throws IOException {
    SeriesTimes times = table.times();
    List<List<Moment>> voters = new ArrayList<>();
    for (Rows each : table.sample(VOTERS)) voters.add(times.of(each.times()));
    String reason;
    if (options.isIrregular()) reason = "as given";
    else if (asked.at().isPresent()) reason = "at times of your own";
    else {
      if (options.frequency().isPresent()) return Optional.empty();
      Inference.OfMany found = Frequency.inferMany(voters, times.form());
      if (found.frequency().isPresent()) {
        asked.refuseStep(found.frequency().get());
        return Optional.empty();
      }
      if (times.moments().size() < 2) return Optional.empty();
      reason = "the times lie on no regular steps";
    }
    double[] gaps = gaps(voters);
    if (gaps.length == 0)
      throw new IllegalArgumentException(
          "'%s', column '%s': no series has two times; add rows"
              .formatted(table.name(), table.columns().time()));
    double gap = gaps[gaps.length / 2];
    double unit = asked.step().map(f -> length(f, times)).orElse(gap);
    double span =
        voters.stream()
            .filter(v -> v.size() > 1)
            .mapToDouble(v -> between(v.getFirst(), v.getLast()))
            .max()
            .orElse(0);
    double[] usual =
        times.form().kind() == TimeForm.Kind.NUMBER
            ? new double[0]
            : DoubleStream.of(SEASONS)
                .filter(s -> s >= GAPS * gap && PERIODS * 0.995 * s <= span)
                .map(s -> s / unit)
                .toArray();
    return Optional.of(
        new IrregularTimes(
            times,
            reason,
            asked.step(),
            unit,
            options.seasons().orElse(usual),
            asked.at().isPresent() ? read(asked.at().get(), table) : List.of()));
  }

  private static double[] gaps(List<List<Moment>> voters) {
    List<Double> all = new ArrayList<>();
    for (List<Moment> each : voters)
      for (int t = 1; t < each.size(); t++) {
        double gap = between(each.get(t - 1), each.get(t));
        if (gap > 0) all.add(gap);
      }
    return all.stream().mapToDouble(Double::doubleValue).sorted().toArray();
  }

  private static double between(Moment from, Moment to) {
    return to.number().subtract(from.number()).doubleValue();
  }

  /// The length of a step from the first time on.
  private static double length(Frequency step, SeriesTimes times) {
    boolean plain = times.form().kind() == TimeForm.Kind.NUMBER;
    if (plain != (step.unit() == Frequency.Unit.NUMBER))
      throw new IllegalArgumentException(
          "--step is %s, and the times are %s; write %s"
              .formatted(
                  step.text(),
                  plain ? "plain numbers" : "dates",
                  plain ? "a plain number, such as 0.5" : "a unit of time, such as 1h"));
    Frequency on = on(step, times.moments().getFirst(), times.form());
    long first = on.floor(times.moments().getFirst());
    return between(on.at(first), on.at(first + 12)) / 12;
  }

  private static Frequency on(Frequency step, Moment moment, TimeForm form) {
    return Frequency.through(moment, step.unit(), step.multiple(), form.zone());
  }

  /// The times in a file, ascending.
  private static List<Moment> read(String file, SeriesTable table) throws IOException {
    try (Table opened = Table.open(file, InputStream.nullInputStream())) {
      String name = table.columns().time();
      List<String> fields = opened.fields().stream().map(Table.Field::name).toList();
      String column = fields.contains(name) ? name : fields.getFirst();
      if (!fields.contains(name) && fields.size() > 1)
        throw new IllegalArgumentException(
            "--at: '%s' has no column '%s', and has several: %s; rename the one with the times"
                .formatted(file, name, String.join(", ", fields)));
      List<String> texts =
          opened
              .database()
              .strings(
                  "select list(coalesce(%s::varchar, '')) from %s"
                      .formatted(quoted(column), opened.relation().source()),
                  true);
      List<Moment> all = new ArrayList<>();
      for (int i = 0; i < texts.size(); i++) {
        String text = texts.get(i);
        int row = i + 1;
        try {
          all.add(table.times().form().parse(text));
        } catch (IllegalArgumentException e) {
          throw new IllegalArgumentException(
              String.format(Locale.ROOT, "--at: row %,d of '%s': %s", row, file, e.getMessage()),
              e);
        }
      }
      if (all.isEmpty())
        throw new IllegalArgumentException(
            "--at: '%s' has no rows; write one time in each".formatted(file));
      return all.stream().distinct().sorted().toList();
    } catch (SQLException e) {
      throw Database.unreadable(file, e);
    }
  }

  /// The times to forecast after the last one of a series, as the table can write them.
  List<Moment> ahead(Moment last, int horizon) {
    if (!named.isEmpty()) return named.stream().filter(m -> m.compareTo(last) > 0).toList();
    List<Moment> all = new ArrayList<>();
    Moment before = last;
    Optional<Frequency> on = step.map(s -> on(s, last, times.form()));
    for (int k = 1; k <= horizon; k++) {
      int number = k;
      Moment exact =
          on.map(f -> f.at(f.floor(last) + number))
              .orElseGet(
                  () ->
                      Moment.of(
                          last.number()
                              .add(
                                  BigDecimal.valueOf(unit)
                                      .multiply(BigDecimal.valueOf(number))
                                      .setScale(unit < 1e-3 ? 9 : 6, RoundingMode.HALF_EVEN))));
      Moment written = times.form().parse(times.form().format(exact));
      if (written.compareTo(before) <= 0)
        throw new IllegalArgumentException(
            "the median gap between times is too short to be written like '%s'; name a longer one with --step"
                .formatted(times.form().format(last)));
      all.add(written);
      before = written;
    }
    return all;
  }

  /// A time in steps.
  double at(Moment moment) {
    return between(times.moments().getFirst(), moment) / unit;
  }

  /// How many times were named, or none.
  int named() {
    return named.size();
  }

  /// The periods of the seasons in steps.
  double[] seasons() {
    return Arrays.copyOf(seasons, seasons.length);
  }

  SeriesTimes times() {
    return times;
  }

  /// The times in one line.
  String words() {
    String steps =
        !named.isEmpty()
            ? String.format(
                Locale.ROOT,
                "forecast at %,d %s of --at",
                named.size(),
                named.size() == 1 ? "time" : "times")
            : "steps of "
                + step.map(Frequency::text)
                    .orElseGet(() -> length() + ", the median gap; --step names another");
    String tried =
        seasons.length == 0
            ? "no seasons"
            : "seasons to try: " + SeriesOptions.text(seasons) + " steps";
    return "none (%s); %s; %s".formatted(reason, steps, tried);
  }

  private String length() {
    if (times.form().kind() == TimeForm.Kind.NUMBER) return number(unit);
    if (unit >= 2 * 86_400) return number(unit / 86_400) + " days";
    if (unit >= 2 * 3_600) return number(unit / 3_600) + " hours";
    return unit >= 120 ? number(unit / 60) + " minutes" : number(unit) + " seconds";
  }

  private static String number(double value) {
    return BigDecimal.valueOf(value)
        .round(new java.math.MathContext(4))
        .stripTrailingZeros()
        .toPlainString();
  }
}

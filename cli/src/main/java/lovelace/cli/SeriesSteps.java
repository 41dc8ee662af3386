package lovelace.cli;

import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import lovelace.cli.SeriesTable.Rows;
import lovelace.forecast.Forecaster;
import lovelace.forecast.TimeSeries;
import lovelace.forecast.time.Frequency;
import lovelace.forecast.time.Inference;
import lovelace.forecast.time.Moment;
import lovelace.forecast.time.TimeForm;

/// The steps of the series of a table, and the series on them.
final class SeriesSteps {

  /// How many series tell the frequency, and at most how many of their rows.
  private static final int VOTERS = 300;

  private static final int VOTING_ROWS = 500_000;

  /// The last steps that are kept of a series.
  private static final int MOST = 100_000;

  /// The number of a time that lies on no step.
  private static final long NONE = Long.MIN_VALUE;

  private final SeriesTimes times;
  private final Frequency frequency;
  private final String reason;
  private final double[] seasons;
  private final List<Double> bounds;
  private final long[] steps;

  private SeriesSteps(
      SeriesTimes times,
      Frequency frequency,
      String reason,
      List<Double> bounds,
      double... seasons) {
    this.bounds = bounds;
    this.times = times;
    this.frequency = frequency;
    this.reason = reason;
    this.seasons = seasons;
    steps = new long[times.moments().size()];
    for (int i = 0; i < steps.length; i++) {
      Moment moment = times.moments().get(i);
      long step = frequency.floor(moment);
      steps[i] = frequency.at(step).equals(moment) ? step : NONE;
    }
  }

  /// Finds the frequency, or takes the one that an option names, and the seasons.
  static SeriesSteps find(SeriesTable table, SeriesOptions options) throws IOException {
    SeriesTimes times = table.times();
    List<List<Moment>> voters = new ArrayList<>();
    long rows = 0;
    for (Rows each : table.sample(VOTERS)) {
      if (rows > VOTING_ROWS) break;
      rows += each.times().length;
      voters.add(times.of(each.times()));
    }
    Optional<Frequency> named = options.frequency();
    Frequency frequency;
    String reason;
    if (named.isPresent()) {
      frequency = placed(named.get(), voters, times.form());
      reason = "as given";
    } else {
      Inference.OfMany found = Frequency.inferMany(voters, times.form());
      if (found.frequency().isEmpty())
        throw new IllegalArgumentException(
            "'%s', column '%s': %s; name the frequency with --frequency"
                .formatted(table.name(), table.columns().time(), found.reason()));
      frequency = found.frequency().get();
      reason = found.reason();
    }
    long longest =
        voters.stream()
            .filter(each -> !each.isEmpty())
            .mapToLong(
                each -> frequency.floor(each.getLast()) - frequency.floor(each.getFirst()) + 1)
            .max()
            .orElse(0);
    double[] seasons = options.seasons().orElseGet(() -> frequency.seasons(Math.max(0, longest)));
    return new SeriesSteps(times, frequency, reason, options.between(), seasons);
  }

  /// The steps that a file of forecasts has.
  static SeriesSteps stored(SeriesTimes times, Frequency frequency, Path file, Forecaster options) {
    List<Double> bounds = Arrays.stream(options.bounds()).boxed().toList();
    return new SeriesSteps(times, frequency, "as in " + file, bounds, options.seasons());
  }

  /// The steps of a frequency where most series have them.
  private static Frequency placed(Frequency named, List<List<Moment>> voters, TimeForm form) {
    List<Inference> all =
        voters.stream().filter(v -> !v.isEmpty()).map(v -> named.onto(v, form)).toList();
    Map<Frequency, Long> found =
        all.stream()
            .flatMap(each -> each.frequency().stream())
            .collect(Collectors.groupingBy(f -> f, LinkedHashMap::new, Collectors.counting()));
    return found.entrySet().stream()
        .max(Map.Entry.comparingByValue())
        .map(Map.Entry::getKey)
        .orElseThrow(
            () ->
                new IllegalArgumentException(
                    "--frequency: no series has steps of %s: %s; name another, or leave it out to find it"
                        .formatted(
                            named.text(), all.isEmpty() ? "no rows" : all.getFirst().reason())));
  }

  /// The frequency of most series.
  Frequency frequency() {
    return frequency;
  }

  /// Whether values have bounds.
  boolean isBounded() {
    return !bounds.isEmpty();
  }

  /// The periods of the seasons in steps.
  double[] seasons() {
    return seasons.clone();
  }

  /// The season by which changes are measured: the shortest one in whole steps, or 1 without any.
  int season() {
    return seasons.length == 0 ? 1 : (int) Math.max(1, Math.rint(seasons[0]));
  }

  /// Prints how the table was understood.
  void print(PrintWriter out, SeriesColumns columns) {
    out.printf("%-11s %s%n", "columns", columns.words());
    if (!columns.unused().isEmpty())
      out.printf("%-11s %s%n", "not used", String.join(", ", columns.unused()));
    out.printf("%-11s %s%n", "frequency", words());
    if (!form().remark().isEmpty()) out.printf("%-11s %s%n", "times", form().remark());
    out.flush();
  }

  /// The frequency and the seasons in one line.
  private String words() {
    String tried =
        seasons.length == 0 ? "no seasons" : "seasons to try: " + SeriesOptions.text(seasons);
    return "%s (%s), %s; %s".formatted(frequency.text(), frequency.words(), reason, tried);
  }

  /// The form of the times.
  TimeForm form() {
    return times.form();
  }

  /// Puts a series on its steps.
  PlacedSeries place(Rows rows) {
    List<String> remarks = new ArrayList<>();
    int[] codes = rows.times().clone();
    double[] values = rows.values().clone();
    int size = 0;
    int rest = codes.length;
    long infinite = 0;
    for (int i = 0; i < rest; ) {
      double sum = 0;
      int there = 0;
      int next = i;
      for (; next < rest && codes[next] == codes[i]; next++) {
        if (Double.isInfinite(values[next])) infinite++;
        if (!Double.isFinite(values[next])) continue;
        sum += values[next];
        there++;
      }
      codes[size] = codes[i];
      values[size++] = there == 0 ? Double.NaN : sum / there;
      i = next;
    }
    long duplicates = (long) rest - size;
    if (duplicates > 0)
      remarks.add(
          count(duplicates, "row has", "rows have")
              + " the time of another; the mean of such rows counts");
    if (infinite > 0)
      remarks.add(
          count(infinite, "value is infinite, and counts", "values are infinite, and count")
              + " as missing");
    int from = 0;
    while (from < size && Double.isNaN(values[from])) from++;
    int to = size;
    while (to > from && Double.isNaN(values[to - 1])) to--;
    if (from == to) {
      remarks.add("no values, so no forecast");
      return nothing(rows, duplicates, remarks);
    }
    long outside = Arrays.stream(values, from, to).filter(this::isOutside).count();
    if (outside > 0) {
      remarks.add(
          count(outside, "value lies", "values lie")
              + " outside --between %s,%s, so no forecast; move the bounds or correct the values"
                  .formatted(bounds.getFirst(), bounds.getLast()));
      return nothing(rows, duplicates, remarks);
    }
    return onSteps(
        rows,
        Arrays.copyOfRange(codes, from, to),
        Arrays.copyOfRange(values, from, to),
        duplicates,
        remarks);
  }

  private boolean isOutside(double value) {
    return !bounds.isEmpty() && (value < bounds.getFirst() || value > bounds.getLast());
  }

  private PlacedSeries onSteps(
      Rows rows, int[] codes, double[] values, long duplicates, List<String> remarks) {
    Frequency own = frequency;
    long[] at = new long[codes.length];
    boolean all = true;
    for (int i = 0; i < at.length; i++) {
      at[i] = steps[codes[i]];
      all &= at[i] != NONE;
    }
    if (!all) {
      Inference elsewhere = frequency.onto(times.of(codes), times.form());
      if (elsewhere.frequency().isEmpty()) {
        remarks.add(elsewhere.reason() + "; so no forecast");
        return nothing(rows, duplicates, remarks);
      }
      own = elsewhere.frequency().get();
      for (int i = 0; i < at.length; i++) at[i] = own.index(times.moments().get(codes[i]));
    }
    long last = at[at.length - 1];
    long first = Math.max(at[0], last - MOST + 1);
    double[] line = new double[Math.toIntExact(last - first + 1)];
    Arrays.fill(line, Double.NaN);
    for (int i = 0; i < at.length; i++)
      if (at[i] >= first) line[Math.toIntExact(at[i] - first)] = values[i];
    int lead = 0;
    while (Double.isNaN(line[lead])) lead++;
    TimeSeries series = TimeSeries.of(rows.id(), line);
    return new PlacedSeries(
        rows.number(), series, own, first + lead, series.gaps(), duplicates, remarks);
  }

  private PlacedSeries nothing(Rows rows, long duplicates, List<String> remarks) {
    return new PlacedSeries(
        rows.number(), TimeSeries.of(rows.id()), frequency, 0, 0, duplicates, remarks);
  }

  /// A number with a verb.
  private static String count(long number, String one, String several) {
    return String.format(Locale.ROOT, "%,d %s", number, number == 1 ? one : several);
  }
}

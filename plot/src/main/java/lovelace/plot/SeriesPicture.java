package lovelace.plot;

import java.awt.Color;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.LocalDateTime;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.function.LongToDoubleFunction;
import java.util.stream.DoubleStream;
import java.util.stream.IntStream;
import lovelace.io.AtomicFile;

/// Series with forecasts: values, and a fan of intervals with the median over the steps of each
/// forecast. A file of pixels or SVG shows one series, or a grid of the first twelve. A page shows
/// thousands, and draws one of them large.
///
/// ```java
/// SeriesPicture.titled("Visits").labels("day", "visits").times(Times.DATE, Optional.empty())
///     .add(new Drawn("home", step -> 86_400_000. * step, 19_700, visits, List.of(fan), facts))
///     .write(Path.of("visits.html"));
/// ```
///
/// Each call adds to this picture and returns it.
public final class SeriesPicture {

  /// The probabilities of the quantiles of a fan: the ends of intervals of 95, 80 and 50 %, and the
  /// median in the middle.
  private static final double[] LEVELS = {0.025, 0.1, 0.25, 0.5, 0.75, 0.9, 0.975};

  static final int MEDIAN = LEVELS.length / 2;

  private static final String[] BANDS = {"95 %", "80 %", "50 %"};
  private static final double[] SHADES = {0.16, 0.32, 0.5};

  /// The most series in a file of pixels or SVG.
  static final int GRID = 12;

  /// A picture has at least this many values before the first forecast, if there are, or this many
  /// for each step of a forecast.
  private static final int BEFORE = 72;

  private static final int BEFORE_EACH = 6;

  /// The moments of JavaScript, which end earlier than those of Java.
  private static final double LIMIT = 8.64e15;

  /// How moments are written.
  public enum Times {
    /// Plain numbers.
    NUMBER,
    /// `2024`.
    YEAR,
    /// `2024Q1`.
    QUARTER,
    /// `2024-03`.
    MONTH,
    /// `2024-03-31`.
    DATE,
    /// `2024-03-31 12:30`.
    TIME
  }

  /// The forecast from one time.
  ///
  /// @param from the number of its first step
  /// @param quantiles by step, then in the order of [#levels]
  @SuppressWarnings("ArrayRecordComponent")
  public record Fan(long from, double[][] quantiles) {
    long end() {
      return from + quantiles.length;
    }
  }

  /// A series.
  ///
  /// @param id its name
  /// @param steps the place of each step on the axis: milliseconds since 1970, or plain numbers.
  ///   Series with the same steps share one object
  /// @param first the number of the step of the first value
  /// @param values by step; NaN is a gap
  /// @param fans its forecasts, oldest first, no two over the same step
  /// @param facts one for each of [SeriesPicture#facts]; NaN if not known
  @SuppressWarnings("ArrayRecordComponent")
  public record Drawn(
      String id,
      LongToDoubleFunction steps,
      long first,
      double[] values,
      List<Fan> fans,
      double[] facts) {
    public Drawn {
      fans = List.copyOf(fans);
    }

    /// The number of the step after the last one that is drawn.
    long end() {
      return fans.stream().mapToLong(Fan::end).reduce(first + values.length, Math::max);
    }
  }

  /// A number by which a page sorts series.
  ///
  /// @param name such as `growth`
  /// @param about what it is, in one line
  public record Fact(String name, String about, Unit unit) {}

  /// How a fact is shown.
  public enum Unit {
    /// As a number.
    PLAIN,
    /// In percent.
    PERCENT,
    /// In percent, with its sign.
    CHANGE
  }

  /// A curve over the steps of a horizon.
  ///
  /// @param values from the first step on
  /// @param ours whether it is of the forecasts, and not of another method or a goal
  @SuppressWarnings("ArrayRecordComponent")
  public record Curve(String name, double[] values, boolean ours) {}

  /// Scores by step.
  public record Panel(String title, String label, List<Curve> curves) {
    public Panel {
      curves = List.copyOf(curves);
    }
  }

  final String title;
  String subtitle = "";
  String note = "";
  String timeLabel = "";
  String valueLabel = "";
  Times times = Times.NUMBER;
  Optional<ZoneId> zone = Optional.empty();
  List<Fact> facts = List.of();
  List<Panel> panels = List.of();
  List<List<String>> table = List.of();
  final List<Drawn> series = new ArrayList<>();

  private SeriesPicture(String title) {
    this.title = title;
  }

  public static SeriesPicture titled(String title) {
    return new SeriesPicture(title);
  }

  /// The probabilities of the quantiles of a fan, ascending.
  public static double[] levels() {
    return LEVELS.clone();
  }

  /// A line of smaller text under the title.
  public SeriesPicture subtitle(String text) {
    subtitle = text;
    return this;
  }

  /// A remark on which series are there.
  public SeriesPicture note(String text) {
    note = text;
    return this;
  }

  /// The labels of the axes.
  public SeriesPicture labels(String time, String value) {
    timeLabel = time;
    valueLabel = value;
    return this;
  }

  /// How moments are written, and the zone of the clocks that show them.
  public SeriesPicture times(Times form, Optional<ZoneId> clocks) {
    times = form;
    zone = clocks;
    return this;
  }

  /// The numbers by which a page sorts series.
  public SeriesPicture facts(List<Fact> all) {
    facts = List.copyOf(all);
    return this;
  }

  /// Scores of all forecasts: by step, and a table whose first row is its head.
  public SeriesPicture scores(List<Panel> bySteps, List<List<String>> rows) {
    panels = List.copyOf(bySteps);
    table = List.copyOf(rows);
    return this;
  }

  /// Adds a series.
  public SeriesPicture add(Drawn one) {
    if (one.facts.length != facts.size())
      throw new IllegalArgumentException(
          String.format(
              Locale.ROOT,
              "series '%s' must have %d facts, got %d",
              one.id,
              facts.size(),
              one.facts.length));
    for (Fan fan : one.fans)
      for (double[] step : fan.quantiles)
        if (step.length != LEVELS.length)
          throw new IllegalArgumentException(
              String.format(
                  Locale.ROOT,
                  "series '%s' must have %d quantiles at each step, got %d",
                  one.id,
                  LEVELS.length,
                  step.length));
    series.add(one);
    return this;
  }

  /// Writes the picture in the format of the file's extension: `.png`, `.svg` or `.html`.
  public void write(Path file) throws IOException {
    Picture.check(file);
    if (file.toString().toLowerCase(Locale.ROOT).endsWith(".html"))
      AtomicFile.write(file, html().getBytes(StandardCharsets.UTF_8));
    else image().write(file);
  }

  /// The page as the text of one HTML file, which needs no network.
  public String html() {
    return new SeriesPage(this).html();
  }

  /// How many values of a series a picture begins with, so that its forecasts can be seen.
  static int shown(Drawn one) {
    if (one.fans.isEmpty()) return one.values.length;
    Fan fan = one.fans.getFirst();
    long before = Math.max(BEFORE, (long) BEFORE_EACH * fan.quantiles.length);
    long from = Math.max(one.first, fan.from - before);
    return Math.toIntExact(Math.max(0, one.first + one.values.length - from));
  }

  /// The picture of one series, or a grid, with scores at its foot.
  public Picture image() {
    int count = Math.min(GRID, series.size());
    int across = count == 4 ? 2 : Math.clamp(count, 1, 3);
    boolean one = count <= 1;
    int width = one ? 960 : across == 2 ? 480 : 400;
    String more =
        series.size() > count
            ? String.format(Locale.ROOT, "; the first %d of %,d series", count, series.size())
            : "";
    Board board =
        Board.titled(title).subtitle(subtitle + more + (note.isEmpty() ? "" : "; " + note));
    if (count == 0) board.row(true, List.of(Plot.titled("").size(960, 320)));
    List<Plot> cells = new ArrayList<>();
    for (Drawn each : series.subList(0, count))
      cells.add(plot(each, one).size(width, one ? 430 : 270));
    for (int from = 0; from < cells.size(); from += across)
      board.row(one, cells.subList(from, Math.min(cells.size(), from + across)));
    if (!one) board.legend(cells.getFirst());
    if (!panels.isEmpty()) {
      int wide = across * width / panels.size();
      board.row(true, panels.stream().map(p -> plot(p).size(wide, 290)).toList());
    }
    return board;
  }

  private Plot plot(Drawn one, boolean alone) {
    int left = one.values.length - shown(one);
    double[] y = Arrays.copyOfRange(one.values, left, one.values.length);
    double[] x = places(one, one.first + left, y.length);
    Plot plot =
        Plot.titled(alone && series.size() == 1 ? "" : one.id)
            .labels(alone ? timeLabel : "", alone ? valueLabel : "");
    if (times != Times.NUMBER) plot.clock(new Clock(zone));
    boolean several = one.fans.size() > 1;
    for (int f = 0; f < one.fans.size(); f++) {
      Fan fan = one.fans.get(f);
      boolean first = f == 0;
      double[] at = places(one, fan.from, fan.quantiles.length);
      for (int b = 0; b < BANDS.length; b++)
        plot.band(
            first ? BANDS[b] + " interval" : "",
            at,
            column(fan, b),
            column(fan, LEVELS.length - 1 - b),
            Palette.pale(Palette.BLUE, SHADES[b]),
            1);
      double[] medians = column(fan, MEDIAN);
      int last = Math.toIntExact(fan.from - one.first) - 1;
      boolean joined = !several && last == one.values.length - 1 && last >= 0;
      plot.line(
          first ? "median" : "",
          joined ? before(one.steps.applyAsDouble(fan.from - 1), at) : at,
          joined ? before(one.values[last], medians) : medians,
          Palette.BLUE,
          2);
      if (at.length == 1) plot.points("", at, medians, Palette.BLUE, Plot.Mark.DOT);
    }
    plot.line(several ? "values" : "history", x, y, Palette.BLACK, 1.4);
    if (!alone) plot.compact();
    double[][] dots = alone && y.length <= 150 ? new double[][] {x, y} : alone(x, y);
    plot.points("", dots[0], dots[1], Palette.BLACK, Plot.Mark.DOT);
    if (alone && one.fans.size() == 1)
      plot.boundary(one.steps.applyAsDouble(one.fans.getFirst().from), "");
    return plot;
  }

  /// Puts a number before others.
  private static double[] before(double first, double[] others) {
    return DoubleStream.concat(DoubleStream.of(first), Arrays.stream(others)).toArray();
  }

  /// The values between gaps, which no line shows.
  private static double[][] alone(double[] x, double[] y) {
    int[] some =
        IntStream.range(0, y.length)
            .filter(i -> !Double.isNaN(y[i]))
            .filter(i -> i == 0 || Double.isNaN(y[i - 1]))
            .filter(i -> i + 1 == y.length || Double.isNaN(y[i + 1]))
            .toArray();
    return new double[][] {
      Arrays.stream(some).mapToDouble(i -> x[i]).toArray(),
      Arrays.stream(some).mapToDouble(i -> y[i]).toArray()
    };
  }

  private static double[] places(Drawn one, long from, int count) {
    double[] x = new double[count];
    for (int i = 0; i < count; i++) x[i] = one.steps.applyAsDouble(from + i);
    return x;
  }

  private static double[] column(Fan fan, int level) {
    return Arrays.stream(fan.quantiles).mapToDouble(step -> step[level]).toArray();
  }

  private static Plot plot(Panel panel) {
    Plot plot = Plot.titled(panel.title).labels("step of the horizon", panel.label).within(0, 0);
    int own = 0;
    for (Curve curve : panel.curves) {
      double[] x = IntStream.rangeClosed(1, curve.values.length).mapToDouble(k -> k).toArray();
      if (curve.ours) {
        Color color = own++ == 0 ? Palette.BLUE : Palette.GREEN;
        plot.line(curve.name, x, curve.values, color, 2);
        if (x.length <= 60) plot.points("", x, curve.values, color, Plot.Mark.DOT);
      } else plot.dashed(curve.name, x, curve.values, Palette.GREY, 1.6);
    }
    return plot;
  }

  /// Milliseconds since 1970 as clocks show them.
  private record Clock(Optional<ZoneId> zone) implements Scale.Clock {
    private ZoneId clocks() {
      return zone.orElse(ZoneOffset.UTC);
    }

    @Override
    public LocalDateTime time(double value) {
      long moment = (long) Math.clamp(value, -LIMIT, LIMIT);
      return LocalDateTime.ofInstant(java.time.Instant.ofEpochMilli(moment), clocks());
    }

    @Override
    public double value(LocalDateTime time) {
      return time.atZone(clocks()).toInstant().toEpochMilli();
    }
  }
}

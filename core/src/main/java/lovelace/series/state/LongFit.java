package lovelace.series.state;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import lovelace.linear.Parallel;
import lovelace.optimize.Lbfgs;
import lovelace.series.Covariates;
import lovelace.series.state.Structure.Level;
import org.jspecify.annotations.Nullable;

/// Fits several state spaces to one long or irregular series: each with the columns of [Rich] and
/// with the states of a [Structure].
///
/// First, two simple structures tell what the columns explain. The variances and memories of all
/// structures are then learned on the rest, which is one column, by L-BFGS with the gradient of
/// [Score]. At last every structure filters all columns at once, and learns the sizes of the
/// columns.
public final class LongFit {

  /// Structures with more than [#STATES] states are learned from at most [#LAST] last values.
  private static final int STATES = 10, LAST = 6_000;

  /// The steps of the searches.
  private static final int PRIOR_STEPS = 12, STATE_STEPS = 25;

  /// Shorter series learn no variances: they average over a grid of them.
  private static final int SHORT = 80;

  /// Scales of the values whose evidence is this much below the best, a value, are left out.
  private static final double FAR = 0.02;

  private final Data data;
  private final Rich rich;
  private final int columns;
  private final double[] rows;
  private final boolean[] there;

  /// A series under one or more scales of its values.
  ///
  /// @param times of the values, and of the horizon after them
  /// @param size the number of times before the horizon
  /// @param values by scale, then time; NaN in gaps
  /// @param logSlope by scale: Σ log |dz/dy| before each place
  /// @param least the smallest sum of squares, by scale
  /// @param periods of the seasons in steps, ascending
  @SuppressWarnings("ArrayRecordComponent")
  public record Data(
      Times times,
      int size,
      double[][] values,
      double[][] logSlope,
      double[] least,
      double[] periods,
      @Nullable Covariates covariates) {}

  private LongFit(Data data) {
    this.data = data;
    Times times = data.times;
    double span = times.at(data.size - 1) - times.at(0);
    rich = Rich.of(data.periods, span, times.whole(), data.covariates);
    int k = rich.design.size();
    int series = data.values.length;
    columns = k + 1 + series;
    rows = new double[times.size() * columns];
    there = new boolean[times.size()];
    Parallel.chunks(
        times.size(),
        1_024,
        (index, from, to) -> {
          for (int t = from; t < to; t++) {
            rich.design.row(t, times.at(t), rows, t * columns);
            rows[t * columns + k] = 1;
            there[t] = t < data.size && !Double.isNaN(data.values[0][t]);
            if (there[t])
              for (int s = 0; s < series; s++) rows[t * columns + k + 1 + s] = data.values[s][t];
          }
        });
  }

  /// Fits a series.
  ///
  /// @param origins ascending places at which forecasts are made too
  /// @param steps how many times after each of them are forecast
  public static List<LongPoint> of(Data data, int[] origins, int steps) {
    return new LongFit(data).points(origins, steps);
  }

  /// The estimates of one structure from all values.
  ///
  /// @param priors the parameters of the columns, by scale
  @SuppressWarnings("ArrayRecordComponent")
  private record Pilot(Structure structure, double[] x, double[][] priors, double[] evidence) {}

  private List<LongPoint> points(int[] origins, int steps) {
    int series = data.values.length;
    double short1 = Math.max(1.5, first() / 8);
    Structure[] simple = {
      new Structure(Level.FIXED, new double[] {short1}, new double[0]),
      new Structure(Level.WALK, new double[0], new double[0])
    };
    Pilot[] pilots = new Pilot[simple.length];
    Parallel.forEach(
        simple.length,
        i -> {
          double[] x = simple[i].start();
          Filter.Snapshot all = filter(simple[i].chain(x, data.times.whole()), data.size).getLast();
          double[][] priors = new double[series][];
          double[] evidence = new double[series];
          for (int s = 0; s < series; s++) {
            priors[s] =
                rich.best(all, s, data.least, rich.start(), data.size < SHORT ? 0 : PRIOR_STEPS);
            evidence[s] = evidence(all, s, priors[s]);
          }
          pilots[i] = new Pilot(simple[i], x, priors, evidence);
        });
    Pilot best = max(pilots[0].evidence) >= max(pilots[1].evidence) ? pilots[0] : pilots[1];
    double top = max(best.evidence);
    int[] taken =
        IntStream.range(0, series)
            .filter(s -> best.evidence[s] >= top - Math.max(10, FAR * data.size))
            .toArray();
    int main = taken[0];
    for (int s : taken) if (best.evidence[s] > best.evidence[main]) main = s;
    double[] rest = rest(best, main);
    List<Structure> structures = structures(short1);
    List<List<LongPoint>> found = new ArrayList<>();
    for (int i = 0; i < structures.size(); i++) found.add(List.of());
    Parallel.forEach(
        structures.size(),
        i -> found.set(i, fit(structures.get(i), best, taken, rest, origins, steps)));
    return found.stream().flatMap(List::stream).toList();
  }

  private static double max(double[] values) {
    return Arrays.stream(values).max().orElseThrow();
  }

  /// The shortest season, or ten steps.
  private double first() {
    return data.periods.length == 0 ? 10 : data.periods[0];
  }

  /// The structures that are tried.
  private List<Structure> structures(double short1) {
    double[] none = new double[0];
    double[] one = {short1};
    double[] two = {short1, 2 * Math.max(first(), 5)};
    List<Structure> all = new ArrayList<>();
    all.add(new Structure(Level.FIXED, none, none));
    all.add(new Structure(Level.WALK, none, none));
    all.add(new Structure(Level.FIXED, one, none));
    all.add(new Structure(Level.WALK, one, none));
    all.add(new Structure(Level.SLOPE, none, none));
    all.add(new Structure(Level.FIXED, two, none));
    if (data.periods.length > 0 && data.periods[0] >= 3) {
      double[] day = {data.periods[0]};
      all.add(new Structure(Level.WALK, one, day));
      all.add(new Structure(Level.FIXED, two, day));
    }
    return all;
  }

  private List<Filter.Snapshot> filter(Chain chain, int... places) {
    return Filter.run(chain, data.times, rows, columns, there, places);
  }

  private double evidence(Filter.Snapshot snapshot, int s, double[] x) {
    return Regression.of(Rich.only(snapshot, s, data.values.length), rich.priors(x), data.least[s])
            .evidence(0)
        + data.logSlope[s][snapshot.place()];
  }

  /// The values of one scale less what the columns of a pilot explain.
  private double[] rest(Pilot pilot, int s) {
    Filter.Snapshot all =
        filter(pilot.structure.chain(pilot.x, data.times.whole()), data.size).getLast();
    Regression regression =
        Regression.of(
            Rich.only(all, s, data.values.length), rich.priors(pilot.priors[s]), data.least[s]);
    double[] effects = Rich.effects(rows, columns, data.size, regression.coefficients(0));
    double[] rest = new double[data.size];
    for (int t = 0; t < rest.length; t++)
      rest[t] = there[t] ? data.values[s][t] - effects[t] : Double.NaN;
    return rest;
  }

  /// The points of one structure: one for each scale.
  private List<LongPoint> fit(
      Structure structure, Pilot pilot, int[] taken, double[] rest, int[] origins, int steps) {
    List<double[]> all = data.size < SHORT ? structure.grid() : List.of(learned(structure, rest));
    List<LongPoint> points = new ArrayList<>();
    for (double[] x : all) points.addAll(fit(structure, x, pilot, taken, origins, steps));
    return points;
  }

  private List<LongPoint> fit(
      Structure structure, double[] x, Pilot pilot, int[] taken, int[] origins, int steps) {
    Chain chain = structure.chain(x, data.times.whole());
    int[] places = Arrays.copyOf(origins, origins.length + 1);
    places[origins.length] = data.size;
    List<Filter.Snapshot> snapshots = filter(chain, places);
    List<LongPoint> points = new ArrayList<>();
    for (int s : taken) {
      double[] best =
          data.size < SHORT
              ? pilot.priors[s]
              : rich.best(snapshots.getLast(), s, data.least, pilot.priors[s], PRIOR_STEPS);
      List<Ahead> ahead = new ArrayList<>();
      double[] priors = rich.priors(best);
      Filter.Snapshot whole = Rich.only(snapshots.getLast(), s, data.values.length);
      Regression last = Regression.of(whole, priors, data.least[s]);
      double evidence = last.evidence(0) + data.logSlope[s][whole.place()];
      for (Filter.Snapshot snapshot : snapshots) {
        Filter.Snapshot own = Rich.only(snapshot, s, data.values.length);
        Regression regression = Regression.of(own, priors, data.least[s]);
        int from = own.place();
        int most = from == data.size ? data.times.size() - from : steps;
        ahead.add(ahead(chain, own, regression, from, Math.min(most, data.times.size() - from), s));
      }
      points.add(new LongPoint(s, evidence, ahead, this, chain, last, priors));
    }
    return points;
  }

  /// The variances and memories of a structure under which the rest is likeliest.
  private double[] learned(Structure structure, double[] rest) {
    double[] start = structure.start();
    if (start.length == 0) return start;
    int from = structure.states() > STATES ? Math.max(0, rest.length - LAST) : 0;
    Times times = data.times.between(from, rest.length);
    Score score = new Score(structure, times, Arrays.copyOfRange(rest, from, rest.length));
    double[] lower = Arrays.stream(start).map(v -> v - 12).toArray();
    double[] upper = Arrays.stream(start).map(v -> v + 8).toArray();
    return Lbfgs.DEFAULT
        .withMaxIterations(STATE_STEPS)
        .withMaxEvaluations(2 * STATE_STEPS)
        .withRelativeTolerance(1e-6)
        .minimize(score::loss, start, lower, upper)
        .x();
  }

  private Ahead ahead(
      Chain chain, Filter.Snapshot own, Regression regression, int from, int steps, int s) {
    int k = rich.design.size();
    double[] gaps =
        IntStream.range(from, from + steps)
            .mapToDouble(t -> data.times.at(t) - data.times.at(t - 1))
            .toArray();
    double[] some = new double[steps * (k + 2)];
    for (int i = 0; i < steps; i++) {
      System.arraycopy(rows, (from + i) * columns, some, i * (k + 2), k + 1);
      some[i * (k + 2) + k + 1] = rows[(from + i) * columns + k + 1 + s];
    }
    return Ahead.of(chain, own, regression, 1, gaps, some);
  }

  LongParts parts(Chain chain, Regression regression, int s, int... groups) {
    return LongParts.of(
        chain,
        rich.design,
        data.times,
        rows,
        columns,
        there,
        regression,
        s,
        data.periods.length,
        groups);
  }

  ShockSearch shocks(Chain chain, double[] priors, int s) {
    int y = rich.design.size() + 1 + s;
    return new ShockSearch(chain, data.times, rows, columns, there, priors, y, data.least[s]);
  }

  OneAhead oneAhead(Chain chain, double[] priors, int s) {
    int y = rich.design.size() + 1 + s;
    return OneAhead.of(
        chain, data.times, rows, columns, there, priors, data.size, y, data.least[s]);
  }

  /// The place and the spread of the coefficient of a known column.
  double[] coefficient(Regression regression, int column) {
    int k = rich.design.size();
    double[] r = new double[k + 1];
    for (int c = 0; c < k; c++)
      if (rich.design.column(c).term() == Design.COVARIATES
          && rich.design.column(c).harmonic() == column) r[c] = 1;
    double[] all = regression.coefficients(0);
    double place = 0;
    for (int c = 0; c < k; c++) place += r[c] * all[c];
    double variance = regression.variances(1, r, k + 1)[0];
    return new double[] {place, Math.sqrt(regression.scale(0) * variance)};
  }
}

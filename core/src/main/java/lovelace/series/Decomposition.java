package lovelace.series;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;
import java.util.stream.IntStream;
import lovelace.linear.Blas;
import lovelace.series.Components.Kind;
import lovelace.series.Components.Part;
import org.jspecify.annotations.Nullable;

/// The parts of a series by Gaussian conditioning.
///
/// For a part with covariance `k_c`, `W = L⁻¹ k_c(values, steps)` gives its mean `Wᵀ(v − o·level)`
/// and, with q its row of `Wᵀo`, its variance `k_c(s, s) − |W_s|² + q²/oo` in units of the mean
/// square. The trend has the level besides: 1 − q stands in place of q.
final class Decomposition {

  private final History history;
  private final int steps;
  private final List<Term> terms;

  /// @param columns that belong to the part
  @SuppressWarnings("ArrayRecordComponent")
  private record Term(Kind kind, String name, double period, int[] columns) {}

  private Decomposition(History history, int horizon, List<Term> terms) {
    this.history = history;
    this.terms = terms;
    steps = history.size() + horizon;
  }

  /// The parts of a history and the steps after it.
  ///
  /// @param points whose columns are centred
  static Components of(
      Library library,
      History history,
      int first,
      int horizon,
      List<PointFit> points,
      @Nullable Covariates columns,
      UnaryOperator<String> group,
      double... levels) {
    List<Term> terms = new ArrayList<>();
    terms.add(new Term(Kind.TREND, "trend", 0, new int[0]));
    for (double period : library.seasons())
      terms.add(new Term(Kind.SEASON, "season " + Season.text(period), period, new int[0]));
    if (library.shapes().stream().anyMatch(shape -> shape.deviation() > 0))
      terms.add(new Term(Kind.DEVIATION, "deviations", 0, new int[0]));
    if (columns != null)
      columns.names().stream()
          .map(group)
          .distinct()
          .forEach(
              name ->
                  terms.add(
                      new Term(
                          Kind.EFFECT,
                          name,
                          0,
                          IntStream.range(0, columns.names().size())
                              .filter(c -> group.apply(columns.names().get(c)).equals(name))
                              .toArray())));
    terms.add(new Term(Kind.REMAINDER, "remainder", 0, new int[0]));
    Decomposition parts = new Decomposition(history, horizon, terms);
    return new Components(first, parts.of(points, columns, levels));
  }

  private List<Part> of(List<PointFit> points, @Nullable Covariates columns, double... levels) {
    int count = points.size();
    double[][] base = new double[count][steps]; // the sum of the parts before
    List<Part> parts = new ArrayList<>();
    for (Term term : terms) {
      Blend[] blends = new Blend[steps];
      for (int s = 0; s < steps; s++)
        blends[s] = new Blend(history.scale, history.seen() - 1, points);
      Map<Factor, Given> known = new HashMap<>();
      for (int p = 0; p < count; p++) {
        PointFit point = points.get(p);
        Given given = known.computeIfAbsent(point.factor, f -> given(term, point, columns));
        double[] mean = given.mean(point);
        for (int s = 0; s < steps; s++) {
          double spread = Math.sqrt(given.variance[s] * point.unit());
          if (term.kind == Kind.TREND) blends[s].value(p, point.centre + mean[s], spread);
          else blends[s].difference(p, point.centre + base[p][s], mean[s], spread);
          base[p][s] += mean[s];
        }
      }
      double[] estimate = Arrays.stream(blends).mapToDouble(Blend::centre).toArray();
      double[][] quantiles =
          Arrays.stream(blends).map(b -> b.quantiles(levels)).toArray(double[][]::new);
      parts.add(new Part(term.kind, term.name, estimate, quantiles));
    }
    return parts;
  }

  /// A part given the values, for all points of one shape.
  ///
  /// @param w by value, then step; empty for a part that the shape does not have
  /// @param flat how much a unit of the level adds to each step
  /// @param level how much of the level the part has
  @SuppressWarnings("ArrayRecordComponent")
  private record Given(double[] w, double[] flat, double[] variance, double level) {

    double[] mean(PointFit point) {
      double[] mean = new double[flat.length];
      if (w.length > 0)
        for (int i = 0; i < point.n; i++)
          Blas.axpy(flat.length, point.rest[i], w, i * flat.length, mean, 0);
      for (int s = 0; s < mean.length; s++) mean[s] += level * point.level;
      return mean;
    }
  }

  private Given given(Term term, PointFit point, @Nullable Covariates columns) {
    double[] k = covariance(term, point.shape, columns);
    double[] flat = new double[steps];
    double[] variance = new double[steps];
    if (k.length == 0) return new Given(k, flat, variance, 0);
    int[] observed = history.observed;
    int n = observed.length;
    double[] w = new double[n * steps];
    for (int i = 0; i < n; i++)
      for (int s = 0; s < steps; s++)
        w[i * steps + s] = k[Math.max(observed[i], s) * steps + Math.min(observed[i], s)];
    point.factor.whiten(n, steps, w);
    double level = term.kind == Kind.TREND ? 1 : 0;
    Arrays.fill(flat, level);
    for (int s = 0; s < steps; s++) variance[s] = k[s * steps + s];
    for (int i = 0; i < n; i++) {
      double o = point.factor.ones[i];
      for (int s = 0; s < steps; s++) {
        double x = w[i * steps + s];
        flat[s] -= o * x;
        variance[s] -= x * x;
      }
    }
    for (int s = 0; s < steps; s++)
      variance[s] = Math.max(variance[s] + flat[s] * flat[s] / point.squares, 0);
    return new Given(w, flat, variance, level);
  }

  /// The lower triangle of the covariance of a part at all steps; empty for a part that a shape
  /// does not have.
  private double[] covariance(Term term, Shape shape, @Nullable Covariates columns) {
    double[] none = {};
    return switch (term.kind) {
      case TREND -> shape.trend(steps);
      case SEASON ->
          shape.seasons().stream()
              .filter(season -> season.period() == term.period)
              .findFirst()
              .map(season -> shape.season(season, steps))
              .orElse(none);
      case DEVIATION -> shape.deviation() > 0 ? shape.deviations(steps) : none;
      case EFFECT -> columns == null ? none : columns.effects(shape, term.columns, steps);
      case REMAINDER -> {
        double[] noise = new double[steps * steps];
        for (int s = 0; s < steps; s++) noise[s * steps + s] = 1;
        yield noise;
      }
    };
  }
}

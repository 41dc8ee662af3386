package lovelace.features;

import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import lovelace.budget.Budget;
import lovelace.budget.Budget.TimeUpException;
import lovelace.data.Dataset;
import lovelace.data.PlaceMap;
import lovelace.kernel.Hyperparameters;
import lovelace.kernel.Parameter;
import lovelace.learning.Learned;
import lovelace.learning.Learner;
import lovelace.neighbours.VecchiaLikelihood;
import lovelace.optimize.Lbfgs;

/// Geometric anisotropy: the direction in which a process varies most slowly, with lengthscales
/// along and across it.
///
/// The angle maximises the likelihood of rows given their neighbours, with the best values of all
/// other parameters at each angle. Both lengthscales are free, so angles from 0° to 90° are enough:
/// six of them are tried, then a golden section narrows the best one down. Neighbours are the
/// nearest on the plane and do not depend on the angle, so the likelihood is a smooth function of
/// it.
///
/// @param angle the direction of the longer lengthscale in degrees clockwise from north, from 0 to
///   180
/// @param standardError the standard error of the angle in degrees, from the curvature of the
///   likelihood; NaN if the likelihood has none
/// @param along the longer lengthscale
/// @param across the shorter lengthscale
/// @param gain how much larger the log-likelihood is than at the angle that fits worst, where the
///   two lengthscales hardly differ
/// @param timeUp whether time ran out before the angle was known to half a degree
/// @param hyperparameters the parameters learned at the angle, over the rotated axes
public record Direction(
    double angle,
    double standardError,
    double along,
    double across,
    double gain,
    boolean timeUp,
    Hyperparameters hyperparameters) {

  /// The number of terms of the likelihood, and of the neighbours of each.
  private static final int TERMS = 4000;

  private static final int NEIGHBOURS = 20;

  private static final int ANGLES = 6;

  /// The accuracy of the angle, in degrees.
  private static final double CLOSE = 0.5;

  /// The relative improvement at which parameters are good enough to compare angles. It is less
  /// than a hundredth of the log-likelihood of a few thousand terms.
  private static final double SETTLED = 1e-6;

  /// The step in degrees over which the curvature is measured.
  private static final double STEP = 4;

  /// Lengthscales whose ratio is smaller count as equal.
  private static final double RATIO = 1.05;

  /// The smallest gain of log-likelihood that counts.
  private static final double GAIN = 2;

  /// Whether the rows determine a direction.
  public boolean isSeen() {
    return along >= RATIO * across && gain >= GAIN;
  }

  /// Describes the result.
  public String text() {
    if (!isSeen())
      return String.format(
          Locale.ROOT,
          "none found: lengthscales of %.4g and %.4g gain %.2g in log-likelihood; axes are not rotated",
          along,
          across,
          gain);
    return String.format(
        Locale.ROOT,
        "the process varies most slowly at %.1f°%s clockwise from north, with a lengthscale %.3g times as long as across; it gains %.4g in log-likelihood",
        angle,
        standardError > 0 ? String.format(Locale.ROOT, " ± %.2g°", standardError) : "",
        along / across,
        gain);
  }

  /// Learns the direction of a process over the features that `map` makes of the rows' columns.
  ///
  /// @param rows rows with the columns of the table
  /// @param unset parameters of a kernel over the features
  /// @param learner how parameters are learned at each angle
  /// @param seed the seed of the order of the rows
  public static Direction learn(
      Dataset rows, PlaceMap map, Hyperparameters unset, Learner learner, long seed) {
    return new Search(rows, map, unset, learner, seed).run();
  }

  private static final class Search {
    private final Dataset rows;
    private final PlaceMap map;
    private final Learner learner;
    private final long seed;
    private final double[] first; // geometric mean of both first lengthscales
    private final Hyperparameters round;
    private final TreeMap<Double, Learned> known = new TreeMap<>();
    private Hyperparameters from;

    Search(Dataset rows, PlaceMap map, Hyperparameters unset, Learner learner, long seed) {
      this.rows = rows;
      this.map = map;
      this.learner =
          learner.optimizer() instanceof Lbfgs lbfgs
              ? learner.withOptimizer(lbfgs.withRelativeTolerance(SETTLED))
              : learner;
      this.seed = seed;
      Dataset plane = turned(0);
      Hyperparameters filled = unset.fill(plane.inputs(), plane.target());
      first = filled.values();
      int at = 0;
      int found = 0;
      for (Parameter p : filled.parameters()) {
        if (p.role() == Parameter.Role.LENGTHSCALE && p.size() == rows.dimensions() && !p.fixed()) {
          double mean = Math.sqrt(first[at + map.east()] * first[at + map.north()]);
          first[at + map.east()] = mean;
          first[at + map.north()] = mean;
          found++;
        }
        at += p.size();
      }
      if (found == 0)
        throw new IllegalArgumentException(
            "a direction needs a free lengthscale for each column, and kernel %s has none; use a kernel such as matern32, or leave the anisotropy out"
                .formatted(unset.kernel()));
      round = filled.with(first);
      from = round;
    }

    /// The rows over axes rotated by an angle.
    private Dataset turned(double angle) {
      PlaceMap turned = map.turned(angle);
      double[] x = new double[rows.size() * turned.outputs()];
      turned.apply(rows.inputs(), rows.size(), x);
      return rows.withInputs(x, turned.features(rows.columns()));
    }

    /// The log-likelihood at an angle with the best other parameters.
    private double at(double angle) {
      Learned old = known.get(angle);
      if (old != null) return old.logLikelihood();
      Budget.check();
      VecchiaLikelihood all = VecchiaLikelihood.of(turned(angle), round, NEIGHBOURS, seed);
      VecchiaLikelihood some = all.size() > TERMS ? all.some(TERMS, seed) : all;
      Learned learned = learner.learn(some, List.of(from), 1);
      if (learned.timeUp() && !known.isEmpty()) throw new TimeUpException("the angle");
      known.put(angle, learned);
      from = best().getValue().hyperparameters();
      return learned.logLikelihood();
    }

    private Map.Entry<Double, Learned> best() {
      return known.entrySet().stream()
          .max((a, b) -> Double.compare(a.getValue().logLikelihood(), b.getValue().logLikelihood()))
          .orElseThrow();
    }

    Direction run() {
      boolean timeUp = false;
      double error = Double.NaN;
      double worst = Double.NEGATIVE_INFINITY;
      try {
        double step = 90.0 / ANGLES;
        worst = Double.POSITIVE_INFINITY;
        for (int i = 0; i < ANGLES; i++) {
          from = i == 0 ? round : from;
          worst = Math.min(worst, at(step * i));
        }
        narrow(best().getKey() - step, best().getKey() + step);
        double angle = best().getKey();
        double top = best().getValue().logLikelihood();
        double curvature = (at(angle - STEP) + at(angle + STEP) - 2 * top) / (STEP * STEP);
        if (curvature < 0) error = Math.sqrt(-1 / curvature);
      } catch (TimeUpException e) {
        timeUp = true;
        if (known.isEmpty()) throw e;
      }
      Learned end = best().getValue();
      Hyperparameters h = end.hyperparameters();
      double[] lengths = lengths(h);
      double angle = best().getKey() + (lengths[1] >= lengths[0] ? 0 : 90);
      angle = ((angle % 180) + 180) % 180;
      return new Direction(
          angle,
          error,
          Math.max(lengths[0], lengths[1]),
          Math.min(lengths[0], lengths[1]),
          end.logLikelihood() - worst,
          timeUp,
          h);
    }

    /// The first lengthscale along each axis.
    private double[] lengths(Hyperparameters h) {
      double[] values = h.values();
      int at = 0;
      for (Parameter p : h.parameters()) {
        if (p.role() == Parameter.Role.LENGTHSCALE && p.size() == rows.dimensions())
          return new double[] {values[at + map.east()], values[at + map.north()]};
        at += p.size();
      }
      throw new IllegalStateException("no lengthscale");
    }

    /// Narrows the angle down by golden section.
    private void narrow(double low, double high) {
      double part = (Math.sqrt(5) - 1) / 2;
      double a = low;
      double b = high;
      double c = b - part * (b - a);
      double d = a + part * (b - a);
      while (b - a > CLOSE) {
        if (at(c) > at(d)) {
          b = d;
          d = c;
          c = b - part * (b - a);
        } else {
          a = c;
          c = d;
          d = a + part * (b - a);
        }
      }
    }
  }
}

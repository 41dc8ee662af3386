package lovelace.kernel;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/// Values, from the data, for parameters that were not given one.
///
/// A lengthscale starts at the standard deviation of its column, an output scale at its share of
/// the target's variance, the noise at the roughness of the target between nearest neighbours,
/// periods and frequencies at the strongest peaks of the periodogram, the prior mean at the
/// least-squares constant or plane. Parameters that have a value keep it.
public final class StartValues {

  private static final double DECADES = 1e5;
  private static final double[] MULTIPLES = {1, 0.5, 0.25, 0.1, 0.04, 2};

  private final DataScales scales;
  private final double[] values;
  private final boolean[] lengthscale;
  private final int[] periods;

  private StartValues(Hyperparameters hyperparameters, double[] inputs, double[] target) {
    int d = hyperparameters.kernel().dimensions();
    this.scales = new DataScales(inputs, d, target);
    this.values = hyperparameters.values();
    this.lengthscale = new boolean[values.length];
    this.periods = new int[d];
    int noise = fill(hyperparameters.kernel(), scales.variance(), 0);
    if (Double.isNaN(values[noise])) values[noise] = scales.noise();
    int coefficients = values.length - noise - 1;
    double[] mean = coefficients > 1 ? scales.plane() : new double[] {scales.level()};
    for (int i = 0; i < coefficients; i++)
      if (Double.isNaN(values[noise + 1 + i])) values[noise + 1 + i] = mean[i];
  }

  /// The parameters with every unset one given a value. Inputs row-major.
  public static Hyperparameters fill(
      Hyperparameters hyperparameters, double[] inputs, double[] target) {
    StartValues start = new StartValues(hyperparameters, inputs, target);
    return start.bounded(hyperparameters.with(start.values));
  }

  private Hyperparameters bounded(Hyperparameters filled) {
    Hyperparameters bounded = filled;
    int noise = filled.kernel().parameters().size();
    for (int i = 0; i < filled.parameters().size(); i++) {
      Parameter p = filled.parameters().get(i);
      double floor = i == noise ? Hyperparameters.NOISE_FLOOR : 1e-100;
      if (!p.positive() || p.lower() > floor || p.upper() < 1e100) continue; // somebody's bounds
      double least = Arrays.stream(p.values()).min().orElse(1);
      double most = Arrays.stream(p.values()).max().orElse(1);
      bounded =
          i == noise
              ? bounded.withBounds(
                  p.path(),
                  Math.min(least, 1e-8 * scales.variance()),
                  Math.max(most, 1e3 * scales.variance()))
              : bounded.withBounds(p.path(), least / DECADES, most * DECADES);
    }
    return bounded;
  }

  /// Several starts of which a fitter should take the likeliest: [#fill] first, then the same with
  /// the lengthscales that were unset longer and shorter. One only when none was unset.
  public static List<Hyperparameters> candidates(
      Hyperparameters hyperparameters, double[] inputs, double[] target) {
    StartValues start = new StartValues(hyperparameters, inputs, target);
    Hyperparameters bounded = start.bounded(hyperparameters.with(start.values));
    List<Hyperparameters> candidates = new ArrayList<>();
    for (double multiple : MULTIPLES) {
      double[] values = start.values.clone();
      boolean moved = false;
      for (int i = 0; i < values.length; i++)
        if (start.lengthscale[i]) {
          values[i] *= multiple;
          moved = true;
        }
      if (candidates.isEmpty() || moved) candidates.add(bounded.with(values));
    }
    return candidates;
  }

  /// Fills the parameters of a kernel of prior variance `amplitude` from `offset` on; returns where
  /// the next kernel's begin.
  private int fill(Kernel kernel, double amplitude, int offset) {
    return switch (kernel) {
      case Leaf leaf -> fillLeaf(leaf, amplitude, offset);
      case Kernel.Scaled(double own, Kernel inner) -> {
        if (Double.isNaN(own)) values[offset] = amplitude;
        yield fill(inner, 1, offset + 1);
      }
      case Kernel.Sum(var terms) -> {
        int next = offset;
        for (Kernel term : terms) next = fill(term, amplitude / terms.size(), next);
        yield next;
      }
      case Kernel.Product(var factors) -> {
        int next = offset;
        double left = amplitude;
        for (Kernel factor : factors) {
          next = fill(factor, left, next);
          if (hasAmplitude(factor)) left = 1;
        }
        yield next;
      }
      case Kernel.Additive additive ->
          throw new IllegalArgumentException(
              additive + " is not bound; call bind(number of columns) first");
    };
  }

  private static boolean hasAmplitude(Kernel kernel) {
    return !(kernel instanceof Radial || kernel instanceof Periodic || kernel instanceof Cosine);
  }

  private int fillLeaf(Leaf leaf, double amplitude, int offset) {
    int[] columns = leaf.columns();
    int next = offset;
    for (int s = 0; s < leaf.slots().size(); s++) {
      String name = leaf.slots().get(s).name();
      int length = leaf.slot(s).length;
      double[] start = new double[length];
      switch (name) {
        case "lengthscale" -> {
          boolean radial = leaf instanceof Radial;
          for (int i = 0; i < length; i++) {
            start[i] = radial ? scales.spread(columns[i]) : 1;
            lengthscale[next + i] = radial && Double.isNaN(values[next + i]);
          }
        }
        case "period" -> {
          for (int i = 0; i < length; i++)
            if (Double.isNaN(values[next + i])) start[i] = period(columns[i]);
        }
        case "frequency" -> {
          for (int i = 0; i < columns.length; i++) {
            double[] peaks = scales.frequencies(columns[i], length / columns.length);
            for (int q = 0; q < peaks.length; q++) start[q * columns.length + i] = peaks[q];
          }
        }
        case "bandwidth" -> {
          for (int i = 0; i < length; i++)
            start[i] = 1 / (2 * Math.PI * scales.spread(columns[i % columns.length]));
        }
        case "weight" -> Arrays.fill(start, amplitude / length);
        case "variance" -> {
          if (leaf instanceof Linear)
            for (int i = 0; i < length; i++) {
              double spread = scales.spread(columns[i]);
              start[i] = amplitude / (length * spread * spread);
            }
          else Arrays.fill(start, leaf instanceof White ? scales.noise() : amplitude);
        }
        default -> {
          double fallback = leaf.slots().get(s).fallback();
          Arrays.fill(start, Double.isNaN(fallback) ? 1 : fallback);
        }
      }
      for (int i = 0; i < length; i++)
        if (Double.isNaN(values[next + i])) values[next + i] = start[i];
      next += length;
    }
    return next;
  }

  /// The next strongest period of the target in a column.
  private double period(int column) {
    int rank = periods[column]++;
    return 1 / scales.frequencies(column, rank + 1)[rank];
  }
}

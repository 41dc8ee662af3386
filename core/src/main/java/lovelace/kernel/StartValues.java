package lovelace.kernel;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.SplittableRandom;
import lovelace.kernel.KernelFunction.Slot;

/// Finds starting values in the data for unset parameters.
///
/// A lengthscale starts at the standard deviation of its column, or at 1 for a column of words. It
/// starts at a tenth of that in a term of a sum that repeats an earlier one, because equal terms
/// have equal slopes and would stay equal. An output scale starts at its share of the target's
/// variance, the noise at the roughness of the target between nearest neighbours, a period at the
/// strongest frequency of the target, and the prior mean at the least-squares constant or plane.
/// Parameters that have a value keep it.
///
/// A spectral mixture starts from the spectrum of the target ([Sinusoids]): components for a trend,
/// one component for each of the strongest frequencies, weighted by the variance it explains, and
/// perhaps a broad one for the rest. The noise starts at the variance that they leave. The fit
/// keeps frequencies below the mean Nyquist frequency and bandwidths above `1/(2π·range)`: data
/// cannot show that a component is correlated for longer than their range.
final class StartValues {

  /// The number of starts that [#candidates] makes for a spectral mixture by default.
  static final int MIXTURE_STARTS = 8;

  private static final double DECADES = 1e5;
  private static final double REPEATED = 0.1;
  private static final int FEW_COLUMNS = 3;
  private static final double NOISE_SPREAD = 0.5; // the variance of the log of a deviation
  private static final double[] MULTIPLES = {1, 0.5, 0.25, 0.1, 0.04, 2};

  /// Starts of a spectral mixture that end in different optima. Each gives the components for a
  /// trend, whether there is a broad one, and the other bandwidths as multiples of the least.
  private static final List<Variant> VARIANTS =
      List.of(
          new Variant(1, 1, 1, 1.05),
          new Variant(0.5, 1, 0, 4),
          new Variant(0.25, 1, 1, 4),
          new Variant(1, 1, 0, 2),
          new Variant(0.1, 0, 0, 2),
          new Variant(2, 2, 1, 2),
          new Variant(0.5, 1, 0, 1.05),
          new Variant(0.04, 0, 1, 4));

  private record Variant(double lengthscale, int trends, int broad, double bandwidth) {}

  private final DataScales scales;
  private final Variant variant;
  private final double[] values;
  private final int[] periods;
  private boolean lengthscales;
  private double shorter = 1; // the factor of lengthscales in a term that repeats others
  private double left = Double.NaN; // the variance that a spectral mixture does not explain

  private StartValues(Hyperparameters hyperparameters, DataScales scales, Variant variant) {
    this.scales = scales;
    this.variant = variant;
    this.values = hyperparameters.values();
    this.periods = new int[hyperparameters.kernel().dimensions()];
    int at = fill(hyperparameters.kernel(), scales.variance(), 0);
    double noise = Double.isNaN(left) ? scales.noise() : Math.max(left, 1e-6 * scales.variance());
    double[] own = hyperparameters.likelihood().startValues(scales.variance());
    List<String> names = hyperparameters.likelihood().parameterNames();
    for (int j = 0; j < names.size(); j++) put(at++, names.get(j).equals("noise") ? noise : own[j]);
    Kernel ofNoise = hyperparameters.noiseKernel().orElse(null);
    if (ofNoise != null) {
      at = fill(ofNoise, NOISE_SPREAD, at);
      put(at++, 0.5 * Math.log(noise));
    }
    int first = values.length - hyperparameters.mean().size();
    double[] mean = values.length - first > 1 ? scales.plane() : new double[] {scales.level()};
    for (int i = first; i < values.length; i++) put(i, mean[i - first]);
  }

  private static DataScales scales(Hyperparameters h, double[] inputs, double[] target) {
    return new DataScales(inputs, h.kernel().dimensions(), target, h.kernel().categories());
  }

  /// Gives every unset parameter a value. Inputs are row-major.
  static Hyperparameters fill(Hyperparameters hyperparameters, double[] inputs, double[] target) {
    DataScales scales = scales(hyperparameters, inputs, target);
    StartValues start = new StartValues(hyperparameters, scales, VARIANTS.getFirst());
    return bounded(hyperparameters.with(start.values), scales);
  }

  private static Hyperparameters bounded(Hyperparameters filled, DataScales scales) {
    Hyperparameters bounded = filled;
    double v = scales.variance();
    for (int i = 0; i < filled.parameters().size(); i++) {
      Parameter p = filled.parameters().get(i);
      boolean noise = p.role() == Parameter.Role.NOISE;
      double floor = noise ? Hyperparameters.NOISE_FLOOR : 1e-100;
      if (!p.positive() || p.lower() > floor || p.upper() < 1e100) continue; // the user's bounds
      double least = Arrays.stream(p.values()).min().orElse(1);
      double most = Arrays.stream(p.values()).max().orElse(1);
      double lower = least / DECADES;
      double upper = most * DECADES;
      if (noise) {
        lower = 1e-8 * v;
        upper = 1e3 * v;
      } else if (p.role() == Parameter.Role.FREQUENCY) {
        lower = 1e-3 * scales.slowest();
        upper = scales.fastest();
      } else if (p.role() == Parameter.Role.BANDWIDTH) {
        lower = scales.slowest() / (2 * Math.PI);
        upper = scales.fastest();
      }
      if (least > 0) lower = Math.min(least, lower); // a noise of 0 is fixed and needs no bound
      bounded = bounded.withBounds(p.path(), lower, Math.max(most, upper));
    }
    return bounded;
  }

  /// Returns several starting points, of which a fit should take the likeliest. The first is
  /// [#fill]. The others have longer and shorter values for the unset lengthscales. A spectral
  /// mixture has [#MIXTURE_STARTS]. There is only one if nothing can be varied.
  static List<Hyperparameters> candidates(
      Hyperparameters hyperparameters, double[] inputs, double[] target) {
    int count = hasManyOptima(hyperparameters) ? MIXTURE_STARTS : MULTIPLES.length;
    return candidates(hyperparameters, inputs, target, count);
  }

  /// Returns at most `count` starts. For a spectral mixture those beyond the eighth are the first
  /// eight, moved at random but always in the same way.
  static List<Hyperparameters> candidates(
      Hyperparameters hyperparameters, double[] inputs, double[] target, int count) {
    if (count < 1) throw new IllegalArgumentException("count must be >= 1, got " + count);
    DataScales scales = scales(hyperparameters, inputs, target);
    boolean mixture = hasManyOptima(hyperparameters);
    Hyperparameters first = fill(hyperparameters, inputs, target);
    List<Hyperparameters> candidates = new ArrayList<>(List.of(first));
    for (int c = 1; c < count && (mixture || c < MULTIPLES.length); c++) {
      Variant base = VARIANTS.get(c % VARIANTS.size());
      Variant variant = mixture ? base : new Variant(MULTIPLES[c], 1, 1, 1.05);
      StartValues start = new StartValues(hyperparameters, scales, variant);
      if (!mixture && !start.lengthscales) break;
      if (c >= VARIANTS.size()) start.move(hyperparameters, new SplittableRandom(c));
      Hyperparameters next = first.with(start.values);
      if (!candidates.contains(next)) candidates.add(next);
    }
    return candidates;
  }

  /// Whether the likelihood has many optima, so that a fit should follow several starting points
  /// for a while. This is true of an unset spectral mixture.
  static boolean hasManyOptima(Hyperparameters hyperparameters) {
    return hyperparameters.parameters().stream()
        .anyMatch(p -> !p.isSet() && p.role() == Parameter.Role.FREQUENCY);
  }

  /// Moves unset weights, bandwidths and frequencies of spectral mixtures.
  private void move(Hyperparameters unset, SplittableRandom random) {
    int at = 0;
    for (Parameter p : unset.parameters()) {
      for (double given : p.values()) {
        double z = random.nextGaussian();
        if (Double.isNaN(given))
          switch (p.role()) {
            case WEIGHT -> values[at] *= Math.exp(z);
            case BANDWIDTH ->
                values[at] = Math.min(values[at] * Math.exp(Math.abs(z)), scales.fastest());
            case FREQUENCY ->
                values[at] =
                    Math.clamp(
                        values[at] + 0.25 * z * scales.slowest(),
                        0.05 * scales.slowest(),
                        scales.fastest());
            default -> {}
          }
        at++;
      }
    }
  }

  /// Fills the parameters of a kernel of prior variance `amplitude` from `offset` on. Returns the
  /// offset of the next kernel. The terms of a sum share the variance.
  private int fill(Kernel kernel, double amplitude, int offset) {
    return switch (kernel) {
      case SpectralMixture mixture -> fillMixture(mixture, amplitude, offset);
      case Leaf leaf -> fillLeaf(leaf, amplitude, offset);
      case Kernel.Scaled(double own, boolean fixed, Kernel inner) -> {
        if (Double.isNaN(own)) values[offset] = amplitude / Coefficients.peak(inner);
        yield fill(inner, Coefficients.peak(inner), offset + 1);
      }
      case Kernel.Sum(var terms) -> {
        int next = offset;
        boolean equal = Coefficients.has(kernel); // else relative to one of variance 1
        double whole = Coefficients.peak(kernel);
        double outer = shorter;
        for (int t = 0; t < terms.size(); t++) {
          Kernel term = terms.get(t);
          double share = equal ? 1.0 / terms.size() : Coefficients.peak(term) / whole;
          int repeats = Collections.frequency(terms.subList(0, t), term);
          shorter = outer * Math.pow(REPEATED, repeats);
          next = fill(term, amplitude * share, next);
        }
        shorter = outer;
        yield next;
      }
      case Kernel.Product(var factors) -> {
        int next = offset;
        int carrier = Coefficients.carrier(factors);
        double others = Coefficients.peak(kernel);
        if (carrier >= 0) others /= Coefficients.peak(factors.get(carrier));
        for (int f = 0; f < factors.size(); f++)
          next =
              fill(
                  factors.get(f),
                  f == carrier ? amplitude / others : Coefficients.peak(factors.get(f)),
                  next);
        yield next;
      }
      case Kernel.Additive additive -> throw Evaluation.unbound(additive);
    };
  }

  private int fillMixture(SpectralMixture mixture, double amplitude, int offset) {
    int[] columns = mixture.columns();
    int width = columns.length;
    int size = mixture.size();
    int trends = Math.min(variant.trends, size);
    int broad = size - trends >= 2 ? variant.broad : 0;
    Sinusoids spectrum = scales.sinusoids(columns, size - trends - broad);
    double share = amplitude / scales.variance();
    double rest = Math.max(spectrum.left(), 1e-6 * scales.variance());
    for (int q = 0; q < size; q++) {
      int peak = q - trends;
      boolean isTrend = q < trends;
      boolean isBroad = q >= size - broad;
      boolean isPeak = !isTrend && !isBroad && peak < spectrum.count();
      double weight =
          isTrend
              ? scales.variance() / (1 + 9 * q)
              : isPeak ? Math.max(spectrum.power(peak), 0.1 * rest) : isBroad ? rest : 0.1 * rest;
      put(offset + q, share * weight);
      for (int i = 0; i < width; i++) {
        double slow = 1 / scales.range(columns[i]);
        double fast = scales.nyquist(columns[i]);
        double bandwidth = Math.min(variant.bandwidth * slow / (2 * Math.PI), fast);
        double frequency =
            isTrend
                ? (0.08 + 0.32 * q) * slow
                : isPeak ? spectrum.frequency(peak)[i] : isBroad ? fast / 4 : (peak + 1) * slow;
        put(offset + size + q * width + i, Math.clamp(frequency, 0.05 * slow, fast));
        put(offset + size + (size + q) * width + i, isBroad ? fast / 4 : bandwidth);
      }
    }
    left = spectrum.left();
    return offset + size * (1 + 2 * width);
  }

  private void put(int at, double start) {
    if (Double.isNaN(values[at])) values[at] = start;
  }

  private int fillLeaf(Leaf leaf, double amplitude, int offset) {
    int[] columns = leaf.columns();
    int next = offset;
    for (int s = 0; s < leaf.slots().size(); s++) {
      Slot slot = leaf.slots().get(s);
      for (int i = 0; i < leaf.slot(s).length; i++, next++) {
        if (!Double.isNaN(values[next])) continue;
        values[next] =
            switch (slot.role()) {
              case LENGTHSCALE -> lengthscale(columns[i], columns.length);
              case PERIOD -> period(columns[i]);
              case VARIANCE -> variance(leaf, amplitude, columns, i);
              default -> slot.start();
            };
      }
    }
    return next;
  }

  private double lengthscale(int column, int width) {
    lengthscales = true;
    double many = width > FEW_COLUMNS ? Math.sqrt(width) : 1;
    return shorter * variant.lengthscale * many * scales.spread(column);
  }

  private double variance(Leaf leaf, double amplitude, int[] columns, int i) {
    if (leaf instanceof White) return scales.noise();
    if (!(leaf instanceof Linear)) return amplitude;
    double spread = scales.spread(columns[i]);
    return amplitude / (columns.length * spread * spread);
  }

  /// The next strongest period of the target in a column.
  private double period(int column) {
    int rank = periods[column]++;
    Sinusoids spectrum = scales.sinusoids(new int[] {column}, rank + 1);
    return rank < spectrum.count()
        ? 1 / spectrum.frequency(rank)[0]
        : scales.range(column) / (rank + 1);
  }
}

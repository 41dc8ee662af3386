package lovelace.neighbours;

import java.util.Arrays;
import java.util.Locale;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import lovelace.budget.Budget;
import lovelace.data.Dataset;
import lovelace.inference.Evidence;
import lovelace.inference.Learnable;
import lovelace.inference.WarmStart;
import lovelace.kernel.Hyperparameters;
import lovelace.kernel.Kernel;
import lovelace.kernel.Leaf;
import lovelace.kernel.Term;
import lovelace.linear.Parallel;

/// The likelihood of rows, each given its k nearest earlier ones (Vecchia 1988; response form):
///
///     log p(y) ≈ Σᵢ log N(yᵢ | yₛ₍ᵢ₎)      covariance k + σ²/w on the diagonal
///
/// With k = n − 1 it is the exact likelihood. `n (k³/3 + k²)` operations, each term alone, so some of
/// them at random are an unbiased estimate of all.
///
/// The order is random, drawn from a seed (Guinness 2018). Nearest is meant in units of
/// lengthscales: those of the kernel's first term that has one along a column. A column that the kernel
/// reads without a lengthscale, as a periodic or a linear one does, is measured by its range; a
/// column that it does not read does not count. The neighbours stay as they are under all parameters
/// until [#withNeighbours].
///
/// Immutable. The same bits for any number of threads.
public final class VecchiaLikelihood implements Learnable {

  /// Terms that one thread sums.
  private static final int CHUNK = 256;

  /// The terms that are enough to tell poor start values from better ones.
  private static final int START_TERMS = 2000;

  private final Dataset data;
  private final int[] ranks;
  private final int k;
  private final double[] scales;
  private final int[] terms; // the rows whose terms are summed
  private final int[] neighbours; // k for each of them, −1 where there are fewer

  private VecchiaLikelihood(
      Dataset data, int[] ranks, int k, double[] scales, int[] terms, int[] neighbours) {
    this.data = data;
    this.ranks = ranks;
    this.k = k;
    this.scales = scales;
    this.terms = terms;
    this.neighbours = neighbours;
  }

  /// The likelihood with neighbours by the lengthscales of some hyperparameters.
  ///
  /// @param k neighbours of a row, at least 1
  /// @param seed of the order
  public static VecchiaLikelihood of(Dataset data, Hyperparameters h, int k, long seed) {
    return of(data, h, k, seed, data.size());
  }

  /// The same by `count` of its terms, as [#some] chooses them, without the neighbours of the
  /// others.
  static VecchiaLikelihood of(Dataset data, Hyperparameters h, int k, long seed, int count) {
    if (k < 1) throw new IllegalArgumentException("neighbours must be >= 1, got " + k);
    int n = data.size();
    SplittableRandom random = new SplittableRandom(seed);
    int[] ranks = shuffled(n, random.split());
    int[] terms = Arrays.copyOf(shuffled(n, random.split()), count(n, count));
    return found(data, ranks, Math.min(k, n - 1), h, terms);
  }

  private static int count(int most, int count) {
    if (!(count >= 1 && count <= most))
      throw new IllegalArgumentException("terms must be between 1 and " + most + ", got " + count);
    return count;
  }

  private static int[] shuffled(int n, SplittableRandom random) {
    int[] order = IntStream.range(0, n).toArray();
    for (int i = n - 1; i > 0; i--) {
      int j = random.nextInt(i + 1);
      int other = order[i];
      order[i] = order[j];
      order[j] = other;
    }
    return order;
  }

  private static VecchiaLikelihood found(
      Dataset data, int[] ranks, int k, Hyperparameters h, int[] some) {
    Budget.numbers(
        some.length,
        k,
        String.format(Locale.ROOT, "%d neighbours of each of %,d rows", k, some.length),
        "use fewer neighbours or rows");
    double[] scales = scales(data, h);
    NeighbourSearch search = NeighbourSearch.of(data.inputs(), data.dimensions(), scales, ranks);
    boolean[] chosen = new boolean[data.size()];
    for (int row : some) chosen[row] = true;
    // terms side by side share rows, which are then in the cache
    int[] terms = Arrays.stream(search.nearby()).filter(row -> chosen[row]).toArray();
    return new VecchiaLikelihood(data, ranks, k, scales, terms, search.nearest(terms, k));
  }

  /// What distances along each column are measured by.
  static double[] scales(Dataset data, Hyperparameters h) {
    int d = data.dimensions();
    double[] scales = new double[d];
    Arrays.fill(scales, Double.POSITIVE_INFINITY);
    boolean[] known = new boolean[d];
    Kernel kernel = h.kernel().withoutWhite();
    for (int c : kernel.activeColumns()) scales[c] = range(data, c);
    for (Term term : kernel.terms()) {
      double[] least = new double[d];
      Arrays.fill(least, Double.POSITIVE_INFINITY);
      for (Leaf leaf : term.factors()) {
        double[] lengths = leaf.lengths();
        int[] columns = leaf.columns();
        for (int i = 0; i < lengths.length; i++) {
          int c = columns[i % columns.length];
          if (lengths[i] > 0) least[c] = Math.min(least[c], lengths[i]);
        }
      }
      for (int c = 0; c < d; c++)
        if (!known[c] && least[c] < Double.POSITIVE_INFINITY) {
          known[c] = true;
          scales[c] = least[c];
        }
    }
    return scales;
  }

  private static double range(Dataset data, int column) {
    int d = data.dimensions();
    double low = Double.POSITIVE_INFINITY;
    double high = Double.NEGATIVE_INFINITY;
    for (int i = 0; i < data.size(); i++) {
      low = Math.min(low, data.inputs()[i * d + column]);
      high = Math.max(high, data.inputs()[i * d + column]);
    }
    return high > low ? high - low : 1;
  }

  /// The same rows, order and terms with neighbours by the lengthscales of other hyperparameters.
  public VecchiaLikelihood withNeighbours(Hyperparameters h) {
    return found(data, ranks, k, h, terms);
  }

  /// The same rows and order with all terms, and neighbours by the lengthscales of some
  /// hyperparameters.
  VecchiaLikelihood all(Hyperparameters h) {
    return found(data, ranks, k, h, IntStream.range(0, data.size()).toArray());
  }

  /// The same by `count` of its terms, chosen at random, with the neighbours that they have. Values
  /// are scaled to all rows: an unbiased estimate.
  public VecchiaLikelihood some(int count, long seed) {
    int[] chosen =
        Arrays.copyOf(
            shuffled(terms.length, new SplittableRandom(seed)), count(terms.length, count));
    Arrays.sort(chosen);
    int[] fewer = new int[count];
    int[] sets = new int[count * k];
    for (int i = 0; i < count; i++) {
      fewer[i] = terms[chosen[i]];
      System.arraycopy(neighbours, chosen[i] * k, sets, i * k, k);
    }
    return new VecchiaLikelihood(data, ranks, k, scales, fewer, sets);
  }

  /// How far the lengthscales have moved from those that the neighbours were found by: the largest
  /// factor by which the ratio of two columns has changed. Neighbours depend on nothing else.
  double moved(Hyperparameters h) {
    double[] now = scales(data, h);
    double least = Double.POSITIVE_INFINITY;
    double most = 0;
    for (int c = 0; c < now.length; c++)
      if (scales[c] < Double.POSITIVE_INFINITY) {
        least = Math.min(least, now[c] / scales[c]);
        most = Math.max(most, now[c] / scales[c]);
      }
    return most > 0 ? most / least : 1;
  }

  /// The terms that are summed.
  public int size() {
    return terms.length;
  }

  @Override
  public String name() {
    return "neighbours";
  }

  @Override
  public Learnable rough() {
    return size() <= START_TERMS ? this : some(START_TERMS, 1);
  }

  /// The standard error is 0 with all terms; otherwise it is that of the choice of terms.
  @Override
  public Evidence evidence(Hyperparameters h, WarmStart start) {
    Kernel full = h.kernel();
    Kernel latent = full.withoutWhite();
    double noise = h.noise() + full.whiteVariance();
    TermSums[] parts = new TermSums[Parallel.pieces(size(), CHUNK)];
    Parallel.chunks(
        size(),
        CHUNK,
        (piece, from, to) -> {
          TermSums sums = new TermSums(data, h, latent, noise, k);
          for (int i = from; i < to; i++)
            sums.add(terms[i], neighbours, i * k, Math.min(k, ranks[terms[i]]));
          sums.finish();
          parts[piece] = sums;
        });
    int n = data.size();
    double share = (double) n / size();
    double value = 0;
    double squares = 0;
    double[] gradient = new double[h.size()];
    int[] places = full.latentPlaces();
    int p = full.parameterCount();
    for (TermSums part : parts) {
      value += part.value;
      squares += part.squares;
      for (int i = 0; i < places.length; i++) gradient[places[i]] += share * part.kernelSlopes[i];
      gradient[p] += share * part.noiseSlope;
      for (int i = 0; i < part.meanSlopes.length; i++)
        gradient[p + 1 + i] += share * part.meanSlopes[i];
    }
    full.whiteGradient(gradient[p], gradient, 0);
    double error = 0;
    if (size() < n) {
      double mean = value / size();
      double spread = Math.max(0, squares / size() - mean * mean);
      error = n * Math.sqrt(spread / size() * (1 - (double) size() / n));
    }
    return new Evidence(share * value, gradient, error);
  }
}

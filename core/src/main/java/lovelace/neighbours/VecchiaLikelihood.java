package lovelace.neighbours;

import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import lovelace.budget.Budget;
import lovelace.data.Dataset;
import lovelace.inference.Evidence;
import lovelace.inference.Learnable;
import lovelace.inference.WarmStart;
import lovelace.kernel.Hyperparameters;
import lovelace.kernel.Leaf;
import lovelace.kernel.Term;
import lovelace.linear.Parallel;

/// The likelihood of rows, each given its k nearest earlier ones (Vecchia 1988; response form):
///
///     log p(y) ≈ Σᵢ log N(yᵢ | yₛ₍ᵢ₎)      covariance k + σ²/w on the diagonal
///
/// With k = n − 1 it is the exact likelihood. It takes `n (k³/3 + k²)` operations. Terms are
/// independent, so some of them give an unbiased estimate of all ([#some]).
///
/// The order is random, drawn from a seed (Guinness 2018). Distances are in units of lengthscales.
/// For a sum, the inverses of the lengthscales are averaged, weighted by the amplitudes of the
/// terms: this is how fast the kernel falls along a column. If a term reads a column but has no
/// lengthscale along it, as a periodic or a linear one, the range of the column is used. A column
/// that no term reads does not count. The neighbours stay the same under all parameters until
/// [#withNeighbours].
///
/// Immutable. Results have the same bits for any number of threads.
public final class VecchiaLikelihood implements Learnable {

  /// The number of terms that one thread sums at a time.
  private static final int CHUNK = 256;

  /// This many terms suffice to distinguish poor start values from better ones.
  private static final int START_TERMS = 2000;

  /// This many rows suffice to know the spread of a column.
  private static final int SPREAD_ROWS = 1000;

  /// The number of terms whose regressions are held at a time.
  private static final int SOLVED = 8192;

  /// The number of terms whose slopes are summed before they are squared.
  private static final int BLOCK = 32;

  private final Dataset data;
  private final int[] ranks;
  private final int k;
  private final double[] scales;
  private final int[] terms; // the rows whose terms are summed
  private final int whole; // all terms of lower rank are among them
  private final int[] neighbours; // k for each of them, −1 if there are fewer

  /// Finds the neighbours of the rows in `some`.
  private VecchiaLikelihood(
      Dataset data, int[] ranks, int k, double[] scales, int[] some, int whole) {
    Budget.numbers(
        some.length,
        k,
        String.format(Locale.ROOT, "%d neighbours of each of %,d rows", k, some.length),
        "use fewer neighbours or rows");
    this.data = data;
    this.ranks = ranks;
    this.k = k;
    this.scales = scales;
    this.whole = whole;
    NeighbourSearch search = NeighbourSearch.of(data, scales, ranks);
    boolean[] chosen = new boolean[data.size()];
    for (int row : some) chosen[row] = true;
    // neighbouring terms share rows, which are then in the cache
    this.terms = Arrays.stream(search.nearby()).filter(row -> chosen[row]).toArray();
    this.neighbours = search.nearest(terms, k);
  }

  /// Some of the terms of another, with their neighbours there. Each represents an equal number of
  /// them.
  private VecchiaLikelihood(VecchiaLikelihood pool, int[] places) {
    this.data = pool.data;
    this.ranks = pool.ranks;
    this.k = pool.k;
    this.scales = pool.scales;
    this.whole = 0;
    this.terms = new int[places.length];
    this.neighbours = new int[places.length * k];
    for (int i = 0; i < places.length; i++) {
      terms[i] = pool.terms[places[i]];
      System.arraycopy(pool.neighbours, places[i] * k, neighbours, i * k, k);
    }
  }

  /// The likelihood with neighbours by the lengthscales of some hyperparameters.
  ///
  /// @param k the number of neighbours of a row, at least 1
  /// @param seed of the order
  public static VecchiaLikelihood of(Dataset data, Hyperparameters h, int k, long seed) {
    return of(data, h, k, seed, data.size());
  }

  /// The same from `count` of its terms, chosen as in [#some].
  public static VecchiaLikelihood of(Dataset data, Hyperparameters h, int k, long seed, int count) {
    if (k < 1) throw new IllegalArgumentException("neighbours must be >= 1, got " + k);
    int n = data.size();
    SplittableRandom random = new SplittableRandom(seed);
    int[] ranks = shuffled(n, random);
    return chosen(data, ranks, Math.min(k, n - 1), scales(data, h), count, random.split());
  }

  /// An unbiased estimate from the terms of some rows, which were drawn with equal probability.
  static VecchiaLikelihood pool(Dataset data, Hyperparameters h, int k, long seed, int[] some) {
    if (k < 1) throw new IllegalArgumentException("neighbours must be >= 1, got " + k);
    int n = data.size();
    int[] ranks = shuffled(n, new SplittableRandom(seed));
    int whole = some.length == n ? n : 0;
    return new VecchiaLikelihood(data, ranks, Math.min(k, n - 1), scales(data, h), some, whole);
  }

  /// The same from some of its terms, which are given by their indices from 0 on. It is an unbiased
  /// estimate if the indices are drawn at random from all terms, or from a [#pool].
  VecchiaLikelihood batch(int[] places) {
    int[] sorted = places.clone();
    Arrays.sort(sorted); // neighbouring terms share rows
    return new VecchiaLikelihood(this, sorted);
  }

  private static VecchiaLikelihood chosen(
      Dataset data, int[] ranks, int k, double[] scales, int count, SplittableRandom random) {
    int n = ranks.length;
    if (!(count >= 1 && count <= n))
      throw new IllegalArgumentException("terms must be between 1 and " + n + ", got " + count);
    int whole = count < n ? count / 2 : n;
    int[] order = new int[n];
    for (int i = 0; i < n; i++) order[ranks[i]] = i;
    int[] some = Arrays.copyOf(order, count);
    int[] later = shuffled(n - whole, random);
    for (int i = whole; i < count; i++) some[i] = order[whole + later[i - whole]];
    return new VecchiaLikelihood(data, ranks, k, scales, some, whole);
  }

  /// 0, …, n − 1 in a random order.
  public static int[] shuffled(int n, SplittableRandom random) {
    int[] order = IntStream.range(0, n).toArray();
    for (int i = n - 1; i > 0; i--) {
      int j = random.nextInt(i + 1);
      int other = order[i];
      order[i] = order[j];
      order[j] = other;
    }
    return order;
  }

  /// The scale of each column for distances.
  public static double[] scales(Dataset data, Hyperparameters h) {
    double[] inverse = new double[data.dimensions()];
    List<Term> terms = h.kernel().withoutWhite().terms();
    double whole = terms.stream().mapToDouble(Term::amplitude).sum();
    for (Term term : terms) {
      double[] least = new double[inverse.length];
      Arrays.fill(least, Double.POSITIVE_INFINITY);
      for (Leaf leaf : term.factors()) {
        double[] lengths = leaf.lengths();
        int[] columns = leaf.columns();
        for (int i = 0; i < lengths.length; i++) {
          int c = columns[i % columns.length];
          double length = lengths[i] > 0 ? lengths[i] : range(data, c);
          least[c] = Math.min(least[c], length);
        }
      }
      for (int c = 0; c < inverse.length; c++) inverse[c] += term.amplitude() / whole / least[c];
    }
    return Arrays.stream(inverse).map(v -> 1 / v).toArray();
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

  /// The same rows, order and terms, with neighbours by the lengthscales of other hyperparameters.
  public VecchiaLikelihood withNeighbours(Hyperparameters h) {
    return new VecchiaLikelihood(data, ranks, k, scales(data, h), terms, whole);
  }

  /// The same rows and order with all terms, and neighbours by the lengthscales of some
  /// hyperparameters.
  VecchiaLikelihood all(Hyperparameters h) {
    int[] rows = IntStream.range(0, data.size()).toArray();
    return new VecchiaLikelihood(data, ranks, k, scales(data, h), rows, rows.length);
  }

  /// An unbiased estimate from `count` of the terms of all rows. Half of them are the first in the
  /// order: they are far apart, and have most of the information on the mean and on long
  /// lengthscales. The others are drawn at random from the rest, and represent it.
  public VecchiaLikelihood some(int count, long seed) {
    return chosen(data, ranks, k, scales, count, new SplittableRandom(seed));
  }

  /// How far the lengthscales have moved from those with which the neighbours were found: the
  /// largest factor by which the ratio of two columns has changed. Neighbours depend on nothing
  /// else. If the spread of a column in lengthscales is less than a tenth of the largest, it counts
  /// as a tenth: it hardly affects which rows are near, however long its lengthscale becomes.
  double moved(Hyperparameters h) {
    double[] before = reach(scales);
    double[] now = reach(scales(data, h));
    double least = Double.POSITIVE_INFINITY;
    double most = 0;
    for (int c = 0; c < now.length; c++)
      if (before[c] > 0) {
        least = Math.min(least, now[c] / before[c]);
        most = Math.max(most, now[c] / before[c]);
      }
    return most > 0 ? most / least : 1;
  }

  /// The spread of each column in lengthscales, at least a tenth of the largest; 0 for a column
  /// that is constant or is not read.
  private double[] reach(double[] lengths) {
    double[] reach = new double[lengths.length];
    for (int c = 0; c < reach.length; c++) reach[c] = spread(c) / lengths[c];
    double least = 0.1 * Arrays.stream(reach).max().orElse(0);
    return Arrays.stream(reach).map(v -> v > 0 ? Math.max(v, least) : 0).toArray();
  }

  /// The standard deviation of a column over some rows; 1 for words.
  private double spread(int column) {
    if (data.columns().get(column).isText()) return 1;
    int d = data.dimensions();
    int step = Math.max(1, data.size() / SPREAD_ROWS);
    int count = 0;
    double mean = 0;
    double squares = 0;
    for (int i = 0; i < data.size(); i += step) {
      double v = data.inputs()[i * d + column];
      double off = v - mean;
      mean += off / ++count;
      squares += off * (v - mean);
    }
    return Math.sqrt(squares / count);
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
    double value = 0;
    double drawn = 0;
    double squares = 0;
    double[] gradient = new double[h.size()];
    for (TermSums.Total part : sums(h, CHUNK)) {
      value += part.value;
      drawn += part.drawn;
      squares += part.squares;
      for (int i = 0; i < gradient.length; i++) gradient[i] += part.gradient[i];
    }
    double error = 0;
    double share = share();
    if (share > 1) {
      double m = size() - whole;
      double spread = Math.max(0, squares / m - drawn / m * (drawn / m));
      error = share * Math.sqrt(spread * m * (1 - 1 / share));
    }
    return new Evidence(value, gradient, error);
  }

  /// `V⁻¹t` for each of several targets of the rows, where V is the covariance of the likelihood.
  /// With all terms, `V⁻¹ = Σᵢ vᵢvᵢᵀ/Dᵢ`, where vᵢ is the error of a row's regression as weights of
  /// the rows.
  double[][] duals(Hyperparameters h, double[][] targets) {
    int n = data.size();
    double[][] duals = new double[targets.length][n];
    for (int first = 0; first < size(); first += SOLVED) {
      Budget.check();
      int begin = first;
      int count = Math.min(SOLVED, size() - first);
      double[] errors = new double[count * (k + 1)];
      double[] variances = new double[count];
      Parallel.chunks(
          count,
          CHUNK,
          (piece, from, to) -> {
            LocalSystem system = new LocalSystem(data, h, k, false);
            for (int t = from; t < to; t++) {
              int used = used(begin + t);
              system.around(data.inputs(), terms[begin + t] * data.dimensions());
              for (int a = 0; a <= used; a++) system.row(a, row(begin + t, a, used));
              double least = LocalSystem.ROUNDING * system.factor(used);
              variances[t] = system.rest() >= least ? system.rest() : least;
              system.solve();
              System.arraycopy(system.v, 0, errors, t * (k + 1), used + 1);
            }
          });
      for (int t = 0; t < count; t++) {
        int used = used(begin + t);
        for (int j = 0; j < targets.length; j++) {
          double error = 0;
          for (int a = 0; a <= used; a++)
            error += errors[t * (k + 1) + a] * targets[j][row(begin + t, a, used)];
          error /= variances[t];
          for (int a = 0; a <= used; a++)
            duals[j][row(begin + t, a, used)] += errors[t * (k + 1) + a] * error;
        }
      }
    }
    return duals;
  }

  /// The number of neighbours of a term.
  private int used(int term) {
    return Math.min(k, ranks[terms[term]]);
  }

  /// The a-th row of a term: first its neighbours, then its own row.
  private int row(int term, int a, int used) {
    return a < used ? neighbours[term * k + a] : terms[term];
  }

  /// The information of the terms on each free parameter: the sum of their squared slopes. If the
  /// parameters are those of the rows, it is the diagonal of the Fisher information. Slopes are
  /// summed over a few terms before they are squared.
  double[] information(Hyperparameters h) {
    double[] information = new double[h.freeSize()];
    for (TermSums.Total part : sums(h, BLOCK)) {
      double[] free = h.freeGradient(part.gradient);
      for (int i = 0; i < free.length; i++) information[i] += free[i] * free[i];
    }
    return information;
  }

  /// The number of terms that each randomly drawn term represents.
  private double share() {
    int later = data.size() - whole;
    return later == 0 ? 1 : (double) later / (size() - whole);
  }

  private TermSums.Total[] sums(Hyperparameters h, int chunk) {
    double share = share();
    TermSums.Total[] parts = new TermSums.Total[Parallel.pieces(size(), chunk)];
    Parallel.chunks(
        size(),
        chunk,
        (piece, from, to) -> {
          TermSums sums = new TermSums(data, h, k);
          for (int i = from; i < to; i++) {
            int rank = ranks[terms[i]];
            sums.add(terms[i], neighbours, i * k, Math.min(k, rank), rank < whole ? 1 : share);
          }
          parts[piece] = sums.total();
        });
    return parts;
  }
}

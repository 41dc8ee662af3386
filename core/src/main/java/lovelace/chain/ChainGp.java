package lovelace.chain;

import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.random.RandomGenerator;
import java.util.stream.IntStream;
import lovelace.budget.Budget;
import lovelace.data.Dataset;
import lovelace.inference.Evidence;
import lovelace.inference.Learnable;
import lovelace.inference.WarmStart;
import lovelace.kernel.Hyperparameters;
import lovelace.kernel.Kernel;
import lovelace.kernel.PriorMean;
import lovelace.linear.Parallel;
import lovelace.markov.MaternTerm;
import lovelace.posterior.Prediction;
import lovelace.posterior.internal.LinearRows;
import lovelace.posterior.internal.Points;

/// The exact posterior of one Matérn-1/2, -3/2 or -5/2 kernel over one input, white terms beside
/// it, in O(n): the process is a Markov chain whose nodes are the places of the rows.
///
/// It is the posterior of [lovelace.exact.ExactGp], computed otherwise: rows at one place are one
/// observation of their weighted mean, and two passes along the places give the state (f and its
/// derivatives) at each place, given all rows. Those states are tables: a prediction finds the
/// places beside its point in constant time, on average, and goes one exact step from each. No
/// tolerance is lost, between the places and beyond them. Variances are sums of squares.
///
/// Immutable; safe to share between threads. The same bits for any number of threads and in any
/// batch.
public final class ChainGp implements LinearRows {

  /// The most rows.
  public static final int MOST_ROWS = 5_000_000;

  private static final double LOG_2PI = Math.log(2 * Math.PI);
  private static final int CHUNK = 1024;

  private final Dataset data;
  private final Hyperparameters hyperparameters;
  private final MaternTerm term;
  private final double noise;
  private final double scale; // the process's standard deviation
  private final Chain chain;
  private final double logLikelihood;

  private ChainGp(Dataset data, Places places, Hyperparameters hyperparameters) {
    this.data = data;
    this.hyperparameters = hyperparameters;
    term = MaternTerm.require(hyperparameters.kernel());
    noise = hyperparameters.noise() + hyperparameters.kernel().whiteVariance();
    double amplitude = term.amplitude();
    requirePositive("the noise", noise);
    requirePositive("the output scale", amplitude);
    requirePositive("the lengthscale", term.lengthscale());
    scale = Math.sqrt(amplitude);
    int m = places.size();
    double[] precision = new double[m];
    double[] values = new double[m];
    for (int k = 0; k < m; k++) {
      precision[k] = Math.sqrt(places.weight[k] * (amplitude / noise));
      values[k] = (places.target[k] - hyperparameters.mean().at(places.at, k)) / scale;
    }
    chain =
        new Chain(
            places, term.order(), Math.sqrt(term.order()) / term.lengthscale(), precision, values);
    int n = places.rows;
    logLikelihood =
        chain.logLikelihood
            - 0.5 * (places.within / noise + n * (LOG_2PI + Math.log(noise)) - places.logWeights);
  }

  private static void requirePositive(String name, double value) {
    if (!(value > 0 && value < Double.POSITIVE_INFINITY))
      throw new IllegalArgumentException(
          name + " of a Markov chain must be > 0 and finite, got " + value);
  }

  /// Whether a kernel, bound to its columns, is such a chain.
  public static boolean serves(Kernel kernel) {
    return MaternTerm.of(kernel) != null;
  }

  /// About how many bytes the posterior of so many rows takes, and making it.
  public static long bytes(Kernel kernel, long rows) {
    return Chain.bytes(MaternTerm.require(kernel).order(), rows) + 36 * rows;
  }

  /// Conditions the process on the rows. The arrays of the dataset are kept, not copied.
  public static ChainGp of(Dataset data, Hyperparameters hyperparameters) {
    requireMemory(data.size(), hyperparameters);
    return new ChainGp(data, Places.of(data), hyperparameters);
  }

  private static void requireMemory(int n, Hyperparameters h) {
    MaternTerm.require(h.kernel());
    if (n > MOST_ROWS)
      throw new IllegalArgumentException(
          String.format(
              Locale.ROOT,
              "a Markov chain over its rows takes at most %,d rows, got %,d; give grid points to make a lattice",
              MOST_ROWS,
              n));
    Budget.require(
        bytes(h.kernel(), n),
        String.format(Locale.ROOT, "the Markov chain of %,d rows", n),
        "give grid points to make a lattice,");
  }

  /// Likelihoods of rows under any parameters of a kernel that is a chain; sorts the rows once.
  public static Learnable likelihood(Dataset data, Hyperparameters form) {
    requireMemory(data.size(), form);
    Places places = Places.of(data);
    return new Learnable() {
      @Override
      public String name() {
        return "markov";
      }

      @Override
      public Evidence evidence(Hyperparameters h, WarmStart start) {
        ChainGp gp = new ChainGp(data, places, h);
        return new Evidence(gp.logMarginalLikelihood(), gp.likelihoodGradient(), 0);
      }
    };
  }

  @Override
  public String engine() {
    return "markov";
  }

  @Override
  public String summary() {
    return String.format(Locale.ROOT, "by the chain of %,d places", places());
  }

  @Override
  public int mostRows() {
    return MOST_ROWS;
  }

  @Override
  public Dataset data() {
    return data;
  }

  @Override
  public Hyperparameters hyperparameters() {
    return hyperparameters;
  }

  @Override
  public long bytes() {
    return Chain.bytes(chain.order, chain.places.size()) + 28L * chain.places.size();
  }

  @Override
  public ChainGp with(Dataset rows, Hyperparameters other) {
    return rows == data ? new ChainGp(data, chain.places, other) : of(rows, other);
  }

  /// The number of distinct places of the rows.
  public int places() {
    return chain.places.size();
  }

  @Override
  public int dimensions() {
    return 1;
  }

  /// σ² plus the variance of the kernel's white terms.
  @Override
  public double noise() {
    return noise;
  }

  @Override
  public double logMarginalLikelihood() {
    return logLikelihood;
  }

  @Override
  public ChainGp of(double[] target) {
    Dataset other = Dataset.of(data.inputs(), data.columns(), target, data.targetColumn());
    Dataset rows = data.weighted() ? other.withWeights(data.weights()) : other;
    return new ChainGp(rows, chain.places.with(rows), hyperparameters);
  }

  /// A chain each.
  @Override
  public Others others(double[][] targets) {
    Budget.require(
        targets.length * bytes(),
        String.format(Locale.ROOT, "%d Markov chains", targets.length),
        "give grid points to make a lattice,");
    return new Chains(Arrays.stream(targets).map(this::of).toList());
  }

  /// The chains of other targets.
  private static final class Chains implements Others {
    private final List<ChainGp> chains;

    Chains(List<ChainGp> chains) {
      this.chains = chains;
    }

    /// `w(t − a)/σ²`.
    @Override
    public double[] dual(int j) {
      ChainGp gp = chains.get(j);
      double[] dual = new double[gp.data.size()];
      double[] x = gp.data.inputs();
      for (int i = 0; i < dual.length; i++) {
        double a = gp.hyperparameters.mean().at(x, i);
        a += gp.scale * gp.chain.mean(gp.chain.places.before(x[i]));
        dual[i] = gp.data.weight(i) * (gp.data.target()[i] - a) / gp.noise;
      }
      return dual;
    }

    @Override
    public double[] means(double[] points) {
      int t = Points.check(points, 1);
      int q = chains.size();
      double[] out = new double[t * q];
      Parallel.chunks(
          t,
          CHUNK,
          (chunk, from, to) -> {
            for (int j = 0; j < q; j++) {
              ChainGp gp = chains.get(j);
              var station = gp.chain.new Station();
              for (int i = from; i < to; i++) {
                station.approach(points[i]);
                out[i * q + j] =
                    gp.hyperparameters.mean().at(points, i) + gp.scale * station.mean[0];
              }
            }
          });
      return out;
    }
  }

  /// By Fisher's identity for amplitude and noise, by the adjoint of the chain for the lengthscale.
  @Override
  public double[] likelihoodGradient() {
    Places places = chain.places;
    PriorMean mean = hyperparameters.mean();
    double amplitude = term.amplitude();
    double misfit = places.within / noise; // E Σ w (y − f)²/σ²
    double[] dual = new double[mean.size()];
    double[] basis = new double[mean.size()];
    for (int k = 0; k < places.size(); k++) {
      double weight = places.weight[k] / noise;
      double off = places.target[k] - mean.at(places.at, k) - scale * chain.mean(k);
      misfit += weight * (off * off + amplitude * chain.variance(k));
      mean.basis(places.at, k, basis, 0);
      for (int i = 0; i < basis.length; i++) dual[i] += weight * off * basis[i];
    }
    double[] kernel =
        term.gradient(
            hyperparameters.kernel(),
            -chain.slope / term.lengthscale(),
            chain.excess / (2 * amplitude));
    double slope = (misfit - places.rows) / (2 * noise);
    return Evidence.gradient(hyperparameters, kernel, slope, dual);
  }

  @Override
  public Prediction predict(double[] points) {
    int t = Points.check(points, 1);
    double[] means = new double[t];
    double[] variances = new double[t];
    PriorMean mean = hyperparameters.mean();
    Parallel.chunks(
        t,
        CHUNK,
        (chunk, from, to) -> {
          var station = chain.new Station();
          for (int i = from; i < to; i++) {
            station.approach(points[i]);
            means[i] = mean.at(points, i) + scale * station.mean[0];
            variances[i] = term.amplitude() * station.variance();
          }
        });
    return Prediction.adopt(means, variances);
  }

  @Override
  public Prediction predict(double[] points, Others others, double[] means) {
    double[] own = others.means(points);
    System.arraycopy(own, 0, means, 0, own.length);
    return predict(points);
  }

  @Override
  public double[] covariance(double[] a, double[] b) {
    int ta = Points.check(a, 1);
    int tb = Points.check(b, 1);
    if ((long) ta * tb > Integer.MAX_VALUE - 8)
      throw new IllegalArgumentException(
          String.format(
              Locale.ROOT,
              "a dense matrix of %,d × %,d has more than %,d numbers; ask for fewer points at once",
              ta,
              tb,
              Integer.MAX_VALUE - 8));
    double[] covariance = new double[ta * tb];
    if (covariance.length == 0) return covariance;
    Stops left = new Stops(chain, a);
    Stops right = Arrays.equals(a, b) ? left : new Stops(chain, b);
    Carries carries =
        new Carries(
            chain, Math.min(left.first(), right.first()) + 1, Math.max(left.last(), right.last()));
    Parallel.forEach(
        ta,
        i -> {
          var station = chain.new Station();
          for (int j = 0; j < tb; j++)
            covariance[i * tb + j] =
                term.amplitude()
                    * (a[i] <= b[j]
                        ? left.covariance(i, right, j, carries, station)
                        : right.covariance(j, left, i, carries, station));
        });
    return covariance;
  }

  @Override
  public long jointBytes(int points) {
    int d = chain.d;
    return 8L * points * (2 + 2 * d + 3 * d * d);
  }

  /// Some workspaces, whatever the points.
  @Override
  public long panelBytes(int points) {
    return 4096L * Math.ceilDiv(points, CHUNK);
  }

  /// The station before a point is found by halving, and its state carried on.
  @Override
  public double operations(int points) {
    return 1000.0 * points;
  }

  /// Joint draws along the points from left to right: O(n + t) once, then O(t) a draw. The first
  /// draws do not depend on how many follow.
  @Override
  public double[] sample(double[] points, int count, RandomGenerator random) {
    if (!(count >= 0)) throw new IllegalArgumentException("count must be >= 0, got " + count);
    int t = Points.check(points, 1);
    double[] draws = new double[Budget.draws(count, t)];
    if (draws.length == 0) return draws;
    Budget.require(jointBytes(t), "a joint draw", "ask for fewer points");
    int[] order =
        IntStream.range(0, t)
            .boxed()
            .sorted((i, j) -> Double.compare(points[i], points[j]))
            .mapToInt(Integer::intValue)
            .toArray();
    double[] sorted = Arrays.stream(order).mapToDouble(i -> points[i] + 0.0).toArray();
    Walk walk = new Walk(chain, sorted);
    double[] f = new double[t];
    for (int s = 0; s < count; s++) {
      walk.draw(random, f);
      for (int i = 0; i < t; i++)
        draws[s * t + order[i]] = hyperparameters.mean().at(points, order[i]) + scale * f[i];
    }
    return draws;
  }
}

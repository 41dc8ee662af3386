package lovelace.neighbours;

import java.util.Arrays;
import java.util.Locale;
import java.util.OptionalInt;
import java.util.random.RandomGenerator;
import java.util.stream.IntStream;
import lovelace.budget.Budget;
import lovelace.data.Dataset;
import lovelace.inference.Evidence;
import lovelace.kernel.Hyperparameters;
import lovelace.linear.Parallel;
import lovelace.posterior.Prediction;
import lovelace.posterior.internal.CellGroups;
import lovelace.posterior.internal.LinearRows;
import lovelace.posterior.internal.Points;
import org.jspecify.annotations.Nullable;

/// The posterior of many rows, each prediction from the k rows nearest to it. With N those rows,
///
///     mean(x) = μ(x) + k(x, N) A⁻¹ (y − μ)      A = k(N, N) + diag(σ²/w)
///     var(x)  = k(x, x) − k(x, N) A⁻¹ k(N, x)
///
/// the exact process of the k rows. With k ≥ n it is that of all rows. Rows at one place count as
/// one, by their mean ([DistinctPlaces]). Nearest is meant as
/// [VecchiaLikelihood] has it: in units of lengthscales. `k³/3` operations a prediction, and the
/// search.
///
/// Over up to three columns the points of a small cell share 64 neighbours or more, those of its centre,
/// and one factor of A: a prediction of a map costs `k²` operations. The cells lie on a fixed
/// lattice, so a prediction does not depend on the others. Where rows lie so densely that the
/// points of a cell have different neighbours, each has its own.
///
/// [#covariance] and [#sample] are of one joint distribution ([NeighbourJoint]): the points follow
/// each other in a fixed order, and each is regressed on the k nearest among the rows and the points
/// before it (Katzfuss 2020). With k ≥ n + t it is exact.
///
/// Immutable; safe to share between threads. The same bits for any number of threads and in any
/// batch.
public final class NeighbourGp implements LinearRows {

  /// The most rows.
  public static final int MOST_ROWS = 2_000_000;

  /// The neighbours of a row in the likelihood.
  private static final int LIKELIHOOD_NEIGHBOURS = 30;

  /// Values of rows at one place that differ by less, in parts of their mean, are one.
  private static final double ROUNDING = 1e-12;

  /// Points that one task works on.
  private static final int CHUNK = 32;

  /// Points that share a system of neighbours at most, and groups of them that one task works on.
  private static final int SHARED = 64;

  private static final int GROUPS = 4;

  /// The fewest neighbours that are shared: which few they are matters more than their number.
  private static final int LEAST = 64;

  /// The most columns in which points share their neighbours.
  private static final int FEW_COLUMNS = 3;

  /// The volume of the ball of radius 1 in one to three dimensions.
  private static final double[] BALL = {2, Math.PI, 4 * Math.PI / 3};

  /// How many times as far as the corner of a cell its last neighbour usually lies, and at least.
  private static final double WIDE = 5;

  static final double CLOSE = 4;

  /// Points that are predicted at a time.
  private static final int BATCH = 8192;

  private final Dataset data;
  private final Hyperparameters hyperparameters;
  private final int k;
  private final Dataset places; // the rows, those of one place merged
  private final double noise;
  private final double[] scales;
  private final boolean[] words;
  private final NeighbourSearch search;
  final double[] steps; // of the cells whose points share neighbours; empty where none do
  private final double likelihood; // as given; NaN where it is to be computed
  private volatile @Nullable Evidence evidence; // once asked for

  private NeighbourGp(Dataset data, Hyperparameters h, int k) {
    this.data = data;
    this.hyperparameters = h;
    this.k = k;
    this.places = DistinctPlaces.of(data).data;
    this.noise = h.noise() + h.kernel().whiteVariance();
    this.scales = VecchiaLikelihood.scales(data, h);
    this.words = new boolean[data.dimensions()];
    for (int c : h.kernel().categories()) words[c] = true;
    int[] order = IntStream.range(0, places.size()).toArray();
    this.search = NeighbourSearch.of(places.inputs(), words, scales, order);
    this.likelihood = Double.NaN;
    this.steps = steps();
  }

  /// The same with another target.
  private NeighbourGp(NeighbourGp other, Dataset data) {
    this.data = data;
    this.hyperparameters = other.hyperparameters;
    this.k = other.k;
    this.places = DistinctPlaces.of(data).data;
    this.noise = other.noise;
    this.scales = other.scales;
    this.words = other.words;
    this.search = other.search;
    this.likelihood = Double.NaN;
    this.steps = other.steps;
  }

  /// The same rows and parameters.
  private NeighbourGp(NeighbourGp other, int k, double likelihood) {
    this.data = other.data;
    this.hyperparameters = other.hyperparameters;
    this.k = k;
    this.places = other.places;
    this.noise = other.noise;
    this.scales = other.scales;
    this.words = other.words;
    this.search = other.search;
    this.likelihood = likelihood;
    this.steps = steps();
  }

  /// Conditions the process on rows. The arrays of the dataset are kept, not copied.
  ///
  /// @param k the neighbours of a prediction, at least 1
  public static NeighbourGp of(Dataset data, Hyperparameters h, int k) {
    if (k < 1) throw new IllegalArgumentException("neighbours must be >= 1, got " + k);
    if (data.size() > MOST_ROWS)
      throw new IllegalArgumentException(
          String.format(
              Locale.ROOT,
              "neighbours take at most %,d rows, got %,d; use some of the rows, or an engine on a"
                  + " lattice",
              MOST_ROWS,
              data.size()));
    return new NeighbourGp(data, h, k);
  }

  /// The same posterior where the likelihood of [#logMarginalLikelihood] is known already.
  public NeighbourGp withLikelihood(double value) {
    return new NeighbourGp(this, k, value);
  }

  /// The same rows and parameters with another number of neighbours.
  public NeighbourGp withNeighbours(int other) {
    if (other < 1) throw new IllegalArgumentException("neighbours must be >= 1, got " + other);
    return new NeighbourGp(this, other, likelihood);
  }

  /// The neighbours of a prediction; all rows where there are fewer.
  public int neighbours() {
    return k;
  }

  /// The part of the nearest rows that the search finds, as [NeighbourSearch#recall] measures it
  /// for as many as learning uses; 1 where the search is exact.
  public double recall() {
    return search.recall(Math.min(k, LIKELIHOOD_NEIGHBOURS));
  }

  @Override
  public String engine() {
    return "neighbours";
  }

  @Override
  public OptionalInt nearestRows() {
    return OptionalInt.of(neighbours());
  }

  @Override
  public String summary() {
    return String.format(Locale.ROOT, "of the %,d nearest rows", neighbours());
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
  public NeighbourGp with(Dataset rows, Hyperparameters other) {
    return of(rows, other, k);
  }

  @Override
  public int dimensions() {
    return data.dimensions();
  }

  /// σ² plus the variance of the kernel's white terms.
  @Override
  public double noise() {
    return noise;
  }

  double[] scales() {
    return scales;
  }

  /// The columns that hold codes of words.
  boolean[] words() {
    return words;
  }

  /// The rows, those of one place merged.
  Dataset places() {
    return places;
  }

  /// The places nearest to each point, nearest first, as many as [#used] says each.
  int[] nearest(double[] points, int count) {
    return search.nearestTo(points, count, used());
  }

  /// The neighbours that there are.
  int used() {
    return Math.min(k, places.size());
  }

  /// The search is the same.
  @Override
  public NeighbourGp of(double[] target) {
    Dataset other = Dataset.of(data.inputs(), data.columns(), target, data.targetColumn());
    return new NeighbourGp(this, data.weighted() ? other.withWeights(data.weights()) : other);
  }

  /// V is that of the Vecchia likelihood of the places with k neighbours, which is exact with as
  /// many as there are places.
  @Override
  public Others others(double[][] targets) {
    int[] place = DistinctPlaces.places(data);
    int q = targets.length;
    double[][] means = new double[q][places.size()];
    for (int j = 0; j < q; j++) {
      for (int i = 0; i < place.length; i++) {
        double share = data.weight(i) / places.weight(place[i]);
        means[j][place[i]] += share * targets[j][i];
      }
    }
    double[][] duals = new double[q][place.length];
    double[][] merged =
        VecchiaLikelihood.of(places, hyperparameters, k, 1).duals(hyperparameters, means);
    for (int j = 0; j < q; j++)
      for (int i = 0; i < place.length; i++) {
        int p = place[i];
        double w = data.weight(i);
        double off = targets[j][i] - means[j][p];
        boolean alone = w == places.weight(p);
        if (!alone && !(noise > 0) && Math.abs(off) > ROUNDING * Math.abs(means[j][p]))
          throw new IllegalArgumentException(
              String.format(
                  Locale.ROOT,
                  "row %,d: other rows have the same inputs and other targets, but there is no noise;"
                      + " fit with noise",
                  i + 1));
        duals[j][i] = w / places.weight(p) * merged[j][p] + (noise > 0 ? w * off / noise : 0);
      }
    return new Columns(means, duals);
  }

  /// Other targets at the places of the rows.
  private final class Columns implements Others {
    private final double[][] values;
    private final double[][] duals;

    Columns(double[][] values, double[][] duals) {
      this.values = values;
      this.duals = duals;
    }

    @Override
    public double[] dual(int j) {
      return duals[j].clone();
    }

    @Override
    public double[] means(double[] points) {
      double[] out = new double[Points.check(points, dimensions()) * values.length];
      predict(points, this, out);
      return out;
    }

    /// Writes the means of a point that a system has solved for.
    void write(LocalSystem system, int[] nearest, int at, int used, int point, double[] out) {
      int q = values.length;
      for (int j = 0; j < q; j++) {
        double sum = 0;
        for (int a = 0; a < used; a++) sum -= system.v[a] * values[j][nearest[at + a]];
        out[point * q + j] = sum;
      }
    }
  }

  /// A variance below `50 ε √k k(x, x)` cannot be told from rounding; that bound is reported
  /// instead and marked.
  @Override
  public Prediction predict(double[] points) {
    return predict(points, new Columns(new double[0][], new double[0][]), new double[0]);
  }

  @Override
  public Prediction predict(double[] points, Others others, double[] columns) {
    Columns more = (Columns) others;
    int d = dimensions();
    int t = Points.check(points, d);
    double[] means = new double[t];
    double[] variances = new double[t];
    byte[] marks = new byte[t];
    for (int from = 0; from < t; from += BATCH) {
      int to = Math.min(t, from + BATCH);
      double[] x = Arrays.copyOfRange(points, from * d, to * d);
      predict(x, from, means, variances, marks, more, columns);
    }
    return Prediction.adopt(means, variances, marks);
  }

  /// Predicts at few enough points to hold the neighbours of all, and writes from an offset.
  private void predict(
      double[] x,
      int offset,
      double[] means,
      double[] variances,
      byte[] marks,
      Columns more,
      double[] columns) {
    int d = dimensions();
    int used = used();
    Output output = new Output(x, offset, means, variances, marks);
    if (steps.length == 0 || more.values.length > 0) {
      alone(output, IntStream.range(0, x.length / d).toArray(), more, columns);
      return;
    }
    CellGroups groups = CellGroups.of(x, steps, SHARED);
    int[] nearest = nearest(groups.centres(), groups.size());
    boolean[] shared = new boolean[groups.size()];
    Parallel.chunks(
        groups.size(),
        GROUPS,
        (piece, from, to) -> {
          LocalSystem system = new LocalSystem(places, hyperparameters, used + SHARED - 1, false);
          for (int g = from; g < to; g++) {
            Budget.check();
            shared[g] = isWide(groups.centres(), g * d, nearest[g * used + used - 1]);
            if (!shared[g]) continue;
            int size = groups.size(g);
            system.around(groups.centres(), g * d);
            for (int a = 0; a < used; a++) system.row(a, nearest[g * used + a]);
            for (int i = 0; i < size; i++) system.point(used + i, x, groups.point(g, i) * d);
            system.share(used, size);
            for (int i = 0; i < size; i++)
              output.put(groups.point(g, i), system.mean(i), system.rest(i), system.prior(i));
          }
        });
    alone(
        output,
        IntStream.range(0, groups.size())
            .filter(g -> !shared[g])
            .flatMap(g -> IntStream.range(0, groups.size(g)).map(i -> groups.point(g, i)))
            .toArray(),
        more,
        columns);
  }

  /// Predicts some of the points, each from the rows nearest to itself.
  private void alone(Output output, int[] points, Columns more, double[] columns) {
    if (points.length == 0) return;
    int d = dimensions();
    int used = used();
    double[] x = new double[points.length * d];
    for (int i = 0; i < points.length; i++) System.arraycopy(output.x, points[i] * d, x, i * d, d);
    int[] nearest = nearest(x, points.length);
    Parallel.chunks(
        points.length,
        CHUNK,
        (piece, from, to) -> {
          LocalSystem system = new LocalSystem(places, hyperparameters, used, false);
          for (int t = from; t < to; t++) {
            Budget.check();
            system.around(x, t * d);
            for (int a = 0; a < used; a++) system.row(a, nearest[t * used + a]);
            system.point(used, x, t * d);
            double prior = system.factor(used);
            output.put(points[t], -system.error(), system.rest(), prior);
            if (more.values.length == 0) continue;
            system.solve();
            more.write(system, nearest, t * used, used, output.offset + points[t], columns);
          }
        });
  }

  /// Where predictions go.
  private final class Output {
    private final double[] x;
    private final int offset;
    private final double[] means;
    private final double[] variances;
    private final byte[] marks;
    private final double rounding = 50 * Math.ulp(1.0) * Math.sqrt(used());

    Output(double[] x, int offset, double[] means, double[] variances, byte[] marks) {
      this.x = x;
      this.offset = offset;
      this.means = means;
      this.variances = variances;
      this.marks = marks;
    }

    void put(int t, double residual, double variance, double prior) {
      boolean atBound = !(variance > rounding * prior);
      means[offset + t] = hyperparameters.mean().at(x, t * dimensions()) + residual;
      variances[offset + t] = atBound ? rounding * prior : variance;
      marks[offset + t] = Prediction.mark(false, atBound);
    }
  }

  /// The steps of the cells whose points share their neighbours, the rows nearest to the cell's
  /// centre: a fifth of the distance to the last of them, if rows lie everywhere alike. None of
  /// many columns, where cells would be empty.
  private double[] steps() {
    int d = dimensions();
    if (d > FEW_COLUMNS || used() < LEAST || hyperparameters.kernel().categories().length > 0)
      return new double[0];
    double volume = 1; // in lengthscales
    double[] x = places.inputs();
    for (int j = 0; j < d; j++) {
      double low = Double.POSITIVE_INFINITY;
      double high = Double.NEGATIVE_INFINITY;
      for (int i = j; i < x.length; i += d) {
        low = Math.min(low, x[i]);
        high = Math.max(high, x[i]);
      }
      if (!(scales[j] > 0 && scales[j] < 1e100)) return new double[0];
      volume *= (high - low) / scales[j];
    }
    double radius = Math.pow(volume * used() / places.size() / BALL[d - 1], 1.0 / d);
    double step = 2 * radius / (WIDE * Math.sqrt(d));
    if (!(step > 0 && step < 1e100)) return new double[0];
    return Arrays.stream(scales).map(scale -> scale * step).toArray();
  }

  /// Whether the last neighbour of a cell's centre is so far away that the neighbours of all points
  /// of the cell are nearly the same.
  private boolean isWide(double[] centres, int at, int last) {
    if (used() == places.size()) return true;
    double corner = 0;
    double far = 0;
    for (int j = 0; j < scales.length; j++) {
      double half = steps[j] / 2 / scales[j];
      double gap = (places.inputs()[last * scales.length + j] - centres[at + j]) / scales[j];
      corner += half * half;
      far += gap * gap;
    }
    return far >= CLOSE * CLOSE * corner;
  }

  /// Of the joint distribution of all these points, as [#sample] has it: positive semidefinite, and
  /// its diagonal is close to the variances of [#predict], not equal to them.
  @Override
  public double[] covariance(double[] a, double[] b) {
    int rows = Points.check(a, dimensions());
    int columns = Points.check(b, dimensions());
    if (Budget.covariance(rows, columns) == 0) return new double[0];
    Budget.require(jointBytes(rows + columns), "a covariance", "ask for fewer points");
    boolean same = Arrays.equals(a, b);
    double[] all = Arrays.copyOf(a, same ? a.length : a.length + b.length);
    if (!same) System.arraycopy(b, 0, all, a.length, b.length);
    return NeighbourJoint.of(this, all).covariance(rows, same ? 0 : rows, columns);
  }

  /// Joint draws, one point after another. Repeated points get one value. The first draws do not
  /// depend on how many follow.
  @Override
  public double[] sample(double[] points, int count, RandomGenerator random) {
    if (!(count >= 0)) throw new IllegalArgumentException("count must be >= 0, got " + count);
    int t = Points.check(points, dimensions());
    double[] draws = new double[Budget.draws(count, t)];
    if (draws.length == 0) return draws;
    Budget.require(jointBytes(t), "a joint draw", "ask for fewer points");
    NeighbourJoint.of(this, points).draw(count, random, draws);
    return draws;
  }

  /// The Vecchia likelihood with 30 neighbours, or what [#withLikelihood] gave.
  @Override
  public double logMarginalLikelihood() {
    return Double.isNaN(likelihood) ? evidence().value() : likelihood;
  }

  /// That of the Vecchia likelihood with 30 neighbours, which stay.
  @Override
  public double[] likelihoodGradient() {
    return evidence().gradient().clone();
  }

  private Evidence evidence() {
    Evidence known = evidence;
    if (known == null)
      synchronized (this) {
        known = evidence;
        if (known == null) {
          known =
              VecchiaLikelihood.of(data, hyperparameters, LIKELIHOOD_NEIGHBOURS, 1)
                  .evidence(hyperparameters);
          evidence = known;
        }
      }
    return known;
  }

  /// The search: places, boxes and the order of the rows.
  @Override
  public long bytes() {
    return data.size() * (16L + 12L * dimensions());
  }

  /// For each point the neighbours among rows and among points, and those kept with their weights.
  @Override
  public long jointBytes(int points) {
    return points * (24L * k + 16L * dimensions() + 64L);
  }

  /// A system of the neighbours for each point, and the search for them.
  @Override
  public double operations(int points) {
    double m = used() + 1.0;
    return points * (m * m * m / 3 + m * m * dimensions() + 1000);
  }

  /// The neighbours of the points of a batch, and the systems of all tasks at work on them.
  @Override
  public long panelBytes(int points) {
    int m = used() + 1;
    long tasks = Math.min(Math.ceilDiv(points, CHUNK), Runtime.getRuntime().availableProcessors());
    long batch = Math.min(points, BATCH);
    int shared = m + (steps.length == 0 ? 0 : SHARED);
    return batch * (4L * m + 8L * dimensions()) + tasks * 20L * shared * (shared + dimensions());
  }
}

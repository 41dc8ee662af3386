package lovelace;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import lovelace.budget.Budget;
import lovelace.data.Column;
import lovelace.data.Dataset;
import lovelace.data.TargetTransform;
import lovelace.grid.ColumnValues;
import lovelace.io.Fingerprint;
import lovelace.laplace.Observations;
import lovelace.likelihood.Likelihood;
import lovelace.plan.Engine;
import org.jspecify.annotations.Nullable;

/// What a first look at the rows tells: the range of every column, and some rows to start from.
final class Survey {

  /// All rows up to so many; a random choice of as many beyond.
  private static final int SAMPLE = 10_000;

  /// The most different values that are kept of all columns together.
  private static final int VALUES = 10 * ColumnValues.MOST;

  /// The largest input or target: squares of such numbers can be added up.
  private static final double LARGEST = 1e100;

  private final double[] low;
  private final double[] high;
  private final int dimensions;
  private final Source source;
  private TargetTransform transform;
  private final Likelihood likelihood;
  private final SplittableRandom random;
  private List<ColumnValues> values; // of all rows, or of those seen
  private double[] inputs = new double[0];
  private double[] target = new double[0];
  private double[] weight = new double[0];
  private boolean weighted;
  private long count;
  private double least = Double.POSITIVE_INFINITY; // target
  private double most = Double.NEGATIVE_INFINITY;
  private boolean sampled; // rows come in no order
  private boolean whole; // every row was seen
  private boolean valued; // the values are those of all rows
  private boolean counted; // the number of rows is known
  private long total; // rows of the source, as far as is known

  private Survey(Source source, TargetTransform transform, Likelihood likelihood, long seed) {
    random = new SplittableRandom(seed);
    this.source = source;
    dimensions = source.columns().size();
    this.transform = transform;
    this.likelihood = likelihood;
    low = new double[dimensions];
    high = new double[dimensions];
    Arrays.fill(low, Double.POSITIVE_INFINITY);
    Arrays.fill(high, Double.NEGATIVE_INFINITY);
    values = columnValues(dimensions);
  }

  private static List<ColumnValues> columnValues(int dimensions) {
    int most = Math.min(ColumnValues.MOST, VALUES / dimensions);
    List<ColumnValues> all = new ArrayList<>();
    for (int j = 0; j < dimensions; j++) all.add(new ColumnValues(most));
    return all;
  }

  static Survey of(Source source, Fit fit) throws IOException {
    return of(source, fit.transform(), fit.likelihood(), fit.learning().seed(), fit.training());
  }

  private static Survey of(
      Source source, TargetTransform transform, Likelihood likelihood, long seed, boolean learns)
      throws IOException {
    Survey survey = new Survey(source, transform, likelihood, seed);
    Source.Overview known = source.overview(SAMPLE, seed).orElse(null);
    if (known == null) source.read(survey::accept);
    else survey.take(known);
    survey.whole = known == null || known.rows() == survey.count;
    survey.valued = survey.whole;
    survey.counted = known == null || known.rows() >= 0;
    survey.total = known == null ? survey.count : Math.max(known.rows(), survey.count);
    if (survey.count == 0)
      throw new IllegalArgumentException(
          "data has 0 rows, at least one observation is needed; check filters and missing values");
    if (learns
        && known == null
        && !(survey.weighted && likelihood.size() == Likelihood.Size.EXPOSURE))
      Pass.requireVarying(source, survey.count, survey.least, survey.most);
    if (transform.isOpen()) survey.transform = transform.of(survey.table(SAMPLE, source).target());
    return survey;
  }

  /// Fails for numbers whose squares and sums would overflow. Those that are not finite are named
  /// with their rows later.
  void requireModerate() {
    for (int j = 0; j < dimensions; j++)
      requireModerate("column '" + source.columns().get(j).name() + "'", low[j], high[j]);
    if (transform.equals(TargetTransform.NONE))
      requireModerate("target '" + source.target().name() + "'", least, most);
  }

  private static void requireModerate(String what, double low, double high) {
    double largest = Math.max(Math.abs(low), Math.abs(high));
    if (largest > LARGEST && largest < Double.POSITIVE_INFINITY)
      throw new IllegalArgumentException(
          "%s holds %s, and numbers beyond %s overflow when they are squared; use a larger unit"
              .formatted(what, largest == Math.abs(high) ? high : low, LARGEST));
  }

  private void accept(int rows, double[] x, double[] y, Optional<double[]> given) {
    Budget.check();
    weighted |= given.isPresent();
    double[] weights = given.orElse(null);
    for (int i = 0; i < rows; i++) {
      for (int j = 0; j < dimensions; j++) {
        double value = x[i * dimensions + j];
        if (value < low[j]) low[j] = value;
        if (value > high[j]) high[j] = value;
        values.get(j).add(value, sampled ? 0 : count + 1);
      }
      double weight = weights == null ? 1 : weights[i];
      if (!transform.takes(y[i]))
        throw Pass.notTransformable(source, y[i], sampled ? 0 : count + 1);
      if (!sampled && !(weight > 0 && Double.isFinite(weight)))
        throw Dataset.badWeight(count + 1, weight);
      String refusal = refusal(likelihood, y[i], weight);
      if (refusal != null)
        throw refused(source, likelihood, refusal, y[i], weighted, weight, sampled ? 0 : count + 1);
      least = Math.min(least, y[i]);
      most = Math.max(most, y[i]);
      keep(x, i * dimensions, y[i], weight);
      count++;
    }
  }

  /// Why a row cannot be an observation, null where it can.
  static @Nullable String refusal(Likelihood likelihood, double y, double size) {
    if (likelihood.size() == Likelihood.Size.NONE && size != 1)
      return "its weight is %s, and likelihood %s takes none; leave the weights out"
          .formatted(number(size), likelihood.name());
    return likelihood.refusal(y, size);
  }

  /// A row that cannot be an observation.
  ///
  /// @param sized whether rows have sizes
  /// @param row the number of the row, 0 where it is not known
  static IllegalArgumentException refused(
      Source source,
      Likelihood likelihood,
      String rule,
      double y,
      boolean sized,
      double size,
      long row) {
    boolean counts =
        sized
            && (likelihood.size() == Likelihood.Size.EXPOSURE
                || likelihood.size() == Likelihood.Size.TRIALS);
    return new IllegalArgumentException(
        String.format(
            Locale.ROOT,
            "%starget '%s' is %s%s; %s",
            row > 0 ? String.format(Locale.ROOT, "row %,d (data rows count from 1): ", row) : "",
            source.target().name(),
            number(y),
            counts ? " with %s %s".formatted(likelihood.size(), number(size)) : "",
            rule));
  }

  private static String number(double value) {
    return value == Math.rint(value) && Math.abs(value) < 1e15
        ? Long.toString((long) value)
        : Double.toString(value);
  }

  private void take(Source.Overview known) {
    sampled = true;
    accept(known.size(), known.inputs(), known.target(), known.weights());
    System.arraycopy(known.low(), 0, low, 0, dimensions);
    System.arraycopy(known.high(), 0, high, 0, dimensions);
  }

  /// Reads all rows for the values of their columns, where only some were seen: these do not tell
  /// the step of all.
  void readValues() throws IOException {
    if (valued) return;
    values = columnValues(dimensions);
    long[] before = {0};
    source.read(
        (rows, x, y, given) -> {
          Budget.check();
          for (int i = 0; i < rows; i++)
            for (int j = 0; j < dimensions; j++)
              values.get(j).add(x[i * dimensions + j], before[0] + i + 1);
          before[0] += rows;
        });
    valued = true;
  }

  /// Whether the rows seen lie on a regular grid.
  boolean isRegular() {
    return values.stream().allMatch(column -> column.nodes() != null);
  }

  /// Whether [#values] are those of all rows, and not of some.
  boolean hasValues() {
    return valued;
  }

  /// The different values of every column, as far as they may be nodes of a grid.
  List<ColumnValues> values() {
    return values;
  }

  /// Reservoir sampling: every row has the same chance to be among the kept.
  private void keep(double[] x, int xo, double y, double w) {
    long place = count < SAMPLE ? count : random.nextLong(count + 1);
    if (place >= SAMPLE) return;
    int at = (int) place;
    if (at >= target.length) {
      int room = Math.min(SAMPLE, Math.max(256, 2 * target.length));
      inputs = Arrays.copyOf(inputs, room * dimensions);
      target = Arrays.copyOf(target, room);
      weight = Arrays.copyOf(weight, room);
    }
    System.arraycopy(x, xo, inputs, at * dimensions, dimensions);
    target[at] = y;
    weight[at] = w;
  }

  /// The transform of the target; ranks are those of the rows kept.
  TargetTransform transform() {
    return transform;
  }

  /// The number of rows, as far as it is known: at least those seen.
  long count() {
    return total;
  }

  /// The columns, or the features in their place.
  List<Column> columns() {
    return source.columns();
  }

  /// What the columns, or the features in their place, are called.
  List<String> names() {
    return source.columns().stream().map(Column::name).toList();
  }

  /// The same look at some of the columns, which are those of the source.
  Survey keeping(int[] places, Source part) {
    Survey fewer = new Survey(part, transform, likelihood, 0);
    for (int j = 0; j < places.length; j++) {
      fewer.low[j] = low[places[j]];
      fewer.high[j] = high[places[j]];
    }
    fewer.values = Arrays.stream(places).mapToObj(values::get).toList();
    fewer.valued = valued;
    fewer.inputs = VaryingColumns.chosen(inputs, target.length, dimensions, places);
    fewer.target = target;
    fewer.weight = weight;
    fewer.weighted = weighted;
    fewer.count = count;
    fewer.whole = whole;
    fewer.counted = counted;
    fewer.total = total;
    return fewer;
  }

  /// Whether every row was seen here and there are at most so many, all columns varying.
  boolean atMost(int rows) {
    boolean varying = true;
    for (int a = 0; a < dimensions; a++) varying &= low[a] < high[a];
    return whole && count <= rows && varying;
  }

  /// Whether the number of rows is known, and there are at most so many.
  boolean certainlyAtMost(int rows) {
    return counted && total <= rows;
  }

  /// About how many different points there are, judged by the rows kept.
  long places() {
    if (dimensions > 1) return total;
    int kept = (int) Math.min(count, SAMPLE);
    double[] sorted = Arrays.copyOf(inputs, kept);
    Arrays.sort(sorted);
    int distinct = 1;
    for (int i = 1; i < kept; i++) if (sorted[i] > sorted[i - 1]) distinct++;
    if (whole && kept == count) return distinct;
    // a sample in which few points repeat says that few do
    return distinct > kept / 2 ? total : Math.min(total, 2L * distinct);
  }

  double[] low() {
    return low;
  }

  double[] high() {
    return high;
  }

  /// At most so many rows, evenly chosen among those kept, with the target transformed; under a
  /// likelihood that is not Gaussian with the value of the function that each suggests.
  Dataset sample(int most) {
    int[] chosen = chosen(most);
    double[] z = new double[chosen.length];
    if (!likelihood.isGaussian()) {
      for (int i = 0; i < z.length; i++)
        z[i] = likelihood.start(target[chosen[i]], weight[chosen[i]]);
      return Dataset.of(inputs(chosen), source.columns(), z, source.target());
    }
    for (int i = 0; i < z.length; i++) z[i] = transform.apply(target[chosen[i]]);
    return dataset(chosen, z, source);
  }

  /// Observations with the value of the function that each suggests.
  static Dataset starts(Observations data, Likelihood likelihood) {
    double[] f = new double[data.size()];
    for (int i = 0; i < f.length; i++) f[i] = likelihood.start(data.values()[i], data.sizes()[i]);
    return Dataset.of(data.places(), data.dimensions(), f);
  }

  /// The same rows as they stand in the table.
  Dataset table(int most, Source source) {
    int[] chosen = chosen(most);
    double[] y = new double[chosen.length];
    for (int i = 0; i < y.length; i++) y[i] = target[chosen[i]];
    return dataset(chosen, y, source);
  }

  private Dataset dataset(int[] chosen, double[] target, Source source) {
    Dataset data = Dataset.of(inputs(chosen), source.columns(), target, source.target());
    return weighted ? data.withWeights(weights(chosen)) : data;
  }

  private int[] chosen(int most) {
    int kept = (int) Math.min(count, SAMPLE);
    int[] chosen = new int[Math.min(kept, most)];
    for (int i = 0; i < chosen.length; i++) chosen[i] = (int) ((long) i * kept / chosen.length);
    return chosen;
  }

  private double[] inputs(int[] chosen) {
    double[] x = new double[chosen.length * dimensions];
    for (int i = 0; i < chosen.length; i++)
      System.arraycopy(inputs, chosen[i] * dimensions, x, i * dimensions, dimensions);
    return x;
  }

  private double[] weights(int[] chosen) {
    double[] w = new double[chosen.length];
    for (int i = 0; i < w.length; i++) w[i] = weight[chosen[i]];
    return w;
  }

  /// All rows, at most as many as an engine takes; the remedy says what to do about more.
  static Dataset rows(Source source, Engine engine, int most, String remedy) throws IOException {
    int d = source.columns().size();
    var all =
        new Object() {
          double[] x = new double[0];
          double[] y = new double[0];
          double @Nullable [] w;
          int n;
        };
    source.read(
        (count, x, y, given) -> {
          double[] weights = given.orElse(null);
          if ((long) all.n + count > most)
            throw new IllegalArgumentException(
                String.format(
                    Locale.ROOT,
                    "a model with engine %s takes at most %,d rows, the data have more; %s",
                    engine,
                    most,
                    remedy));
          int n = all.n + count;
          if (n > all.y.length) {
            int room = (int) Math.min(most, Math.max(n, all.n + (long) all.n / 2));
            all.x = Arrays.copyOf(all.x, room * d);
            all.y = Arrays.copyOf(all.y, room);
            if (all.w != null) all.w = Arrays.copyOf(all.w, room);
          }
          System.arraycopy(x, 0, all.x, all.n * d, count * d);
          System.arraycopy(y, 0, all.y, all.n, count);
          if (weights != null && all.w == null) {
            all.w = new double[all.y.length];
            Arrays.fill(all.w, 0, all.n, 1); // rows without weights
          }
          if (all.w != null && weights != null) System.arraycopy(weights, 0, all.w, all.n, count);
          else if (all.w != null) Arrays.fill(all.w, all.n, n, 1);
          all.n = n;
        });
    double[] w = all.w;
    Dataset data =
        Dataset.of(
            Arrays.copyOf(all.x, all.n * d),
            source.columns(),
            Arrays.copyOf(all.y, all.n),
            source.target());
    return w == null ? data : data.withWeights(Arrays.copyOf(w, all.n));
  }

  /// The smallest weight; a row of weight w has the noise's variance divided by w.
  private static double leastWeight(Dataset data) {
    return IntStream.range(0, data.size()).mapToDouble(data::weight).min().orElse(1);
  }

  /// Fails where rows at one place have different values and there is no noise to explain it.
  ///
  /// @param data as they stand in the table
  /// @param numbered whether its rows are those of the table, in their order
  static void requireOneValue(Dataset data, double noise, boolean numbered) {
    requireOneValue(data, noise, numbered, Double.NaN);
  }

  /// @param least the smallest noise that works for rows of weight one, NaN where it is not known
  static void requireOneValue(Dataset data, double noise, boolean numbered, double least) {
    if (noise != 0) return;
    String remedy =
        Double.isNaN(least)
            ? "allow noise,"
            : String.format(
                Locale.ROOT,
                "allow noise, the smallest noise that works is %.3g; or",
                least * Math.max(1, leastWeight(data)));
    int d = data.dimensions();
    Map<List<Double>, Integer> first = new HashMap<>();
    for (int i = 0; i < data.size(); i++) {
      List<Double> place = new ArrayList<>(d);
      for (int j = 0; j < d; j++) place.add(data.inputs()[i * d + j] + 0.0);
      Integer before = first.putIfAbsent(place, i);
      if (before == null || data.target()[before] == data.target()[i]) continue;
      String rows =
          numbered
              ? String.format(
                  Locale.ROOT, "rows %,d and %,d (data rows count from 1)", before + 1, i + 1)
              : "two rows";
      throw new IllegalArgumentException(
          "%s lie at one place, %s, with the values %s and %s of '%s', and there is no noise to explain it; %s take their mean, or drop one of them"
              .formatted(
                  rows,
                  IntStream.range(0, d)
                      .mapToObj(
                          j ->
                              data.columns().get(j).name()
                                  + " = "
                                  + data.columns().get(j).format(place.get(j)))
                      .collect(Collectors.joining(", ")),
                  data.target()[before],
                  data.target()[i],
                  data.targetColumn().name(),
                  remedy));
    }
  }

  static long fingerprint(Dataset data) {
    Fingerprint print = new Fingerprint();
    print.add(data);
    return print.value();
  }
}

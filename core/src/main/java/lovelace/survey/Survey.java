package lovelace.survey;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.SplittableRandom;
import lovelace.budget.Budget;
import lovelace.data.Column;
import lovelace.data.Dataset;
import lovelace.data.TargetTransform;
import lovelace.engines.Engines;
import lovelace.grid.ColumnValues;
import lovelace.laplace.Observations;
import lovelace.likelihood.Likelihood;
import lovelace.options.Options;
import lovelace.options.Options.Shape;
import lovelace.source.Source;
import lovelace.source.internal.Pass;
import lovelace.source.internal.SomeColumns;
import org.jspecify.annotations.Nullable;

/// The facts from the first reading of the rows: the range of every column, and some rows to start
/// from.
public final class Survey {

  /// All rows are kept up to this number; of more, a random choice of this size.
  private static final int SAMPLE = 10_000;

  /// The most different values that are kept for all columns together.
  private static final int VALUES = 10 * ColumnValues.MOST;

  /// The largest absolute input or target. Squares of such numbers can be summed.
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
  private long total; // rows of the source, as far as known

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

  public static Survey of(Source source, Options fit) throws IOException {
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

  /// Fails for numbers whose squares and sums would overflow. Numbers that are not finite are
  /// reported later, with their rows.
  public void requireModerate() {
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

  /// Why a row cannot be an observation; null if it can.
  public static @Nullable String refusal(Likelihood likelihood, double y, double size) {
    if (likelihood.size() == Likelihood.Size.NONE && size != 1)
      return "its weight is %s, and likelihood %s takes none; leave the weights out"
          .formatted(number(size), likelihood.name());
    return likelihood.refusal(y, size);
  }

  /// The error for a row that cannot be an observation.
  ///
  /// @param sized whether rows have sizes
  /// @param row the number of the row, 0 if it is not known
  public static IllegalArgumentException refused(
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

  /// Reads all rows for the values of their columns if only some were seen, because these do not
  /// show the step of all.
  public void readValues() throws IOException {
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
  public boolean isRegular() {
    return values.stream().allMatch(column -> column.nodes() != null);
  }

  /// Whether a fit might choose the data's own grid by default: the kernel is rough, and the rows
  /// seen lie on a grid over two or three columns.
  public boolean mayBeOwn(Options fit) {
    int d = values.size();
    return fit.grid().isAutomatic()
        && fit.shape() == Shape.AUTO
        && d > 1
        && d < 4
        && isRegular()
        && Engines.isRough(fit.kernel().bind(d));
  }

  /// Whether [#values] are those of all rows, and not of some.
  public boolean hasValues() {
    return valued;
  }

  /// The different values of every column, if they may be nodes of a grid.
  public List<ColumnValues> values() {
    return values;
  }

  /// Keeps a row by reservoir sampling: every row has the same chance to be kept.
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

  /// The transform of the target. Ranks are those of the rows kept.
  public TargetTransform transform() {
    return transform;
  }

  /// The number of rows as far as it is known; at least the number of rows seen.
  public long count() {
    return total;
  }

  /// The columns, or the features in their place.
  public List<Column> columns() {
    return source.columns();
  }

  /// The names of the columns, or of the features in their place.
  public List<String> names() {
    return source.columns().stream().map(Column::name).toList();
  }

  /// The same survey for some of the columns, which are those of the source `part`.
  public Survey keeping(int[] places, Source part) {
    Survey fewer = new Survey(part, transform, likelihood, 0);
    for (int j = 0; j < places.length; j++) {
      fewer.low[j] = low[places[j]];
      fewer.high[j] = high[places[j]];
    }
    fewer.values = Arrays.stream(places).mapToObj(values::get).toList();
    fewer.valued = valued;
    fewer.inputs = SomeColumns.chosen(inputs, target.length, dimensions, places);
    fewer.target = target;
    fewer.weight = weight;
    fewer.weighted = weighted;
    fewer.count = count;
    fewer.whole = whole;
    fewer.counted = counted;
    fewer.total = total;
    return fewer;
  }

  /// Whether every row was seen, there are at most `rows` of them, and all columns vary.
  public boolean atMost(int rows) {
    boolean varying = true;
    for (int a = 0; a < dimensions; a++) varying &= low[a] < high[a];
    return whole && count <= rows && varying;
  }

  /// Whether the number of rows is known and at most `rows`.
  public boolean certainlyAtMost(int rows) {
    return counted && total <= rows;
  }

  /// About how many different points there are, estimated from the rows kept.
  public long places() {
    if (dimensions > 1) return total;
    int kept = (int) Math.min(count, SAMPLE);
    double[] sorted = Arrays.copyOf(inputs, kept);
    Arrays.sort(sorted);
    int distinct = 1;
    for (int i = 1; i < kept; i++) if (sorted[i] > sorted[i - 1]) distinct++;
    if (whole && kept == count) return distinct;
    // if few points repeat in a sample, few do in the table
    return distinct > kept / 2 ? total : Math.min(total, 2L * distinct);
  }

  public double[] low() {
    return low;
  }

  public double[] high() {
    return high;
  }

  /// At most `most` rows, evenly chosen among those kept, with the transformed target. Under a
  /// likelihood that is not Gaussian, each has the value of the function that it suggests.
  public Dataset sample(int most) {
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
  public static Dataset starts(Observations data, Likelihood likelihood) {
    double[] f = new double[data.size()];
    for (int i = 0; i < f.length; i++) f[i] = likelihood.start(data.values()[i], data.sizes()[i]);
    return Dataset.of(data.places(), data.dimensions(), f);
  }

  /// The same rows, unchanged from the table.
  public Dataset table(int most, Source source) {
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
}

package lovelace.cli;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.stream.IntStream;
import lovelace.Model;
import lovelace.data.Column;
import lovelace.data.Dataset;
import lovelace.data.FeatureMap;
import lovelace.diagnostics.LeaveOneOut;
import lovelace.diagnostics.Variogram;
import lovelace.grid.Lattice;
import lovelace.io.Fingerprint;
import lovelace.kernel.Hyperparameters;
import lovelace.kernel.Parameter;
import lovelace.linear.Gaussian;
import lovelace.neighbours.NeighbourSearch;
import lovelace.plot.Checks;
import lovelace.posterior.Prediction;
import lovelace.posterior.Scores;
import lovelace.source.Source;

/// Compares a model with the rows that it has learned from. Each row is predicted from all others.
final class Diagnosis {

  /// The fewest rows in a class of distances, and the most classes.
  private static final int FEW = 25;

  private static final int CLASSES = 10;

  /// If lengthscales differ by a larger factor, columns have units of their own.
  private static final double ALIKE = 5;

  private final Model model;
  private final Dataset rows; // with the target in the table's units
  private final double[] modelled; // the target after the transform
  private final double[] features;
  private final double[] scales; // of the features, for distances
  private final boolean scaled;
  private final NeighbourSearch search;
  private final double[] nearest;
  private final Prediction left; // of the modelled target
  private final int[] known;
  private final double[] standardised;
  private final double[] errors;

  private Diagnosis(Model model, Dataset rows) {
    this.model = model;
    this.rows = rows;
    int n = rows.size();
    modelled = Arrays.stream(rows.target()).map(model.transform()::apply).toArray();
    features = model.features(rows.inputs());
    int d = features.length / n;
    double[] lengths = lengthscales(model.hyperparameters(), d);
    scaled = d > 1 && model.place().isEmpty() && ratio(lengths) > ALIKE;
    scales = scaled ? lengths : new double[d];
    if (!scaled) Arrays.fill(scales, 1);
    search = NeighbourSearch.of(features, new boolean[d], scales, IntStream.range(0, n).toArray());
    int[] two = search.nearestTo(features, n, 2);
    nearest = new double[n];
    for (int i = 0; i < n; i++) {
      int other = two[2 * i] == i ? two[2 * i + 1] : two[2 * i];
      nearest[i] = other < 0 ? Double.NaN : distance(features, i, other);
    }
    Dataset own = Dataset.of(rows.inputs(), rows.columns(), modelled, rows.targetColumn());
    if (rows.weighted()) own = own.withWeights(rows.weights());
    left = LeaveOneOut.of(model.posterior(), model.held(), own);
    known = IntStream.range(0, n).filter(i -> Double.isFinite(left.mean(i))).toArray();
    if (known.length == 0)
      throw new IllegalArgumentException(
          "no row can be predicted from the others because of rounding; fit with more noise");
    Prediction values = left.undo(model.transform());
    standardised = new double[n];
    errors = new double[n];
    for (int i = 0; i < n; i++) {
      standardised[i] = (modelled[i] - left.mean(i)) / left.deviation(i);
      errors[i] = rows.target()[i] - values.mean(i);
    }
  }

  /// Refuses models whose rows cannot be left out one by one.
  static void requireGaussian(Model model) {
    if (!model.likelihood().isGaussian())
      throw new IllegalArgumentException(
          "diagnose needs Gaussian noise, and the model has likelihood %s; score held-out rows with 'lovelace evaluate'"
              .formatted(model.likelihood()));
  }

  /// Reads the table that the model has learned from. Refuses any other table.
  static Diagnosis of(Model model, Source source, String name) throws IOException {
    Dataset rows = inside(model, read(model, source, name));
    Fingerprint print = new Fingerprint();
    print.add(rows);
    if (rows.size() != model.count() || print.value() != model.provenance().fingerprint())
      throw new IllegalArgumentException(
          String.format(
              Locale.ROOT,
              "'%s' is not the table from which the model has learned: %s; pass that table, or score other rows with 'lovelace evaluate'",
              name,
              rows.size() != model.count()
                  ? String.format(
                      Locale.ROOT, "it has %,d rows, and the model %,d", rows.size(), model.count())
                  : "it has the same number of rows, but other values"));
    return new Diagnosis(model, rows);
  }

  private static Dataset read(Model model, Source source, String name) throws IOException {
    int d = model.columns().size();
    List<double[]> x = new ArrayList<>();
    List<double[]> y = new ArrayList<>();
    List<double[]> w = new ArrayList<>();
    int[] count = {0};
    boolean[] weighted = {false};
    source.read(
        (size, inputs, targets, weights) -> {
          x.add(Arrays.copyOf(inputs, size * d));
          y.add(Arrays.copyOf(targets, size));
          weighted[0] |= weights.isPresent();
          double[] own = new double[size];
          for (int i = 0; i < size; i++) own[i] = weights.isPresent() ? weights.get()[i] : 1;
          w.add(own);
          count[0] = Math.addExact(count[0], size);
        });
    if (count[0] == 0)
      throw new IllegalArgumentException(
          "'%s' has no rows; check filters and missing values".formatted(name));
    Dataset all =
        Dataset.of(joined(x, count[0] * d), model.columns(), joined(y, count[0]), model.target());
    return weighted[0] ? all.withWeights(joined(w, count[0])) : all;
  }

  private static double[] joined(List<double[]> parts, int size) {
    double[] all = new double[size];
    int at = 0;
    for (double[] part : parts) {
      System.arraycopy(part, 0, all, at, part.length);
      at += part.length;
    }
    return all;
  }

  /// Leaves out rows beyond the grid, as a fit may have done.
  private static Dataset inside(Model model, Dataset rows) {
    Lattice lattice = model.lattice().map(l -> l.statistics().lattice()).orElse(null);
    if (lattice == null || rows.size() <= model.count()) return rows;
    double[] z = model.features(rows.inputs());
    int k = lattice.dimensions();
    return chosen(
        rows,
        IntStream.range(0, rows.size()).filter(i -> lattice.outsideColumn(z, i * k) < 0).toArray());
  }

  private static Dataset chosen(Dataset rows, int[] kept) {
    int d = rows.dimensions();
    double[] x = new double[kept.length * d];
    double[] y = new double[kept.length];
    double[] w = new double[kept.length];
    for (int i = 0; i < kept.length; i++) {
      System.arraycopy(rows.inputs(), kept[i] * d, x, i * d, d);
      y[i] = rows.target()[kept[i]];
      w[i] = rows.weight(kept[i]);
    }
    Dataset all = Dataset.of(x, rows.columns(), y, rows.targetColumn());
    return rows.weighted() ? all.withWeights(w) : all;
  }

  /// The lengthscales of the only parameter that has one for each feature; ones if there is none.
  private static double[] lengthscales(Hyperparameters h, int d) {
    List<Parameter> all =
        h.parameters().stream().filter(p -> p.role() == Parameter.Role.LENGTHSCALE).toList();
    if (all.size() == 1 && all.getFirst().size() == d) return all.getFirst().values();
    double[] ones = new double[d];
    Arrays.fill(ones, 1);
    return ones;
  }

  private static double ratio(double[] lengths) {
    return Arrays.stream(lengths).max().orElse(1) / Arrays.stream(lengths).min().orElse(1);
  }

  private double distance(double[] x, int i, int j) {
    return distance(x, i, features, j);
  }

  private double distance(double[] a, int i, double[] b, int j) {
    int d = scales.length;
    double sum = 0;
    for (int c = 0; c < d; c++) {
      double t = (a[i * d + c] - b[j * d + c]) / scales[c];
      sum += t * t;
    }
    return Math.sqrt(sum);
  }

  /// A label for distances, with their unit.
  String distanceLabel(String what) {
    if (scaled) return what + " (lengthscales)";
    List<Column> columns = model.columns();
    String unit =
        model.map().map(map -> featureUnit(map, columns)).orElse(columns.getFirst().unit());
    return unit.isEmpty() ? what : what + " (" + unit + ")";
  }

  private String featureUnit(FeatureMap map, List<Column> columns) {
    List<Column> process = columns.subList(0, map.inputs());
    return map.features(process).getFirst().unit();
  }

  /// The mean noise variance.
  double nugget() {
    double sum = 0;
    for (int i = 0; i < rows.size(); i++) sum += model.noise() / rows.weight(i) / rows.size();
    return sum;
  }

  double[] standardised() {
    return standardised;
  }

  /// A column of the rows.
  double[] column(int j) {
    int d = rows.dimensions();
    return IntStream.range(0, rows.size()).mapToDouble(i -> rows.inputs()[i * d + j]).toArray();
  }

  /// The number of rows that cannot be left out.
  int unknown() {
    return rows.size() - known.length;
  }

  double meanError() {
    return Arrays.stream(known).mapToDouble(i -> errors[i]).average().orElse(Double.NaN);
  }

  double meanStandardised() {
    return Arrays.stream(known).mapToDouble(i -> standardised[i]).average().orElse(Double.NaN);
  }

  double rmsStandardised() {
    return Math.sqrt(
        Arrays.stream(known)
            .mapToDouble(i -> standardised[i] * standardised[i])
            .average()
            .orElse(Double.NaN));
  }

  /// Scores of all rows that can be left out.
  Scores scores() {
    return scores(known);
  }

  private Scores scores(int[] some) {
    return Scores.of(
        Prediction.adopt(
                Arrays.stream(some).mapToDouble(left::mean).toArray(),
                Arrays.stream(some).mapToDouble(left::variance).toArray())
            .undo(model.transform()),
        Arrays.stream(some).mapToDouble(i -> rows.target()[i]).toArray());
  }

  /// The variogram of the modelled target less its mean.
  List<Variogram.Lag> variogram(int classes, long seed) {
    double[] noises = new double[rows.size()];
    for (int i = 0; i < noises.length; i++) noises[i] = model.noise() / rows.weight(i);
    return Variogram.of(
        model.hyperparameters().kernel().withoutWhite(),
        features,
        residuals(),
        noises,
        scales,
        classes,
        seed);
  }

  /// The modelled target less the mean of the process and its drift.
  private double[] residuals() {
    double[] r = modelled.clone();
    int d = features.length / r.length;
    List<Model.Coefficient> drift = model.drift();
    List<String> names = model.columns().stream().map(Column::name).toList();
    for (int i = 0; i < r.length; i++) {
      if (drift.isEmpty()) r[i] -= model.hyperparameters().mean().at(features, i * d);
      for (int k = 0; k < drift.size(); k++)
        r[i] -=
            drift.get(k).value()
                * (k == 0
                    ? 1
                    : rows.inputs()[i * names.size() + names.indexOf(drift.get(k).name())]);
    }
    return r;
  }

  /// Coverage of the rows left out, by distance to the nearest other row.
  List<Checks.Coverage> coverage(double[] levels) {
    return coverage(nearest, known, standardised, levels);
  }

  /// Coverage of rows that the model has not learned from, by distance to the nearest row that it
  /// has learned from.
  List<Checks.Coverage> coverage(Source source, String name, double[] levels) throws IOException {
    Dataset test = read(model, source, name);
    int n = test.size();
    double[] weights = IntStream.range(0, n).mapToDouble(test::weight).toArray();
    Prediction p = model.posterior().predict(test.inputs()).withNoise(model.noise(), weights);
    double[] z = new double[n];
    for (int i = 0; i < n; i++)
      z[i] =
          model.transform().takes(test.target()[i])
              ? (model.transform().apply(test.target()[i]) - p.mean(i)) / p.deviation(i)
              : Double.NEGATIVE_INFINITY;
    double[] x = model.features(test.inputs());
    int[] one = search.nearestTo(x, n, 1);
    double[] far = new double[n];
    for (int i = 0; i < n; i++) far[i] = distance(x, i, features, one[i]);
    return coverage(far, IntStream.range(0, n).toArray(), z, levels);
  }

  /// Divides rows into classes of similar size by distance. Rows at equal distances stay together.
  private static List<Checks.Coverage> coverage(
      double[] far, int[] some, double[] z, double[] levels) {
    int[] order =
        Arrays.stream(some)
            .filter(i -> Double.isFinite(far[i]))
            .boxed()
            .sorted(Comparator.comparingDouble((Integer i) -> far[i]).thenComparingInt(i -> i))
            .mapToInt(Integer::intValue)
            .toArray();
    int size = Math.max(FEW, Math.ceilDiv(order.length, CLASSES));
    List<Checks.Coverage> classes = new ArrayList<>();
    for (int from = 0, to; from < order.length; from = to) {
      to = Math.min(order.length, from + size);
      while (to < order.length && far[order[to]] == far[order[to - 1]]) to++;
      if (order.length - to < FEW) to = order.length;
      double distance = 0;
      double[] inside = new double[levels.length];
      for (int k = from; k < to; k++) {
        distance += far[order[k]] / (to - from);
        for (int l = 0; l < levels.length; l++) {
          double end = Gaussian.quantile(0.5 * (1 + levels[l]));
          if (Math.abs(z[order[k]]) <= end) inside[l]++;
        }
      }
      for (int l = 0; l < levels.length; l++) inside[l] /= to - from;
      classes.add(new Checks.Coverage(distance, to - from, inside));
    }
    return classes;
  }

  /// Every row with its prediction from all others.
  ResultTable table() {
    ResultTable table = new ResultTable();
    int n = rows.size();
    Prediction values = left.undo(model.transform());
    table.add("row", IntStream.rangeClosed(1, n).mapToObj(i -> (long) i).toList());
    for (int j = 0; j < rows.dimensions(); j++) {
      Column column = rows.columns().get(j);
      double[] x = column(j);
      if (column.isText() || column.time().isPresent())
        table.add(column.name(), Arrays.stream(x).mapToObj(column::format).toList());
      else table.add(column.name(), x);
    }
    table.add(model.target().name(), rows.target());
    table.add("loo_mean", IntStream.range(0, n).mapToDouble(values::mean).toArray());
    table.add("loo_deviation", IntStream.range(0, n).mapToDouble(values::deviation).toArray());
    table.add("residual", errors);
    table.add("standardised", standardised);
    table.add("nearest", nearest);
    return table;
  }
}

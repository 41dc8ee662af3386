package lovelace.spark;

import java.io.Serializable;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Iterator;
import java.util.List;
import java.util.Locale;
import java.util.NoSuchElementException;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import lovelace.Model;
import lovelace.data.Column;
import lovelace.lattice.LatticePosterior;
import lovelace.lattice.SampledFunction;
import lovelace.likelihood.Likelihood;
import lovelace.likelihood.Likelihood.Of;
import lovelace.posterior.Prediction;
import org.apache.spark.api.java.function.MapPartitionsFunction;
import org.apache.spark.broadcast.Broadcast;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.RowFactory;
import org.apache.spark.sql.api.java.UDF1;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.StructType;
import org.jspecify.annotations.Nullable;
import scala.collection.Seq;

/// Scores rows, one at a time or some thousand together. The inputs of a row are an array of
/// numbers, with the size of the observation at its end if there is one, and NaN for a missing
/// value. The result is a struct of all requested columns.
final class Scoring implements Serializable {

  /// The fields of a result.
  static final String PREDICTION = "prediction";

  static final String VARIANCE = "variance";
  static final String INTERVAL = "interval";
  static final String DRAWS = "draws";
  static final String OUTSIDE = "outside";

  private static final long serialVersionUID = 2;
  private static final int BATCH = 2048;

  /// The requested results.
  ///
  /// @param level of intervals; NaN for none
  /// @param draws their number; 0 for none
  /// @param sized whether rows end with the size of the observation
  /// @param error whether a row with a missing value is an error; otherwise it has no result
  record Asked(
      Of of,
      boolean variance,
      double level,
      int draws,
      long seed,
      boolean outside,
      boolean sized,
      boolean error)
      implements Serializable {}

  private final Broadcast<ShippedModel> shipped;
  private final Asked asked;
  private final int fields; // of a result
  private transient @Nullable Ready ready;

  Scoring(Broadcast<ShippedModel> shipped, Asked asked) {
    this.shipped = shipped;
    this.asked = asked;
    fields = type(asked).size();
  }

  /// Objects that scoring needs. They are made once per task.
  private static final class Ready {
    private final Model model;
    private final int[] kept; // positions of the model's columns in a row of all columns
    private final List<SampledFunction> functions;

    Ready(Model model, int[] kept, List<SampledFunction> functions) {
      this.model = model;
      this.kept = kept;
      this.functions = functions;
    }
  }

  /// The type of a result.
  StructType type() {
    return type(asked);
  }

  private static StructType type(Asked asked) {
    DataType array = DataTypes.createArrayType(DataTypes.DoubleType, false);
    StructType all = new StructType().add(PREDICTION, DataTypes.DoubleType);
    if (asked.variance) all = all.add(VARIANCE, DataTypes.DoubleType);
    if (asked.level > 0) all = all.add(INTERVAL, array);
    if (asked.draws > 0) all = all.add(DRAWS, array);
    if (asked.outside) all = all.add(OUTSIDE, DataTypes.BooleanType);
    return all;
  }

  /// A function from a row's inputs to its result. It is fast only for models on a lattice.
  UDF1<Seq<Double>, @Nullable Row> rowByRow() {
    return inputs -> {
      double[] x = read(inputs);
      return x == null ? null : results(x, 1).getFirst();
    };
  }

  /// Whether a row can be scored.
  UDF1<Seq<Double>, Boolean> valid() {
    return inputs -> read(inputs) != null;
  }

  /// A function from rows whose last column is their inputs to rows whose last column is their
  /// result.
  MapPartitionsFunction<Row, Row> inBatches() {
    return rows ->
        new Iterator<>() {
          private Iterator<Row> scored = List.<Row>of().iterator();

          @Override
          public boolean hasNext() {
            while (!scored.hasNext() && rows.hasNext()) {
              List<Row> batch = new ArrayList<>(BATCH);
              while (batch.size() < BATCH && rows.hasNext()) batch.add(rows.next());
              scored = scored(batch).iterator();
            }
            return scored.hasNext();
          }

          @Override
          public Row next() {
            if (!hasNext()) throw new NoSuchElementException();
            return scored.next();
          }
        };
  }

  private List<Row> scored(List<Row> batch) {
    int width = ready().model.columns().size() + (asked.sized ? 1 : 0);
    double[] points = new double[batch.size() * width];
    boolean[] known = new boolean[batch.size()];
    int count = 0;
    for (int i = 0; i < known.length; i++) {
      Row row = batch.get(i);
      int last = row.size() - 1;
      double[] x = read(row.isNullAt(last) ? null : row.<Double>getSeq(last));
      if (x == null) continue;
      known[i] = true;
      System.arraycopy(x, 0, points, width * count++, width);
    }
    Iterator<Row> found = results(Arrays.copyOf(points, width * count), count).iterator();
    List<Row> scored = new ArrayList<>(batch.size());
    for (int i = 0; i < known.length; i++) {
      Row row = batch.get(i);
      Object[] values = new Object[row.size()];
      for (int j = 0; j < values.length - 1; j++) values[j] = row.get(j);
      if (known[i]) values[values.length - 1] = found.next();
      scored.add(RowFactory.create(values));
    }
    return scored;
  }

  private Ready ready() {
    Ready known = ready;
    if (known != null) return known;
    Model model = shipped.value().model();
    List<SampledFunction> functions = List.of();
    if (asked.draws > 0) {
      LatticePosterior lattice = model.lattice().orElseThrow();
      functions = lattice.sampler().functions(asked.draws, new SplittableRandom(asked.seed));
    }
    int width = model.columns().size() + model.leftOut().size();
    int[] kept =
        IntStream.range(0, width)
            .filter(j -> model.leftOut().stream().noneMatch(out -> out.place() == j))
            .toArray();
    known = new Ready(model, kept, functions);
    ready = known;
    return known;
  }

  /// The model's inputs from a row, and its size; null if a value is missing and that is not an
  /// error.
  private double @Nullable [] read(@Nullable Seq<Double> inputs) {
    if (inputs == null) return invalid("the vector of inputs", Double.NaN);
    Ready now = ready();
    List<Column> columns = now.model.columns();
    int d = columns.size();
    int given = inputs.length() - (asked.sized ? 1 : 0);
    boolean all = given == now.kept.length + now.model.leftOut().size() && given > d;
    if (given != d && !all)
      throw new IllegalArgumentException(
          String.format(
              Locale.ROOT,
              "the model has %d inputs, a row has %d; give it the columns %s",
              d,
              given,
              columns.stream().map(Column::name).toList()));
    double[] x = new double[d + (asked.sized ? 1 : 0)];
    for (int j = 0; j < d; j++) {
      x[j] = inputs.apply(all ? now.kept[j] : j);
      if (Double.isFinite(x[j])) continue;
      Column column = columns.get(j);
      if (column.fill().isEmpty()) return invalid("column '" + column.name() + "'", x[j]);
      x[j] = column.fill().getAsDouble();
    }
    if (!asked.sized) return x;
    x[d] = inputs.apply(given);
    return x[d] > 0 && x[d] < Double.POSITIVE_INFINITY ? x : invalid("the size of a row", x[d]);
  }

  private double @Nullable [] invalid(String what, double value) {
    if (!asked.error) return null;
    throw new IllegalArgumentException(
        "%s is %s; correct or drop the row, or setHandleInvalid(\"skip\") or (\"keep\")"
            .formatted(what, shown(value)));
  }

  static String shown(double value) {
    return Double.isNaN(value) ? "missing or NaN" : String.valueOf(value);
  }

  /// The results of consecutive rows in the form of [#read].
  private List<Row> results(double[] rows, int count) {
    Ready now = ready();
    Model model = now.model;
    int d = model.columns().size();
    double[] points = rows;
    double[] sizes = new double[0];
    if (asked.sized) {
      points = new double[count * d];
      sizes = new double[count];
      for (int i = 0; i < count; i++) {
        System.arraycopy(rows, i * (d + 1), points, i * d, d);
        sizes[i] = rows[i * (d + 1) + d];
      }
    }
    Prediction all = model.predict(points, asked.of, sizes);
    double[] features = now.functions.isEmpty() ? points : model.features(points);
    int k = count == 0 ? 0 : features.length / count;
    List<Row> results = new ArrayList<>(count);
    for (int i = 0; i < count; i++) {
      Object[] values = new Object[fields];
      int next = 0;
      values[next++] = all.mean(i);
      if (asked.variance) values[next++] = all.variance(i);
      if (asked.level > 0)
        values[next++] = new double[] {all.lower(i, asked.level), all.upper(i, asked.level)};
      if (asked.draws > 0) values[next++] = drawn(now, features, k * i);
      if (asked.outside) values[next] = all.outside(i);
      results.add(RowFactory.create(values));
    }
    return results;
  }

  private double[] drawn(Ready now, double[] features, int at) {
    double[] drawn = new double[now.functions.size()];
    for (int f = 0; f < drawn.length; f++) {
      SampledFunction function = now.functions.get(f);
      drawn[f] =
          function.covers(features, at)
              ? shown(now.model, function.pointwise(features, at))
              : Double.NaN;
    }
    return drawn;
  }

  /// The shown value for a value of the function: its rate or probability if there is one, unless
  /// the function itself is asked for.
  private double shown(Model model, double f) {
    Likelihood likelihood = model.likelihood();
    Of drawn = asked.of == Of.OBSERVATION ? likelihood.usual() : asked.of;
    return drawn == Of.FUNCTION
        ? model.transform().invert(f)
        : likelihood
            .law(drawn, 1)
            .draw(f, new SplittableRandom(asked.seed)); // nothing is random given f
  }
}

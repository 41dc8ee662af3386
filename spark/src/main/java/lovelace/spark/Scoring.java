package lovelace.spark;

import java.io.Serializable;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Iterator;
import java.util.List;
import java.util.Locale;
import java.util.NoSuchElementException;
import java.util.SplittableRandom;
import lovelace.Model;
import lovelace.data.Column;
import lovelace.lattice.LatticePosterior;
import lovelace.lattice.SampledFunction;
import lovelace.likelihood.Likelihood;
import lovelace.likelihood.Likelihood.Of;
import lovelace.posterior.Prediction;
import org.apache.spark.ml.linalg.Vector;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.RowFactory;
import org.jspecify.annotations.Nullable;

/// Scores the rows of a partition, some thousand at a time.
final class Scoring implements Serializable {

  private static final long serialVersionUID = 1;
  private static final int BATCH = 2048;

  private final int[] places;
  private final boolean variance;
  private final double level; // NaN for no interval
  private final int draws;
  private final long seed;
  private final Of of;

  Scoring(int[] places, boolean variance, double level, int draws, long seed, Of of) {
    if (level <= 0 || level >= 1)
      throw new IllegalArgumentException("level must lie between 0 and 1, got " + level);
    if (draws < 0) throw new IllegalArgumentException("draws must be > 0, got " + draws);
    this.places = places;
    this.variance = variance;
    this.level = level;
    this.draws = draws;
    this.seed = seed;
    this.of = of;
  }

  Iterator<Row> score(Model model, Iterator<Row> rows) {
    List<SampledFunction> functions = List.of();
    if (draws > 0) {
      LatticePosterior lattice = model.lattice().orElse(null);
      if (lattice == null)
        throw new IllegalArgumentException(
            "drawsCol needs a model on a grid, this one holds its rows; fit with grid points, or with engine spectral or krylov");
      if (!model.drift().isEmpty())
        throw new IllegalArgumentException(
            "drawsCol draws functions of the process, and the mean of this model has a drift; leave drawsCol out");
      functions = lattice.sampler().functions(draws, new SplittableRandom(seed));
    }
    List<SampledFunction> drawn = functions;
    return new Iterator<>() {
      private Iterator<Row> ready = List.<Row>of().iterator();

      @Override
      public boolean hasNext() {
        while (!ready.hasNext() && rows.hasNext()) {
          List<Row> batch = new ArrayList<>(BATCH);
          while (batch.size() < BATCH && rows.hasNext()) batch.add(rows.next());
          ready = score(model, drawn, batch).iterator();
        }
        return ready.hasNext();
      }

      @Override
      public Row next() {
        if (!hasNext()) throw new NoSuchElementException();
        return ready.next();
      }
    };
  }

  private List<Row> score(Model model, List<SampledFunction> functions, List<Row> batch) {
    int d = model.columns().size();
    double[] points = new double[batch.size() * d];
    boolean[] known = new boolean[batch.size()];
    int count = 0;
    for (int i = 0; i < known.length; i++) {
      known[i] = place(model, batch.get(i), d, points, count * d);
      if (known[i]) count++;
    }
    double[] wanted = Arrays.copyOf(points, count * d);
    Prediction all = model.predict(wanted, of);
    double[] features = functions.isEmpty() ? wanted : model.features(wanted);
    int k = count == 0 ? 0 : features.length / count;
    List<Row> scored = new ArrayList<>(batch.size());
    for (int i = 0, p = 0; i < known.length; i++)
      scored.add(
          known[i]
              ? extended(batch.get(i), model, all, p, functions, features, k * p++)
              : extended(batch.get(i), null, all, 0, functions, features, 0));
    return scored;
  }

  /// Reads a row's inputs; false where one is missing.
  private boolean place(Model model, Row row, int d, double[] points, int at) {
    if (places[0] < 0) {
      Object value = row.get(-1 - places[0]);
      if (!(value instanceof Vector vector)) return false;
      double[] values = vector.toArray();
      if (!model.leftOut().isEmpty() && values.length == d + model.leftOut().size())
        values = model.points(values);
      if (values.length != d)
        throw new IllegalArgumentException(
            String.format(
                Locale.ROOT, "the model has %d inputs, a vector has %d", d, vector.size()));
      System.arraycopy(values, 0, points, at, d);
    } else {
      for (int j = 0; j < d; j++)
        points[at + j] = value(model.columns().get(j), row.get(places[j]));
    }
    for (int j = 0; j < d; j++) {
      if (Double.isFinite(points[at + j])) continue;
      Column column = model.columns().get(j);
      if (column.fill().isEmpty()) return false;
      points[at + j] = column.fill().getAsDouble();
    }
    return true;
  }

  private static double value(Column column, @Nullable Object value) {
    if (value == null) return Double.NaN;
    if (column.isText()) return column.code(value.toString());
    return value instanceof Boolean truth ? (truth ? 1 : 0) : ((Number) value).doubleValue();
  }

  private Row extended(
      Row row,
      @Nullable Model model,
      Prediction all,
      int p,
      List<SampledFunction> functions,
      double[] features,
      int at) {
    Object[] values =
        new Object[row.size() + 1 + (variance ? 1 : 0) + (level > 0 ? 1 : 0) + (draws > 0 ? 1 : 0)];
    for (int j = 0; j < row.size(); j++) values[j] = row.get(j);
    if (model == null) return RowFactory.create(values);
    int next = row.size();
    values[next++] = all.mean(p);
    if (variance) values[next++] = all.variance(p);
    if (level > 0) values[next++] = new double[] {all.lower(p, level), all.upper(p, level)};
    if (draws > 0) {
      double[] drawn = new double[functions.size()];
      for (int f = 0; f < drawn.length; f++) {
        SampledFunction function = functions.get(f);
        drawn[f] =
            function.covers(features, at)
                ? shown(model, function.pointwise(features, at))
                : Double.NaN;
      }
      values[next] = drawn;
    }
    return RowFactory.create(values);
  }

  /// A value of the function as it is shown: its rate or probability where there is one, unless the
  /// function itself is asked for.
  private double shown(Model model, double f) {
    Likelihood likelihood = model.likelihood();
    Of drawn = of == Of.OBSERVATION ? likelihood.usual() : of;
    return drawn == Of.FUNCTION
        ? model.transform().invert(f)
        : likelihood.law(drawn, 1).draw(f, new SplittableRandom(seed)); // nothing is random given f
  }
}

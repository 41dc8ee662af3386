package lovelace.survey;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import lovelace.data.Dataset;
import lovelace.io.Fingerprint;
import lovelace.plan.Engine;
import lovelace.source.Source;
import org.jspecify.annotations.Nullable;

/// The rows of a table that a model holds.
public final class TableRows {

  private TableRows() {}

  /// Reads all rows. Fails if there are more than `most`, the number that an engine accepts;
  /// `remedy` says what to do then.
  public static Dataset read(Source source, Engine engine, int most, String remedy)
      throws IOException {
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

  /// The smallest weight. A row of weight w has the noise variance divided by w.
  private static double leastWeight(Dataset data) {
    return IntStream.range(0, data.size()).mapToDouble(data::weight).min().orElse(1);
  }

  /// Fails if rows at one place have different values and there is no noise to explain it.
  ///
  /// @param data unchanged from the table
  /// @param numbered whether its rows are those of the table, in their order
  public static void requireOneValue(Dataset data, double noise, boolean numbered) {
    requireOneValue(data, noise, numbered, Double.NaN);
  }

  /// The same, with the remedy for the engine.
  ///
  /// @param least the smallest noise that works for rows of weight one, NaN if it is not known
  public static void requireOneValue(Dataset data, double noise, boolean numbered, double least) {
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

  public static long fingerprint(Dataset data) {
    Fingerprint print = new Fingerprint();
    print.add(data);
    return print.value();
  }
}

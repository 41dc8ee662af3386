package lovelace.server;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import lovelace.Model;
import lovelace.data.Dataset;
import lovelace.likelihood.Likelihood.Of;
import lovelace.posterior.Prediction;
import org.jspecify.annotations.Nullable;

/// Computes the picture of a posterior for a page: a curve along one column or maps over two, with
/// the other columns held, with draws and the data. Numbers are those of the modelled target (its
/// logarithm with the log transform).
final class StudioView {

  private static final int MOST_POINTS = 2000;
  private static final int MOST_SIDE = 200;
  private static final int MOST_DRAWS = 16;
  private static final int LEAST_SLICE = 12;

  /// The most rows that are sent one by one. More rows are counted in cells.
  static final int MOST_ROWS = 2500;

  private static final double AFFORDABLE = 1e10; // multiplications that a page waits for
  private static final int MANY =
      4096; // points, over which the multiplications of one are averaged
  private static final int CELLS_ACROSS = 240;
  private static final int CELLS_UP = 100;

  private final StudioSession session;
  private final Model model;
  private final int d;
  private final int x;
  private final int y; // −1 for a curve
  private final double[] at;
  private final JsonNode asked;

  StudioView(StudioSession session, JsonNode asked) {
    this.session = session;
    this.asked = asked;
    model = session.state().model();
    d = model.columns().size();
    x = column("x", 0);
    y = asked.has("y") ? column("y", -1) : -1;
    if (x == y)
      throw Refusal.wrong("a map needs two different columns, but x and y are both %d", x);
    at = new double[d];
    for (int j = 0; j < d; j++) {
      JsonNode given = asked.path("at").path(j);
      at[j] =
          StudioFacts.place(
              model, j, given.isNumber() ? given.asDouble() : StudioFacts.middle(model, j));
    }
  }

  private int column(String name, int otherwise) {
    int column = asked.path(name).asInt(otherwise);
    if (column < 0 || column >= d)
      throw Refusal.wrong("%s must be a column from 0 to %d, got %d", name, d - 1, column);
    return column;
  }

  private int count(String name, int otherwise, int least, int most) {
    int count = asked.path(name).asInt(otherwise);
    if (count < least || count > most)
      throw Refusal.wrong("%s must lie between %d and %,d, got %,d", name, least, most, count);
    return count;
  }

  /// A smaller number of places if each costs much.
  private int affordable(int count, double power) {
    double each = model.held().map(held -> held.operations(MANY) / MANY).orElse(0.0);
    if (each == 0) return count;
    return Math.min(count, Math.max(16, (int) Math.pow(AFFORDABLE / each, power)));
  }

  Map<String, Object> answer(Gate.Pass pass) {
    Map<String, Object> answer = y < 0 ? curve(pass) : maps();
    if (asked.has("slices")) answer.put("slices", slices());
    if (asked.path("data").asBoolean(false)) answer.put("data", data());
    return answer;
  }

  private double place(int column, double[] range, int i, int count) {
    return StudioFacts.place(model, column, range[0] + (range[1] - range[0]) * i / (count - 1));
  }

  private Map<String, Object> curve(Gate.Pass pass) {
    int count = affordable(count("points", 400, 2, MOST_POINTS), 1);
    double[] range = StudioFacts.range(model, x);
    double[] points = new double[count * d];
    for (int i = 0; i < count; i++) {
      System.arraycopy(at, 0, points, i * d, d);
      points[i * d + x] = place(x, range, i, count);
    }
    Prediction p = model.posterior().predict(points);
    Map<String, Object> answer =
        Answers.map(
            "x",
            x,
            "from",
            range[0],
            "to",
            range[1],
            "points",
            count,
            "mean",
            floats(p.means()),
            "sd",
            floats(deviations(p)));
    if (model.laplace().isPresent()) answer.put("observed", observed(points));
    int draws = count("draws", 0, 0, MOST_DRAWS);
    if (draws > 0) {
      long bytes = model.jointBytes(points);
      pass.reserve(bytes);
      answer.put("draws", draws(points, count, draws));
      pass.release(bytes);
    }
    return answer;
  }

  /// The ends of the 95 % intervals of observations of size one, as they are drawn.
  private Map<String, Object> observed(double[] points) {
    Prediction p = model.predict(points, Of.OBSERVATION);
    double[] low = new double[p.size()];
    double[] high = new double[p.size()];
    for (int i = 0; i < low.length; i++) {
      low[i] = p.lower(i, 0.95);
      high[i] = p.upper(i, 0.95);
    }
    return Answers.map("low", floats(low), "high", floats(high));
  }

  /// A curve along every column. The others are held at the values of the page.
  private List<Object> slices() {
    int count = affordable(d * count("slices", 48, 2, MOST_SIDE), 1) / d;
    count = Math.max(LEAST_SLICE, count);
    double[] points = new double[d * count * d];
    for (int j = 0; j < d; j++) {
      double[] range = StudioFacts.range(model, j);
      for (int i = 0; i < count; i++) {
        int o = (j * count + i) * d;
        System.arraycopy(at, 0, points, o, d);
        points[o + j] = place(j, range, i, count);
      }
    }
    Prediction p = model.posterior().predict(points);
    double[] deviations = deviations(p);
    List<Object> all = new ArrayList<>();
    for (int j = 0; j < d; j++) {
      double[] range = StudioFacts.range(model, j);
      int from = j * count;
      all.add(
          Answers.map(
              "x",
              j,
              "from",
              range[0],
              "to",
              range[1],
              "points",
              count,
              "mean",
              floats(Arrays.copyOfRange(p.means(), from, from + count)),
              "sd",
              floats(Arrays.copyOfRange(deviations, from, from + count))));
    }
    return all;
  }

  private List<float[]> draws(double[] points, int count, int draws) {
    SplittableRandom random = new SplittableRandom(asked.path("seed").asLong(1));
    double[] all = model.posterior().sample(points, draws, random);
    List<float[]> list = new ArrayList<>();
    for (int k = 0; k < draws; k++)
      list.add(floats(Arrays.copyOfRange(all, k * count, (k + 1) * count)));
    return list;
  }

  private Map<String, Object> maps() {
    int nx = affordable(count("nx", 64, 2, MOST_SIDE), 0.5);
    int ny = affordable(count("ny", 64, 2, MOST_SIDE), 0.5);
    double[] across = StudioFacts.range(model, x);
    double[] up = StudioFacts.range(model, y);
    double[] points = new double[nx * ny * d];
    for (int j = 0; j < ny; j++)
      for (int i = 0; i < nx; i++) {
        int o = (j * nx + i) * d;
        System.arraycopy(at, 0, points, o, d);
        points[o + x] = place(x, across, i, nx);
        points[o + y] = place(y, up, j, ny);
      }
    Prediction p = model.posterior().predict(points);
    return Answers.map(
        "x",
        x,
        "y",
        y,
        "nx",
        nx,
        "ny",
        ny,
        "from",
        across[0],
        "to",
        across[1],
        "low",
        up[0],
        "high",
        up[1],
        "mean",
        floats(p.means()),
        "sd",
        floats(deviations(p)));
  }

  private static double[] deviations(Prediction p) {
    double[] sd = p.variances();
    for (int i = 0; i < sd.length; i++) sd[i] = Math.sqrt(sd[i]);
    return sd;
  }

  // ---- data ----

  /// The data: rows if they are known and few; counts in small cells of the picture if there are
  /// many; averages of the grid's cells if there are no rows. Targets are the modelled ones.
  private Map<String, Object> data() {
    Dataset rows = session.rows();
    if (rows != null) return rows.size() <= MOST_ROWS ? rows(rows) : cells(rows);
    Dataset averages = d <= 2 ? model.averages().orElse(null) : null;
    return averages == null
        ? Answers.map("kind", "none", "count", model.count())
        : averages(averages);
  }

  private Map<String, Object> rows(Dataset rows) {
    int n = rows.size();
    double[] u = new double[n];
    double[] v = new double[n];
    double[] t = new double[n];
    for (int i = 0; i < n; i++) {
      u[i] = rows.inputs()[i * d + x];
      v[i] = y < 0 ? 0 : rows.inputs()[i * d + y];
      t[i] = target(rows, i);
    }
    return listed("rows", u, y < 0 ? null : v, t, null, n);
  }

  /// The target of a row: as the model sees it, or per unit of size if rates or probabilities are
  /// drawn.
  private double target(Dataset rows, int i) {
    double y = rows.target()[i];
    return isPlain() ? y / rows.weight(i) : model.transform().apply(y);
  }

  /// Whether targets are drawn without the model's transform.
  private boolean isPlain() {
    return model.likelihood().usual() != Of.FUNCTION;
  }

  /// Rows counted in cells of the picture, with the mean of each cell.
  private Map<String, Object> cells(Dataset rows) {
    int n = rows.size();
    double[] across = StudioFacts.range(model, x);
    double[] up = y < 0 ? targets(rows) : StudioFacts.range(model, y);
    int wide = CELLS_ACROSS;
    int high = y < 0 ? CELLS_UP : CELLS_ACROSS / 2;
    double[] u = new double[wide * high];
    double[] v = new double[wide * high];
    double[] t = new double[wide * high];
    int[] count = new int[wide * high];
    for (int i = 0; i < n; i++) {
      double a = rows.inputs()[i * d + x];
      double z = target(rows, i);
      double b = y < 0 ? z : rows.inputs()[i * d + y];
      int cell = bin(b, up, high) * wide + bin(a, across, wide);
      u[cell] += a;
      v[cell] += y < 0 ? 0 : b;
      t[cell] += z;
      count[cell]++;
    }
    int filled = 0;
    for (int c = 0; c < count.length; c++)
      if (count[c] > 0) {
        u[filled] = u[c] / count[c];
        v[filled] = v[c] / count[c];
        t[filled] = t[c] / count[c];
        count[filled++] = count[c];
      }
    return listed(
        "cells",
        Arrays.copyOf(u, filled),
        y < 0 ? null : Arrays.copyOf(v, filled),
        Arrays.copyOf(t, filled),
        Arrays.stream(count).limit(filled).asLongStream().toArray(),
        n);
  }

  private double[] targets(Dataset rows) {
    double low = Double.POSITIVE_INFINITY;
    double high = Double.NEGATIVE_INFINITY;
    for (int i = 0; i < rows.size(); i++) {
      double z = target(rows, i);
      low = Math.min(low, z);
      high = Math.max(high, z);
    }
    return new double[] {low, high};
  }

  private static int bin(double value, double[] range, int count) {
    double width = range[1] - range[0];
    return width > 0 ? Math.clamp((int) ((value - range[0]) / width * count), 0, count - 1) : 0;
  }

  private Map<String, Object> averages(Dataset cells) {
    int n = cells.size();
    double[] u = new double[n];
    double[] v = new double[n];
    long[] counts = new long[n];
    for (int c = 0; c < n; c++) {
      u[c] = cells.inputs()[c * d + x];
      v[c] = y < 0 ? 0 : cells.inputs()[c * d + y];
      counts[c] = (long) cells.weight(c);
    }
    return listed("averages", u, y < 0 ? null : v, cells.target(), counts, model.count());
  }

  private Map<String, Object> listed(
      String kind,
      double[] u,
      double @Nullable [] v,
      double[] t,
      long @Nullable [] counts,
      long total) {
    Map<String, Object> data = Answers.map("kind", kind, "count", total, "x", u);
    if (v != null) data.put("y", v);
    data.put("target", floats(t));
    if (counts != null) data.put("counts", counts);
    if (isPlain()) data.put("plain", true);
    return data;
  }

  static float[] floats(double[] values) {
    float[] floats = new float[values.length];
    for (int i = 0; i < floats.length; i++) floats[i] = (float) values[i];
    return floats;
  }
}

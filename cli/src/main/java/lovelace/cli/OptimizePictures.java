package lovelace.cli;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import lovelace.bayesopt.SearchSpace;
import lovelace.bayesopt.SearchSpace.Point;
import lovelace.bayesopt.Tuner;
import lovelace.bayesopt.Tuner.Observation;
import lovelace.bayesopt.Tuning;
import lovelace.bayesopt.Variable;
import lovelace.example.TestFunction;
import lovelace.plot.HeatMap;
import lovelace.plot.Palette;
import lovelace.plot.Plot;
import org.jspecify.annotations.Nullable;

/// The pictures of `optimize`: a trace of the search, and the modelled surface of two real
/// variables.
final class OptimizePictures {

  private final Tuner tuner;
  private final Tuning tuning;
  private final Path out;

  /// @param out the folder of the pictures
  OptimizePictures(Tuner tuner, Tuning tuning, Path out) {
    this.tuner = tuner;
    this.tuning = tuning;
    this.out = out;
  }

  /// Draws them and returns the files.
  List<Path> draw(SearchSpace variables, @Nullable TestFunction test) throws IOException {
    String name = test == null ? "the objective" : test.name();
    List<Path> pictures = new ArrayList<>();
    pictures.add(trace(name));
    Path surface = surface(variables, name);
    if (surface != null) pictures.add(surface);
    return pictures;
  }

  private Path trace(String name) throws IOException {
    List<Observation> history = tuner.history();
    double[] at = new double[history.size()];
    double[] values = new double[at.length];
    double[] best = new double[at.length];
    double soFar = Double.NaN;
    for (int i = 0; i < at.length; i++) {
      Observation o = history.get(i);
      at[i] = i + 1;
      values[i] = o.value();
      if (o.feasible() && !(tuning.maximize() ? o.value() <= soFar : o.value() >= soFar))
        soFar = o.value();
      best[i] = soFar;
    }
    Path file = out.resolve("trace.png");
    Plot.titled("Search on " + name)
        .subtitle(
            String.format(
                Locale.ROOT,
                "Every evaluation, and the best so far; the first %d are spread",
                tuning.initial()))
        .labels("evaluation", "value")
        .points("evaluations", at, values, Palette.SKY, Plot.Mark.DOT)
        .line("best so far", at, best, Palette.VERMILION, 2)
        .write(file);
    return file;
  }

  private @Nullable Path surface(SearchSpace variables, String name) throws IOException {
    if (variables.variables().size() != 2
        || !(variables.variables().get(0) instanceof Variable.Real x)
        || !(variables.variables().get(1) instanceof Variable.Real y)) return null;
    int size = 81;
    double[] xs = axis(x, size);
    double[] ys = axis(y, size);
    List<Point> points = new ArrayList<>();
    for (double a : xs) for (double b : ys) points.add(variables.point(a, b));
    double[][] rows = tuner.predict(points);
    if (rows.length == 0) return null;
    double[] means = new double[rows.length];
    double[] deviations = new double[rows.length];
    for (int i = 0; i < rows.length; i++) {
      means[i] = rows[i][0];
      deviations[i] = rows[i][1];
    }
    double[] qx = tuner.history().stream().mapToDouble(o -> o.point().number(x.name())).toArray();
    double[] qy = tuner.history().stream().mapToDouble(o -> o.point().number(y.name())).toArray();
    Path file = out.resolve("surface.png");
    HeatMap.titled(
            "The model of " + name + String.format(Locale.ROOT, " after %d evaluations", qx.length))
        .labels(x.name(), y.name())
        .grid(xs, ys)
        .values("mean", means)
        .doubts("standard deviation", deviations)
        .points(qx, qy)
        .write(file);
    return file;
  }

  private static double[] axis(Variable.Real variable, int size) {
    double[] at = new double[size];
    for (int i = 0; i < size; i++) {
      double u = i / (size - 1.0);
      at[i] =
          variable.log()
              ? variable.low() * Math.pow(variable.high() / variable.low(), u)
              : variable.low() + u * (variable.high() - variable.low());
      at[i] = Math.clamp(at[i], variable.low(), variable.high());
    }
    return at;
  }
}

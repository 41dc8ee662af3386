package lovelace.server;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import lovelace.Model;
import lovelace.data.Column;
import lovelace.data.Dataset;
import lovelace.kernel.Parameter;
import lovelace.lattice.LatticePosterior;
import lovelace.likelihood.Likelihood;
import lovelace.likelihood.Likelihood.Of;
import lovelace.model.Provenance.Note;
import lovelace.posterior.Certificate.VarianceBound;
import lovelace.posterior.internal.RowPosterior;
import lovelace.statistics.GridStatistics;
import lovelace.statistics.Statistics;

/// Describes a copy of a model to its page: columns, parameters with the ranges of their sliders,
/// engine, likelihood.
final class StudioFacts {

  /// The most rows for a median.
  private static final int MEDIAN_ROWS = 2001;

  private StudioFacts() {}

  static Map<String, Object> of(String id, StudioSession session) {
    StudioSession.State now = session.state();
    Model model = now.model();
    Dataset rows = session.rows();
    int d = model.columns().size();
    List<Object> columns = new ArrayList<>();
    for (int j = 0; j < d; j++) columns.add(column(model, j));
    LatticePosterior lattice = model.lattice().orElse(null);
    double likelihood = model.logMarginalLikelihood();
    return Answers.map(
        "id",
        id,
        "name",
        session.name(),
        "columns",
        columns,
        "target",
        Answers.map("name", model.target().name(), "label", model.target().label()),
        "shown",
        shown(model),
        "law",
        law(model),
        "transform",
        transform(model),
        "kernel",
        model.hyperparameters().kernel().toString(),
        "parameters",
        parameters(model),
        "noise",
        model.laplace().isPresent() ? 0 : model.noise(),
        "observations",
        model.count(),
        "added",
        now.added(),
        "likelihood",
        Double.isFinite(likelihood) ? (Object) likelihood : "unknown",
        "engine",
        model
            .held()
            .map(held -> held.engine().toString())
            .orElseGet(() -> model.certificate().orElseThrow().how()),
        "variances",
        lattice == null ? "" : variances(lattice.certificate().bound()),
        "grid",
        lattice == null ? "" : lattice.statistics().lattice().toString(),
        "rows",
        rows == null ? 0 : rows.size(),
        "advice",
        model.provenance().notes().stream()
            .filter(note -> note.kind() == Note.Kind.ADVICE)
            .map(Note::text)
            .findFirst()
            .orElse(""));
  }

  /// The function from the model's numbers to the drawn ones: the transform of the target, or the
  /// link to the rate or the probability.
  static String transform(Model model) {
    return switch (model.likelihood().usual()) {
      case RATE -> "log";
      case PROBABILITY -> model.likelihood().probabilityLink().orElseThrow().toString();
      default -> model.transform().text();
    };
  }

  /// The name and unit of the drawn quantity.
  private static String shown(Model model) {
    Column target = model.target();
    return switch (model.likelihood().usual()) {
      case RATE -> "rate of " + target.label();
      case PROBABILITY ->
          isClasses(model)
              ? "probability of %s = %s"
                  .formatted(target.name(), target.isText() ? target.format(1) : "1")
              : "probability of a success (%s)".formatted(target.name());
      default -> target.label();
    };
  }

  /// Whether targets are 0 and 1.
  static boolean isClasses(Model model) {
    return model.likelihood().has(Of.PROBABILITY)
        && model.likelihood().size() == Likelihood.Size.NONE;
  }

  /// The likelihood, and the kind of observation that can be added: any number, a whole one, or 0
  /// or 1.
  private static Map<String, Object> law(Model model) {
    Map<String, Object> law = Protocol.likelihood(model);
    Of usual = model.likelihood().usual();
    law.put("gaussian", model.laplace().isEmpty());
    boolean whole = usual != Of.FUNCTION && model.likelihood().law(Of.OBSERVATION, 1).discrete();
    law.put("values", usual == Of.PROBABILITY ? "classes" : whole ? "counts" : "numbers");
    return law;
  }

  /// `certified at all 512 grid points`, or `checked at 48 points`.
  private static String variances(VarianceBound bound) {
    return bound.kind() + " at " + bound.where();
  }

  private static Map<String, Object> column(Model model, int j) {
    Column column = model.columns().get(j);
    double[] range = range(model, j);
    Map<String, Object> about =
        Answers.map(
            "name", column.name(),
            "label", column.label(),
            "low", range[0],
            "high", range[1],
            "middle", middle(model, j));
    var time = column.time().orElse(null);
    if (time != null) {
      about.put("unit", time.unit().text());
      about.put("origin", time.origin().toString());
    } else {
      about.put("unit", column.unit());
    }
    if (column.isText()) about.put("words", column.values());
    return about;
  }

  /// The drawn range of a column: that of the grid, or of the rows with a margin.
  static double[] range(Model model, int column) {
    int words = model.columns().get(column).values().size();
    if (words > 0) return new double[] {-0.5, words - 0.5}; // each word has a step
    LatticePosterior lattice = model.lattice().orElse(null);
    if (lattice != null) {
      var places = lattice.statistics().lattice();
      return new double[] {places.low(column), places.high(column)};
    }
    RowPosterior exact = model.held().orElseThrow();
    int d = exact.dimensions();
    double low = Double.POSITIVE_INFINITY;
    double high = Double.NEGATIVE_INFINITY;
    double[] x = exact.data().inputs();
    for (int i = column; i < x.length; i += d) {
      low = Math.min(low, x[i]);
      high = Math.max(high, x[i]);
    }
    double margin = high > low ? 0.05 * (high - low) : 1;
    return new double[] {low - margin, high + margin};
  }

  /// A place along a column. For words, it is the number of the nearest one.
  static double place(Model model, int column, double value) {
    int words = model.columns().get(column).values().size();
    return words == 0 ? value : Math.clamp(Math.rint(value), 0, words - 1);
  }

  /// The first value at which a column is held: the median of some of the rows, or the middle of
  /// the grid.
  static double middle(Model model, int column) {
    RowPosterior held = model.held().orElse(null);
    if (held == null) {
      double[] range = range(model, column);
      return 0.5 * (range[0] + range[1]);
    }
    Dataset some = held.data().thinned(MEDIAN_ROWS);
    int d = some.dimensions();
    double[] values = new double[some.size()];
    for (int i = 0; i < values.length; i++) values[i] = some.inputs()[i * d + column];
    Arrays.sort(values);
    return values[values.length / 2];
  }

  /// Every positive parameter with the range of its slider.
  private static List<Object> parameters(Model model) {
    List<Object> all = new ArrayList<>();
    double variance = variance(model);
    for (Parameter p : model.hyperparameters().parameters()) {
      if (!p.positive()) continue;
      double[] values = p.values();
      boolean length = p.role() == Parameter.Role.LENGTHSCALE || p.role() == Parameter.Role.PERIOD;
      List<Object> ranges = new ArrayList<>();
      for (int i = 0; i < values.length; i++) {
        double low = 1e-6 * variance;
        double high = 100 * variance;
        if (length) {
          double[] shortest = lengths(model, values.length == 1 ? -1 : i);
          low = shortest[0];
          high = 3 * shortest[1];
        } else if (p.role() != Parameter.Role.NOISE && p.role() != Parameter.Role.OUTPUTSCALE) {
          low = values[i] / 100;
          high = values[i] * 100;
        }
        ranges.add(
            new double[] {
              Math.max(p.lower(), Math.min(low, values[i])),
              Math.min(p.upper(), Math.max(high, values[i]))
            });
      }
      all.add(Answers.map("path", p.path(), "values", values, "ranges", ranges));
    }
    return all;
  }

  /// The range of a lengthscale: from two cells to the whole range of a column. For all columns,
  /// the widest such range.
  private static double[] lengths(Model model, int column) {
    double low = Double.POSITIVE_INFINITY;
    double high = 0;
    for (int j = 0; j < model.columns().size(); j++) {
      if (column >= 0 && column != j) continue;
      double[] range = range(model, j);
      double step = (range[1] - range[0]) / 400;
      LatticePosterior lattice = model.lattice().orElse(null);
      if (lattice != null && lattice.statistics() instanceof GridStatistics grid)
        step = grid.grid().axis(j).step();
      low = Math.min(low, 2 * step);
      high = Math.max(high, range[1] - range[0]);
    }
    return new double[] {low, high};
  }

  /// The variance of the modelled target.
  private static double variance(Model model) {
    if (model.likelihood().usual() != Of.FUNCTION) return 1; // of a logarithm, or of log odds
    LatticePosterior lattice = model.lattice().orElse(null);
    if (lattice != null) {
      Statistics s = lattice.statistics();
      // Σ b over the lattice is Σ w (y − origin), because interpolation weights sum to one
      double sum = 0;
      if (s instanceof GridStatistics) for (double b : s.projected()) sum += b;
      double mean = sum / s.weightSum();
      return Math.max(s.squares() / s.weightSum() - mean * mean, 1e-300);
    }
    double[] y = model.held().orElseThrow().data().target();
    double mean = Arrays.stream(y).average().orElse(0);
    return Math.max(Arrays.stream(y).map(v -> (v - mean) * (v - mean)).average().orElse(1), 1e-300);
  }
}

package lovelace.io;

import java.time.DateTimeException;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.Function;
import lovelace.baseline.ExactGp;
import lovelace.data.Column;
import lovelace.data.Dataset;
import lovelace.data.TargetTransform;
import lovelace.data.TimeScale;
import lovelace.grid.Axis;
import lovelace.grid.Grid;
import lovelace.grid.GridStatistics;
import lovelace.grid.Statistics;
import lovelace.inference.DenseEngine;
import lovelace.inference.Engine;
import lovelace.inference.GridCovariance;
import lovelace.inference.GridSystem;
import lovelace.inference.Love;
import lovelace.inference.LoveCovariance;
import lovelace.inference.MarkovEngine;
import lovelace.inference.SpectralEngine;
import lovelace.io.Sections.Part;
import lovelace.kernel.Hyperparameters;
import lovelace.kernel.Kernel;
import lovelace.kernel.Parameter;
import lovelace.kernel.Prior;
import lovelace.kernel.PriorMean;
import lovelace.posterior.Certificate;
import lovelace.posterior.GridPosterior;
import lovelace.posterior.Posterior;
import org.jspecify.annotations.Nullable;

/// Models as sections, both ways; the sections are drawn in [ModelFile].
final class Layout {

  private static final int MOST_ROWS = 100_000;

  private Layout() {}

  static List<Part> sections(ModelFile model, boolean covariance) {
    Text about = new Text();
    List<Part> parts = new ArrayList<>();
    Provenance p = model.provenance();
    about
        .put("lovelace", p.version())
        .put("created", p.created())
        .put("command", p.command())
        .put("fingerprint", p.fingerprintText());
    about.put("standard-errors", p.standardErrors().toArray());
    for (String line : p.notes()) about.put("note", line);
    for (Column column : model.inputs()) putColumn(about, "input", column);
    putColumn(about, "target", model.target());
    about
        .put("transform", model.transform())
        .numbers("jacobian", model.logJacobian())
        .numbers("likelihood", model.logLikelihood());
    switch (model.posterior()) {
      case GridPosterior grid -> putGrid(about, parts, grid, covariance);
      case ExactGp exact -> putExact(about, parts, exact);
      default -> throw new IllegalArgumentException("no layout for " + model.posterior());
    }
    parts.addFirst(Part.of("about", about.bytes()));
    return parts;
  }

  static ModelFile read(Sections sections) {
    Text about = Text.of(sections.bytes("about"));
    List<Column> inputs = about.all("input").stream().map(Layout::column).toList();
    Column target = column(about.fields("target", 2));
    TargetTransform transform = TargetTransform.parse(about.text("transform"));
    Hyperparameters parameters = parameters(about, inputs.size());
    Posterior posterior =
        switch (about.text("engine")) {
          case "exact" -> exact(sections, inputs, target, parameters);
          case "love" -> grid(sections, about, parameters, love(sections, about));
          case "spectral", "markov", "dense" ->
              grid(sections, about, parameters, system -> rebuilt(system, about));
          case String other ->
              throw new IllegalArgumentException("its engine '" + other + "' is not known");
        };
    return new ModelFile(
        inputs,
        target,
        transform,
        about.number("jacobian"),
        about.number("likelihood"),
        posterior,
        provenance(about));
  }

  private static Provenance provenance(Text about) {
    try {
      return new Provenance(
          about.text("lovelace"),
          Instant.parse(about.text("created")),
          Long.parseUnsignedLong(about.text("fingerprint"), 16),
          about.text("command"),
          about.fields("standard-errors", 0).stream().map(Text::toNumber).toList(),
          about.all("note").stream().map(fields -> String.join("\t", fields)).toList());
    } catch (DateTimeException | NumberFormatException e) {
      throw new IllegalArgumentException("its provenance cannot be read", e);
    }
  }

  // ---- columns ----

  private static void putColumn(Text about, String key, Column column) {
    TimeScale time = column.time();
    if (time == null) about.put(key, column.name(), column.unit());
    else
      about.put(
          key,
          column.name(),
          column.unit(),
          time.origin(),
          time.unit().name(),
          time.resolution().name(),
          time.offset() == null ? "" : time.offset().getId());
  }

  private static Column column(List<String> fields) {
    if (fields.size() == 2) return Column.of(fields.get(0), fields.get(1));
    if (fields.size() != 6) throw new IllegalArgumentException("a column has " + fields);
    try {
      TimeScale time =
          new TimeScale(
              LocalDateTime.parse(fields.get(2)),
              TimeScale.Unit.valueOf(fields.get(3)),
              TimeScale.Resolution.valueOf(fields.get(4)),
              fields.get(5).isEmpty() ? null : ZoneOffset.of(fields.get(5)));
      return new Column(fields.get(0), fields.get(1), time);
    } catch (DateTimeException e) {
      throw new IllegalArgumentException("a column has " + fields, e);
    }
  }

  // ---- hyperparameters ----

  private static void putParameters(Text about, Hyperparameters h) {
    about.put("kernel", h.kernel()).put("prior-mean", h.mean());
    for (Parameter p : h.parameters()) {
      Prior prior = p.prior();
      List<Object> fields =
          new ArrayList<>(
              List.of(p.path(), p.fixed() ? "fixed" : "free", p.lower(), p.upper(), text(prior)));
      for (double value : p.values()) fields.add(value);
      about.put("parameter", fields.toArray());
    }
  }

  private static String text(@Nullable Prior prior) {
    return switch (prior) {
      case null -> "";
      case Prior.LogNormal(double a, double b) -> "log-normal " + a + " " + b;
      case Prior.Gamma(double a, double b) -> "gamma " + a + " " + b;
      case Prior.Normal(double a, double b) -> "normal " + a + " " + b;
    };
  }

  private static Prior prior(String text) {
    String[] words = text.split(" ", -1);
    if (words.length != 3) throw new IllegalArgumentException("a prior is '" + text + "'");
    double a = Text.toNumber(words[1]);
    double b = Text.toNumber(words[2]);
    return switch (words[0]) {
      case "log-normal" -> Prior.logNormal(a, b);
      case "gamma" -> Prior.gamma(a, b);
      case "normal" -> Prior.normal(a, b);
      default -> throw new IllegalArgumentException("a prior is '" + text + "'");
    };
  }

  private static Hyperparameters parameters(Text about, int dimensions) {
    if (dimensions == 0) throw new IllegalArgumentException("it has no input columns");
    Kernel kernel = Kernel.parse(about.text("kernel")).bind(dimensions);
    PriorMean mean = PriorMean.named(about.text("prior-mean"), dimensions);
    Hyperparameters h = Hyperparameters.of(kernel, Double.NaN, mean);
    List<List<String>> lines = about.all("parameter");
    if (lines.size() != h.parameters().size())
      throw new IllegalArgumentException(
          "it has %d parameters, its kernel %d".formatted(lines.size(), h.parameters().size()));
    for (List<String> line : lines) {
      if (line.size() < 6) throw new IllegalArgumentException("a parameter has " + line);
      String path = line.get(0);
      h = h.set(path, Text.toNumbers(line.subList(5, line.size())));
      h = h.withBounds(path, Text.toNumber(line.get(2)), Text.toNumber(line.get(3)));
      if (line.get(1).equals("fixed")) h = h.fix(path);
      if (!line.get(4).isEmpty()) h = h.withPrior(path, prior(line.get(4)));
    }
    if (!h.unset().isEmpty())
      throw new IllegalArgumentException("parameters have no value: " + h.unset());
    return h;
  }

  // ---- on a grid ----

  private static void putGrid(
      Text about, List<Part> parts, GridPosterior posterior, boolean covariance) {
    if (!(posterior.statistics() instanceof GridStatistics statistics))
      throw new IllegalArgumentException(
          "a model file holds models on one grid; additive models cannot be saved yet");
    putParameters(about, posterior.hyperparameters());
    for (Axis axis : statistics.grid().axes())
      about.put("axis", axis.origin(), axis.step(), axis.points());
    about
        .numbers("origin", statistics.origin())
        .put("rows", statistics.count())
        .put("skipped", statistics.skipped());
    Certificate c = posterior.certificate();
    about
        .put("certificate", c.engine(), c.tolerance(), c.reached())
        .numbers("floor", posterior.floor());
    int count = statistics.occupiedCells();
    int[] cells = new int[count];
    long[] counts = new long[count];
    Object[] moments = new Object[count];
    for (int i = 0; i < count; i++) {
      cells[i] = statistics.occupiedCell(i);
      counts[i] = statistics.occupiedCount(i);
      moments[i] = statistics.occupiedMoments(i);
    }
    parts.add(Part.of("cells", cells));
    parts.add(Part.of("counts", counts));
    parts.add(Part.of("moments", moments));
    parts.add(Part.of("mean", posterior.latticeMean()));
    parts.add(Part.of("dual", posterior.dual()));
    parts.add(Part.of("tables", posterior.table()));
    String engine = c.engine().split(",", -1)[0];
    switch (engine) {
      case "spectral", "markov", "dense" -> about.put("engine", engine);
      case "love" -> putLove(about, parts, (LoveCovariance) posterior.covariance(), covariance);
      default -> throw new IllegalArgumentException("no layout for engine " + c.engine());
    }
  }

  private static void putLove(
      Text about, List<Part> parts, LoveCovariance love, boolean covariance) {
    about.put("engine", "love", love.rank(), love.orthogonalityLoss());
    if (!covariance) return;
    parts.add(Part.of("love.s", love.pointCache()));
    parts.add(Part.of("love.b", love.dataCache()));
    parts.add(Part.of("love.t", love.diagonal(), love.subdiagonal()));
  }

  private static GridPosterior grid(
      Sections sections,
      Text about,
      Hyperparameters parameters,
      Function<GridSystem, GridCovariance> covariance) {
    Grid grid = grid(about, parameters.kernel().dimensions());
    GridStatistics statistics = statistics(sections, about, grid);
    List<String> c = about.fields("certificate", 3);
    Certificate certificate =
        new Certificate(c.get(0), Text.toNumber(c.get(1)), Text.toNumber(c.get(2)));
    return GridPosterior.assemble(
        statistics,
        parameters,
        sections.doubles("mean", grid.size()),
        sections.doubles("dual", grid.size()),
        sections.doubles("tables"),
        about.number("floor"),
        certificate,
        covariance);
  }

  /// What an engine that keeps no cache in the file computes anew, to the bit.
  private static GridCovariance rebuilt(GridSystem system, Text about) {
    Statistics statistics = system.statistics();
    Engine engine =
        switch (about.text("engine")) {
          case "spectral" ->
              new SpectralEngine(statistics, SpectralEngine.TOLERANCE, SpectralEngine.MOST);
          case "markov" -> new MarkovEngine((GridStatistics) statistics);
          default -> new DenseEngine(statistics);
        };
    double tolerance = Text.toNumber(about.fields("certificate", 3).get(1));
    return engine.condition(system.hyperparameters(), tolerance).covariance();
  }

  private static Grid grid(Text about, int dimensions) {
    List<Axis> axes = new ArrayList<>();
    for (List<String> line : about.all("axis")) {
      if (line.size() != 3) throw new IllegalArgumentException("an axis has " + line);
      int points = Math.toIntExact(Text.toInteger(line.get(2)));
      axes.add(new Axis(Text.toNumber(line.get(0)), Text.toNumber(line.get(1)), points));
    }
    if (axes.size() != dimensions)
      throw new IllegalArgumentException(
          "it has %d axes and %d input columns".formatted(axes.size(), dimensions));
    return Grid.of(axes);
  }

  private static GridStatistics statistics(Sections sections, Text about, Grid grid) {
    int[] cells = sections.ints("cells");
    int width = GridStatistics.momentCount(grid.dimensions());
    long[] counts = sections.longs("counts", cells.length);
    double[] sums = sections.doubles("moments", (long) width * cells.length);
    double[][] moments = new double[cells.length][];
    for (int i = 0; i < cells.length; i++)
      moments[i] = Arrays.copyOfRange(sums, i * width, (i + 1) * width);
    GridStatistics statistics =
        GridStatistics.assemble(
            grid, about.number("origin"), cells, counts, moments, about.integer("skipped"));
    if (statistics.count() != about.integer("rows"))
      throw new IllegalArgumentException("its cells do not hold as many rows as it says");
    return statistics;
  }

  private static Function<GridSystem, GridCovariance> love(Sections sections, Text about) {
    List<String> fields = about.fields("engine", 3);
    int rank = Math.toIntExact(Text.toInteger(fields.get(1)));
    double loss = Text.toNumber(fields.get(2));
    if (!(rank >= 0 && loss >= 0))
      throw new IllegalArgumentException("its engine has rank " + rank + ", loss " + loss);
    if (!sections.has("love.s")) return Love.DEFAULT.withRank(Math.max(1, rank))::build;
    long size = (long) sections.size("mean", 8) * rank;
    sections.require("love.s", 8, size);
    sections.require("love.b", 8, size);
    sections.require("love.t", 8, 2L * rank);
    return system -> {
      double[] t = sections.doubles("love.t");
      return LoveCovariance.assemble(
          system,
          sections.doubles("love.s"),
          sections.doubles("love.b"),
          Arrays.copyOf(t, rank),
          Arrays.copyOfRange(t, rank, 2 * rank),
          loss);
    };
  }

  // ---- exact ----

  private static void putExact(Text about, List<Part> parts, ExactGp exact) {
    putParameters(about, exact.hyperparameters());
    Dataset data = exact.data();
    about
        .put("engine", "exact")
        .put("rows", data.size())
        .put("holds", "the training rows, which an exact model needs");
    double[] weights = new double[data.size()];
    for (int i = 0; i < weights.length; i++) weights[i] = data.weight(i);
    parts.add(Part.of("rows", data.inputs(), data.target(), weights));
  }

  private static ExactGp exact(
      Sections sections, List<Column> inputs, Column target, Hyperparameters parameters) {
    int d = inputs.size();
    double[] all = sections.doubles("rows");
    int n = all.length / (d + 2);
    if (n * (d + 2) != all.length || n > MOST_ROWS)
      throw new IllegalArgumentException("its section 'rows' has a wrong length");
    double[] weights = Arrays.copyOfRange(all, n * (d + 1), all.length);
    boolean weighted = Arrays.stream(weights).anyMatch(w -> w != 1);
    return ExactGp.of(
        Dataset.batch(
            Arrays.copyOf(all, n * d),
            inputs,
            Arrays.copyOfRange(all, n * d, n * (d + 1)),
            target,
            weighted ? weights : null),
        parameters);
  }
}

package lovelace.io;

import java.time.DateTimeException;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.stream.DoubleStream;
import lovelace.chain.ChainGp;
import lovelace.data.Column;
import lovelace.data.Column.LeftOut;
import lovelace.data.Dataset;
import lovelace.data.FeatureMap;
import lovelace.data.Place;
import lovelace.data.PlaceMap;
import lovelace.data.TargetTransform;
import lovelace.data.TimeScale;
import lovelace.data.Trust;
import lovelace.drift.DriftedPosterior;
import lovelace.drift.DriftedRows;
import lovelace.drift.Terms;
import lovelace.exact.ExactGp;
import lovelace.io.Sections.Part;
import lovelace.kernel.Hyperparameters;
import lovelace.kernel.KernelFunction;
import lovelace.kernel.Parameter;
import lovelace.kernel.Parameter.Prior;
import lovelace.laplace.Fitted;
import lovelace.laplace.Observations;
import lovelace.laplace.Window;
import lovelace.lattice.LatticePosterior;
import lovelace.lattice.MappedPosterior;
import lovelace.likelihood.Likelihood;
import lovelace.love.Love;
import lovelace.model.Provenance;
import lovelace.model.Provenance.Note;
import lovelace.neighbours.LatentNeighbourGp;
import lovelace.neighbours.NeighbourGp;
import lovelace.plan.Engine;
import lovelace.plan.Plan;
import lovelace.posterior.Certificate;
import lovelace.posterior.Posterior;
import lovelace.posterior.internal.LinearRows;
import lovelace.posterior.internal.MappedRows;
import lovelace.posterior.internal.RowPosterior;
import lovelace.sparse.SiteGp;
import org.jspecify.annotations.Nullable;

/// Models as sections, both ways; the sections are drawn in [ModelFile].
final class Layout {

  private static final String WORDS = "words";
  private static final String FILLED = "filled";
  static final String OBSERVED = "observed";
  private static final String NOISE = "noise.";
  private static final int MOST_ROWS = ChainGp.MOST_ROWS;

  private Layout() {}

  static List<Part> sections(ModelState model, boolean covariance) {
    Text about = new Text();
    List<Part> parts = new ArrayList<>();
    Provenance p = model.provenance();
    about
        .put("lovelace", p.version())
        .put("created", p.created())
        .put("command", p.command())
        .put("fingerprint", p.fingerprintText());
    about.put("standard-errors", p.standardErrors().toArray());
    for (Note note : p.notes()) about.put("note", note);
    for (Column column : model.inputs()) putColumn(about, "input", column);
    for (LeftOut out : model.leftOut()) {
      about.put("left-out", out.place(), out.value());
      putColumn(about, "left-out-column", out.column());
    }
    putColumn(about, "target", model.target());
    Plan plan = model.plan();
    about.put("plan", plan.asked(), plan.tolerance(), plan.seed());
    about.put("planned", plan.chosen(), plan.reason(), plan.on(), plan.seconds(), plan.bytes());
    about
        .put("transform", model.transform().text())
        .numbers("jacobian", model.logJacobian())
        .numbers("likelihood", model.logLikelihood());
    model.place().ifPresent(place -> putPlace(about, place));
    putParameters(about, hyperparameters(model));
    boolean working = model.fitted().isPresent();
    putPosterior(about, parts, model.posterior(), covariance, working);
    model.fitted().ifPresent(fitted -> putFitted(about, parts, fitted, covariance));
    if (!p.trace().isEmpty()) parts.add(Part.of("trace", trace(p.trace())));
    parts.addFirst(Part.of("about", about.bytes()));
    return parts;
  }

  /// The oldest format that tells all of a model: a program that knows no other must not take its
  /// noise for noise of one variance, nor the process beside a drift for the whole model.
  static int version(ModelState model) {
    if (DriftLayout.isDrifted(model.posterior())) return Sections.VERSION;
    return isPlain(hyperparameters(model).likelihood()) ? Sections.FIRST : Sections.OBSERVED;
  }

  /// Whether noise is Gaussian with one variance.
  private static boolean isPlain(Likelihood likelihood) {
    return likelihood.toString().equals(Likelihood.gaussian().toString());
  }

  private static Hyperparameters hyperparameters(ModelState model) {
    return model
        .fitted()
        .map(Fitted::hyperparameters)
        .orElseGet(
            () ->
                switch (model.posterior()) {
                  case LatticePosterior grid -> grid.hyperparameters();
                  case MappedPosterior mapped -> mapped.inner().hyperparameters();
                  case DriftedPosterior drifted -> drifted.lattice().hyperparameters();
                  case RowPosterior rows -> rows.hyperparameters();
                  default -> throw new IllegalArgumentException("no layout for " + model);
                });
  }

  /// @param working whether rows are working observations, which are kept at the features of places
  private static void putPosterior(
      Text about, List<Part> parts, Posterior posterior, boolean covariance, boolean working) {
    switch (posterior) {
      case LatticePosterior grid -> LatticeLayout.put(about, parts, grid, covariance);
      case MappedPosterior mapped -> {
        putMap(about, parts, mapped.map());
        LatticeLayout.put(about, parts, mapped.inner(), covariance);
      }
      case DriftedPosterior drifted -> {
        DriftLayout.put(about, parts, drifted);
        putPosterior(about, parts, drifted.inner(), covariance, working);
      }
      case RowPosterior rows -> {
        FeatureMap map = null;
        if (rows instanceof DriftedRows drifted) {
          DriftLayout.putTerms(about, drifted.trend().terms());
          map = drifted.map();
        } else if (rows instanceof MappedRows mapped) {
          map = mapped.map();
        }
        if (map != null) putMap(about, parts, map);
        putRows(about, parts, working ? rows.inner() : rows);
      }
      default -> throw new IllegalArgumentException("no layout for " + posterior);
    }
  }

  // ---- Laplace's approximation ----

  private static void putFitted(Text about, List<Part> parts, Fitted fitted, boolean covariance) {
    about.put("mode", fitted.steps(), fitted.residual(), fitted.rows());
    fitted.window().ifPresent(window -> putWindow(about, window));
    fitted
        .data()
        .ifPresent(
            data ->
                parts.add(
                    Part.of(OBSERVED, data.places(), data.values(), data.sizes(), data.extras())));
    Posterior noise = fitted.noise().orElse(null);
    if (noise == null) return;
    Text own = new Text();
    List<Part> sections = new ArrayList<>();
    putPosterior(own, sections, noise, covariance, true);
    sections.addFirst(Part.of("about", own.bytes()));
    for (Part part : sections) parts.add(part.under(NOISE));
  }

  private static Fitted fitted(
      Sections sections, Text about, Hyperparameters h, List<Column> columns, Column target) {
    List<String> fields = about.fields("mode", 3);
    long rows = Text.toInteger(fields.get(2));
    Optional<Posterior> noise = Optional.empty();
    if (h.likelihood().isVarying()) {
      Sections own = sections.under(NOISE);
      Text text = Text.of(own.bytes("about"));
      noise = Optional.of(posterior(own, text, columns, target, null, h.workingNoise()));
    }
    return new Fitted(
        h,
        observations(sections, h, rows),
        noise,
        rows,
        Math.toIntExact(Text.toInteger(fields.get(0))),
        Text.toNumber(fields.get(1)),
        window(about, columns.size(), sections.has(OBSERVED)));
  }

  /// A line for each column: where the window begins and ends, and its cells.
  private static void putWindow(Text about, Window window) {
    for (int j = 0; j < window.dimensions(); j++)
      about.put("window", window.low(j), window.high(j), window.step(j));
  }

  private static Optional<Window> window(Text about, int columns, boolean observed) {
    List<List<String>> lines = about.all("window");
    if (lines.isEmpty()) return Optional.empty();
    if (lines.size() != columns || !observed)
      throw new IllegalArgumentException(
          "its window has %s columns, and the model %s".formatted(lines.size(), columns));
    return Optional.of(
        Window.of(
            lines.stream().mapToDouble(line -> Text.toNumber(line.get(0))).toArray(),
            lines.stream().mapToDouble(line -> Text.toNumber(line.get(1))).toArray(),
            lines.stream().mapToDouble(line -> Text.toNumber(line.get(2))).toArray()));
  }

  private static Optional<Observations> observations(
      Sections sections, Hyperparameters h, long rows) {
    if (!sections.has(OBSERVED)) return Optional.empty();
    int d = h.kernel().dimensions();
    double[] all = sections.doubles(OBSERVED);
    int n = all.length / (d + 3);
    if (n * (d + 3) != all.length || n == 0 || rows < n)
      throw new IllegalArgumentException("its section 'observed' has a wrong length");
    for (double value : all)
      if (!Double.isFinite(value))
        throw new IllegalArgumentException("its section 'observed' holds " + value);
    double[] values = Arrays.copyOfRange(all, n * d, n * (d + 1));
    double[] sizes = Arrays.copyOfRange(all, n * (d + 1), n * (d + 2));
    for (double size : sizes)
      if (!(size > 0)) throw new IllegalArgumentException("an observation has the size " + size);
    return Optional.of(
        Observations.adopt(
            Arrays.copyOf(all, n * d),
            d,
            values,
            sizes,
            Arrays.copyOfRange(all, n * (d + 2), all.length),
            rows));
  }

  private static void putMap(Text about, List<Part> parts, FeatureMap map) {
    about.put("map", map.type(), map.inputs(), map.outputs());
    parts.add(Part.of("map", map.bytes()));
  }

  static ModelState read(Sections sections, Trust trust, KernelFunction... own) {
    Text about = Text.of(sections.bytes("about"));
    List<Column> inputs = about.all("input").stream().map(Layout::column).toList();
    Column target = column(about.fields("target", 2));
    TargetTransform transform = TargetTransform.parse(about.text("transform"));
    Terms terms = DriftLayout.terms(about, inputs.size());
    List<Column> read = terms == null ? inputs : inputs.subList(0, terms.process());
    FeatureMap map = map(sections, about, read.size(), trust);
    int columns = map == null ? read.size() : map.outputs();
    Hyperparameters parameters = ParameterLayout.read(about, columns, own);
    Posterior posterior =
        terms == null
            ? posterior(sections, about, inputs, target, map, parameters)
            : drifted(sections, about, inputs, target, terms, map, parameters);
    ModelState state =
        new ModelState(
                inputs,
                leftOut(about),
                target,
                transform,
                about.number("jacobian"),
                about.number("likelihood"),
                posterior,
                plan(about, posterior),
                provenance(about, trace(sections, parameters.size())))
            .with(place(about, inputs));
    if (parameters.likelihood().isGaussian()) return state;
    List<Column> seen = map == null ? inputs : map.features(inputs);
    return state.with(fitted(sections, about, parameters, seen, target));
  }

  /// Both columns, the system, radius and inverse flattening of a geographic one (0 0 else), and
  /// the metres of a unit.
  private static void putPlace(Text about, Place place) {
    about.put(
        "place",
        place.east(),
        place.north(),
        place.system(),
        place.ellipsoid().map(Place.Ellipsoid::semiMajor).orElse(0.0),
        place.ellipsoid().map(Place.Ellipsoid::inverseFlattening).orElse(0.0),
        place.metres());
  }

  private static Optional<Place> place(Text about, List<Column> inputs) {
    if (about.all("place").isEmpty()) return Optional.empty();
    List<String> fields = about.fields("place", 6);
    for (String name : fields.subList(0, 2))
      if (inputs.stream().noneMatch(column -> column.name().equals(name)))
        throw new IllegalArgumentException(
            "its coordinates are in a column '%s', which it does not have".formatted(name));
    double radius = Text.toNumber(fields.get(3));
    return Optional.of(
        new Place(
            fields.get(0),
            fields.get(1),
            fields.get(2),
            radius == 0
                ? Optional.empty()
                : Optional.of(new Place.Ellipsoid(radius, Text.toNumber(fields.get(4)))),
            Text.toNumber(fields.get(5))));
  }

  private static Posterior posterior(
      Sections sections,
      Text about,
      List<Column> inputs,
      Column target,
      @Nullable FeatureMap map,
      Hyperparameters parameters) {
    return sections.has("rows")
        ? rows(sections, about, inputs, target, map, parameters)
        : mapped(map, LatticeLayout.read(sections, about, parameters.working()));
  }

  private static Posterior drifted(
      Sections sections,
      Text about,
      List<Column> inputs,
      Column target,
      Terms terms,
      @Nullable FeatureMap map,
      Hyperparameters parameters) {
    if (!parameters.likelihood().isGaussian())
      throw new IllegalArgumentException(
          "its mean has a drift, and its likelihood is not Gaussian");
    if (sections.has("rows")) {
      Dataset data = data(sections, inputs, target);
      Dataset features = DriftedRows.features(data, terms, map);
      if (rows(about, features, parameters) instanceof LinearRows process)
        return DriftedRows.of(data, terms, map, process);
      throw new IllegalArgumentException("its engine takes no drift");
    }
    LatticePosterior lattice = LatticeLayout.read(sections, about, parameters.working());
    return DriftLayout.read(sections, about, terms, mapped(map, lattice), lattice);
  }

  private static Posterior mapped(@Nullable FeatureMap map, LatticePosterior posterior) {
    return map == null ? posterior : MappedPosterior.of(map, posterior);
  }

  private static @Nullable FeatureMap map(Sections sections, Text about, int inputs, Trust trust) {
    if (about.all("map").isEmpty()) return null;
    FeatureMap map = FeatureMap.read(about.text("map"), sections.bytes("map"), trust);
    if (map.inputs() != inputs)
      throw new IllegalArgumentException(
          String.format(
              Locale.ROOT, "its feature map reads %d columns of %d", map.inputs(), inputs));
    return map;
  }

  private static double[] trace(List<Provenance.Step> steps) {
    return steps.stream()
        .flatMapToDouble(
            s ->
                DoubleStream.concat(
                    DoubleStream.of(
                        s.iteration(), s.evaluations(), s.objective(), s.gradientNorm()),
                    s.parameters().stream().mapToDouble(Double::doubleValue)))
        .toArray();
  }

  private static List<Provenance.Step> trace(Sections sections, int parameters) {
    List<Provenance.Step> steps = new ArrayList<>();
    if (!sections.has("trace")) return steps;
    int width = 4 + parameters;
    double[] all = sections.doubles("trace");
    sections.require("trace", 8, (long) all.length / width * width);
    for (int at = 0; at < all.length; at += width)
      steps.add(
          new Provenance.Step(
              (int) all[at],
              (int) all[at + 1],
              all[at + 2],
              all[at + 3],
              Arrays.stream(all, at + 4, at + width).boxed().toList()));
    return steps;
  }

  private static Plan plan(Text about, Posterior posterior) {
    Certificate certificate =
        switch (posterior) {
          case LatticePosterior grid -> grid.certificate();
          case MappedPosterior mapped -> mapped.inner().certificate();
          case DriftedPosterior drifted -> drifted.lattice().certificate();
          default -> null;
        };
    Engine asked;
    double tolerance;
    long seed = 1;
    if (!about.all("plan").isEmpty()) {
      List<String> fields = about.fields("plan", 3);
      asked = Engine.parse(fields.get(0));
      tolerance = Text.toNumber(fields.get(1));
      seed = Text.toInteger(fields.get(2));
    } else if (certificate == null) {
      asked = Engine.AUTO;
      tolerance = Love.DEFAULT.tolerance();
    } else {
      // files made before it was recorded say by the text of a line whether their engine was asked
      // for; their
      // updates had seed 1
      boolean noted =
          about.all("note").stream()
              .anyMatch(line -> String.join("\t", line).startsWith("engine: as asked"));
      asked = noted ? certificate.engine() : Engine.AUTO;
      tolerance = certificate.tolerance();
    }
    if (about.all("planned").isEmpty()) { // not recorded before
      Engine chosen =
          certificate != null
              ? certificate.engine()
              : Engine.parse(((RowPosterior) posterior).engine());
      return new Plan(asked, chosen, "", "", tolerance, seed, Double.NaN, 0);
    }
    List<String> fields = about.fields("planned", 5);
    return new Plan(
        asked,
        Engine.parse(fields.get(0)),
        fields.get(1),
        fields.get(2),
        tolerance,
        seed,
        Text.toNumber(fields.get(3)),
        Text.toInteger(fields.get(4)));
  }

  private static Provenance provenance(Text about, List<Provenance.Step> trace) {
    try {
      return new Provenance(
          about.text("lovelace"),
          Instant.parse(about.text("created")),
          Long.parseUnsignedLong(about.text("fingerprint"), 16),
          about.text("command"),
          about.fields("standard-errors", 0).stream().map(Text::toNumber).toList(),
          trace,
          notes(about));
    } catch (DateTimeException | NumberFormatException e) {
      throw new IllegalArgumentException("its provenance cannot be read", e);
    }
  }

  private static List<Note> notes(Text about) {
    return about.all("note").stream().map(fields -> Note.parse(String.join("\t", fields))).toList();
  }

  // ---- columns ----

  private static void putColumn(Text about, String key, Column column) {
    List<Object> fields = new ArrayList<>(List.of(column.name(), column.unit()));
    if (column.isText()) fields.add(WORDS);
    if (column.isText() || column.fill().isPresent()) {
      if (!column.isText()) fields.add(FILLED);
      fields.add(column.fill().isPresent() ? column.fill().getAsDouble() : "");
    }
    column
        .time()
        .ifPresent(
            time ->
                fields.addAll(
                    List.of(
                        time.origin(),
                        time.unit().name(),
                        time.resolution().name(),
                        time.offset().map(ZoneOffset::getId).orElse(""))));
    fields.addAll(column.values());
    about.put(key, fields.toArray());
  }

  /// Name and unit; then what tells a column of words from others, or one of numbers or times that
  /// says what stands for a missing value; then the four fields of a time scale, or the words.
  private static Column column(List<String> fields) {
    if (fields.size() < 2) throw new IllegalArgumentException("a column has " + fields);
    String name = fields.get(0);
    String unit = fields.get(1);
    List<String> rest = fields.subList(2, fields.size());
    boolean words = !rest.isEmpty() && rest.getFirst().equals(WORDS);
    boolean filled = !rest.isEmpty() && rest.getFirst().equals(FILLED);
    OptionalDouble fill = OptionalDouble.empty();
    if (words || filled) {
      if (rest.size() < 2) throw new IllegalArgumentException("a column has " + fields);
      String value = rest.get(1);
      if (!value.isEmpty()) fill = OptionalDouble.of(Text.toNumber(value));
      rest = rest.subList(2, rest.size());
    }
    if (fill.isPresent() && !(Math.abs(fill.getAsDouble()) < Double.POSITIVE_INFINITY))
      throw new IllegalArgumentException("the number for missing values is " + fill);
    if (words) {
      if (rest.isEmpty()) throw new IllegalArgumentException("a text column has no words");
      return new Column(name, unit, Optional.empty(), rest, fill);
    }
    return new Column(name, unit, time(rest), List.of(), fill);
  }

  private static Optional<TimeScale> time(List<String> fields) {
    if (fields.isEmpty()) return Optional.empty();
    if (fields.size() != 4) throw new IllegalArgumentException("a time scale has " + fields);
    try {
      return Optional.of(
          new TimeScale(
              LocalDateTime.parse(fields.get(0)),
              TimeScale.Unit.valueOf(fields.get(1)),
              TimeScale.Resolution.valueOf(fields.get(2)),
              Optional.of(fields.get(3)).filter(id -> !id.isEmpty()).map(ZoneOffset::of)));
    } catch (DateTimeException e) {
      throw new IllegalArgumentException("a time scale has " + fields, e);
    }
  }

  private static List<LeftOut> leftOut(Text about) {
    List<List<String>> places = about.all("left-out");
    List<List<String>> columns = about.all("left-out-column");
    if (places.size() != columns.size())
      throw new IllegalArgumentException(
          String.format(
              Locale.ROOT,
              "it leaves out %d columns, but gives %d positions",
              columns.size(),
              places.size()));
    List<LeftOut> all = new ArrayList<>();
    for (int i = 0; i < places.size(); i++) {
      double[] numbers = Text.toNumbers(places.get(i));
      if (numbers.length != 2)
        throw new IllegalArgumentException("a column that is left out has " + places.get(i));
      all.add(new LeftOut(column(columns.get(i)), (int) numbers[0], numbers[1]));
    }
    return all;
  }

  // ---- hyperparameters ----

  static void putParameters(Text about, Hyperparameters h) {
    about.put("kernel", h.kernel()).put("prior-mean", h.mean());
    if (!isPlain(h.likelihood())) about.put(OBSERVED, h.likelihood());
    h.noiseKernel().ifPresent(kernel -> about.put("noise-kernel", kernel));
    for (Parameter p : h.parameters()) {
      List<Object> fields =
          new ArrayList<>(
              List.of(
                  p.path(), p.fixed() ? "fixed" : "free", p.lower(), p.upper(), text(p.prior())));
      for (double value : p.values()) fields.add(value);
      about.put("parameter", fields.toArray());
    }
  }

  private static String text(Optional<Prior> prior) {
    return prior.map(Layout::text).orElse("");
  }

  private static String text(Prior prior) {
    return switch (prior) {
      case Prior.LogNormal(double a, double b) -> "log-normal " + a + " " + b;
      case Prior.Gamma(double a, double b) -> "gamma " + a + " " + b;
      case Prior.Normal(double a, double b) -> "normal " + a + " " + b;
    };
  }

  // ---- rows ----

  private static void putRows(Text about, List<Part> parts, RowPosterior rows) {
    Dataset data = rows.data();
    about
        .put("engine", rows.engine())
        .put("rows", data.size())
        .put("holds", "the training rows, which its engine needs");
    if (rows.inner() instanceof SiteGp sites) {
      LatticeLayout.putAxes(about, sites.grid());
      about.put("neighbours", sites.neighbours());
    }
    if (rows.inner() instanceof NeighbourGp gp) about.put("neighbours", gp.neighbours());
    if (rows.inner() instanceof LatentNeighbourGp gp)
      about.put("neighbours", gp.neighbours(), gp.seed());
    double[] weights = new double[data.size()];
    for (int i = 0; i < weights.length; i++) weights[i] = data.weight(i);
    parts.add(Part.of("rows", data.inputs(), data.target(), weights));
  }

  private static RowPosterior rows(
      Sections sections,
      Text about,
      List<Column> inputs,
      Column target,
      @Nullable FeatureMap map,
      Hyperparameters parameters) {
    if (map instanceof PlaceMap plane && !parameters.likelihood().isGaussian()) {
      Dataset working = data(sections, map.features(inputs), target);
      return MappedRows.ofFeatures(plane, inputs, rows(about, working, parameters));
    }
    Dataset data = data(sections, inputs, target);
    return map == null
        ? rows(about, data, parameters)
        : MappedRows.of(map, data, rows(about, MappedRows.features(map, data), parameters));
  }

  private static Dataset data(Sections sections, List<Column> inputs, Column target) {
    int d = inputs.size();
    double[] all = sections.doubles("rows");
    int n = all.length / (d + 2);
    if (n * (d + 2) != all.length || n > MOST_ROWS)
      throw new IllegalArgumentException("its section 'rows' has a wrong length");
    double[] weights = Arrays.copyOfRange(all, n * (d + 1), all.length);
    boolean weighted = Arrays.stream(weights).anyMatch(w -> w != 1);
    Dataset data =
        Dataset.of(
            Arrays.copyOf(all, n * d), inputs, Arrays.copyOfRange(all, n * d, n * (d + 1)), target);
    return weighted ? data.withWeights(weights) : data;
  }

  private static RowPosterior rows(Text about, Dataset data, Hyperparameters parameters) {
    int d = data.dimensions();
    String engine = about.text("engine");
    return switch (engine) {
      case "exact" -> ExactGp.of(data, parameters.working());
      case "markov" -> ChainGp.of(data, parameters.working());
      case "neighbours" ->
          parameters.likelihood().isGaussian()
              ? NeighbourGp.of(data, parameters, Math.toIntExact(about.integer("neighbours")))
              : LatentNeighbourGp.of(
                  data,
                  parameters,
                  Math.toIntExact(about.integer("neighbours")),
                  Text.toInteger(about.fields("neighbours", 2).get(1)));
      case "sparse" ->
          SiteGp.of(
              data,
              LatticeLayout.grid(about, d),
              parameters.working(),
              Math.toIntExact(about.integer("neighbours")));
      default -> throw new IllegalArgumentException("its engine is '" + engine + "'");
    };
  }
}

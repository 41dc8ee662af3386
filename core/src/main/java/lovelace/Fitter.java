package lovelace;

import java.io.IOException;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import lovelace.baseline.ExactGp;
import lovelace.budget.Budget;
import lovelace.budget.Budget.Remedy;
import lovelace.data.Column.LeftOut;
import lovelace.data.Dataset;
import lovelace.data.FeatureMap;
import lovelace.data.LinearMap;
import lovelace.grid.Grid;
import lovelace.grid.GridChoice;
import lovelace.inference.DenseEngine;
import lovelace.inference.Engines;
import lovelace.inference.Projection;
import lovelace.inference.SpectralEngine;
import lovelace.kernel.Hyperparameters;
import lovelace.kernel.Kernel;
import lovelace.kernel.Leaf;
import lovelace.kernel.Parameter;
import lovelace.kernel.Term;
import lovelace.learning.Learned;
import lovelace.markov.ChainGp;
import lovelace.model.ModelState;
import lovelace.model.Provenance;
import lovelace.model.Provenance.Note;
import lovelace.optimize.Lbfgs;
import lovelace.optimize.Optimizer;
import lovelace.plan.Engine;
import lovelace.plan.Plan;
import lovelace.posterior.GridPosterior;
import lovelace.posterior.MappedPosterior;
import lovelace.posterior.Posterior;
import lovelace.posterior.RowPosterior;
import org.jspecify.annotations.Nullable;

/// Makes the model that a [Fit] describes of the rows of a source.
final class Fitter {

  /// The fewest cells of an automatic grid along a lengthscale, unless it is to cost less.
  private static final double CELLS = 6;

  /// By how much finer the grids are that are looked at one after another.
  private static final double FINER = 1.25;

  /// How many times as many points make it worth to read the rows again.
  private static final double WORTH = 1.5;

  /// The share of the time left that learning may take; the rest is for the posterior.
  static final double LEARNING = 0.7;

  /// How often the rows are read again on a finer grid.
  private static final int ROUNDS = 3;

  /// The shortest lengthscale of an additive model's column is its range over this.
  private static final double SHORTEST = 50;

  /// The most columns of one grid unless nothing is learned.
  private static final int MOST_COLUMNS = 3;

  /// Up to so many rows nothing costs less than the exact process.
  private static final int FEW = 300;

  /// A point of a lattice costs as much as so many places of a chain: 3.3 of matern12, 2.2 of
  /// matern32, 1.6 of matern52, measured.
  private static final int LATTICE_POINT = 2;

  private static final String LATTICE_OF_CHAIN =
      "a Matérn kernel in one dimension is a Markov chain; learned over the places of the rows";

  private static final String CHEAPER = "%,d rows take fewer operations so than on a lattice";

  /// The rows that start values are taken from.
  private static final int START_ROWS = 5000;

  /// The most rows that a projection is learned from.
  private static final int PROJECTION_ROWS = 3000;

  private final Fit fit;
  private final Source source;
  private final Survey survey;
  private final List<LeftOut> leftOut;
  private final int columns;
  private final List<Note> notes = new ArrayList<>();
  private boolean told; // by remarks, where parameters come from

  /// @param survey of the source
  /// @param leftOut columns of the table that the source does not have
  Fitter(Fit fit, Source source, Survey survey, List<LeftOut> leftOut) {
    this.fit = fit;
    this.source = source;
    this.survey = survey;
    this.leftOut = leftOut;
    columns = source.columns().size();
    remark(fit.kernel().remarks());
  }

  /// Over the columns that vary.
  static Fitter of(Fit fit, Source source) throws IOException {
    return of(fit, source, Survey.of(source, fit.transform(), fit.learning().seed()));
  }

  private static Fitter of(Fit fit, Source source, Survey survey) {
    VaryingColumns varying = VaryingColumns.of(fit, source, survey);
    if (varying.all()) return new Fitter(fit, source, survey, List.of());
    Source part = source.keeping(varying.places());
    return new Fitter(
        varying.fit(fit), part, survey.keeping(varying.places(), part), varying.leftOut());
  }

  /// The model.
  Model model() throws IOException {
    if (fit.engine() == Engine.EXACT) {
      if (fit.shape() == Fit.Shape.PROJECTION)
        throw new IllegalArgumentException(
            "the exact engine learns no projection; use another engine, or shape auto");
      return exact(complete(fit.hyperparameters(columns)), null);
    }
    return switch (fit.shape()) {
      case AUTO -> automatic();
      case GRID -> onGrid(null, complete(fit.hyperparameters(columns)));
      case ADDITIVE -> additive();
      case PROJECTION -> projected(null);
    };
  }

  private Hyperparameters complete(Hyperparameters start) {
    if (!fit.training() && !start.unset().isEmpty())
      throw new IllegalArgumentException(
          "without training every parameter needs a value; not set: "
              + String.join(", ", start.unset()));
    return start;
  }

  private Model automatic() throws IOException {
    boolean one = columns <= MOST_COLUMNS || (!fit.training() && columns == 4);
    boolean sum = columns > MOST_COLUMNS && Additive.isSum(fit.kernel(), columns);
    if (one && !sum) return onGrid(null, complete(fit.hyperparameters(columns)));
    Fit additive = fit.withShape(Fit.Shape.ADDITIVE);
    if (sum) return as(additive, "additive, as the kernel is").additive();
    if (!fit.training())
      throw new IllegalArgumentException(
          String.format(
              Locale.ROOT,
              "%d inputs share no grid, and nothing is to be learned; use an additive kernel such as additive(%s)",
              columns,
              fit.kernel()));
    if (fit.grid().hasRanges())
      return as(additive, "additive, because ranges of columns are given").additive();
    return HeldOut.choose(fit, source, survey, leftOut);
  }

  private Fitter as(Fit settings, String why) {
    Fitter other = new Fitter(settings, source, survey, leftOut);
    other.note(Note.Kind.SHAPE, why);
    return other;
  }

  /// The model of a shape that was chosen, with the reason.
  Model model(String why, @Nullable LinearMap known) throws IOException {
    note(Note.Kind.SHAPE, why);
    return fit.shape() == Fit.Shape.PROJECTION ? projected(known) : additive();
  }

  /// The model over the features of a map, with remarks on where the map comes from, and with it
  /// the parameters if they are not learned here. The map reads all columns, or those that vary.
  static Model over(Fit fit, Source source, FeatureMap map, List<String> remarks)
      throws IOException {
    Survey survey = Survey.of(source, fit.transform(), fit.learning().seed());
    VaryingColumns varying = VaryingColumns.of(fit, source, survey);
    if (varying.all() || map.inputs() != varying.kept().size())
      return new Fitter(fit, source, survey, List.of()).over(map, remarks);
    Source part = source.keeping(varying.places());
    return new Fitter(fit, part, survey.keeping(varying.places(), part), varying.leftOut())
        .over(map, remarks);
  }

  private Model over(FeatureMap map, List<String> remarks) throws IOException {
    if (map.inputs() != columns)
      throw new IllegalArgumentException(
          String.format(
              Locale.ROOT,
              "a map of %d columns needs rows of as many, got %d",
              map.inputs(),
              columns));
    if (fit.engine() == Engine.EXACT || fit.shape() == Fit.Shape.PROJECTION)
      throw new IllegalArgumentException(
          "The exact engine and projections cannot be used with a feature map; use shape auto, grid or"
              + " additive");
    boolean one = fit.shape() == Fit.Shape.GRID || map.outputs() <= MOST_COLUMNS;
    Fit settings =
        fit.shape() == Fit.Shape.AUTO
            ? fit.withShape(one ? Fit.Shape.GRID : Fit.Shape.ADDITIVE)
            : fit;
    Fitter fitter = new Fitter(settings, source, survey, leftOut);
    fitter.remark(remarks);
    fitter.told = !remarks.isEmpty();
    return fitter.onGrid(map, fitter.complete(settings.hyperparameters(map.outputs())));
  }

  private Model additive() throws IOException {
    return onGrid(null, complete(fit.hyperparameters(columns)));
  }

  private Model projected(@Nullable LinearMap known) throws IOException {
    if (!fit.training())
      throw new IllegalArgumentException("a projection is learned, and training is off");
    if (fit.grid().hasRanges())
      throw new IllegalArgumentException(
          "ranges are of columns, a projection's grid covers features of them; leave them out or"
              + " use an additive model");
    Fit.Learning learning = fit.learning();
    Optimizer optimizer =
        learning.optimizer() instanceof Lbfgs lbfgs
            ? lbfgs
                .withMaxIterations(Math.min(80, lbfgs.maxIterations()))
                .withRelativeTolerance(1e-5)
            : learning.optimizer();
    Projection projection =
        Budget.current()
            .share(LEARNING / 2)
            .call(
                () ->
                    Projection.learn(
                        survey.sample(PROJECTION_ROWS),
                        fit.hyperparameters(Projection.FEATURES),
                        known,
                        optimizer,
                        learning.starts(),
                        learning.seed(),
                        learning.progress()));
    if (projection.optimum().timeUp())
      note(Note.Kind.TIME, "the directions are the best found in the share of time they had");
    for (int f = 0; f < Projection.FEATURES; f++)
      note(Note.Kind.FEATURE, String.format(Locale.ROOT, "%d: %s", f + 1, words(projection, f)));
    return onGrid(projection.map(), projection.hyperparameters());
  }

  /// The heaviest columns of a feature.
  private String words(Projection projection, int feature) {
    return IntStream.range(0, columns)
            .boxed()
            .sorted(
                (a, b) ->
                    Double.compare(weight(projection, feature, b), weight(projection, feature, a)))
            .limit(6)
            .map(
                j ->
                    String.format(
                        Locale.ROOT,
                        "%+.2f %s",
                        projection.direction(feature, j),
                        source.columns().get(j).name()))
            .collect(Collectors.joining(" "))
        + (columns > 6 ? " …" : "")
        + " (standardised)";
  }

  private static double weight(Projection projection, int feature, int column) {
    return Math.abs(projection.direction(feature, column));
  }

  private Model onGrid(@Nullable FeatureMap map, Hyperparameters start) throws IOException {
    Source seen = map == null ? source : new FeatureSource(source, map);
    Survey survey =
        map == null ? this.survey : Survey.of(seen, fit.transform(), fit.learning().seed());
    List<int[]> components =
        fit.shape() == Fit.Shape.ADDITIVE && seen.columns().size() > 1
            ? Additive.components(start.kernel(), seen.columns())
            : null;
    Learned learned = null;
    if (map == null && chained(start)) {
      Chained found = onPlaces(start);
      if (chained(found.learned.hyperparameters())) return model(found);
      learned = found.learned.because(LATTICE_OF_CHAIN); // with what was learned it costs less
    }
    boolean exactly = map == null && mayBeExact(survey);
    if (exactly && survey.atMost(FEW)) return exact(start, CHEAPER);
    double finer = 1;
    boolean learning = fit.training() && learned == null;
    Hyperparameters from = components != null && fit.training() ? bounded(start, survey) : start;
    if (learned != null) from = learned.hyperparameters();
    GridChoice.Chosen chosen = choose(survey, from, components, finer);
    if (exactly) {
      Hyperparameters h = filled(start);
      // also the grid that the tolerance would ask for if the start values were right
      if (!isCheaper(chosen.grid(), h, survey)
          || !isCheaper(choose(survey, h, null, finer).grid(), h, survey))
        return exact(start, CHEAPER);
    }
    for (int round = 1; ; round++) {
      Budget.check();
      Pass pass = Pass.over(source, map, chosen.lattice(), fit.transform(), fit.outside());
      Inference inference =
          new Inference(fit.engine(), fit.tolerance(), fit.learning().seed(), pass.statistics());
      Hyperparameters first = from;
      Learned found =
          learning
              ? Budget.current()
                  .share(LEARNING)
                  .call(() -> inference.learn(first, survey, fit.learning()))
              : inference.evaluate(from);
      learned = learned == null || learning ? found : learned.on(found);
      Hyperparameters h = learned.hyperparameters();
      if (map == null && learning && chained(h)) return model(onPlaces(h));
      GridChoice.Chosen better = choose(survey, h, components, finer);
      boolean poor = Inference.isPoor(chosen.lattice(), lengthscales(h.kernel()));
      boolean again =
          round < ROUNDS
              && !learned.timeUp()
              && !better.lattice().equals(chosen.lattice())
              && isServed(better, h);
      if (fit.training() && poor && again) {
        note(
            Note.Kind.REGRID,
            "the lengthscale learned on the %s is under two cells; read again"
                .formatted(chosen.lattice()));
        chosen = better;
        from = h;
        continue;
      }
      GridPosterior inner =
          inference.posterior(h, few(survey) ? survey.sample(Closeness.MEASURED) : null);
      if (!inner.certificate().interpolation().within(fit.tolerance()) && components == null) {
        boolean more = round < ROUNDS && !learned.timeUp();
        double worth = WORTH * chosen.lattice().size();
        while (more && better.lattice().size() < worth && finer < 8) {
          finer *= 2; // the rule asked for less than is needed
          better = choose(survey, h, components, finer);
        }
        boolean exact = exactly && few(survey);
        if (more
            && better.lattice().size() >= worth
            && isServed(better, h)
            && (!exact || isCheaper(better.grid(), h, survey))) {
          note(
              Note.Kind.REGRID,
              "the %s is too coarse for the tolerance; read again".formatted(chosen.lattice()));
          chosen = better;
          from = h;
          learning = false;
          continue;
        }
        if (map == null && mayBeChained(h)) return model(onPlaces(h));
        if (exact) return exact(h, "a lattice that meets the tolerance costs more for %,d rows");
      }
      GridChoice.Chosen known = chosen.withLengthscales(lengthscales(h.kernel()));
      note(Note.Kind.GRID, known.explanation());
      if (poor) note(Note.Kind.ADVICE, known.advice());
      else if (!inner.certificate().met()) note(Note.Kind.ADVICE, closer(survey));
      if (learned.timeUp()) noteTime();
      for (Note note : Inference.notes(learned))
        if (!told || note.kind() != Note.Kind.AS_GIVEN) notes.add(note);
      Posterior posterior = map == null ? inner : MappedPosterior.of(map, inner);
      return Model.of(
          new ModelState(
              source.columns(),
              leftOut,
              source.target(),
              fit.transform(),
              pass.logJacobian(),
              learned.logLikelihood(),
              posterior,
              plan(),
              provenance(pass.fingerprint(), learned.standardErrors(), learned.trace())));
    }
  }

  private void note(Note.Kind kind, String text) {
    notes.add(new Note(kind, text));
  }

  private void remark(List<String> lines) {
    for (String line : lines) notes.add(Note.parse(line));
  }

  private void noteTime() {
    notes.add(timeNote());
  }

  /// What a model says whose learning was stopped by the deadline.
  static Note timeNote() {
    return new Note(
        Note.Kind.TIME,
        String.format(
            Locale.ROOT,
            "learning stopped after its share of the %.3g s allowed; parameters are the best found so far, give more time for better ones",
            Budget.current().seconds()));
  }

  /// Whether a fit on a grid is clearly cheaper than the exact process: by operations of a
  /// likelihood, with a share of what comes after learning. Learning may find that a finer grid is
  /// needed, so only a third counts as clearly.
  private static boolean isCheaper(Grid grid, Hyperparameters h, Survey survey) {
    double n = (double) survey.count();
    return Engines.isCheaper(grid, h, n * n * (n + 100) / 3);
  }

  /// Whether the engine is free to be the exact process: nobody asked for a lattice, nor for what
  /// only a lattice offers.
  private boolean mayBeExact(Survey survey) {
    return fit.engine() == Engine.AUTO
        && fit.shape() == Fit.Shape.AUTO
        && fit.grid().isAutomatic()
        && fit.learning().starts() == 1
        && survey.atMost(Fit.EXACT_ROWS);
  }

  private Hyperparameters filled(Hyperparameters start) {
    Dataset rows = survey.sample(START_ROWS);
    return start.fill(rows.inputs(), rows.target());
  }

  /// Whether the places of the rows may be the nodes of a Markov chain: the kernel is one, nobody
  /// asked for what only a lattice offers, and the rows can be held. Rows in a cluster are not
  /// counted, and stay there.
  private boolean mayBeChained(Hyperparameters h) {
    boolean asked = fit.engine() == Engine.MARKOV;
    return (asked || fit.engine() == Engine.AUTO)
        && fit.shape() == Fit.Shape.AUTO
        && fit.grid().isAutomatic()
        && columns == 1
        && ChainGp.serves(h.kernel())
        && survey.certainlyAtMost(asked ? Integer.MAX_VALUE : ChainGp.MOST_ROWS)
        && (asked || ChainGp.bytes(h.kernel(), survey.count()) <= Budget.current().memory());
  }

  /// Whether the model is a chain over the places of the rows and not on a lattice: where that was
  /// asked for, and where the lattice that the tolerance asks for costs more. A lattice is cheaper
  /// only if it has far fewer points than there are places; its file then holds no rows. As many
  /// rows as an exact model holds cost next to nothing. Learning follows the same rule with what it
  /// has learned as a fit that learns nothing.
  private boolean chained(Hyperparameters h) {
    if (!mayBeChained(h)) return false;
    long places = survey.places();
    if (fit.engine() == Engine.MARKOV || places <= Fit.EXACT_ROWS) return true;
    int points = choose(survey, filled(h), null, 1).lattice().size();
    return places <= (long) LATTICE_POINT * points;
  }

  /// What a chain over the places of the rows has learned, and the rows as they stand in the table.
  private record Chained(Dataset table, Dataset data, Learned learned) {}

  private Chained onPlaces(Hyperparameters start) throws IOException {
    Dataset table =
        Survey.rows(
            source, ChainGp.MOST_ROWS, "give grid points to make a lattice, or use another engine");
    requireVarying(table);
    Dataset data = fit.transform().apply(table);
    boolean learning = fit.training() && start.freeSize() > 0;
    Learned learned =
        learning ? Inference.onPlaces(data, start, fit.learning()) : Learned.given(start, "markov");
    return new Chained(table, data, learned);
  }

  private Model model(Chained found) {
    Learned learned = found.learned;
    ChainGp gp = ChainGp.of(found.data, learned.hyperparameters());
    note(
        Note.Kind.ENGINE,
        String.format(
            Locale.ROOT,
            "a Matérn kernel in one dimension is a Markov chain; nodes are the %,d places of the rows",
            gp.places()));
    note(Note.Kind.HOLDS, "the rows themselves; grid points make a lattice, which holds none");
    if (learned.timeUp()) noteTime();
    notes.addAll(Inference.notes(learned));
    return model(found.table, gp, learned.standardErrors(), learned.trace());
  }

  private void requireVarying(Dataset table) {
    Pass.requireVarying(
        source,
        table.size(),
        Arrays.stream(table.target()).min().orElse(0),
        Arrays.stream(table.target()).max().orElse(0));
  }

  private Model model(
      Dataset table, RowPosterior gp, List<Double> errors, List<Learned.Step> trace) {
    return Model.of(
        new ModelState(
            source.columns(),
            leftOut,
            source.target(),
            fit.transform(),
            fit.transform().logJacobian(table.target()),
            gp.logMarginalLikelihood(),
            gp,
            plan(),
            provenance(Survey.fingerprint(table), errors, trace)));
  }

  /// What to do where the tolerance is not met.
  private String closer(Survey survey) {
    String exact =
        survey.atMost(Fit.EXACT_ROWS) ? "engine exact is the process itself" : "use fewer columns";
    return "the lattice is coarser than the tolerance asks for; give more grid points, a larger"
        + " tolerance or a shorter range, or "
        + exact;
  }

  /// Keeps the lengthscales of an additive model from going where a function is but noise: a column
  /// that says nothing would end there, on a grid without end.
  private static Hyperparameters bounded(Hyperparameters start, Survey survey) {
    List<Parameter> parameters = start.parameters();
    Hyperparameters bounded = start;
    for (Term term : start.kernel().terms())
      for (int f = 0; f < term.factors().size(); f++) {
        Leaf leaf = term.factors().get(f);
        if (leaf.lengthscaleOffset() < 0) continue;
        double range = Double.POSITIVE_INFINITY;
        for (int column : leaf.columns())
          range = Math.min(range, survey.high()[column] - survey.low()[column]);
        int at = term.offset(f) + leaf.lengthscaleOffset();
        int i = 0;
        while (at >= parameters.get(i).size()) at -= parameters.get(i++).size();
        Parameter p = parameters.get(i);
        double least = range / SHORTEST;
        double most = 100 * range;
        boolean given = Arrays.stream(p.values()).anyMatch(v -> v <= least || v >= most);
        if (range > 0 && !p.fixed() && !given && p.lower() < least)
          bounded = bounded.withBounds(p.path(), least, most);
      }
    return bounded;
  }

  private GridChoice.Chosen choose(
      Survey survey, Hyperparameters h, @Nullable List<int[]> components, double finer) {
    double[] lengthscales = lengthscales(h.kernel());
    double cells =
        components != null || !h.unset().isEmpty()
            ? CELLS
            : Closeness.cells(h, survey, lengthscales, fit.tolerance(), CELLS);
    GridChoice choice = fit.grid().withLengthscales(lengthscales).withNames(survey.names());
    if (!choice.hasPoints())
      choice =
          choice.withMemory(Math.min(choice.memory(), Math.max(1, Budget.current().memory() / 4)));
    GridChoice.Chosen chosen =
        chosen(survey, h, components, choice, Math.min(Closeness.FINEST, finer * cells));
    Budget.require(
        GridChoice.bytes(chosen.lattice()), "the " + chosen.lattice(), Remedy.FEWER_GRID_POINTS);
    return chosen;
  }

  private GridChoice.Chosen chosen(
      Survey survey,
      Hyperparameters h,
      @Nullable List<int[]> components,
      GridChoice choice,
      double most) {
    if (components != null)
      return choice.withCellsPerLengthscale(most).choose(survey.low(), survey.high(), components);
    double least = fit.engine() == Engine.KRYLOV && few(survey) ? GridChoice.POOR : CELLS;
    boolean known = h.unset().isEmpty() && !choice.hasPoints();
    double cells = known ? Math.min(least, most) : most;
    GridChoice.Chosen chosen =
        choice.withCellsPerLengthscale(cells).choose(survey.low(), survey.high());
    // finer from step to step: what costs too much is not even looked at, and the model will say
    // how far off it is
    while (cells < most) {
      cells = Math.min(most, FINER * cells);
      GridChoice.Chosen next =
          choice.withCellsPerLengthscale(cells).choose(survey.low(), survey.high());
      // a long lengthscale has the fewest points for many cells, so the same grid ends nothing
      if (!next.lattice().equals(chosen.lattice()) && !carried(next.grid(), h, survey)) break;
      chosen = next;
    }
    return chosen;
  }

  /// Whether a grid finer than need be leaves the engine what it is, and costs seconds where the
  /// exact process takes no more.
  private boolean carried(Grid grid, Hyperparameters h, Survey survey) {
    int modes = few(survey) ? Engines.FEW_MODES : SpectralEngine.MOST;
    return switch (fit.engine()) {
      case AUTO -> Engines.isDirect(grid, h, modes);
      case SPECTRAL -> Engines.isSpectral(grid, h, modes);
      case KRYLOV -> !few(survey) || Engines.iterations(grid, survey.count()) <= Engines.SECONDS;
      case DENSE -> grid.size() <= DenseEngine.MOST_POINTS;
      case MARKOV, EXACT -> true;
    };
  }

  /// Whether the engine asked for still serves the kernel on another lattice.
  private boolean isServed(GridChoice.Chosen other, Hyperparameters h) {
    return switch (fit.engine()) {
      case SPECTRAL ->
          !(other.lattice() instanceof Grid grid)
              || Engines.isSpectral(grid, h, SpectralEngine.MOST);
      case DENSE -> other.lattice().size() <= DenseEngine.MOST_POINTS;
      case AUTO, MARKOV, KRYLOV, EXACT -> true;
    };
  }

  /// Whether the rows are so few that the exact process is at hand.
  private static boolean few(Survey survey) {
    return survey.atMost(Closeness.MEASURED);
  }

  /// The exact model, with the reason where it was not asked for.
  private Model exact(Hyperparameters start, @Nullable String why) throws IOException {
    Dataset table = Survey.rows(source, Fit.EXACT_ROWS, "use another engine");
    if (why != null) {
      note(Note.Kind.ENGINE, why.formatted(table.size()));
      note(
          Note.Kind.HOLDS, "the rows themselves; another engine makes a lattice, which holds none");
    }
    requireVarying(table);
    Dataset data = fit.transform().apply(table);
    ExactGp gp;
    List<Learned.Step> trace = List.of();
    List<Double> errors = List.of();
    if (fit.training() && start.freeSize() > 0) {
      Learned learned = Inference.exact(data, start, fit.learning());
      if (learned.timeUp()) noteTime();
      gp = ExactGp.of(data, learned.hyperparameters());
      trace = learned.trace();
      note(Note.Kind.TRAINING, learned.ending());
      errors = learned.standardErrors();
    } else {
      gp = ExactGp.of(data, start);
      notes.add(Note.AS_GIVEN);
    }
    return model(table, gp, errors, trace);
  }

  private Plan plan() {
    return new Plan(fit.engine(), fit.tolerance(), fit.learning().seed());
  }

  private Provenance provenance(
      long fingerprint, List<Double> standardErrors, List<Learned.Step> trace) {
    return new Provenance(
        fit.maker().version(),
        Instant.now().truncatedTo(ChronoUnit.SECONDS),
        fingerprint,
        fit.maker().command(),
        standardErrors,
        trace,
        notes);
  }

  /// The shortest length along each column; NaN where none is known.
  private static double[] lengthscales(Kernel bound) {
    double[] shortest = new double[bound.dimensions()];
    Arrays.fill(shortest, Double.NaN);
    for (Term term : bound.terms())
      for (Leaf leaf : term.factors()) {
        int[] read = leaf.columns();
        double[] values = leaf.lengths();
        for (int i = 0; i < values.length; i++) {
          int a = read[i % read.length];
          if (values[i] > 0 && !(values[i] >= shortest[a])) shortest[a] = values[i];
        }
      }
    return shortest;
  }
}

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
import lovelace.budget.Budget;
import lovelace.chain.ChainGp;
import lovelace.data.Column;
import lovelace.data.Column.LeftOut;
import lovelace.data.Dataset;
import lovelace.data.FeatureMap;
import lovelace.data.FeatureMap.Change;
import lovelace.data.LinearMap;
import lovelace.data.PlaceMap;
import lovelace.exact.ExactGp;
import lovelace.features.Additive;
import lovelace.features.Projection;
import lovelace.grid.Grid;
import lovelace.io.ModelState;
import lovelace.kernel.Hyperparameters;
import lovelace.lattice.LatticePosterior;
import lovelace.lattice.MappedPosterior;
import lovelace.learning.InTime;
import lovelace.learning.Learned;
import lovelace.model.Provenance;
import lovelace.model.Provenance.Note;
import lovelace.neighbours.LatentNeighbourGp;
import lovelace.neighbours.NeighbourGp;
import lovelace.optimize.Lbfgs;
import lovelace.optimize.Optimizer;
import lovelace.plan.Engine;
import lovelace.plan.Plan;
import lovelace.posterior.Certificate;
import lovelace.posterior.Posterior;
import lovelace.posterior.internal.MappedRows;
import lovelace.posterior.internal.RowPosterior;
import lovelace.sparse.SiteGp;
import lovelace.sparse.SparseEngine;
import lovelace.tables.KernelChoice;
import lovelace.tables.TableChoice;
import org.jspecify.annotations.Nullable;

/// One run of a fit whose shape is known: follows its plan from the rows to the model.
final class FitRun {

  private static final String LATTICE_OF_CHAIN =
      "a Matérn kernel in one dimension is a Markov chain; learned over the places of the rows";

  private static final String HOLDS =
      "the rows themselves; with another engine it is a model on a grid, which keeps no rows";

  /// The most rows that the shares of words are taken from.
  private static final int INDICATOR_ROWS = 10_000;

  /// The most rows that are looked at for different values at one place, before an engine finds
  /// them.
  private static final int SEEN = 10_000;

  /// The neighbours of a prediction over few columns: so many that a map shows no seams where they
  /// change.
  private static final int MAP_NEIGHBOURS = 400;

  /// The most rows that a projection is learned from.
  private static final int PROJECTION_ROWS = 3000;

  private final Fit fit;
  private final Source source;
  private final Survey survey;
  private final List<LeftOut> leftOut;
  private final int columns;
  private final List<Note> notes = new ArrayList<>();
  private boolean told; // by remarks, where parameters come from

  FitRun(FitData data) {
    fit = data.fit();
    source = data.source();
    survey = data.survey();
    leftOut = data.leftOut();
    columns = source.columns().size();
    notes.addAll(data.remarks());
    remark(fit.kernel().remarks());
  }

  /// The model.
  ///
  /// @param why the reason for the shape, null where it was asked for
  /// @param known directions to start a projection from
  Model model(@Nullable String why, @Nullable LinearMap known) throws IOException {
    if (why != null) note(Note.Kind.SHAPE, why);
    if (fit.shape() == Fit.Shape.PROJECTION) return projected(known);
    boolean rows = fit.engine() == Engine.EXACT || fit.engine() == Engine.NEIGHBOURS;
    if (!rows && fit.shape() == Fit.Shape.ADDITIVE && Column.text(source.columns()).length > 0)
      return over(indicators(), List.of());
    return run(null, complete(fit.hyperparameters(source.columns())));
  }

  /// Words as indicators, which have places on a lattice.
  private FeatureMap indicators() {
    if (Additive.isSum(fit.kernel(), columns))
      throw new IllegalArgumentException(
          "column '%s' holds words, which become several columns of an additive model, so the kernel must not name columns; use engine exact or neighbours for %s"
              .formatted(firstText().name(), fit.kernel()));
    List<Change> changes =
        source.columns().stream()
            .map(column -> column.isText() ? Change.INDICATORS : Change.SAME)
            .toList();
    return FeatureMap.columns(survey.table(INDICATOR_ROWS, source), changes);
  }

  private Column firstText() {
    return source.columns().get(Column.text(source.columns())[0]);
  }

  /// The model over the features of a map, with remarks on where the map comes from, and with it
  /// the parameters if they are not learned here.
  Model over(FeatureMap map, List<String> remarks) throws IOException {
    if (map.inputs() != columns)
      throw new IllegalArgumentException(
          String.format(
              Locale.ROOT,
              "the feature map needs rows of %d columns, got %d",
              map.inputs(),
              columns));
    requireNotOnData("leave it out");
    remark(remarks);
    told = !remarks.isEmpty();
    return run(map, complete(fit.hyperparameters(map.features(source.columns()))));
  }

  /// The model over coordinates on a plane.
  ///
  /// @param map of them; null where they are on a plane already
  /// @param start what is known of the parameters; null for nothing but what was given
  Model placed(@Nullable PlaceMap map, @Nullable Hyperparameters start) throws IOException {
    if (start != null) return run(map, start);
    List<Column> seen = map == null ? source.columns() : map.features(source.columns());
    return run(map, complete(fit.hyperparameters(seen)));
  }

  private Hyperparameters complete(Hyperparameters start) {
    if (!fit.training() && !start.unset().isEmpty())
      throw new IllegalArgumentException(
          "without training every parameter needs a value; not set: "
              + String.join(", ", start.unset()));
    return start;
  }

  private Model projected(@Nullable LinearMap known) throws IOException {
    if (!fit.training())
      throw new IllegalArgumentException(
          "a projection must be learned, and training is off; turn training on, or use another shape");
    if (Column.text(source.columns()).length > 0)
      throw new IllegalArgumentException(
          "a projection needs numbers, and column '%s' holds words; leave it out, or use shape auto or additive"
              .formatted(firstText().name()));
    requireNotOnData("leave it out or use an additive model");
    if (fit.grid().hasRanges())
      throw new IllegalArgumentException(
          "ranges are for columns, and the grid of a projection covers features; leave them out or"
              + " use an additive model");
    Fit.Learning learning = fit.learning();
    Optimizer optimizer =
        learning.optimizer() instanceof Lbfgs lbfgs
            ? lbfgs
                .withMaxIterations(Math.min(80, lbfgs.maxIterations()))
                .withRelativeTolerance(1e-5)
            : learning.optimizer();
    Projection projection =
        Projection.learn(
            survey.sample(PROJECTION_ROWS),
            fit.hyperparameters(Projection.FEATURES),
            known,
            optimizer,
            learning.starts(),
            learning.seed(),
            InTime.SHARE / 2,
            learning.progress());
    if (projection.timeUp())
      note(Note.Kind.TIME, "the directions are the best found in their share of the time");
    for (int f = 0; f < Projection.FEATURES; f++)
      note(Note.Kind.FEATURE, String.format(Locale.ROOT, "%d: %s", f + 1, words(projection, f)));
    return run(projection.map(), projection.hyperparameters());
  }

  private void requireNotOnData(String remedy) {
    if (fit.grid().isOnData())
      throw new IllegalArgumentException(
          "the data's own grid covers columns, and this model's grid covers features; " + remedy);
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

  /// Follows the plan: on the rows, on their places, or on one lattice after another.
  private Model run(@Nullable FeatureMap map, Hyperparameters start) throws IOException {
    Source seen = map == null ? source : new Pass.Features(source, map);
    Survey survey = map == null ? this.survey : Survey.of(seen, fit);
    List<int[]> components =
        fit.engine() != Engine.EXACT
                && fit.engine() != Engine.NEIGHBOURS
                && fit.shape() == Fit.Shape.ADDITIVE
                && seen.columns().size() > 1
            ? Additive.components(start.kernel(), seen.columns())
            : null;
    boolean features = map != null && !(map instanceof PlaceMap); // which are not columns
    Planner planner = new Planner(fit, survey, features, components);
    Planner.Way way = planner.first(start);
    if (!fit.likelihood().isGaussian()) return observed(planner, way, map, seen, survey);
    Learned learned = null;
    while (true) {
      fit.listener().accept(way.plan());
      switch (way) {
        case Planner.OnRows rows -> {
          return onRows(rows, map);
        }
        case Planner.OnSites sites -> {
          return onSites(sites, map);
        }
        case Planner.OnPlaces places -> {
          Dataset table =
              table(
                  Engine.MARKOV,
                  ChainGp.MOST_ROWS,
                  "give grid points to make a model on a grid, or use another engine",
                  places.from().noise(),
                  Double.NaN);
          Dataset data = fit.transform().apply(table);
          Learned found =
              learns(places.from())
                  ? RowFit.chain(data, places.from(), fit.learning())
                  : Learned.given(places.from(), places.plan().chosen().toString());
          way = planner.learned(places, found.hyperparameters());
          if (way instanceof Planner.OnPlaces) return chained(places.plan(), table, data, found);
          learned = found.because(LATTICE_OF_CHAIN); // with what was learned it costs less
        }
        case Planner.OnLattice lattice -> {
          Budget.check();
          if (!lattice.regrid().isEmpty()) note(Note.Kind.REGRID, lattice.regrid());
          Survey.requireOneValue(
              this.survey.table(SEEN, source),
              lattice.from().noise(),
              this.survey.atMost(SEEN),
              leastNoise(lattice.from(), seen.columns().size()));
          Pass pass = Pass.over(source, map, lattice.chosen().lattice(), fit);
          lattice = planner.read(lattice, pass.statistics());
          Learned found = learned(lattice, pass, survey);
          learned = learned == null || lattice.learning() ? found : learned.on(found);
          way = planner.learned(lattice, pass.statistics(), learned);
          if (!onSame(way, lattice)) continue;
          LatticePosterior inner =
              new LatticeFit(way.plan(), pass.statistics())
                  .posterior(
                      learned.hyperparameters(),
                      survey.atMost(Closeness.MEASURED) ? survey.sample(Closeness.MEASURED) : null);
          if (isTooCoarse(inner)) {
            Planner.Way next = planner.missed((Planner.OnLattice) way, learned);
            boolean stays = onSame(next, lattice);
            way = next;
            if (!stays) continue;
          }
          learned = LatticeFit.settled(learned, inner);
          return onLattice(way.plan(), lattice.chosen(), map, pass, learned, inner, survey);
        }
      }
    }
  }

  /// The same under a likelihood that is not Gaussian.
  private Model observed(
      Planner planner, Planner.Way first, @Nullable FeatureMap map, Source seen, Survey survey)
      throws IOException {
    LaplaceFit laplace = new LaplaceFit(fit, seen, survey::sample);
    Planner.Way way = first;
    Learned learned = null;
    while (true) {
      fit.listener().accept(way.plan());
      boolean near = way.plan().chosen() == Engine.NEIGHBOURS;
      LaplaceFit.Read read =
          laplace.read(way instanceof Planner.OnLattice on ? on.chosen().lattice() : null, near);
      LaplaceFit.Outcome found =
          switch (way) {
            case Planner.OnRows rows -> {
              Hyperparameters from = rows.from();
              if (TableFit.isWide(seen.columns())
                  && !fit.hasKernel()
                  && learns(from)
                  && !(map instanceof PlaceMap)) { // whose kernel was chosen with it
                KernelChoice choice =
                    Budget.current()
                        .share(TableFit.CHOOSING)
                        .call(() -> laplace.likeliest(read.data(), seen.columns()));
                note(Note.Kind.COMPARED, choice.text());
                from = choice.start();
              }
              yield near ? laplace.neighbours(read.data(), from) : laplace.exact(read.data(), from);
            }
            case Planner.OnSites sites -> laplace.sites(read.data(), sites.from());
            case Planner.OnPlaces places -> laplace.chain(read.data(), places.from());
            case Planner.OnLattice on ->
                laplace.lattice(
                    on.plan(), on.chosen().lattice(), read.data(), on.from(), on.learning());
          };
      if (way instanceof Planner.OnLattice lattice
          && found.posterior() instanceof LatticePosterior inner) {
        if (!lattice.regrid().isEmpty()) note(Note.Kind.REGRID, lattice.regrid());
        if (learned != null && !lattice.learning()) found = found.with(learned.on(found.learned()));
        learned = found.learned();
        Planner.Way next = planner.learned(lattice, inner.statistics(), found.learned());
        boolean again = !onSame(next, lattice);
        if (!again && isTooCoarse(inner)) {
          next = planner.missed(lattice, found.learned());
          again = !onSame(next, lattice);
        }
        if (again) {
          way = next;
          continue;
        }
      }
      return observed(way, map, read, found, survey);
    }
  }

  private Model observed(
      Planner.Way way,
      @Nullable FeatureMap map,
      LaplaceFit.Read read,
      LaplaceFit.Outcome found,
      Survey survey) {
    notes.add(LaplaceFit.note(found.fitted()));
    LaplaceFit.separation(found, read.data()).ifPresent(notes::add);
    if (found.posterior() instanceof LatticePosterior inner
        && way instanceof Planner.OnLattice on) {
      Pass pass = new Pass(inner.statistics(), 0, read.fingerprint(), 0, 0);
      return onLattice(way.plan(), on.chosen(), map, pass, found.learned(), inner, survey)
          .with(found.fitted());
    }
    if (found.learned().timeUp()) notes.add(timeNote());
    note(Note.Kind.ENGINE, way.plan().reason());
    if (found.posterior() instanceof LatentNeighbourGp gp) notes.add(neighbourNote(gp));
    note(Note.Kind.HOLDS, HOLDS);
    notes.addAll(LatticeFit.notes(found.learned()));
    Posterior posterior = found.posterior();
    if (map instanceof PlaceMap plane && posterior instanceof RowPosterior rows)
      posterior = MappedRows.ofFeatures(plane, source.columns(), rows);
    else if (map != null && posterior instanceof RowPosterior rows)
      posterior = MappedRows.of(map, rows.data(), rows);
    return model(
            0,
            found.learned().logLikelihood(),
            posterior,
            way.plan(),
            read.fingerprint(),
            found.learned())
        .with(found.fitted());
  }

  /// Whether a posterior misses the tolerance by what is lost between the points of its lattice.
  private boolean isTooCoarse(LatticePosterior posterior) {
    if (Budget.current().over()) return false; // the model says what it misses
    Certificate certificate = posterior.certificate();
    boolean engine = certificate.reached() >= fit.tolerance(); // which no finer lattice mends
    return !certificate.interpolation().within(fit.tolerance())
        || (!certificate.met() && !engine && posterior.statistics().lattice() instanceof Grid);
  }

  private boolean learns(Hyperparameters from) {
    return fit.training() && from.freeSize() > 0;
  }

  private static boolean onSame(Planner.Way way, Planner.OnLattice lattice) {
    return way instanceof Planner.OnLattice other
        && other.chosen().lattice().equals(lattice.chosen().lattice());
  }

  private Learned learned(Planner.OnLattice way, Pass pass, Survey survey) {
    LatticeFit lattice = new LatticeFit(way.plan(), pass.statistics());
    if (!way.learning()) return lattice.evaluate(way.from());
    Dataset rows = survey.sample(LatticeChoice.START_ROWS);
    return InTime.learned(
        () -> lattice.learn(way.from(), rows, fit.learning()),
        () -> way.from().fill(rows.inputs(), rows.target()),
        way.plan().chosen().toString());
  }

  /// The smallest noise that explains different values at one place to the sparse engine; NaN where
  /// the kernel does not tell, or there is noise.
  private static double leastNoise(Hyperparameters h, int dimensions) {
    if (h.noise() != 0 || !h.unset().isEmpty()) return Double.NaN;
    return 1.01 * SparseEngine.NO_NOISE * h.kernel().variance(new double[dimensions], 0);
  }

  /// All rows, whose targets must vary if they are learned from, and be one at each place where
  /// there is no noise.
  private Dataset table(Engine engine, int most, String remedy, double noise, double least)
      throws IOException {
    Dataset table = Survey.rows(source, engine, most, remedy);
    Survey.requireOneValue(table, noise, true, least);
    if (fit.training())
      Pass.requireVarying(
          source,
          table.size(),
          Arrays.stream(table.target()).min().orElse(0),
          Arrays.stream(table.target()).max().orElse(0));
    return table;
  }

  private Model onRows(Planner.OnRows way, @Nullable FeatureMap map) throws IOException {
    boolean exact = way.plan().chosen() == Engine.EXACT;
    Dataset table =
        table(
            way.plan().chosen(),
            exact ? Fit.EXACT_ROWS : NeighbourGp.MOST_ROWS,
            exact ? "use another engine" : "use fewer rows, or an additive model",
            way.from().noise(),
            Double.NaN);
    if (!way.asked()) {
      note(Note.Kind.ENGINE, way.plan().reason());
      note(Note.Kind.HOLDS, HOLDS);
    }
    Dataset held = fit.transform().apply(table);
    Dataset data = map == null ? held : MappedRows.features(map, held);
    if (exact) {
      Learned learned =
          learns(way.from())
              ? RowFit.exact(data, way.from(), fit.learning())
              : Learned.given(way.from(), way.plan().chosen().toString());
      RowPosterior gp = ExactGp.of(data, learned.hyperparameters());
      return ofRows(way.plan(), table, mapped(map, held, gp), learned);
    }
    int usual = TableFit.isWide(data.columns()) ? TableChoice.NEIGHBOURS : MAP_NEIGHBOURS;
    int k = fit.neighbours() > 0 ? fit.neighbours() : usual;
    Learned learned =
        learns(way.from())
            ? RowFit.neighbours(data, way.from(), RowFit.learning(k), fit.learning())
            : Learned.given(way.from(), way.plan().chosen().toString());
    NeighbourGp gp = NeighbourGp.of(data, learned.hyperparameters(), k);
    notes.add(neighbourNote(gp));
    return ofRows(way.plan(), table, mapped(map, held, gp), learned);
  }

  /// The posterior of rows, behind a map where there is one.
  private static RowPosterior mapped(@Nullable FeatureMap map, Dataset rows, RowPosterior gp) {
    return map == null ? gp : MappedRows.of(map, rows, gp);
  }

  /// The model of a table that rows held out have chosen.
  Model onTable(Dataset table, TableChoice.Answer answer) {
    Planner planner = new Planner(fit, survey, false, null);
    boolean learns = learns(answer.start());
    boolean exact = answer.engine() == Engine.EXACT;
    String why =
        fit.engine() != Engine.AUTO
            ? "as asked"
            : exact ? "the process of all rows" : "the process of the nearest rows";
    Plan plan = planner.rows(answer.engine(), why, learns, 0);
    fit.listener().accept(plan);
    for (String line : answer.compared()) note(Note.Kind.COMPARED, line);
    for (String line : answer.columns()) note(Note.Kind.COLUMNS, line);
    note(Note.Kind.HOLDS, HOLDS);
    Survey.requireOneValue(table, answer.start().noise(), true);
    Dataset held = answer.transform().apply(table);
    FeatureMap map = answer.map().orElse(null);
    Dataset data = map == null ? held : MappedRows.features(map, held);
    int k = answer.neighbours();
    Learned learned =
        learns
            ? RowFit.neighbours(data, answer.start(), RowFit.learning(k), fit.learning())
            : Learned.given(answer.start(), answer.engine().toString());
    if (learns && exact && !learned.timeUp())
      learned = RowFit.refined(data, learned, fit.learning());
    RowPosterior gp =
        exact
            ? ExactGp.of(data, learned.hyperparameters())
            : NeighbourGp.of(data, learned.hyperparameters(), k)
                .withLikelihood(learned.logLikelihood());
    if (gp instanceof NeighbourGp near) notes.add(neighbourNote(near));
    return ofRows(plan, table, mapped(map, held, gp), learned);
  }

  /// What a model that predicts from neighbours under a likelihood says of them.
  static Note neighbourNote(LatentNeighbourGp gp) {
    return new Note(
        Note.Kind.ENGINE,
        String.format(
            Locale.ROOT,
            "each prediction uses the %,d nearest rows; variances are within %.2g %% (standard error, checked at some rows)",
            gp.neighbours(),
            100 * gp.varianceError()));
  }

  /// What a model that predicts from neighbours says of them.
  static Note neighbourNote(NeighbourGp gp) {
    double recall = gp.recall();
    String found =
        recall < 1
            ? String.format(Locale.ROOT, "; a bounded search finds %.1f %% of them", 100 * recall)
            : "";
    return new Note(
        Note.Kind.ENGINE,
        String.format(
            Locale.ROOT, "each prediction uses the %,d nearest rows%s", gp.neighbours(), found));
  }

  private Model onSites(Planner.OnSites way, @Nullable FeatureMap map) throws IOException {
    Dataset table =
        table(
            Engine.SPARSE,
            SiteGp.MOST_ROWS,
            "give grid points to make a model on a grid",
            way.from().noise(),
            leastNoise(way.from(), map == null ? columns : map.outputs()));
    Dataset held = fit.transform().apply(table);
    Dataset data = map == null ? held : MappedRows.features(map, held);
    Learned learned =
        learns(way.from())
            ? RowFit.neighbours(data, way.from(), RowFit.NEIGHBOURS, fit.learning())
            : Learned.given(way.from(), way.plan().chosen().toString());
    Hyperparameters h = learned.hyperparameters();
    SiteGp gp = SiteGp.of(data, SiteGp.grid(data, h), h, SiteGp.neighbours(data.dimensions()));
    note(Note.Kind.ENGINE, way.plan().reason());
    notes.add(gridNote(gp));
    note(
        Note.Kind.HOLDS,
        "the rows themselves; with grid points it is a model on a grid, which keeps no rows");
    return ofRows(way.plan(), table, mapped(map, held, gp), learned);
  }

  /// What a model of sites says of its points.
  static Note gridNote(SiteGp gp) {
    return new Note(
        Note.Kind.GRID,
        String.format(
            Locale.ROOT,
            "%s, with %,d sites at the rows between its points; each has %d neighbours,"
                + " which leaves variances within a few per cent of the exact process",
            gp.grid(),
            gp.sites(),
            gp.neighbours()));
  }

  private Model chained(Plan plan, Dataset table, Dataset data, Learned learned) {
    ChainGp gp = ChainGp.of(data, learned.hyperparameters());
    note(
        Note.Kind.ENGINE,
        String.format(
            Locale.ROOT,
            "a Matérn kernel in one dimension is a Markov chain; nodes are the %,d places of the rows",
            gp.places()));
    note(
        Note.Kind.HOLDS,
        "the rows themselves; with grid points it is a model on a grid, which keeps no rows");
    return ofRows(plan, table, gp, learned);
  }

  private Model ofRows(Plan plan, Dataset table, RowPosterior gp, Learned learned) {
    if (learned.timeUp()) notes.add(timeNote());
    notes.addAll(LatticeFit.notes(learned));
    return model(
        fit.transform().logJacobian(table.target()),
        gp.logMarginalLikelihood(),
        gp,
        plan,
        Survey.fingerprint(table),
        learned);
  }

  private Model onLattice(
      Plan plan,
      GridChoice.Chosen chosen,
      @Nullable FeatureMap map,
      Pass pass,
      Learned learned,
      LatticePosterior inner,
      Survey survey) {
    Hyperparameters h = learned.hyperparameters();
    GridChoice.Chosen known = chosen.withLengthscales(LatticeChoice.lengthscales(h.kernel()));
    note(Note.Kind.GRID, known.explanation());
    boolean exact = inner.kriges(); // at nodes, which the rows lie on
    if (!exact && LatticeChoice.isPoor(chosen.lattice(), h)) note(Note.Kind.ADVICE, known.advice());
    else if (!exact && !inner.certificate().met())
      note(Note.Kind.ADVICE, closer(fit, plan, survey));
    if (learned.timeUp()) notes.add(timeNote());
    for (Note note : LatticeFit.notes(learned))
      if (!told || note.kind() != Note.Kind.AS_GIVEN) notes.add(note);
    Posterior posterior = map == null ? inner : MappedPosterior.of(map, inner);
    return model(
        pass.logJacobian(), learned.logLikelihood(), posterior, plan, pass.fingerprint(), learned);
  }

  private Model model(
      double logJacobian,
      double logLikelihood,
      Posterior posterior,
      Plan plan,
      long fingerprint,
      Learned learned) {
    Closeness.digits(posterior, fit.likelihood().isGaussian()).ifPresent(notes::addFirst);
    return Model.of(
        new ModelState(
                source.columns(),
                leftOut,
                source.target(),
                fit.transform(),
                logJacobian,
                logLikelihood,
                posterior,
                plan,
                new Provenance(
                    fit.maker().version(),
                    Instant.now().truncatedTo(ChronoUnit.SECONDS),
                    fingerprint,
                    fit.maker().command(),
                    learned.standardErrors(),
                    learned.trace(),
                    notes))
            .with(fit.place()));
  }

  private void note(Note.Kind kind, String text) {
    notes.add(new Note(kind, text));
  }

  private void remark(List<String> lines) {
    for (String line : lines) notes.add(Note.parse(line));
  }

  /// What a model says whose learning was stopped by the deadline.
  static Note timeNote() {
    return new Note(
        Note.Kind.TIME,
        String.format(
            Locale.ROOT,
            "learning stopped after its share of the %.3g s allowed; parameters are the best found so far, or start values if there was no time for one step; give more time for better ones",
            Budget.current().seconds()));
  }

  /// What to do where the tolerance is not met.
  private static String closer(Fit fit, Plan plan, Survey survey) {
    if (fit.intensity())
      return "the cells are larger than the tolerance asks for; give more grid points, a larger tolerance or a smoother kernel";
    String exact =
        survey.atMost(Planner.EXACTLY)
            ? "use engine exact, which is not an approximation"
            : plan.chosen() == Engine.SPARSE && Planner.mayBeSites(survey, survey.low().length)
                ? "leave the grid out: rows become points of the model"
                : "use fewer columns";
    return "the grid is coarser than the tolerance asks for; give more grid points, a larger"
        + " tolerance or a shorter range, or "
        + exact;
  }
}

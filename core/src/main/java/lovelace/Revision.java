package lovelace;

import java.io.IOException;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Objects;
import java.util.Optional;
import java.util.SequencedMap;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.IntStream;
import lovelace.data.Column;
import lovelace.data.Dataset;
import lovelace.data.FeatureMap;
import lovelace.data.Outside;
import lovelace.data.Place;
import lovelace.data.PlaceMap;
import lovelace.data.TargetTransform;
import lovelace.data.TimeScale;
import lovelace.drift.DriftStatistics;
import lovelace.drift.DriftedPosterior;
import lovelace.drift.DriftedRows;
import lovelace.drift.Trend;
import lovelace.grid.Axis;
import lovelace.grid.Grid;
import lovelace.grid.Lattice;
import lovelace.io.ModelState;
import lovelace.kernel.Hyperparameters;
import lovelace.kernel.Kernel;
import lovelace.kernel.Parameter;
import lovelace.laplace.Fitted;
import lovelace.laplace.Observations;
import lovelace.laplace.Window;
import lovelace.lattice.LatticePosterior;
import lovelace.lattice.MappedPosterior;
import lovelace.learning.InTime;
import lovelace.learning.Learned;
import lovelace.likelihood.Likelihood;
import lovelace.model.Provenance;
import lovelace.model.Provenance.Note;
import lovelace.neighbours.LatentNeighbourGp;
import lovelace.neighbours.NeighbourGp;
import lovelace.plan.Engine;
import lovelace.plan.Plan;
import lovelace.posterior.Posterior;
import lovelace.posterior.internal.MappedRows;
import lovelace.posterior.internal.RowPosterior;
import lovelace.sparse.SiteGp;
import lovelace.statistics.AdditiveStatistics;
import lovelace.statistics.GridStatistics;
import lovelace.statistics.Statistics;
import org.jspecify.annotations.Nullable;

/// Models made from models and not from their old data: of more or fewer observations, whose
/// statistics add and subtract, or with other hyperparameters.
final class Revision {

  /// Notes that other rows make wrong, and other parameters too.
  private static final Set<Note.Kind> OF_ROWS = Set.of(Note.Kind.ENGINE, Note.Kind.LIKELIHOOD);

  /// Notes that other parameters make wrong.
  private static final Set<Note.Kind> OF_PARAMETERS =
      Set.of(Note.Kind.TRAINING, Note.Kind.PARAMETERS, Note.Kind.AS_GIVEN);

  /// Two targets that differ by this part of their size are one, up to rounding.
  private static final double SAME_TARGET = 1e-9;

  /// What a revised model stands on.
  private record Base(Posterior posterior, Plan plan, double logJacobian, long fingerprint) {}

  /// The most rows whose neighbours are found only to know the likelihood. That takes longer than
  /// to add rows to them.
  private static final int LIKELIHOOD_ROWS = 50_000;

  private Revision() {}

  static Model add(Model model, Source rows, Outside outside, Fit.Maker maker) throws IOException {
    return revise(model, rows, outside, maker, 1);
  }

  static Model forget(Model model, Source rows, Outside outside, Fit.Maker maker)
      throws IOException {
    return revise(model, rows, outside, maker, -1);
  }

  private static Model revise(Model model, Source given, Outside outside, Fit.Maker maker, int sign)
      throws IOException {
    ModelState old = model.state();
    Alignment aligned = new Alignment(model, given);
    if (old.fitted().isPresent()) return observed(model, aligned, outside, maker, sign);
    Source rows = aligned.rows();
    if (old.posterior() instanceof DriftedPosterior drifted)
      return drifted(model, drifted, aligned, outside, maker, sign);
    long fingerprint;
    double jacobian;
    long count;
    Posterior posterior;
    Plan plan;
    List<Note> notes;
    if (old.posterior() instanceof RowPosterior exact) {
      Dataset table =
          Survey.rows(
              rows,
              Engine.parse(exact.engine()),
              exact.mostRows(),
              "fit all rows with another engine");
      Dataset data = old.transform().apply(table);
      fingerprint = Survey.fingerprint(table);
      jacobian = old.transform().logJacobian(table.target());
      count = table.size();
      RowPosterior other =
          exact(sign > 0 ? joined(exact, List.of(data)) : without(exact, data), exact);
      posterior = other;
      plan = Planner.revised(model.plan(), other);
      notes = notes(model);
    } else {
      LatticePosterior grid = lattice(model);
      Pass pass =
          Pass.more(
              rows,
              model.map().orElse(null),
              grid.statistics().lattice(),
              old.transform(),
              outside);
      fingerprint = pass.fingerprint();
      jacobian = pass.logJacobian();
      count = pass.statistics().count();
      Statistics revised = combined(grid.statistics(), pass.statistics(), sign);
      if (revised.count() == 0)
        throw new IllegalArgumentException(
            String.format(
                Locale.ROOT, "forgetting %,d rows leaves none; a model needs at least one", count));
      notes = notes(model);
      plan = Planner.revised(model.plan(), revised, model.hyperparameters());
      posterior = posterior(model, plan, revised, notes);
    }
    notes.add(changed(model, count, fingerprint, sign));
    notes.addAll(aligned.notes());
    return made(
        model,
        new Base(
            posterior,
            plan,
            old.logJacobian() + sign * jacobian,
            old.provenance().fingerprint() + sign * fingerprint),
        maker,
        notes);
  }

  /// What a model says of rows that came or went.
  private static Note changed(Model model, long count, long fingerprint, int sign) {
    return new Note(
        sign > 0 ? Note.Kind.UPDATE : Note.Kind.FORGET,
        String.format(
            Locale.ROOT,
            "%,d rows (fingerprint %016x) %s %,d (%s)",
            count,
            fingerprint,
            sign > 0 ? "added to" : "subtracted from",
            model.count(),
            origin(model.provenance())));
  }

  /// The model of all the models' observations together, with the first one's hyperparameters.
  static Model merge(SequencedMap<String, Model> models, Fit.Maker maker) {
    if (models.size() < 2)
      throw new IllegalArgumentException("merging needs two models or more, got " + models.size());
    String name = models.firstEntry().getKey();
    Model first = models.firstEntry().getValue();
    models.forEach((other, model) -> requireAlike(name, first, other, model));
    double jacobian = 0;
    long fingerprint = 0;
    List<Note> notes = notes(first);
    for (Model model : models.values()) {
      jacobian += model.state().logJacobian();
      fingerprint += model.provenance().fingerprint();
    }
    for (Model model : models.values())
      notes.add(
          new Note(
              Note.Kind.MERGED,
              String.format(
                  Locale.ROOT, "%,d rows (%s)", model.count(), origin(model.provenance()))));
    notes.add(new Note(Note.Kind.PARAMETERS, "those of the first model merged"));
    if (first.state().fitted().isPresent())
      return observed(first, together(name, first, models), fingerprint, maker, notes);
    Posterior posterior;
    Plan plan;
    if (first.posterior() instanceof RowPosterior exact) {
      List<Dataset> others = new ArrayList<>();
      models.forEach(
          (other, model) -> {
            if (!other.equals(name)) others.add(moved(name, exact, other, model));
          });
      RowPosterior all = exact(joined(exact, others), exact);
      posterior = all;
      plan = Planner.revised(first.plan(), all);
    } else if (first.posterior() instanceof DriftedPosterior drifted) {
      DriftStatistics all = drifted.statistics();
      for (Map.Entry<String, Model> entry : models.entrySet())
        if (!entry.getKey().equals(name))
          all = all.plus(moved(name, first, drifted, entry.getKey(), entry.getValue()), 1);
      return drifted(first, drifted, all, fingerprint, jacobian, maker, notes);
    } else {
      Statistics all = lattice(first).statistics();
      for (Map.Entry<String, Model> entry : models.entrySet())
        if (!entry.getKey().equals(name))
          all = combined(all, moved(name, first, entry.getKey(), entry.getValue()), 1);
      plan = Planner.revised(first.plan(), all, first.hyperparameters());
      posterior = posterior(first, plan, all, notes);
    }
    return made(first, new Base(posterior, plan, jacobian, fingerprint), maker, notes);
  }

  /// The model of the same observations with other hyperparameters, by an engine of choice.
  static Model change(Model model, Hyperparameters h, Engine engine, Fit.Maker maker) {
    requireSameForm(model, h);
    List<Note> notes = notesOfOtherParameters(model);
    notes.add(new Note(Note.Kind.PARAMETERS, "given"));
    if (model.state().fitted().isPresent()) return observed(model, h, engine, null, maker, notes);
    if (model.posterior() instanceof RowPosterior exact) {
      requireRows(exact, engine);
      RowPosterior other = exact.with(exact.data(), h);
      Plan plan = Planner.of(other, engine, model.plan().tolerance(), model.plan().seed(), false);
      return made(
          model,
          sameRows(model, other, plan),
          maker,
          likelihood(other, notes),
          List.of(),
          List.of(),
          notes);
    }
    Statistics statistics = lattice(model).statistics();
    Plan plan =
        Planner.of(statistics, h, engine, model.plan().tolerance(), model.plan().seed(), false);
    if (model.posterior() instanceof DriftedPosterior drifted)
      return drifted(model, DriftFit.found(drifted, plan, h, null), maker, notes);
    return renewed(
        model, statistics, new LatticeFit(plan, statistics).evaluate(h), plan, maker, notes);
  }

  /// The model of the same observations with hyperparameters learned anew from their statistics.
  static Model learn(
      Model model, Hyperparameters start, Engine engine, Fit.Learning learning, Fit.Maker maker) {
    if (start.freeSize() == 0) return change(model, start, engine, maker);
    requireSameForm(model, start);
    return Fit.DEFAULT.budget().call(() -> learnInTime(model, start, engine, learning, maker));
  }

  /// Learns in the time that a fit has by default, or in what is left of the caller's.
  private static Model learnInTime(
      Model model, Hyperparameters start, Engine engine, Fit.Learning learning, Fit.Maker maker) {
    List<Note> notes = notesOfOtherParameters(model);
    if (model.state().fitted().isPresent()) {
      notes.add(new Note(Note.Kind.PARAMETERS, "learned from the model's observations"));
      return observed(model, start, engine, learning, maker, notes);
    }
    if (model.posterior() instanceof RowPosterior rows) {
      requireRows(rows, engine);
      Plan plan = Planner.of(rows, engine, model.plan().tolerance(), learning.seed(), true);
      Dataset features = rows.inner().data();
      Learned learned =
          rows instanceof DriftedRows drifted
              ? DriftFit.learned(drifted, start, learning)
              : switch (Engine.parse(rows.engine())) {
                case MARKOV -> RowFit.chain(features, start, learning);
                case SPARSE, NEIGHBOURS ->
                    RowFit.neighbours(features, start, RowFit.learning(rows), learning);
                default -> RowFit.exact(features, start, learning);
              };
      notes.add(new Note(Note.Kind.PARAMETERS, "learned from the model's rows"));
      notes.addAll(LatticeFit.notes(learned));
      if (learned.timeUp()) notes.add(FitRun.timeNote());
      RowPosterior posterior = rows.with(rows.data(), learned.hyperparameters());
      return made(
          model,
          sameRows(model, posterior, plan),
          maker,
          posterior.inner() instanceof NeighbourGp && !(posterior instanceof DriftedRows)
              ? learned.logLikelihood()
              : posterior.logMarginalLikelihood(),
          learned.standardErrors(),
          learned.trace(),
          notes);
    }
    Statistics statistics = lattice(model).statistics();
    Plan plan =
        Planner.of(statistics, start, engine, model.plan().tolerance(), learning.seed(), true);
    if (model.posterior() instanceof DriftedPosterior drifted) {
      notes.add(new Note(Note.Kind.PARAMETERS, "learned from the statistics on the same grid"));
      return drifted(model, DriftFit.found(drifted, plan, start, learning), maker, notes);
    }
    LatticeFit lattice = new LatticeFit(plan, statistics);
    Learned learned =
        InTime.from(start, () -> lattice.learn(start, learning), plan.chosen().toString());
    notes.add(new Note(Note.Kind.PARAMETERS, "learned from the statistics on the same grid"));
    Plan revised = Planner.revised(plan, statistics, learned.hyperparameters());
    return renewed(model, statistics, learned, revised, maker, notes);
  }

  private static Model renewed(
      Model model,
      Statistics statistics,
      Learned found,
      Plan plan,
      Fit.Maker maker,
      List<Note> notes) {
    LatticePosterior inner = new LatticeFit(plan, statistics).posterior(found.hyperparameters());
    Learned learned = LatticeFit.settled(found, inner);
    for (Note note : LatticeFit.notes(learned))
      if (note.kind() != Note.Kind.AS_GIVEN) notes.add(note);
    if (learned.timeUp()) notes.add(FitRun.timeNote());
    return made(
        model,
        sameRows(model, mapped(model, inner), plan),
        maker,
        learned.logLikelihood(),
        learned.standardErrors(),
        learned.trace(),
        notes);
  }

  private static double likelihood(RowPosterior rows, List<Note> notes) {
    if (!(rows.inner() instanceof NeighbourGp) || rows.data().size() <= LIKELIHOOD_ROWS)
      return rows.logMarginalLikelihood();
    notes.add(
        new Note(
            Note.Kind.LIKELIHOOD,
            String.format(
                Locale.ROOT,
                "not computed for more than %,d rows; fit all rows again to get it",
                LIKELIHOOD_ROWS)));
    return Double.NaN;
  }

  private static Base sameRows(Model model, Posterior posterior, Plan plan) {
    return new Base(posterior, plan, model.state().logJacobian(), model.provenance().fingerprint());
  }

  /// The notes that still hold when all parameters are others.
  private static List<Note> notesOfOtherParameters(Model model) {
    List<Note> kept = notes(model);
    kept.removeIf(note -> OF_PARAMETERS.contains(note.kind()));
    return kept;
  }

  private static void requireRows(RowPosterior rows, Engine engine) {
    Engine own = Engine.parse(rows.engine());
    if (engine != Engine.AUTO && engine != own)
      throw new IllegalArgumentException(
          "the model holds its rows with engine %s and stays with it; use engine auto or %s, or fit the rows with engine %s"
              .formatted(own, own, engine));
  }

  private static void requireSameForm(Model model, Hyperparameters h) {
    Hyperparameters own = model.hyperparameters();
    if (!own.likelihood().toString().equals(h.likelihood().toString()))
      throw new IllegalArgumentException(
          "the model's likelihood is %s, but the parameters are for %s; fit the rows again"
              .formatted(own.likelihood(), h.likelihood()));
    if (!form(own).equals(form(h))) // a kernel of another form needs a fit
    throw new IllegalArgumentException(
          "the model's kernel is %s, but the parameters are for %s; fit the rows again"
              .formatted(own.kernel(), h.kernel()));
    if (!h.unset().isEmpty())
      throw new IllegalArgumentException(
          "every parameter needs a value; not set: " + String.join(", ", h.unset()));
  }

  private static String origin(Provenance p) {
    return "made %s by '%s', fingerprint %s"
        .formatted(p.created(), p.command(), p.fingerprintText());
  }

  private static Model made(Model model, Base base, Fit.Maker maker, List<Note> notes) {
    double likelihood =
        base.posterior instanceof RowPosterior exact
            ? likelihood(exact, notes)
            : likelihood(model, base.plan, inner(base.posterior), notes);
    Provenance old = model.provenance(); // the parameters stay, and how they were learned
    return made(model, base, maker, likelihood, old.standardErrors(), old.trace(), notes);
  }

  private static Model made(
      Model model,
      Base base,
      Fit.Maker maker,
      double likelihood,
      List<Double> standardErrors,
      List<Provenance.Step> trace,
      List<Note> notes) {
    ModelState old = model.state();
    notes.removeIf(note -> note.kind() == Note.Kind.DIGITS);
    Closeness.digits(base.posterior, model.laplace().isEmpty()).ifPresent(notes::addFirst);
    if (base.posterior instanceof DriftedRows) notes.add(DriftFit.RESTRICTED);
    if (base.posterior instanceof RowPosterior rows && rows.inner() instanceof SiteGp gp) {
      notes.removeIf(note -> note.kind() == Note.Kind.GRID);
      notes.addFirst(FitRun.gridNote(gp));
    }
    if (base.posterior instanceof RowPosterior rows && rows.inner() instanceof NeighbourGp gp) {
      notes.removeIf(note -> note.kind() == Note.Kind.ENGINE);
      notes.add(FitRun.neighbourNote(gp));
    }
    return Model.of(
        new ModelState(
                old.inputs(),
                old.leftOut(),
                old.target(),
                old.transform(),
                base.logJacobian,
                likelihood,
                base.posterior,
                base.plan,
                new Provenance(
                    maker.version(),
                    Instant.now().truncatedTo(ChronoUnit.SECONDS),
                    base.fingerprint,
                    maker.command(),
                    standardErrors,
                    trace,
                    notes))
            .with(old.place()));
  }

  private static double likelihood(
      Model model, Plan plan, LatticePosterior posterior, List<Note> notes) {
    Learned evaluated =
        LatticeFit.settled(
            new LatticeFit(plan, posterior.statistics()).evaluate(model.hyperparameters()),
            posterior);
    for (Note note : LatticeFit.notes(evaluated))
      if (note.kind() == Note.Kind.LIKELIHOOD) notes.add(note);
    return evaluated.logLikelihood();
  }

  // ---- with a drift ----

  /// More or fewer observations of a model with a drift on a lattice.
  private static Model drifted(
      Model model,
      DriftedPosterior old,
      Alignment aligned,
      Outside outside,
      Fit.Maker maker,
      int sign)
      throws IOException {
    DriftFit.Read read =
        DriftFit.pass(
            aligned.rows(),
            old.trend().terms(),
            old.trend().beta(),
            model.map().orElse(null),
            old.statistics().residual(),
            model.transform(),
            outside);
    DriftStatistics revised = old.statistics().plus(read.statistics(), sign);
    long count = read.statistics().residual().count();
    if (revised.residual().count() == 0)
      throw new IllegalArgumentException(
          String.format(
              Locale.ROOT, "forgetting %,d rows leaves none; a model needs at least one", count));
    List<Note> notes = notes(model);
    notes.add(changed(model, count, read.fingerprint(), sign));
    notes.addAll(aligned.notes());
    return drifted(
        model,
        old,
        revised,
        model.provenance().fingerprint() + sign * read.fingerprint(),
        model.state().logJacobian() + sign * read.logJacobian(),
        maker,
        notes);
  }

  /// The model of other statistics, with its parameters.
  private static Model drifted(
      Model model,
      DriftedPosterior old,
      DriftStatistics statistics,
      long fingerprint,
      double logJacobian,
      Fit.Maker maker,
      List<Note> notes) {
    Hyperparameters h = model.hyperparameters();
    Plan plan = Planner.revised(model.plan(), statistics.residual(), h);
    DriftFit.Found found =
        DriftFit.found(
            plan,
            statistics,
            old.trend().terms(),
            old.trend().beta(),
            model.map().orElse(null),
            h,
            null);
    notes.add(new Note(Note.Kind.ENGINE, plan.reason()));
    notes.addAll(found.notes());
    Provenance before = model.provenance(); // the parameters stay, and how they were learned
    return made(
        model,
        new Base(found.posterior(), plan, logJacobian, fingerprint),
        maker,
        found.logLikelihood(),
        before.standardErrors(),
        before.trace(),
        notes);
  }

  /// The model of the same observations with other parameters, given or learned.
  private static Model drifted(
      Model model, DriftFit.Found found, Fit.Maker maker, List<Note> notes) {
    notes.addAll(found.notes());
    Learned learned = found.learned();
    return made(
        model,
        sameRows(model, found.posterior(), found.plan()),
        maker,
        found.logLikelihood(),
        learned == null ? List.of() : learned.standardErrors(),
        learned == null ? List.of() : learned.trace(),
        notes);
  }

  /// The other's statistics on the first one's grid, about its coefficients.
  private static DriftStatistics moved(
      String a, Model first, DriftedPosterior mine, String b, Model other) {
    DriftedPosterior theirs = (DriftedPosterior) other.posterior();
    double[] shifts = new double[first.columns().size()];
    for (int j = 0; j < shifts.length; j++)
      shifts[j] = shift(a, first.columns().get(j), b, other.columns().get(j));
    return theirs
        .statistics()
        .on((GridStatistics) moved(a, first, b, other))
        .about(theirs.trend().terms().shifted(shifts), theirs.trend().beta(), mine.trend());
  }

  // ---- under a likelihood that is not Gaussian ----

  /// More or fewer observations, where the model keeps them.
  private static Model observed(
      Model model, Alignment aligned, Outside outside, Fit.Maker maker, int sign)
      throws IOException {
    Observations kept = kept(model);
    if (model.window().isPresent())
      return counted(model, kept, model.window().get(), aligned, outside, maker, sign);
    Likelihood likelihood = model.likelihood();
    FeatureMap map = model.map().orElse(null);
    Source rows = map == null ? aligned.rows() : new Pass.Features(aligned.rows(), map);
    Lattice lattice = model.lattice().map(grid -> grid.statistics().lattice()).orElse(null);
    Observations.Builder all =
        new Observations.Builder(likelihood, kept.dimensions(), latent(model).isEmpty());
    all.put(kept);
    long[] count = {0};
    Fit fit = Fit.DEFAULT.withLikelihood(likelihood).withOutside(outside);
    long fingerprint =
        new LaplaceFit(fit, rows, most -> Survey.starts(kept.thinned(most), likelihood))
            .each(
                lattice,
                (x, from, y, size, number) -> {
                  if (lattice instanceof Grid grid) requireNode(model, grid, x, from, number);
                  if (sign > 0) all.add(x, from, y, size);
                  else if (!all.remove(x, from, y, size)) throw notAmong(likelihood, number);
                  count[0]++;
                });
    if (count[0] == 0)
      throw new IllegalArgumentException(
          "no rows are left to add or forget; check filters, missing values and bounds");
    if (all.size() == 0)
      throw new IllegalArgumentException(
          String.format(
              Locale.ROOT,
              "forgetting %,d rows leaves none; a model needs at least one",
              count[0]));
    List<Note> notes = notes(model);
    notes.add(changed(model, count[0], fingerprint, sign));
    notes.addAll(aligned.notes());
    return observed(
        model, all.build(), model.provenance().fingerprint() + sign * fingerprint, maker, notes);
  }

  /// More or fewer events in the cells of a window, which stays as it is.
  private static Model counted(
      Model model,
      Observations kept,
      Window window,
      Alignment aligned,
      Outside outside,
      Fit.Maker maker,
      int sign)
      throws IOException {
    FitData.Events events = FitData.Events.of(aligned.rows(), window, outside);
    double[] counts = counts(window, kept);
    for (int i = 0; i < counts.length; i++) {
      counts[i] += sign * events.counts()[i];
      if (counts[i] < 0)
        throw new IllegalArgumentException(
            String.format(
                Locale.ROOT,
                "%,.0f events are to be forgotten in a cell of the window that has %,.0f; forget only events that were added",
                events.counts()[i],
                counts[i] + events.counts()[i]));
    }
    if (model.count() + sign * events.number() == 0)
      throw new IllegalArgumentException(
          String.format(
              Locale.ROOT,
              "forgetting %,d events leaves none; a model needs at least one",
              events.number()));
    List<Note> notes = notes(model);
    notes.add(changed(model, events.number(), events.fingerprint(), sign));
    notes.addAll(aligned.notes());
    return observed(
        model,
        ofCells(model, window, counts),
        model.provenance().fingerprint() + sign * events.fingerprint(),
        maker,
        notes);
  }

  /// How many events the cells of a window have.
  private static double[] counts(Window window, Observations kept) {
    double[] counts = new double[window.size()];
    for (int i = 0; i < kept.size(); i++)
      counts[window.cell(kept.places(), i * kept.dimensions())] += kept.values()[i];
    return counts;
  }

  private static Observations ofCells(Model model, Window window, double[] counts) {
    return Observations.of(
        window.counts(counts, model.columns(), model.target()), model.likelihood());
  }

  /// The events of models of one window, with times counted as the first one counts them.
  private static Observations ofEvents(
      String name, Model first, Window window, SequencedMap<String, Model> models) {
    double[] all = new double[window.size()];
    models.forEach(
        (other, model) -> {
          Window theirs = model.window().orElseThrow();
          double[] shift = new double[window.dimensions()];
          for (int j = 0; j < shift.length; j++)
            shift[j] = shift(name, first.columns().get(j), other, model.columns().get(j));
          if (!theirs.isMoved(window, shift))
            throw unlike(
                "windows", name, window.text(first.columns()), other, theirs.text(model.columns()));
          double[] counts = counts(theirs, kept(model));
          for (int i = 0; i < all.length; i++) all[i] += counts[i];
        });
    return ofCells(first, window, all);
  }

  private static void requireNode(Model model, Grid grid, double[] x, int from, long row) {
    double[] offset = new double[grid.dimensions()];
    grid.locate(x, from, offset);
    for (int a = 0; a < offset.length; a++)
      if (!GridStatistics.isNode(offset[a]))
        throw new IllegalArgumentException(
            String.format(
                Locale.ROOT,
                "row %,d (data rows count from 1): '%s' is %s, between the points of the %s; this model adds up %s observations at its points; give rows at these points, or fit all rows again with engine exact",
                row,
                model.inFeatures().columns().get(a).name(),
                x[from + a],
                grid,
                model.likelihood().name()));
  }

  private static IllegalArgumentException notAmong(Likelihood likelihood, long row) {
    return new IllegalArgumentException(
        String.format(
            Locale.ROOT,
            likelihood.adds()
                ? "row %,d is not part of what the model has observed at its place; forget only what was added"
                : "row %,d is not among the model's rows; forget only what was added",
            row));
  }

  /// What the model has observed.
  private static Observations kept(Model model) {
    return model
        .state()
        .fitted()
        .flatMap(Fitted::data)
        .orElseThrow(
            () ->
                new IllegalArgumentException(
                    "the model cannot be updated, merged, or given other parameters: its rows lie between the points of the %s, where %s observations do not add up, and it keeps no rows; fit all rows again, with engine exact or markov, which keep their rows, or on a grid that has the rows on its points"
                        .formatted(
                            lattice(model).statistics().lattice(), model.likelihood().name())));
  }

  /// All observations of several models, with times counted as the first one counts them.
  private static Observations together(
      String name, Model first, SequencedMap<String, Model> models) {
    if (first.window().isPresent()) {
      models.forEach((other, model) -> moved(name, first, other, model)); // on one grid
      return ofEvents(name, first, first.window().get(), models);
    }
    Observations.Builder all =
        new Observations.Builder(
            first.likelihood(), kept(first).dimensions(), latent(first).isEmpty());
    models.forEach(
        (other, model) -> {
          if (first.lattice().isPresent()) moved(name, first, other, model); // on one grid
          Observations some = kept(model);
          int d = some.dimensions();
          double[] x = some.places().clone();
          for (int j = 0; j < d; j++) {
            double shift = shift(name, first.columns().get(j), other, model.columns().get(j));
            for (int i = 0; i < some.size(); i++) x[i * d + j] += shift;
          }
          all.put(
              Observations.adopt(x, d, some.values(), some.sizes(), some.extras(), some.rows()));
        });
    return all.build();
  }

  /// The model of other observations, with its parameters.
  private static Model observed(
      Model model, Observations data, long fingerprint, Fit.Maker maker, List<Note> notes) {
    Hyperparameters h = model.hyperparameters();
    LaplaceFit.Outcome found = found(model, model.plan(), data, h, null, notes);
    Plan plan =
        found.posterior() instanceof RowPosterior rows
            ? Planner.revised(model.plan(), rows)
            : model.plan();
    Provenance old = model.provenance(); // the parameters stay, and how they were learned
    return made(
            model,
            new Base(mapped(model, found.posterior()), plan, 0, fingerprint),
            maker,
            found.learned().logLikelihood(),
            old.standardErrors(),
            old.trace(),
            notes)
        .with(found.fitted());
  }

  /// The model of the same observations with other parameters, given or learned.
  private static Model observed(
      Model model,
      Hyperparameters h,
      Engine engine,
      Fit.@Nullable Learning learning,
      Fit.Maker maker,
      List<Note> notes) {
    Observations data = kept(model);
    double tolerance = model.plan().tolerance();
    long seed = learning == null ? model.plan().seed() : learning.seed();
    RowPosterior held = model.held().orElse(null);
    if (held != null) requireRows(held, engine);
    Plan plan =
        held == null
            ? Planner.of(
                lattice(model).statistics(), h.working(), engine, tolerance, seed, learning != null)
            : Planner.of(held, engine, tolerance, seed, learning != null);
    LaplaceFit.Outcome found = found(model, plan, data, h, learning, notes);
    return made(
            model,
            sameRows(model, mapped(model, found.posterior()), plan),
            maker,
            found.learned().logLikelihood(),
            found.learned().standardErrors(),
            found.learned().trace(),
            notes)
        .with(found.fitted());
  }

  private static LaplaceFit.Outcome found(
      Model model,
      Plan plan,
      Observations data,
      Hyperparameters h,
      Fit.@Nullable Learning learning,
      List<Note> notes) {
    Fit fit = Fit.DEFAULT.withLikelihood(h.likelihood()).withTraining(learning != null);
    if (learning != null) fit = fit.withLearning(learning);
    LatentNeighbourGp near = latent(model).orElse(null);
    if (near != null) fit = fit.withNeighbours(near.neighbours());
    if (near != null && learning == null) fit = fit.withLearning(seeded(near.seed()));
    Dataset starts = Survey.starts(data.thinned(LatticeChoice.START_ROWS), h.likelihood());
    Posterior inner = model.lattice().isPresent() ? lattice(model) : model.posterior();
    LaplaceFit.Outcome found =
        new LaplaceFit(fit, Source.of(starts), starts::thinned).like(inner, plan, data, h);
    notes.add(LaplaceFit.note(found.fitted()));
    if (found.posterior() instanceof LatentNeighbourGp gp) notes.add(FitRun.neighbourNote(gp));
    for (Note note : LatticeFit.notes(found.learned()))
      if (note.kind() != Note.Kind.AS_GIVEN) notes.add(note);
    if (found.learned().timeUp()) notes.add(FitRun.timeNote());
    return new LaplaceFit.Outcome(
        found.posterior(), found.learned(), found.fitted().of(model.window()));
  }

  /// The process of the nearest rows, which keeps every row by itself.
  private static Optional<LatentNeighbourGp> latent(Model model) {
    return model.held().map(RowPosterior::inner).orElse(null) instanceof LatentNeighbourGp gp
        ? Optional.of(gp)
        : Optional.empty();
  }

  private static Fit.Learning seeded(long seed) {
    Fit.Learning usual = Fit.DEFAULT.learning();
    return new Fit.Learning(usual.optimizer(), usual.starts(), seed, usual.progress());
  }

  private static Posterior mapped(Model model, Posterior posterior) {
    if (posterior instanceof RowPosterior rows && model.map().orElse(null) instanceof PlaceMap map)
      return MappedRows.ofFeatures(map, model.columns(), rows);
    return posterior instanceof LatticePosterior grid ? mapped(model, grid) : posterior;
  }

  // ---- on a grid ----

  private static LatticePosterior lattice(Model model) {
    return inner(model.posterior());
  }

  private static LatticePosterior inner(Posterior posterior) {
    return switch (posterior) {
      case LatticePosterior grid -> grid;
      case MappedPosterior mapped -> mapped.inner();
      case DriftedPosterior drifted -> drifted.lattice();
      default -> throw new IllegalArgumentException("the model has no lattice");
    };
  }

  private static Statistics combined(Statistics all, Statistics part, int sign) {
    if (all instanceof GridStatistics a && part instanceof GridStatistics b)
      return sign > 0 ? a.plus(b) : a.minus(b);
    if (all instanceof AdditiveStatistics a && part instanceof AdditiveStatistics b)
      return sign > 0 ? a.plus(b) : a.minus(b);
    throw new IllegalArgumentException(
        "one model is a sum of functions, the other is not; fit both with the same shape");
  }

  private static Posterior posterior(
      Model model, Plan plan, Statistics statistics, List<Note> notes) {
    notes.add(new Note(Note.Kind.ENGINE, plan.reason()));
    return mapped(model, new LatticeFit(plan, statistics).posterior(model.hyperparameters()));
  }

  private static Posterior mapped(Model model, LatticePosterior inner) {
    FeatureMap map = model.map().orElse(null);
    return map == null ? inner : MappedPosterior.of(map, inner);
  }

  /// The notes that still hold.
  private static List<Note> notes(Model model) {
    List<Note> kept = new ArrayList<>(model.provenance().notes());
    kept.removeIf(note -> OF_ROWS.contains(note.kind()));
    return kept;
  }

  // ---- rows that a model holds ----

  private static RowPosterior exact(Dataset data, RowPosterior old) {
    if (data.size() > old.mostRows())
      throw new IllegalArgumentException(
          String.format(
              Locale.ROOT,
              "a model with engine %s keeps its rows, at most %,d, and together there are %,d; fit all of them with engine spectral or krylov, which keep no rows",
              old.engine(),
              old.mostRows(),
              data.size()));
    Survey.requireOneValue(data, old.hyperparameters().noise(), false);
    return old.with(data, old.hyperparameters());
  }

  private static Dataset joined(RowPosterior exact, List<Dataset> others) {
    Dataset data = exact.data();
    int n = data.size() + others.stream().mapToInt(Dataset::size).sum();
    int d = data.dimensions();
    double[] x = Arrays.copyOf(data.inputs(), n * d);
    double[] y = Arrays.copyOf(data.target(), n);
    double[] w = new double[n];
    int at = 0;
    for (Dataset part : concat(data, others)) {
      System.arraycopy(part.inputs(), 0, x, at * d, part.size() * d);
      System.arraycopy(part.target(), 0, y, at, part.size());
      for (int i = 0; i < part.size(); i++) w[at + i] = part.weight(i);
      at += part.size();
    }
    boolean weighted = Arrays.stream(w).anyMatch(v -> v != 1);
    Dataset all = Dataset.of(x, data.columns(), y, data.targetColumn());
    return weighted ? all.withWeights(w) : all;
  }

  /// The other's rows with times counted as the first one counts them.
  private static Dataset moved(String a, RowPosterior first, String b, Model other) {
    Dataset data = other.held().orElseThrow(() -> new IllegalStateException(b)).data();
    int d = data.dimensions();
    double[] x = data.inputs().clone();
    for (int j = 0; j < d; j++) {
      double shift = shift(a, first.data().columns().get(j), b, other.columns().get(j));
      for (int i = 0; i < data.size(); i++) x[i * d + j] += shift;
    }
    double[] w = new double[data.size()];
    for (int i = 0; i < w.length; i++) w[i] = data.weight(i);
    return Dataset.of(x, data.columns(), data.target(), data.targetColumn(), w);
  }

  private static List<Dataset> concat(Dataset first, List<Dataset> others) {
    List<Dataset> all = new ArrayList<>(List.of(first));
    all.addAll(others);
    return all;
  }

  private static Dataset without(RowPosterior exact, Dataset gone) {
    Dataset data = exact.data();
    // places of the rows that are like one to forget but for the target, by their targets
    Map<List<Double>, TreeMap<Double, ArrayDeque<Integer>>> alike = new HashMap<>();
    for (int i = 0; i < gone.size(); i++) alike.putIfAbsent(row(gone, i), new TreeMap<>());
    for (int i = 0; i < data.size(); i++) {
      var places = alike.get(row(data, i));
      if (places != null)
        places.computeIfAbsent(data.target()[i] + 0.0, y -> new ArrayDeque<>()).add(i);
    }
    boolean[] leaves = new boolean[data.size()];
    for (int i = 0; i < gone.size(); i++)
      leaves[place(alike.getOrDefault(row(gone, i), new TreeMap<>()), gone.target()[i], i)] = true;
    int[] kept = IntStream.range(0, data.size()).filter(i -> !leaves[i]).toArray();
    int size = kept.length;
    if (size == 0)
      throw new IllegalArgumentException(
          String.format(
              Locale.ROOT,
              "forgetting %,d rows leaves none; a model needs at least one",
              gone.size()));
    return data.select(kept);
  }

  /// Takes the place of the row whose target is nearest; it may differ by the rounding of a
  /// transform that was undone and done again.
  private static int place(NavigableMap<Double, ArrayDeque<Integer>> places, double y, int row) {
    Double below = places.floorKey(y + 0.0);
    Double above = places.ceilingKey(y + 0.0);
    Double nearest = below == null || (above != null && above - y < y - below) ? above : below;
    if (nearest == null || !(Math.abs(nearest - y) <= SAME_TARGET * (1 + Math.abs(y))))
      throw new IllegalArgumentException(
          String.format(
              Locale.ROOT,
              "row %,d is not among the model's rows; forget only what was added",
              row + 1));
    ArrayDeque<Integer> found = Objects.requireNonNull(places.get(nearest));
    int place = found.removeFirst();
    if (found.isEmpty()) places.remove(nearest);
    return place;
  }

  /// Inputs and weight.
  private static List<Double> row(Dataset data, int i) {
    List<Double> row = new ArrayList<>();
    int d = data.dimensions();
    for (int j = 0; j < d; j++) row.add(data.inputs()[i * d + j] + 0.0);
    row.add(data.weight(i));
    return row;
  }

  // ---- whether models belong together ----

  private static void requireAlike(String a, Model first, String b, Model other) {
    if (!first.target().name().equals(other.target().name()))
      throw unlike("targets", a, first.target().name(), b, other.target().name());
    List<String> classes = first.target().values();
    if (!classes.equals(other.target().values()))
      throw unlike(
          "classes of '" + first.target().name() + "'", a, classes, b, other.target().values());
    List<String> names = first.columns().stream().map(Column::name).toList();
    List<String> others = other.columns().stream().map(Column::name).toList();
    if (!names.equals(others))
      throw unlike("inputs", a, String.join(", ", names), b, String.join(", ", others));
    if (!first.transform().equals(other.transform()))
      throw unlikeTransforms(a, first.transform(), b, other.transform());
    Hyperparameters h = first.hyperparameters();
    Hyperparameters g = other.hyperparameters();
    if (!h.likelihood().toString().equals(g.likelihood().toString()))
      throw unlike("likelihoods", a, h.likelihood(), b, g.likelihood());
    if (!form(h).equals(form(g))) throw unlike("kernels", a, h.kernel(), b, g.kernel());
    if (!h.mean().toString().equals(g.mean().toString()))
      throw unlike("means", a, h.mean(), b, g.mean());
    if (!isLike(first.trend(), other.trend()))
      throw unlike("drifts", a, drift(first), b, drift(other));
    if (first.held().isPresent() != other.held().isPresent())
      throw new IllegalArgumentException(
          "'%s' and '%s' are of different kinds, %s and %s; fit both with the same engine, grid and bounds to merge them"
              .formatted(a, b, kind(first), kind(other)));
    if (first.window().isPresent() != other.window().isPresent())
      throw new IllegalArgumentException(
          "one of '%s' and '%s' is of the intensity of events, the other of counts; fit both the same way to merge them"
              .formatted(a, b));
    for (int j = 0; j < names.size(); j++) {
      List<String> mine = first.columns().get(j).values();
      List<String> theirs = other.columns().get(j).values();
      if (!mine.equals(theirs)) throw unlike("words of '" + names.get(j) + "'", a, mine, b, theirs);
    }
    if (!first.place().equals(other.place()))
      throw unlike(
          "coordinate systems",
          a,
          first.place().map(Place::toString).orElse("none"),
          b,
          other.place().map(Place::toString).orElse("none"));
    boolean places =
        first.map().orElse(null) instanceof PlaceMap
            && other.map().orElse(null) instanceof PlaceMap;
    boolean same =
        first.held().isPresent()
            ? (places && first.laplace().isEmpty()) || first.map().equals(other.map())
            : places && first.map().equals(other.map());
    if (!same && places)
      throw new IllegalArgumentException(
          "'%s' and '%s' use different planes, %s and %s; add rows with update instead"
              .formatted(a, b, first.map().orElseThrow(), other.map().orElseThrow()));
    if (!same && (first.map().isPresent() || other.map().isPresent()))
      throw new IllegalArgumentException(
          "'%s' and '%s' have each learned their own features; add rows with update instead"
              .formatted(a, b));
  }

  private static boolean isLike(Optional<Trend> mine, Optional<Trend> theirs) {
    return (mine.isPresent() && theirs.isPresent())
        ? mine.get().terms().isLike(theirs.get().terms())
        : (mine.isEmpty() && theirs.isEmpty());
  }

  private static String drift(Model model) {
    List<String> names = model.drift().stream().map(Model.Coefficient::name).toList();
    return names.isEmpty() ? "none" : names.toString();
  }

  private static String kind(Model model) {
    return model.held().map(rows -> "of its rows with engine " + rows.engine()).orElse("on a grid");
  }

  /// The kernel without its values, and without saying which of them are fixed; with that of noise
  /// that varies.
  private static String form(Hyperparameters h) {
    Hyperparameters free = h;
    for (Parameter p : h.kernel().parameters()) free = free.free(p.path());
    return form(free.kernel()) + h.noiseKernel().map(kernel -> ", " + form(kernel)).orElse("");
  }

  private static String form(Kernel kernel) {
    double[] ones = new double[kernel.parameterCount()];
    Arrays.fill(ones, 1);
    return kernel.with(ones).toString();
  }

  /// Ranks of two tables have one name and are two functions.
  private static IllegalArgumentException unlikeTransforms(
      String a, TargetTransform mine, String b, TargetTransform theirs) {
    if (!mine.toString().equals(theirs.toString())) return unlike("transforms", a, mine, b, theirs);
    return new IllegalArgumentException(
        "'%1$s' and '%2$s' have ranks of different tables, so equal targets have different scores; fit '%2$s' again with the transform of '%1$s', or add its rows to '%1$s' with update"
            .formatted(a, b));
  }

  private static IllegalArgumentException unlike(
      String what, String a, Object mine, String b, Object theirs) {
    return new IllegalArgumentException(
        "'%s' and '%s' have different %s, %s and %s; fit both the same way to merge them"
            .formatted(a, b, what, mine, theirs));
  }

  /// The other's statistics on the first one's grid: the same places, though times may be counted
  /// from another day.
  private static Statistics moved(String a, Model first, String b, Model other) {
    Statistics mineOfAnyKind = lattice(first).statistics();
    Statistics theirsOfAnyKind = lattice(other).statistics();
    if (!(mineOfAnyKind instanceof GridStatistics mine
        && theirsOfAnyKind instanceof GridStatistics theirs)) {
      if (!mineOfAnyKind.lattice().equals(theirsOfAnyKind.lattice()))
        throw differentGrids(a, mineOfAnyKind.lattice(), b, theirsOfAnyKind.lattice());
      for (int j = 0; j < first.columns().size(); j++)
        if (shift(a, first.columns().get(j), b, other.columns().get(j)) != 0)
          throw differentGrids(a, mineOfAnyKind.lattice(), b, theirsOfAnyKind.lattice());
      return theirsOfAnyKind;
    }
    Grid grid = mine.grid();
    boolean same = grid.dimensions() == theirs.grid().dimensions();
    for (int j = 0; same && j < grid.dimensions(); j++) {
      Axis x = grid.axis(j);
      Axis y = theirs.grid().axis(j);
      double shift = shift(a, first.columns().get(j), b, other.columns().get(j));
      double slack = 1e-9 * x.step();
      same &=
          x.points() == y.points()
              && Math.abs(x.low() - y.low() - shift) <= slack
              && Math.abs(x.high() - y.high() - shift) <= slack;
    }
    if (!same) throw differentGrids(a, grid, b, theirs.grid());
    int c = theirs.occupiedCells();
    int[] cells = new int[c];
    long[] counts = new long[c];
    double[][] moments = new double[c][];
    for (int i = 0; i < c; i++) {
      cells[i] = theirs.occupiedCell(i);
      counts[i] = theirs.occupiedCount(i);
      moments[i] = theirs.occupiedMoments(i);
    }
    return GridStatistics.assemble(grid, theirs.origin(), cells, counts, moments, theirs.skipped());
  }

  private static IllegalArgumentException differentGrids(
      String a, Lattice mine, String b, Lattice theirs) {
    return new IllegalArgumentException(
        "'%s' and '%s' lie on different grids, a %s and a %s; fit both with the same grid and bounds to merge them"
            .formatted(a, b, mine, theirs));
  }

  /// What is added to the other's numbers of a column to make them the first one's.
  private static double shift(String a, Column first, String b, Column other) {
    TimeScale mine = first.time().orElse(null);
    TimeScale theirs = other.time().orElse(null);
    if (mine == null && theirs == null) return 0;
    if (mine == null || theirs == null || mine.unit() != theirs.unit())
      throw unlike("units of '" + first.name() + "'", a, unit(first), b, unit(other));
    if (!mine.offset().equals(theirs.offset()))
      throw new IllegalArgumentException(
          "'%s' and '%s' count '%s' in different time zones; write one zone in both tables"
              .formatted(a, b, first.name()));
    return mine.unit() == TimeScale.Unit.YEARS ? 0 : mine.number(theirs.origin());
  }

  private static String unit(Column column) {
    return column.time().isEmpty() ? "numbers" : column.unit();
  }
}

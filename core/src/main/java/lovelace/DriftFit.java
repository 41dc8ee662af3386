package lovelace;

import java.io.IOException;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.Set;
import java.util.function.BiFunction;
import java.util.stream.IntStream;
import lovelace.budget.Budget;
import lovelace.chain.ChainGp;
import lovelace.data.Column;
import lovelace.data.Dataset;
import lovelace.data.FeatureMap;
import lovelace.data.Outside;
import lovelace.data.TargetTransform;
import lovelace.drift.DriftStatistics;
import lovelace.drift.DriftedPosterior;
import lovelace.drift.DriftedRows;
import lovelace.drift.LatticeTrend;
import lovelace.drift.LeastSquares;
import lovelace.drift.Terms;
import lovelace.exact.ExactGp;
import lovelace.inference.Learnable;
import lovelace.io.Fingerprint;
import lovelace.io.ModelState;
import lovelace.kernel.Hyperparameters;
import lovelace.lattice.LatticePosterior;
import lovelace.lattice.MappedPosterior;
import lovelace.learning.InTime;
import lovelace.learning.Learned;
import lovelace.likelihood.Likelihood;
import lovelace.model.Provenance;
import lovelace.model.Provenance.Note;
import lovelace.plan.Engine;
import lovelace.plan.Plan;
import lovelace.posterior.Certificate.Interpolation;
import lovelace.posterior.Posterior;
import lovelace.posterior.internal.LinearRows;
import lovelace.posterior.internal.Points;
import lovelace.posterior.internal.RowPosterior;
import lovelace.sparse.SiteGp;
import lovelace.statistics.GridStatistics;
import org.jspecify.annotations.Nullable;

/// Fits a model whose mean is linear in some columns. The process is planned and learned on the
/// residuals of ordinary least squares; then the coefficients are those of generalised least
/// squares, and where that moves them, parameters are learned on from there.
final class DriftFit {

  /// The most columns of the process.
  private static final int MOST_COLUMNS = 3;

  /// How often parameters are learned on.
  private static final int ROUNDS = 3;

  /// A move of the coefficients by fewer standard deviations changes no parameter.
  private static final double MOVED = 0.1;

  /// The most rows of sites and neighbours whose parameters are learned by the restricted
  /// likelihood of the exact process: more have neighbours that tell the same, and fewer
  /// coefficients for their number.
  private static final int RESTRICTED_ROWS = 1500;

  /// Less of the target's variance than this is rounding.
  private static final double EXACT = 1e-24;

  static final Note RESTRICTED =
      new Note(Note.Kind.LIKELIHOOD, "restricted: the coefficients of the mean are integrated out");

  private DriftFit() {}

  // ---- from rows ----

  static Model model(Fit asked, Source given) throws IOException {
    requirePossible(asked);
    int[] places = places(asked, given);
    List<String> drift = asked.drift().orElseThrow();
    int process = places.length - drift.size();
    Source source = VaryingColumns.Part.of(given, places);
    TargetTransform transform = transform(asked, source);
    LeastSquares.Found start = leastSquares(asked, source, process, transform);
    if (start.left() <= EXACT)
      throw new IllegalArgumentException(
          "the target '%s' is a linear function of the drift, so nothing is left for the process; leave a column out of the drift"
              .formatted(source.target().name()));
    double[] beta = start.beta().stream().mapToDouble(Double::doubleValue).toArray();
    Fit fit = asked.withTransform(transform);
    Model residuals =
        asked
            .withMean("zero")
            .withTransform(TargetTransform.NONE)
            .ofProcess(new Residuals(source, start.terms(), beta, transform));
    int[] kept =
        IntStream.range(0, process)
            .filter(j -> residuals.leftOut().stream().noneMatch(out -> out.place() == j))
            .toArray();
    Terms terms = start.terms().keeping(kept);
    int[] read =
        IntStream.concat(IntStream.of(kept), IntStream.range(process, source.columns().size()))
            .toArray();
    Source rows = kept.length == process ? source : VaryingColumns.Part.of(source, read);
    return residuals.posterior() instanceof RowPosterior
        ? onRows(fit, rows, terms, beta, residuals)
        : onLattice(fit, rows, terms, beta, residuals);
  }

  /// Refuses what a drift cannot be asked together with.
  private static void requirePossible(Fit fit) {
    Likelihood likelihood = fit.likelihood();
    if (!likelihood.isGaussian())
      throw new IllegalArgumentException(
          "a drift needs Gaussian noise, and the likelihood is %s; leave out the drift or the likelihood"
              .formatted(likelihood));
    if (fit.intensity())
      throw new IllegalArgumentException(
          "an intensity of events cannot have a drift; leave the drift out, or count the events and fit the counts");
    if (fit.mean().equals("zero"))
      throw new IllegalArgumentException(
          "a drift needs an intercept, and the mean is zero; leave the mean out, or use mean linear, which is linear in the inputs too");
    if (fit.shape() == Fit.Shape.ADDITIVE || fit.shape() == Fit.Shape.PROJECTION)
      throw new IllegalArgumentException(
          "a model with a drift has one grid or keeps its rows, and the shape is %s; leave the shape out"
              .formatted(fit.shape()));
  }

  /// The places of the columns of the process, then of those of the drift.
  private static int[] places(Fit fit, Source source) {
    List<Column> columns = source.columns();
    List<String> names = columns.stream().map(Column::name).toList();
    List<String> drift = fit.drift().orElseThrow();
    Set<String> own = new HashSet<>();
    for (String name : drift) {
      int at = names.indexOf(name);
      if (at < 0)
        throw new IllegalArgumentException(
            "the drift's column '%s' is not among the columns %s; give rows with that column"
                .formatted(name, names));
      if (!own.add(name))
        throw new IllegalArgumentException(
            "the drift names the column '%s' twice; name it once".formatted(name));
      if (columns.get(at).isText())
        throw new IllegalArgumentException(
            "column '%s' holds words, and a drift needs numbers; make a column of 0 and 1 for each word"
                .formatted(name));
    }
    int[] process =
        IntStream.range(0, names.size()).filter(j -> !own.contains(names.get(j))).toArray();
    if (process.length == 0)
      throw new IllegalArgumentException(
          "the drift takes every column, and the process needs at least one; name the inputs, or fewer drift columns");
    if (process.length > MOST_COLUMNS)
      throw new IllegalArgumentException(
          String.format(
              Locale.ROOT,
              "with a drift the process has one to three columns, and %d are left (%s); name the inputs, or more drift columns",
              process.length,
              String.join(", ", IntStream.of(process).mapToObj(names::get).toList())));
    List<String> inputs = IntStream.of(process).mapToObj(names::get).toList();
    for (String name : fit.driftInputs()) {
      if (own.contains(name) || Collections.frequency(fit.driftInputs(), name) > 1)
        throw new IllegalArgumentException(
            "the drift names the column '%s' twice; name it once".formatted(name));
      if (!inputs.contains(name))
        throw new IllegalArgumentException(
            "the drift's input '%s' is not among the inputs %s; give rows with that column"
                .formatted(name, inputs));
    }
    for (int j : process)
      if (isTerm(fit, names.get(j)) && columns.get(j).isText())
        throw new IllegalArgumentException(
            "a linear mean needs numbers, and column '%s' holds words; use mean constant"
                .formatted(names.get(j)));
    return IntStream.concat(IntStream.of(process), drift.stream().mapToInt(names::indexOf))
        .toArray();
  }

  /// Whether the mean is linear in an input of the process.
  private static boolean isTerm(Fit fit, String input) {
    return fit.mean().equals("linear") || fit.driftInputs().contains(input);
  }

  private static TargetTransform transform(Fit fit, Source source) throws IOException {
    if (fit.likelihood().size() == Likelihood.Size.PRECISION) return TargetTransform.NONE;
    return fit.transform().isOpen() ? Survey.of(source, fit).transform() : fit.transform();
  }

  private static LeastSquares.Found leastSquares(
      Fit fit, Source source, int process, TargetTransform transform) throws IOException {
    int d = source.columns().size();
    List<String> names = source.columns().stream().map(Column::name).toList();
    int[] places =
        IntStream.range(0, d).filter(j -> j >= process || isTerm(fit, names.get(j))).toArray();
    LeastSquares sums = new LeastSquares(d, process, places);
    source.read(
        (count, x, y, weights) -> {
          Budget.check();
          for (int i = 0; i < count; i++) {
            long row = sums.count() + 1;
            for (int j = 0; j < d; j++)
              if (!Double.isFinite(x[i * d + j]))
                throw Points.notFinite(row, "column '" + names.get(j) + "'", x[i * d + j]);
            if (!transform.takes(y[i])) throw Pass.notTransformable(source, y[i], row);
            double w = weights.isPresent() ? weights.get()[i] : 1;
            if (!(w > 0 && Double.isFinite(w))) throw Dataset.badWeight(row, w);
            sums.add(x, i * d, transform.apply(y[i]), w);
          }
        });
    return sums.found(names, source.target().name());
  }

  /// What some coefficients leave of the transformed target, over the columns of the process.
  private static final class Residuals implements Source {
    private final Source source;
    private final Terms terms;
    private final double[] beta;
    private final TargetTransform transform;

    Residuals(Source source, Terms terms, double[] beta, TargetTransform transform) {
      this.source = source;
      this.terms = terms;
      this.beta = beta;
      this.transform = transform;
    }

    @Override
    public List<Column> columns() {
      return source.columns().subList(0, terms.process());
    }

    @Override
    public Column target() {
      return source.target();
    }

    @Override
    public void read(Sink sink) throws IOException {
      double[] f = new double[terms.size()];
      source.read(
          (count, x, y, weights) -> {
            double[] e = new double[count];
            for (int i = 0; i < count; i++) e[i] = residual(terms, beta, transform, x, i, y[i], f);
            sink.accept(count, terms.seen(x, count), e, weights);
          });
    }
  }

  private static double residual(
      Terms terms,
      double[] beta,
      TargetTransform transform,
      double[] x,
      int i,
      double y,
      double[] f) {
    terms.basis(x, i * terms.columns(), f, 0);
    double sum = transform.apply(y);
    for (int j = 0; j < f.length; j++) sum -= beta[j] * f[j];
    return sum;
  }

  private static Model onRows(Fit fit, Source rows, Terms terms, double[] beta, Model residuals)
      throws IOException {
    RowPosterior held = residuals.held().orElseThrow();
    LinearRows process = (LinearRows) held.inner();
    Dataset table =
        Survey.rows(rows, Engine.parse(held.engine()), held.mostRows(), "use another engine");
    Dataset data = fit.transform().apply(table);
    List<Note> notes = notes(residuals);
    List<Double> errors = residuals.provenance().standardErrors();
    List<Provenance.Step> trace = residuals.provenance().trace();
    DriftedRows gp = DriftedRows.of(data, terms, residuals.map().orElse(null), process);
    boolean known = !isRestricted(gp) && gp.trend().distance(beta) <= MOVED;
    if (fit.training() && process.hyperparameters().freeSize() > 0 && !known) {
      Learned learned = learned(gp, process.hyperparameters(), fit.learning());
      gp = gp.with(data, learned.hyperparameters());
      errors = learned.standardErrors();
      trace = learned.trace();
      notes.removeIf(note -> note.kind() == Note.Kind.TRAINING);
      notes.addAll(LatticeFit.notes(learned));
      if (learned.timeUp()) notes.add(FitRun.timeNote());
      if (gp.inner() instanceof SiteGp sites)
        notes.replaceAll(note -> note.kind() == Note.Kind.GRID ? FitRun.gridNote(sites) : note);
    }
    notes.add(RESTRICTED);
    return Model.of(
        new ModelState(
                rows.columns(),
                residuals.leftOut(),
                rows.target(),
                fit.transform(),
                fit.transform().logJacobian(table.target()),
                gp.logMarginalLikelihood(),
                gp,
                residuals.plan(),
                provenance(fit, Survey.fingerprint(table), errors, trace, notes))
            .with(residuals.place()));
  }

  /// Learns from the rows of a model: by the restricted likelihood where that takes a moment, else
  /// by the likelihood of what is left by the coefficients, which take turns with the parameters.
  static Learned learned(DriftedRows rows, Hyperparameters from, Fit.Learning how) {
    if (!isRestricted(rows)) return inTurns(rows, from, how);
    Engine engine = Engine.parse(rows.engine());
    BiFunction<Dataset, Hyperparameters, LinearRows> process =
        engine == Engine.MARKOV ? ChainGp::of : ExactGp::of;
    Dataset data = rows.data();
    Learnable restricted =
        DriftedRows.likelihood(
            data,
            rows.trend().terms(),
            rows.map(),
            engine == Engine.MARKOV ? "markov" : "exact",
            process);
    Learned learned =
        InTime.from(from, () -> RowFit.learn(restricted, from, data, how), engine.toString());
    boolean quick = engine == Engine.MARKOV || data.size() <= Closeness.MEASURED;
    return quick ? learned.withErrors(restricted) : learned;
  }

  /// Whether the restricted likelihood of so many rows takes a moment.
  private static boolean isRestricted(DriftedRows rows) {
    int most =
        switch (Engine.parse(rows.engine())) {
          case EXACT -> Planner.EXACTLY;
          case MARKOV -> Integer.MAX_VALUE;
          default -> RESTRICTED_ROWS;
        };
    return rows.data().size() <= most;
  }

  private static Learned inTurns(DriftedRows rows, Hyperparameters from, Fit.Learning how) {
    DriftedRows gp = rows;
    Hyperparameters h = from;
    Learned learned = null;
    for (int round = 0; round < ROUNDS; round++) {
      Dataset residuals = gp.inner().data();
      learned =
          Engine.parse(rows.engine()) == Engine.EXACT
              ? RowFit.exact(residuals, h, how)
              : RowFit.neighbours(residuals, h, RowFit.learning(rows), how);
      h = learned.hyperparameters();
      double[] before = gp.trend().beta();
      gp = gp.with(rows.data(), h);
      if (learned.timeUp() || gp.trend().distance(before) <= MOVED) break;
    }
    return Objects.requireNonNull(learned);
  }

  private static Model onLattice(Fit fit, Source rows, Terms terms, double[] beta, Model residuals)
      throws IOException {
    FeatureMap map = residuals.map().orElse(null);
    LatticePosterior first = residuals.lattice().orElseThrow();
    Read pass = pass(rows, terms, beta, map, grid(first), fit.transform(), fit.outside());
    Found found =
        found(
            residuals.plan(),
            pass.statistics,
            terms,
            beta,
            map,
            first.hyperparameters(),
            fit.training() ? fit.learning() : null);
    Provenance old = residuals.provenance();
    List<Note> notes = notes(residuals);
    DriftedPosterior posterior = found.posterior;
    if (found.learned == null) {
      Interpolation measured = first.certificate().interpolation();
      posterior = posterior.with(wrapped(map, posterior.lattice().with(measured)));
    } else {
      notes.removeIf(note -> note.kind() == Note.Kind.TRAINING);
    }
    notes.addAll(found.notes);
    return Model.of(
        new ModelState(
                rows.columns(),
                residuals.leftOut(),
                rows.target(),
                fit.transform(),
                pass.logJacobian,
                found.logLikelihood,
                posterior,
                found.plan,
                provenance(
                    fit,
                    pass.fingerprint,
                    found.learned == null ? old.standardErrors() : found.learned.standardErrors(),
                    found.learned == null ? old.trace() : found.learned.trace(),
                    notes))
            .with(residuals.place()));
  }

  private static GridStatistics grid(LatticePosterior lattice) {
    if (lattice.statistics() instanceof GridStatistics grid) return grid;
    throw new IllegalStateException("a drift needs one grid");
  }

  private static List<Note> notes(Model residuals) {
    List<Note> notes = new ArrayList<>(residuals.provenance().notes());
    notes.removeIf(note -> note.kind() == Note.Kind.LIKELIHOOD);
    return notes;
  }

  private static Provenance provenance(
      Fit fit,
      long fingerprint,
      List<Double> errors,
      List<Provenance.Step> trace,
      List<Note> notes) {
    return new Provenance(
        fit.maker().version(),
        Instant.now().truncatedTo(ChronoUnit.SECONDS),
        fingerprint,
        fit.maker().command(),
        errors,
        trace,
        notes);
  }

  // ---- on a lattice ----

  /// What a pass over rows leaves: the statistics about some coefficients.
  record Read(DriftStatistics statistics, double logJacobian, long fingerprint) {}

  /// Reads rows that have all columns of the model, as they stand in the table.
  static Read pass(
      Source rows,
      Terms terms,
      double[] beta,
      @Nullable FeatureMap map,
      GridStatistics on,
      TargetTransform transform,
      Outside outside)
      throws IOException {
    GridStatistics residual =
        (GridStatistics)
            Pass.more(
                    new Residuals(rows, terms, beta, transform),
                    map,
                    on.grid(),
                    TargetTransform.NONE,
                    outside)
                .statistics();
    DriftStatistics.Builder sums = new DriftStatistics.Builder(residual, terms.size() - 1);
    Fingerprint print = new Fingerprint();
    double[] jacobian = {0};
    double[] f = new double[terms.size()];
    int d = terms.columns();
    int k = on.grid().dimensions();
    rows.read(
        (count, x, y, weights) -> {
          Budget.check();
          double[] z = terms.seen(x, count);
          if (map != null) {
            double[] features = new double[count * k];
            map.apply(z, count, features);
            z = features;
          }
          for (int i = 0; i < count; i++) {
            double w = weights.isPresent() ? weights.get()[i] : 1;
            double e = residual(terms, beta, transform, x, i, y[i], f);
            if (!sums.add(z, i * k, f, 0, e, w)) continue;
            print.add(x, i * d, d, y[i], w);
            jacobian[0] += transform.logJacobian(y[i]);
          }
        });
    return new Read(sums.statistics(), jacobian[0], print.value());
  }

  /// A posterior on a lattice, and what was learned on the way to it.
  ///
  /// @param learned null where the parameters stayed
  record Found(
      DriftedPosterior posterior,
      Plan plan,
      double logLikelihood,
      @Nullable Learned learned,
      List<Note> notes) {}

  /// The posterior of statistics about some coefficients, from complete hyperparameters.
  ///
  /// @param learning how parameters are learned on where the coefficients move, null where they
  ///   stay
  static Found found(
      Plan plan,
      DriftStatistics statistics,
      Terms terms,
      double[] beta,
      @Nullable FeatureMap map,
      Hyperparameters from,
      Fit.@Nullable Learning learning) {
    Hyperparameters h = from;
    Plan now = plan;
    Learned learned = null;
    double[] about = beta;
    LatticeTrend trend = LatticeTrend.of(now.chosen(), now.seed(), statistics, terms, about, h);
    boolean learns = h.freeSize() > 0;
    for (int round = 0; learning != null && learns && round < ROUNDS; round++) {
      if (trend.trend().distance(about) <= MOVED) break;
      about = trend.trend().beta();
      learned = learned(now, trend.statistics(), h, learning);
      h = learned.hyperparameters();
      now = Planner.revised(now, trend.statistics().residual(), h);
      trend = LatticeTrend.of(now.chosen(), now.seed(), trend.statistics(), terms, about, h);
      learns = !learned.timeUp();
    }
    return found(now, trend, map, h, learned);
  }

  /// Learns from statistics about some coefficients, which stay.
  static Learned learned(
      Plan plan, DriftStatistics statistics, Hyperparameters from, Fit.Learning learning) {
    LatticeFit lattice = new LatticeFit(plan, statistics.residual());
    return InTime.from(from, () -> lattice.learn(from, learning), plan.chosen().toString());
  }

  /// The posterior of a model's own observations under parameters that are given, or that learning
  /// starts from.
  static Found found(
      DriftedPosterior old, Plan plan, Hyperparameters from, Fit.@Nullable Learning learning) {
    Terms terms = old.trend().terms();
    double[] beta = old.trend().beta();
    FeatureMap map = old.inner() instanceof MappedPosterior mapped ? mapped.map() : null;
    if (learning == null) return found(plan, old.statistics(), terms, beta, map, from, null);
    Learned learned = learned(plan, old.statistics(), from, learning);
    Hyperparameters h = learned.hyperparameters();
    Plan now = Planner.revised(plan, old.statistics().residual(), h);
    Found found =
        found(now, old.statistics(), terms, beta, map, h, learned.timeUp() ? null : learning);
    if (found.learned != null) return found;
    List<Note> notes = new ArrayList<>(found.notes);
    notes.addAll(0, training(learned));
    return new Found(found.posterior, found.plan, found.logLikelihood, learned, notes);
  }

  private static Found found(
      Plan plan,
      LatticeTrend trend,
      @Nullable FeatureMap map,
      Hyperparameters h,
      @Nullable Learned learned) {
    LatticeFit lattice = new LatticeFit(plan, trend.statistics().residual());
    LatticePosterior inner = lattice.posterior(h);
    Learned evaluated = LatticeFit.settled(lattice.evaluate(h), inner);
    List<Note> notes = new ArrayList<>(learned == null ? List.of() : training(learned));
    for (Note note : LatticeFit.notes(evaluated))
      if (note.kind() == Note.Kind.LIKELIHOOD) notes.add(note);
    notes.add(RESTRICTED);
    return new Found(
        trend.posterior(wrapped(map, inner)),
        plan,
        trend.trend().restricted(evaluated.logLikelihood()),
        learned,
        notes);
  }

  /// How parameters were learned.
  private static List<Note> training(Learned learned) {
    List<Note> notes = new ArrayList<>();
    for (Note note : LatticeFit.notes(learned))
      if (note.kind() == Note.Kind.TRAINING) notes.add(note);
    if (learned.timeUp()) notes.add(FitRun.timeNote());
    return notes;
  }

  private static Posterior wrapped(@Nullable FeatureMap map, LatticePosterior inner) {
    return map == null ? inner : MappedPosterior.of(map, inner);
  }
}

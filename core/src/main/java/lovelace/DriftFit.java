package lovelace;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.stream.IntStream;
import lovelace.budget.Budget;
import lovelace.data.Column;
import lovelace.data.Dataset;
import lovelace.data.TargetTransform;
import lovelace.drift.LeastSquares;
import lovelace.io.ModelState;
import lovelace.kernel.Hyperparameters;
import lovelace.learning.Learned;
import lovelace.likelihood.Likelihood;
import lovelace.model.Provenance;
import lovelace.model.Provenance.Note;
import lovelace.options.Options;
import lovelace.posterior.internal.Points;
import lovelace.source.Source;
import lovelace.source.internal.Pass;
import lovelace.source.internal.SomeColumns;
import lovelace.survey.Survey;
import lovelace.way.Assembly;
import lovelace.way.Conditioned;
import lovelace.way.DriftedWay;
import lovelace.way.Frame;
import lovelace.way.Kept;
import lovelace.way.Learners;
import lovelace.way.Residuals;
import lovelace.way.Way;
import lovelace.way.Ways;
import org.jspecify.annotations.Nullable;

/// Fits a model whose mean is linear in some columns. The process is planned and learned on the
/// residuals of ordinary least squares. Then the coefficients are those of generalised least
/// squares. If that changes them, learning continues from there.
final class DriftFit {

  /// The most columns of the process, unless a projection is learned from them.
  private static final int MOST_COLUMNS = 3;

  /// A smaller share of the target's variance is rounding.
  private static final double EXACT = 1e-24;

  private DriftFit() {}

  static Model model(Fit asked, Source given) throws IOException {
    requirePossible(asked);
    int[] places = places(asked, given);
    List<String> drift = asked.drift().orElseThrow();
    int process = places.length - drift.size();
    Source source = SomeColumns.of(given, places);
    TargetTransform transform = transform(asked, source);
    LeastSquares.Found start = leastSquares(asked, source, process, transform);
    if (start.left() <= EXACT)
      throw new IllegalArgumentException(
          "the target '%s' is a linear function of the drift, so nothing is left for the process; leave a column out of the drift"
              .formatted(source.target().name()));
    double[] beta = start.beta().stream().mapToDouble(Double::doubleValue).toArray();
    ModelState residuals =
        asked
            .withMean("zero")
            .withTransform(TargetTransform.NONE)
            .ofProcess(new Residuals(source, start.terms(), beta, transform))
            .state();
    int[] kept =
        IntStream.range(0, process)
            .filter(j -> residuals.leftOut().stream().noneMatch(out -> out.place() == j))
            .toArray();
    int[] read =
        IntStream.concat(IntStream.of(kept), IntStream.range(process, source.columns().size()))
            .toArray();
    Source rows = kept.length == process ? source : SomeColumns.of(source, read);
    Frame frame =
        new Frame(
            rows.columns(),
            rows.target(),
            transform,
            asked.likelihood(),
            Optional.of(start.terms().keeping(kept)),
            residuals.bare().map());
    DriftedWay<?> way = Ways.drifted(residuals, frame, beta);
    return Model.of(model(way, asked, rows, beta, residuals));
  }

  /// The model, from the model of its residuals. If the coefficients move, learning continues.
  private static <K extends Kept<K>> ModelState model(
      DriftedWay<K> way, Options fit, Source rows, double[] beta, ModelState residuals)
      throws IOException {
    K kept = way.read(rows, fit.outside());
    Hyperparameters from = residuals.bare().hyperparameters();
    Learned learned =
        fit.training() && from.freeSize() > 0
            ? way.moved(kept, from, beta, fit.learning()).orElse(null)
            : null;
    Way<K> now = learned == null ? way : way.settled(kept, learned.hyperparameters());
    Conditioned found = now.condition(kept, learned == null ? way.given(kept, from) : learned);
    Provenance old = residuals.provenance();
    return new Assembly(way.frame(), residuals.leftOut(), residuals.place(), fit.maker())
        .model(
            kept,
            found,
            learned == null ? old.standardErrors() : learned.standardErrors(),
            learned == null ? old.trace() : learned.trace(),
            notes(old, learned, found));
  }

  /// The notes of the residuals' model, with the new ones.
  private static List<Note> notes(
      Provenance residuals, @Nullable Learned learned, Conditioned found) {
    List<Note> notes = new ArrayList<>(residuals.notes());
    notes.removeIf(note -> note.kind() == Note.Kind.LIKELIHOOD);
    if (learned != null) {
      notes.removeIf(note -> note.kind() == Note.Kind.TRAINING);
      for (Note note : Learners.notes(learned)) if (!notes.contains(note)) notes.add(note);
      if (learned.timeUp()) notes.add(Learners.timeUp());
    }
    for (Note fact : found.facts()) {
      if (fact.kind() == Note.Kind.GRID) notes.replaceAll(n -> n.kind() == fact.kind() ? fact : n);
      else if (!notes.contains(fact)) notes.add(fact);
    }
    return notes;
  }

  /// Refuses options that cannot be combined with a drift.
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
    if (fit.shape() == Options.Shape.ADDITIVE)
      throw new IllegalArgumentException(
          "a model with a drift has one grid or keeps its rows, and the shape is %s, which has a grid for each input; leave the shape out, or use projection"
              .formatted(fit.shape()));
  }

  /// The positions of the columns of the process, then of those of the drift.
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
    if (process.length > MOST_COLUMNS && fit.shape() != Options.Shape.PROJECTION)
      throw new IllegalArgumentException(
          String.format(
              Locale.ROOT,
              "with a drift the process has one to three columns, and %d are left (%s); name the inputs, or more drift columns, or learn a projection",
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
}

package lovelace.experiments;

import java.io.IOException;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.function.Consumer;
import java.util.function.Supplier;
import lovelace.Fit;
import lovelace.Model;
import lovelace.data.Dataset;
import lovelace.data.TargetTransform;
import lovelace.kernel.Kernel;
import lovelace.model.Provenance.Note;
import lovelace.posterior.Prediction;
import lovelace.posterior.Scores;
import lovelace.posterior.internal.RowPosterior;

/// One model of one table: fitted to the rows to learn from, scored at the others. Predictions are
/// of observations and include noise. The model gets the unchanged table. Scores are those of the
/// target standardised by the training rows.
///
/// @param n rows to learn from
/// @param d inputs of the table, constant ones too
/// @param tested rows that are scored
/// @param rmse in standard deviations of the target
/// @param nlpd of the standardised target
/// @param coverage the share of targets inside their 95 % interval
/// @param fitSeconds wall time of the whole fit, including its choices
/// @param predictMicros wall time per row when all test rows are predicted at once, warm
/// @param peakBytes the most memory of this process until the first prediction of all test rows
/// @param kernel the form of the kernel
/// @param engine the engine of the posterior
/// @param neighbours the rows of a prediction, 0 if it is not by neighbours
/// @param transform the transform of the target
/// @param ended whether learning came to its end in time
/// @param compared the compared models, for people
/// @param times of predictions from 50 and 200 neighbours by the same parameters; empty for a model
///   that does not hold its rows
public record TableBenchmark(
    int n,
    int d,
    int tested,
    double rmse,
    double nlpd,
    double coverage,
    double fitSeconds,
    double predictMicros,
    long peakBytes,
    String kernel,
    String engine,
    int neighbours,
    TargetTransform transform,
    boolean ended,
    List<String> compared,
    Optional<NeighbourTimes> times) {

  public TableBenchmark {
    compared = List.copyOf(compared);
  }

  /// Fits, predicts, scores, measures.
  ///
  /// @param limits of the fit
  /// @param warmup times predictions
  /// @param progress receives each step as it begins
  public static TableBenchmark run(
      RegressionSet table,
      TableModel model,
      Fit limits,
      WarmMedian warmup,
      Consumer<String> progress)
      throws IOException {
    return model == TableModel.EXACT
        ? exact(table, limits, warmup, progress)
        : fitted(table, model, limits, warmup, progress);
  }

  private static TableBenchmark fitted(
      RegressionSet table,
      TableModel kind,
      Fit limits,
      WarmMedian warmup,
      Consumer<String> progress)
      throws IOException {
    Dataset train = table.train();
    progress.accept(String.format(Locale.ROOT, "fitting %,d rows", train.size()));
    long start = System.nanoTime();
    Model model = kind.fit(limits.withListener(plan -> progress.accept("plan: " + plan)), train);
    double seconds = seconds(start);
    model.provenance().notes().forEach(note -> progress.accept(note.toString()));
    double[] points = model.points(table.test().inputs());
    progress.accept("predicting");
    Prediction observed = model.predictObservation(points);
    long peak = PeakMemory.bytes();
    Scores scores = Scores.of(observed, table.test().target());
    double deviation = table.targetDeviation();
    double micros = micros(warmup, () -> model.predictObservation(points), table.test().size());
    List<Note> notes = model.provenance().notes();
    Optional<RowPosterior> process = model.inFeatures().held();
    Optional<NeighbourTimes> times = Optional.empty();
    if (process.isPresent() && (kind == TableModel.AUTO || kind == TableModel.NEIGHBOURS)) {
      progress.accept("measuring predictions from neighbours");
      times = Optional.of(NeighbourTimes.measure(process.get(), model.features(points), warmup));
    }
    return new TableBenchmark(
        train.size(),
        train.dimensions(),
        scores.size(),
        scores.rmse() / deviation,
        scores.nlpd() - Math.log(deviation),
        scores.coverage(0.95),
        seconds,
        micros,
        peak,
        form(model.hyperparameters().kernel()),
        model.plan().chosen().toString(),
        process.map(RowPosterior::nearestRows).orElse(OptionalInt.empty()).orElse(0),
        model.transform(),
        notes.stream().noneMatch(note -> note.kind() == Note.Kind.TIME),
        notes.stream().filter(note -> note.kind() == Note.Kind.COMPARED).map(Note::text).toList(),
        times);
  }

  private static TableBenchmark exact(
      RegressionSet table, Fit limits, WarmMedian warmup, Consumer<String> progress)
      throws IOException {
    RegressionSet plain = table.standardised();
    long start = System.nanoTime();
    ExactBest best = limits.budget().call(() -> ExactBest.of(plain.train(), progress));
    double seconds = seconds(start);
    progress.accept(best.compared());
    double[] points = plain.test().inputs();
    Prediction observed = best.posterior().predictObservation(points);
    long peak = PeakMemory.bytes();
    Scores scores = Scores.of(observed, plain.test().target());
    return new TableBenchmark(
        table.train().size(),
        table.train().dimensions(),
        scores.size(),
        scores.rmse(),
        scores.nlpd(),
        scores.coverage(0.95),
        seconds,
        micros(warmup, () -> best.posterior().predictObservation(points), scores.size()),
        peak,
        best.kernel(),
        "exact",
        0,
        TargetTransform.NONE,
        best.ended(),
        List.of(best.compared()),
        Optional.empty());
  }

  /// Microseconds per row of a prediction.
  private static double micros(WarmMedian warmup, Supplier<Prediction> prediction, int rows) {
    return 1e3 * warmup.milliseconds(() -> prediction.get().mean(0)) / rows;
  }

  /// A kernel without its values, for people.
  private static String form(Kernel kernel) {
    String text = kernel.toString();
    for (String before = ""; !before.equals(text); ) {
      before = text;
      text = text.replaceAll("\\([^()]*\\)", "");
    }
    return String.join(
        " + ",
        Arrays.stream(text.replaceAll("[\\d.eE-]+\\*|\\[[^\\]]*]", "").split(" \\+ ", -1))
            .distinct()
            .toList());
  }

  private static double seconds(long start) {
    return (System.nanoTime() - start) * 1e-9;
  }

  /// How far the share inside 95 % intervals may lie from 0.95 for this number of rows: 0.03, and
  /// two standard errors of a share.
  public static double tolerance(double rows) {
    return 0.03 + 2 * Math.sqrt(0.0475 / rows);
  }
}

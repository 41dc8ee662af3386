package lovelace.cli;

import java.io.IOException;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import lovelace.Model;
import lovelace.data.Outside;
import lovelace.io.Fingerprint;
import lovelace.likelihood.Likelihood;
import lovelace.plot.Pictures;
import lovelace.plot.Plot;
import lovelace.posterior.Prediction;
import lovelace.posterior.Scores;
import lovelace.source.Source;

/// The scores of a model on rows that it may not have seen.
final class Evaluation {

  /// Bins of the calibration of probabilities.
  private static final int BINS = 10;

  private final Scores scores;
  private final Prediction predictions;
  private final double[] targets;
  private final boolean single; // whether each row has size 1
  private final long outside;
  private final boolean known;

  private Evaluation(
      Prediction predictions, double[] targets, boolean single, long outside, boolean known) {
    this.scores = Scores.of(predictions, targets);
    this.predictions = predictions;
    this.targets = targets;
    this.single = single;
    this.outside = outside;
    this.known = known;
  }

  /// A list of numbers that grows.
  private static final class Numbers {
    private double[] values = new double[1024];
    private int size = 0;

    void add(double value) {
      if (size == values.length) values = Arrays.copyOf(values, 2 * size);
      values[size++] = value;
    }

    double[] all() {
      return Arrays.copyOf(values, size);
    }
  }

  /// Scores predictions of observations, each with its own size. For a model of intensity, it
  /// scores the counts of its cells.
  static Evaluation of(Model model, Source rows, String name) throws IOException {
    Source source =
        model.window().isPresent() ? Source.of(model.counts(rows, Outside.ERROR)) : rows;
    int d = model.columns().size();
    Likelihood likelihood = model.likelihood();
    boolean varying = likelihood.isVarying();
    Numbers means = new Numbers();
    Numbers variances = new Numbers();
    Numbers noiseMeans = new Numbers();
    Numbers noiseVariances = new Numbers();
    Numbers sizes = new Numbers();
    Numbers targets = new Numbers();
    long[] outside = {0};
    Fingerprint print = new Fingerprint();
    source.read(
        (count, x, y, given) -> {
          double[] points = Arrays.copyOf(x, count * d);
          Prediction p = model.posterior().predict(points);
          Prediction noise = varying ? model.noiseDeviation(points) : p;
          for (int i = 0; i < count; i++) {
            double size = given.isPresent() ? given.get()[i] : 1;
            check(model, y[i], targets.size + 1, name);
            print.add(points, i * d, d, y[i], size);
            means.add(p.mean(i));
            variances.add(p.variance(i));
            noiseMeans.add(noise.mean(i));
            noiseVariances.add(noise.variance(i));
            sizes.add(size);
            targets.add(y[i]);
            if (p.outside(i)) outside[0]++;
          }
        });
    if (targets.size == 0)
      throw new IllegalArgumentException(
          "'%s' has no rows to evaluate; check filters and missing values".formatted(name));
    Prediction function = Prediction.adopt(means.all(), variances.all());
    Prediction noise = Prediction.adopt(noiseMeans.all(), noiseVariances.all());
    Prediction observed =
        likelihood.isGaussian()
            ? function.withNoise(model.noise(), sizes.all()).undo(model.transform())
            : varying
                ? function.of(likelihood, Likelihood.Of.OBSERVATION, sizes.all(), noise)
                : function.of(likelihood, Likelihood.Of.OBSERVATION, sizes.all());
    boolean single = Arrays.stream(sizes.all()).allMatch(size -> size == 1);
    boolean known =
        targets.size == model.count() && print.value() == model.provenance().fingerprint();
    return new Evaluation(observed, targets.all(), single, outside[0], known);
  }

  Scores scores() {
    return scores;
  }

  /// The predictions of the observations.
  Prediction predictions() {
    return predictions;
  }

  /// Whether these are the rows that the model has learned from.
  boolean isOfKnownRows() {
    return known;
  }

  /// The number of rows beyond the model's grid.
  long outside() {
    return outside;
  }

  /// Whether predictions are Gaussian, perhaps of a transformed target.
  boolean isGaussian() {
    return predictions.likelihood().isEmpty();
  }

  /// Scores of two classes.
  Scores.Classes classes() {
    return Scores.classes(predictions, targets);
  }

  /// The ranks of targets in their predictions. Among equal values the rank is random.
  Scores.Residuals residuals() {
    return Scores.residuals(predictions, targets, 1);
  }

  /// Bins of predicted probability, with the frequency of class 1 in each.
  List<Scores.Classes.Bin> bins() {
    return classes().calibration(BINS);
  }

  /// The mean distance between predicted probability and observed frequency in the bins.
  double calibrationError() {
    return classes().calibrationError(BINS);
  }

  /// A picture that shows whether predictions can be trusted. For classes it shows frequency by
  /// probability; for counts, how many randomised ranks intervals contain; otherwise, how many
  /// targets they contain.
  Plot calibration(Model model) {
    Likelihood likelihood = model.likelihood();
    if (likelihood.has(Likelihood.Of.PROBABILITY) && single)
      return Pictures.reliability(bins(), model.target(), !Classes.suit(likelihood));
    return predictions.discrete()
        ? Pictures.calibration(residuals(), model.target())
        : Pictures.calibration(scores, model.target());
  }

  private static void check(Model model, double y, long row, String name) {
    if (!model.transform().takes(y))
      throw new IllegalArgumentException(
          String.format(
              Locale.ROOT,
              "row %,d of '%s': target '%s' is %s, the model's log transform needs values > 0; correct or drop the row",
              row,
              name,
              model.target().name(),
              y));
  }
}

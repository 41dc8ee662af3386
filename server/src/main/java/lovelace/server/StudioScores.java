package lovelace.server;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import lovelace.Model;
import lovelace.data.Dataset;
import lovelace.data.Outside;
import lovelace.likelihood.Likelihood.Of;
import lovelace.linear.Gaussian;
import lovelace.options.Options;
import lovelace.posterior.Prediction;
import lovelace.posterior.Scores;
import lovelace.source.Source;

/// The same as [StudioChecks] for likelihoods that are not Gaussian. It gives the log score of rows
/// that were left out; for classes, how often events of each probability happen; for counts and
/// amounts, randomised quantile residuals.
final class StudioScores {

  private static final int BINS = 10;

  private final Model model;
  private final Dataset rows;
  private final double[] mean;
  private final double[] target;
  private final double[] residual; // standard Gaussian if the model is right
  private double logs = 0;
  private int next = 0;

  private StudioScores(Model model, Dataset rows, int n) {
    this.model = model;
    this.rows = rows;
    mean = new double[n];
    target = new double[n];
    residual = new double[n];
  }

  static Map<String, Object> of(
      Model model, Dataset rows, int[] chosen, int n, Options.Maker maker) {
    StudioScores scores = new StudioScores(model, rows, n);
    for (int f = 0; f < StudioChecks.FOLDS; f++)
      scores.fold(StudioChecks.fold(chosen, n, f), f, maker);
    return scores.answer();
  }

  private void fold(int[] held, int seed, Options.Maker maker) {
    Dataset some = rows.select(held);
    Model rest;
    try {
      rest = model.without(Source.of(some), Outside.SKIP, maker);
    } catch (IOException e) {
      throw new IllegalStateException(e);
    }
    Prediction p = rest.predict(some.inputs(), Of.OBSERVATION, some.weights());
    double[] deviations = Scores.residuals(p, some.target(), seed).deviations();
    for (int i = 0; i < held.length; i++) {
      mean[next] = p.mean(i) / per(some, i);
      target[next] = some.target()[i] / per(some, i);
      residual[next++] = deviations[i];
      logs += p.logDensity(i, some.target()[i]);
    }
  }

  /// The divisor of a target: its size if targets are sums over their size.
  private double per(Dataset some, int i) {
    return model.likelihood().usual() == Of.FUNCTION ? 1 : some.weight(i);
  }

  private Map<String, Object> answer() {
    Map<String, Object> answer =
        Answers.map("kind", "rows", "transform", "none", "count", next, "nlpd", -logs / next);
    if (StudioFacts.isClasses(model)) {
      Scores.Classes classes = Scores.classes(Prediction.adopt(mean, new double[next]), target);
      List<double[]> shares = new ArrayList<>();
      for (Scores.Classes.Bin bin : classes.calibration(BINS))
        shares.add(new double[] {bin.predicted(), bin.observed()});
      answer.put("shares", shares);
      answer.put("brier", classes.brier());
      answer.put("error rate", classes.errorRate());
      answer.put("area", classes.areaUnderCurve());
      return answer;
    }
    long[] bins = new long[next < StudioChecks.MANY ? 10 : 20];
    double squares = 0;
    double absolutes = 0;
    for (int i = 0; i < next; i++) {
      double rank = Gaussian.cdf(residual[i]);
      bins[Math.clamp((int) (rank * bins.length), 0, bins.length - 1)]++;
      squares += (target[i] - mean[i]) * (target[i] - mean[i]);
      absolutes += Math.abs(target[i] - mean[i]);
    }
    List<double[]> coverage = new ArrayList<>();
    for (int level = 5; level <= 95; level += 5)
      coverage.add(StudioChecks.covered(residual, level / 100.0));
    coverage.add(StudioChecks.covered(residual, 0.99));
    int step = Math.max(1, next / StudioChecks.SHOWN);
    answer.put("bins", bins);
    answer.put("coverage", coverage);
    answer.put("mean", StudioView.floats(every(mean, step)));
    answer.put("residual", StudioView.floats(every(residual, step)));
    answer.put("rmse", Math.sqrt(squares / next));
    answer.put("mae", absolutes / next);
    answer.put("spread", StudioChecks.deviation(residual));
    return answer;
  }

  private double[] every(double[] values, int step) {
    double[] some = new double[(next + step - 1) / step];
    Arrays.setAll(some, i -> values[i * step]);
    return some;
  }
}

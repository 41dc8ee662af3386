package lovelace.experiments;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.function.Consumer;
import java.util.stream.IntStream;
import lovelace.Fit;
import lovelace.Model;
import lovelace.data.Dataset;

/// Small sets of counts, classes and noise that varies, divided into folds. Each fold is scored by
/// a fit on the rows of the other folds. A set is a gzipped table whose last column is `fold`; rows
/// without one are left out.
public enum LikelihoodFolds {
  COAL("count", "poisson", "matern52", false, "year"),
  BANANA("class", "bernoulli", "rbf", false, "x1 x2"),
  MOTORCYCLE("acceleration", "gaussian(noise=varying)", "matern52", true, "ms");

  private static final String PEERS = "peers.csv.gz";

  private final String target;
  private final String likelihood;
  private final String kernel;
  private final boolean standardised;
  private final String inputs; // with spaces between

  LikelihoodFolds(
      String target, String likelihood, String kernel, boolean standardised, String inputs) {
    this.target = target;
    this.likelihood = likelihood;
    this.kernel = kernel;
    this.standardised = standardised;
    this.inputs = inputs;
  }

  /// The name of the set and of its column of peers.
  public String text() {
    return name().toLowerCase(Locale.ROOT);
  }

  /// The file of the set in a folder.
  public Path file(Path folder) {
    return folder.resolve(text() + ".csv.gz");
  }

  /// Rows of a table.
  private Dataset rows(NumberTable table, double[] y, int[] of) {
    List<String> names = List.of(inputs.split(" "));
    int d = names.size();
    double[] x = new double[of.length * d];
    double[] some = new double[of.length];
    for (int i = 0; i < of.length; i++) {
      for (int a = 0; a < d; a++) x[i * d + a] = table.column(names.get(a))[of[i]];
      some[i] = y[of[i]];
    }
    return Dataset.of(x, d, some);
  }

  /// Measures all folds.
  ///
  /// @param folder with the set; if it has peers.csv.gz with a column `fold` and one of the set's
  ///   name, differences from the nlpd there are computed
  public LikelihoodScore measure(Path folder, Fit fit, Consumer<String> phases) throws IOException {
    NumberTable table = NumberTable.readWithGaps(file(folder));
    double[] fold = table.column("fold");
    double[] y = table.column(target).clone();
    if (standardised) standardise(y);
    double[] folds =
        IntStream.range(0, fold.length)
            .mapToDouble(i -> fold[i])
            .filter(k -> !Double.isNaN(k))
            .distinct()
            .sorted()
            .toArray();
    Fit asked = fit.withKernel(kernel).withLikelihood(likelihood);
    double[] peers = peers(folder.resolve(PEERS), folds);
    double[] nlpd = new double[folds.length];
    double mse = 0;
    double seconds = 0;
    for (int k = 0; k < folds.length; k++) {
      double own = folds[k];
      phases.accept("fold " + (k + 1) + " of " + folds.length);
      Dataset train =
          rows(
              table,
              y,
              IntStream.range(0, y.length).filter(i -> fold[i] < own || fold[i] > own).toArray());
      Dataset test =
          rows(table, y, IntStream.range(0, y.length).filter(i -> fold[i] == own).toArray());
      long start = System.nanoTime();
      Model model = asked.to(train);
      seconds += (System.nanoTime() - start) * 1e-9 / folds.length;
      double[] scores = LikelihoodScore.of(model, test.inputs(), test.target());
      nlpd[k] = scores[0];
      mse += scores[1] / folds.length;
    }
    double mean = 0;
    for (double one : nlpd) mean += one / nlpd.length;
    return new LikelihoodScore(
        text(),
        likelihood,
        folds.length,
        mean,
        mse,
        seconds,
        PeakMemory.bytes(),
        Double.NaN,
        LikelihoodScore.Published.NONE,
        difference(nlpd, peers),
        "");
  }

  private static void standardise(double[] y) {
    double mean = 0;
    for (double value : y) mean += value / y.length;
    double squares = 0;
    for (double value : y) squares += (value - mean) * (value - mean) / y.length;
    for (int i = 0; i < y.length; i++) y[i] = (y[i] - mean) / Math.sqrt(squares);
  }

  /// The nlpd of a peer in each fold; empty if there is no peer.
  private double[] peers(Path file, double[] folds) throws IOException {
    if (!Files.exists(file)) return new double[0];
    NumberTable table = NumberTable.read(file);
    if (!table.names().contains(text())) return new double[0];
    double[] fold = table.column("fold");
    double[] nlpd = new double[folds.length];
    for (int k = 0; k < folds.length; k++) {
      double own = folds[k];
      int[] rows = IntStream.range(0, fold.length).filter(i -> fold[i] == own).toArray();
      if (rows.length != 1)
        throw new IllegalArgumentException(
            String.format(
                Locale.ROOT,
                "%s has %d rows for fold %.0f; give one for each fold of %s",
                file,
                rows.length,
                own,
                text()));
      nlpd[k] = table.column(text())[rows[0]];
    }
    return nlpd;
  }

  /// Our nlpd minus the peer's, fold by fold.
  private static LikelihoodScore.Difference difference(double[] nlpd, double[] peers) {
    if (peers.length == 0) return LikelihoodScore.Difference.NONE;
    int n = nlpd.length;
    double mean = 0;
    for (int k = 0; k < n; k++) mean += (nlpd[k] - peers[k]) / n;
    double squares = 0;
    for (int k = 0; k < n; k++) squares += Math.pow(nlpd[k] - peers[k] - mean, 2);
    return new LikelihoodScore.Difference(mean, Math.sqrt(squares / (n - 1) / n));
  }
}

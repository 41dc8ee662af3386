package lovelace.deep;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import lovelace.Fit;
import lovelace.Model;
import lovelace.budget.Budget;
import lovelace.budget.Budget.TimeUpException;
import lovelace.data.Column;
import lovelace.data.Dataset;
import lovelace.kernel.Hyperparameters;
import lovelace.kernel.Parameter;
import lovelace.options.Options;
import lovelace.source.Source;

/// Makes the model that a [DeepKernel] describes: trains the network, calibrates the process over
/// it, and conditions on all rows.
final class DeepFitter {

  private static final int MOST_ON_A_GRID = 3;

  /// The share of the time for the network; the rest is for calibration and posterior.
  private static final double TRAINING = 0.7;

  /// The share of the remaining time for calibration.
  private static final double SETTLING = 0.7;

  private final DeepKernel kernel;
  private final Dataset data;

  DeepFitter(DeepKernel kernel, Dataset data) {
    Fit fit = kernel.fit();
    this.kernel =
        fit.transform().isOpen()
            ? kernel.withFit(fit.withTransform(fit.transform().of(data.target())))
            : kernel;
    this.data = data;
  }

  Model model() throws IOException {
    Fit fit = kernel.fit();
    Settings settings = kernel.settings();
    int[] words = Column.text(data.columns());
    if (words.length > 0)
      throw new IllegalArgumentException(
          "a network reads numbers, and column '%s' holds words; leave it out, or use a model of the rows (shape auto)"
              .formatted(data.columns().get(words[0]).name()));
    int[] varying = data.varying();
    if (varying.length == 0)
      throw new IllegalArgumentException(
          String.format(
              Locale.ROOT,
              "every input is constant in all %,d rows, there is nothing to learn from; choose inputs that vary",
              data.size()));
    Rows rows =
        new Rows(fit.transform().apply(data.keeping(varying)), settings.heldOut(), settings.seed());
    List<String> remarks = new ArrayList<>();
    NetworkMap map;
    try (Network network = Network.of(kernel.network(), rows.centre, rows.scale, settings.seed())) {
      if (fit.shape() == Options.Shape.GRID && network.outputs() > MOST_ON_A_GRID)
        throw new IllegalArgumentException(
            String.format(
                Locale.ROOT,
                "%d features are too many for one grid; use at most %d, or shape auto",
                network.outputs(),
                MOST_ON_A_GRID));
      remarks.add(
          String.format(
              Locale.ROOT,
              "features: %s of %d columns, %d features",
              kernel.network(),
              network.inputs(),
              network.outputs()));
      DeepTrainer trainer = new DeepTrainer(kernel, rows, network);
      Budget.current()
          .share(TRAINING)
          .call(
              () -> {
                trainer.train();
                return trainer;
              });
      remarks.addAll(trainer.notes());
      map = NetworkMap.of(network);
    }
    return rows.held() == 0 ? uncalibrated(map, remarks) : calibrated(map, rows, remarks);
  }

  private Model uncalibrated(NetworkMap map, List<String> remarks) throws IOException {
    remarks.add("calibration: none, no rows were held out; noise and intervals may be too small");
    return kernel.fit().to(Source.of(data), map, remarks);
  }

  /// The log-likelihood of rows held out, learned in its share of the time. If that is too short
  /// for one step, the parameters stay and the log-likelihood is not known.
  private double settled(FeatureProcess process, double[] z, Dataset out) {
    long seed = kernel.settings().seed();
    try {
      return Budget.current()
          .share(SETTLING)
          .call(() -> process.settle(z, out.target(), Rows.weights(out), seed));
    } catch (TimeUpException e) {
      return Double.NaN;
    }
  }

  /// Learns kernel, noise and mean on the rows held out, and uses them in the posterior of all
  /// rows.
  private Model calibrated(NetworkMap map, Rows rows, List<String> remarks) throws IOException {
    Fit fit = kernel.fit();
    Dataset out = rows.out();
    int k = map.outputs();
    double[] z =
        new double
            [Budget.numbers(
                out.size(), k, "the features of the rows", "give fewer rows or features")];
    map.apply(out.inputs(), out.size(), z);
    FeatureProcess process = FeatureProcess.of(fit, k, z, out.target(), rows.spread);
    double likelihood = settled(process, z, out);
    Hyperparameters h = process.hyperparameters();
    Fit whole = fit.withTraining(false);
    for (Parameter p : h.parameters()) whole = whole.set(p.path(), p.values());
    remarks.add(
        Double.isNaN(likelihood)
            ? "calibration: none, the time was too short; noise and intervals may be wrong"
            : String.format(
                Locale.ROOT,
                "calibration: kernel, noise and mean learned on %,d rows held out, -log likelihood %.4f"
                    + " a row; the posterior has all rows",
                out.size(),
                -likelihood / out.size()));
    return whole.to(Source.of(data), map, remarks);
  }
}

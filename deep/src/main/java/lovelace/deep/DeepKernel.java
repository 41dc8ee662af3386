package lovelace.deep;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.Arrays;
import lovelace.Fit;
import lovelace.Model;
import lovelace.data.Dataset;
import lovelace.likelihood.Likelihood;
import lovelace.source.Source;
import org.jspecify.annotations.Nullable;

/// A Gaussian process over the outputs of a network, learned together (Wilson, Hu, Salakhutdinov
/// and Xing 2016).
///
/// ```java
/// Model model = DeepKernel.of(Architecture.layers(1000, 500, 50, 2)).to(data);
/// Prediction p = model.predict(row);
/// ```
///
/// The features of the network lie in a box that a grid covers: one grid for up to three features,
/// and a sum of grids, one per feature, for more. The gradient of the log marginal likelihood in
/// every feature is exact ([lovelace.features.FeatureEvidence]) and is passed back through the
/// network.
///
/// A network fits the rows it learns from more closely than others, so noise learned on those rows
/// is too small. A fraction of the rows is therefore held out. These rows decide when to stop. At
/// the end, kernel, noise and mean are learned on them alone, over the frozen network. The
/// posterior then uses all rows.
///
/// Rows are kept in memory, and a joint step needs about 20 bytes per row for every unit of the
/// network.
///
/// @param network the architecture of the network
/// @param fit kernel, mean, transform, tolerance and everything else about the process over the
///   features
/// @param settings of the training
/// @param watcher receives the progress of training
/// @param checkpoint a file for the state of training, from which the same training can continue;
///   or null. It is removed when training ends
public record DeepKernel(
    Architecture network,
    Fit fit,
    Settings settings,
    Step.Watcher watcher,
    @Nullable Path checkpoint) {

  public DeepKernel {
    if (!fit.likelihood().equals(Likelihood.gaussian()))
      throw new IllegalArgumentException(
          "a network is learned under Gaussian noise of one variance, and the likelihood is %s; leave the network or the likelihood out"
              .formatted(fit.likelihood()));
    if (fit.engine().holdsRows())
      throw new IllegalArgumentException(
          "the %s engine cannot learn a network; use engine auto".formatted(fit.engine()));
    if (fit.grid().isOnData())
      throw new IllegalArgumentException(
          "the data's own grid covers columns, and the grid of a deep kernel covers features; leave it out");
    if (fit.grid().hasRanges())
      throw new IllegalArgumentException(
          "ranges are for columns, and the grid of a deep kernel covers features; leave them out");
    if (!fit.training())
      throw new IllegalArgumentException(
          "a network must be learned, and training is off; turn training on");
  }

  public static DeepKernel of(Architecture network) {
    return new DeepKernel(network, Fit.DEFAULT, Settings.DEFAULT, Step.Watcher.NONE, null);
  }

  public DeepKernel withFit(Fit value) {
    return new DeepKernel(network, value, settings, watcher, checkpoint);
  }

  public DeepKernel withSettings(Settings value) {
    return new DeepKernel(network, fit, value, watcher, checkpoint);
  }

  public DeepKernel withWatcher(Step.Watcher value) {
    return new DeepKernel(network, fit, settings, value, checkpoint);
  }

  public DeepKernel withCheckpoint(@Nullable Path file) {
    return new DeepKernel(network, fit, settings, watcher, file);
  }

  /// Makes the model of a data set.
  public Model to(Dataset data) {
    try {
      return fit.budget().call(() -> new DeepFitter(this, data).model());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /// Makes the model of a source. Its rows are read into memory.
  public Model to(Source source) throws IOException {
    int d = source.columns().size();
    var all =
        new Object() {
          double[] x = new double[0];
          double[] y = new double[0];
          double @Nullable [] w;
          int n;
        };
    source.read(
        (count, x, y, given) -> {
          double[] weights = given.orElse(null);
          int n = Math.addExact(all.n, count);
          if (n > all.y.length) {
            int room = (int) Math.min(Integer.MAX_VALUE / Math.max(d, 1) - 8L, 2L * n);
            all.x = Arrays.copyOf(all.x, Math.multiplyExact(room, d));
            all.y = Arrays.copyOf(all.y, room);
          }
          System.arraycopy(x, 0, all.x, all.n * d, count * d);
          System.arraycopy(y, 0, all.y, all.n, count);
          if (weights != null || all.w != null) {
            double[] w = all.w == null ? new double[n] : Arrays.copyOf(all.w, n);
            Arrays.fill(w, all.w == null ? 0 : all.n, n, 1); // rows without weights
            if (weights != null) System.arraycopy(weights, 0, w, all.n, count);
            all.w = w;
          }
          all.n = n;
        });
    Dataset data =
        Dataset.of(
            Arrays.copyOf(all.x, all.n * d),
            source.columns(),
            Arrays.copyOf(all.y, all.n),
            source.target());
    double[] w = all.w;
    Dataset rows = w == null ? data : data.withWeights(w);
    return fit.budget().call(() -> new DeepFitter(this, rows).model());
  }
}

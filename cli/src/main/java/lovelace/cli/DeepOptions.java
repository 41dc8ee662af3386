package lovelace.cli;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/// The options of `fit` that learn a network. This class also loads if networks are not installed,
/// so it names none of their types.
final class DeepOptions {

  @Option(
      names = "--deep",
      split = ",",
      paramLabel = "SIZE",
      description =
          "Learn a network with layers of these sizes, such as 1000,500,50,2. The last size is "
              + "the number of features. Up to three features share one grid. With more, the model "
              + "is a sum of functions of one feature each.")
  private List<Integer> deep = new ArrayList<>();

  @Option(
      names = "--dropout",
      paramLabel = "P",
      description =
          "With --deep: the share of each layer that training drops at random (default: 0).")
  private double dropout = 0;

  @Option(
      names = "--held-out",
      paramLabel = "P",
      description =
          "With --deep: the share of rows used to stop training and to calibrate (default: 0.1).")
  private @Nullable Double heldOut;

  @Option(
      names = "--deep-steps",
      split = ",",
      paramLabel = "N",
      description =
          "With --deep: the most steps of the warm-up, and of the joint training after it "
              + "(default: 4000,100).")
  private List<Integer> deepSteps = new ArrayList<>();

  @Option(
      names = "--checkpoint",
      paramLabel = "FILE",
      description =
          "With --deep: keep the state of training in this file, and continue from it if it "
              + "exists. It is removed when training ends.")
  private @Nullable Path checkpoint;

  /// Whether a network was asked for.
  boolean given() {
    return !deep.isEmpty();
  }

  /// Refuses options of a network without `--deep`, and with it the options that networks do not
  /// have.
  ///
  /// @param otherLearning whether other starts or another optimiser were asked for
  void check(boolean otherLearning) {
    if (deep.isEmpty()
        && (dropout != 0 || checkpoint != null || !deepSteps.isEmpty() || heldOut != null))
      throw new IllegalArgumentException(
          "--dropout, --held-out, --deep-steps and --checkpoint need a network; pass --deep"
              + " 1000,500,50,2 with them");
    if (!deepSteps.isEmpty() && deepSteps.size() != 2)
      throw new IllegalArgumentException(
          "--deep-steps needs two numbers, those of the warm-up and of the joint steps, got "
              + deepSteps.size()
              + "; write --deep-steps 4000,100");
    if (!deep.isEmpty() && otherLearning)
      throw new IllegalArgumentException(
          "--deep always learns from one start with Adam; leave out --starts and --optimizer, or --deep");
    if (!deep.isEmpty()) Networks.require("--deep");
    if (checkpoint != null) Output.checkFolder("--checkpoint", checkpoint);
  }

  int[] sizes() {
    return deep.stream().mapToInt(Integer::intValue).toArray();
  }

  double dropout() {
    return dropout;
  }

  Optional<Double> heldOut() {
    return Optional.ofNullable(heldOut);
  }

  /// The most steps of the warm-up and of the joint steps; empty if not given.
  List<Integer> steps() {
    return deepSteps;
  }

  Optional<Path> checkpoint() {
    return Optional.ofNullable(checkpoint);
  }
}

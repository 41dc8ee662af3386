package lovelace.cli;

import java.io.IOException;
import lovelace.Fit;
import lovelace.Model;
import lovelace.deep.Architecture;
import lovelace.deep.DeepKernel;
import lovelace.deep.Settings;
import lovelace.deep.Step;
import lovelace.source.Source;

/// Networks. An installation may lack them, because the archive of the command leaves them out. No
/// other class of this module names their types, and this one only inside methods that need them.
final class Networks {

  private Networks() {}

  /// Whether they are installed.
  static boolean installed() {
    try {
      Class.forName("lovelace.deep.DeepKernel", false, Networks.class.getClassLoader());
      return true;
    } catch (ClassNotFoundException e) {
      return false;
    }
  }

  /// Refuses an option or command that needs networks if they are missing.
  ///
  /// @param what the option or command that needs them
  static void require(String what) {
    if (!installed())
      throw new IllegalArgumentException(
          what
              + " needs networks, which are not installed; unpack lovelace-deep-"
              + Version.number()
              + " over this installation, as docs/install.md says");
  }

  /// Learns the network that the options ask for, and the model over it.
  static Model fit(DeepOptions options, Fit fit, Source source, long seed, LearningLine line)
      throws IOException {
    Settings seeded = Settings.DEFAULT.withSeed(seed);
    Settings held =
        options
            .heldOut()
            .map(share -> Named.of("--held-out", () -> seeded.withHeldOut(share)))
            .orElse(seeded);
    Settings settings =
        options.steps().isEmpty()
            ? held
            : Named.of(
                "--deep-steps",
                () ->
                    held.withWarmUp(options.steps().get(0), held.batch(), held.warmUpRate())
                        .withSteps(options.steps().get(1)));
    Architecture layers = Named.of("--deep", () -> Architecture.layers(options.sizes()));
    return DeepKernel.of(Named.of("--dropout", () -> layers.withDropout(options.dropout())))
        .withFit(fit)
        .withSettings(settings)
        .withWatcher(
            step -> {
              line.network(
                  step.phase() == Step.Phase.WARM_UP ? "warm-up" : "learning",
                  step.step(),
                  step.of(),
                  step.objective(),
                  step.heldOutNlpd(),
                  step.heldOutRmse());
              return true;
            })
        .withCheckpoint(options.checkpoint().orElse(null))
        .to(source);
  }
}

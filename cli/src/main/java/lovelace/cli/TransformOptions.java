package lovelace.cli;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Optional;
import lovelace.data.TargetTransform;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/// How the target is transformed: by the name of a transform, or as in a model.
final class TransformOptions {

  private static final String AUTO = "auto";

  @Option(
      names = "--transform",
      paramLabel = "auto|none|log|ranks",
      description =
          "Model the target itself (none), its logarithm (log), or the normal scores of its ranks"
              + " (ranks, for heavy tails). The default is auto: none with up to three inputs,"
              + " otherwise the best on held-out rows.")
  private String transform = AUTO;

  @Option(
      names = "--transform-from",
      paramLabel = "MODEL",
      description =
          "Transform the target as this model does. Models with ranks can be merged only if they"
              + " have the same ranks: fit the first, and the others with the transform of the"
              + " first.")
  private @Nullable Path from;

  /// Refuses a transform if there is no target.
  void requireNone() {
    if (from != null || (!transform.equals(AUTO) && !transform.equals("none")))
      throw new IllegalArgumentException(
          "%s changes a target, and --intensity has no target; leave out one of the two"
              .formatted(from != null ? "--transform-from " + from : "--transform " + transform));
  }

  /// The transform that was asked for; empty if it is to be chosen.
  Optional<TargetTransform> asked() throws IOException {
    if (from != null) {
      if (!transform.equals(AUTO))
        throw new IllegalArgumentException(
            "--transform %s and --transform-from %s both choose the transform; leave out one of the two"
                .formatted(transform, from));
      Path file = from;
      Named.check("--transform-from", () -> ModelOptions.requireFile(file));
      return Optional.of(new ModelOptions().read(from).model().transform());
    }
    return transform.equals(AUTO)
        ? Optional.empty()
        : Optional.of(Named.of("--transform", () -> TargetTransform.parse(transform)));
  }
}

package lovelace.cli;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import lovelace.cli.RowSize.Kind;
import lovelace.likelihood.Likelihood;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/// The column that says how much each row counts. Each of its possible meanings has an option.
final class SizeOptions {

  @Option(
      names = "--weights",
      paramLabel = "COLUMN",
      description = "The weight of each row. A row of weight w has noise variance noise/w.")
  private @Nullable String weights;

  @Option(
      names = "--exposure",
      paramLabel = "COLUMN",
      description =
          "What each count was observed over, such as hours or people. Rates are per unit of "
              + "it. With likelihood poisson or negative-binomial.")
  private @Nullable String exposure;

  @Option(
      names = "--trials",
      paramLabel = "COLUMN",
      description = "The number of trials of each row. With likelihood binomial.")
  private @Nullable String trials;

  @Option(
      names = "--noise-sd",
      paramLabel = "COLUMN",
      description = "The standard deviation of each row's noise, if it is known.")
  private @Nullable String deviation;

  @Option(
      names = "--noise-variance",
      paramLabel = "COLUMN",
      description = "The variance of each row's noise, if it is known.")
  private @Nullable String variance;

  /// The option that was given; null if none was.
  @Nullable RowSize given() {
    List<RowSize> all = new ArrayList<>();
    add(all, Kind.WEIGHT, weights);
    add(all, Kind.EXPOSURE, exposure);
    add(all, Kind.TRIALS, trials);
    add(all, Kind.NOISE_SD, deviation);
    add(all, Kind.NOISE_VARIANCE, variance);
    if (all.size() > 1)
      throw new IllegalArgumentException(
          "%s cannot be given together; leave out all but one"
              .formatted(
                  all.stream().map(s -> s.kind().option()).collect(Collectors.joining(" and "))));
    return all.isEmpty() ? null : all.getFirst();
  }

  private static void add(List<RowSize> all, Kind kind, @Nullable String column) {
    if (column != null) all.add(new RowSize(kind, column));
  }

  /// The option that was given, which must suit the likelihood. Null if none was given and none is
  /// needed.
  @Nullable RowSize of(Likelihood likelihood) {
    RowSize given = suiting(likelihood);
    if (given != null) return given;
    return switch (likelihood.size()) {
      case TRIALS ->
          throw new IllegalArgumentException(
              "likelihood %s needs the number of trials of each row; name their column with --trials COLUMN"
                  .formatted(likelihood.name()));
      case PRECISION ->
          throw new IllegalArgumentException(
              "this model knows the noise of each row; name its column with --noise-sd COLUMN or --noise-variance COLUMN");
      case NONE, WEIGHT, EXPOSURE -> null;
    };
  }

  /// The option that was given, which must suit the likelihood; null if none was.
  @Nullable RowSize suiting(Likelihood likelihood) {
    RowSize given = given();
    if (given != null && given.kind().size() != likelihood.size())
      throw new IllegalArgumentException(
          "%s is for likelihood %s, and the likelihood is %s; leave it out"
              .formatted(given.kind().option(), given.kind().likelihoods(), likelihood));
    return given;
  }
}

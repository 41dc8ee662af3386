package lovelace.cli;

import java.io.IOException;
import java.util.List;
import lovelace.Model;
import lovelace.cli.RowSize.Kind;
import lovelace.data.Column;
import lovelace.likelihood.Likelihood;
import lovelace.likelihood.Likelihood.Of;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;

/// The option that says which quantity a prediction or draw has: the function, the rate or
/// probability that the likelihood makes of it, or an observation.
final class OfOptions {

  @Mixin private final AskedOptions asked = new AskedOptions();

  @Mixin private final SizeOptions sizes = new SizeOptions();

  /// The quantity that was asked for. The likelihood must have it.
  Of of(Likelihood likelihood) {
    return asked.of(likelihood);
  }

  /// The columns of sizes that were named.
  SizeOptions sizes() {
    return sizes;
  }

  /// The column of sizes of the observations that were asked for; null if all have size one.
  @Nullable RowSize size(Likelihood likelihood) {
    if (of(likelihood) == Of.OBSERVATION)
      return likelihood.size() == Likelihood.Size.PRECISION
          ? sizes.of(likelihood)
          : sizes.suiting(likelihood);
    RowSize given = sizes.suiting(likelihood);
    if (given != null)
      throw new IllegalArgumentException(
          "%1$s needs --of observation, and these predictions are of the %2$s; pass --of observation, or leave %1$s out"
              .formatted(given.kind().option(), of(likelihood)));
    return null;
  }

  /// Reads a model's inputs, and after them the sizes if there are any.
  Reading reading(Model model, Table table, ReadingOptions options) throws IOException {
    RowSize size = size(model.likelihood());
    List<Column> others = size == null ? List.of() : List.of(TableSource.column(table, size));
    return options.rows(model, table, others, size);
  }

  /// The sizes of rows: from the column after the d inputs, or one each.
  static double[] sizes(int count, double[][] columns, int d) {
    double[] all = new double[count];
    for (int i = 0; i < count; i++)
      all[i] = columns.length > d && columns[d][i] > 0 ? columns[d][i] : 1; // also for skipped rows
    return all;
  }

  /// Remarks beside the output if rows have sizes and none were given.
  void remark(CommandSpec spec, Likelihood likelihood) {
    if (of(likelihood) != Of.OBSERVATION || size(likelihood) != null) return;
    for (Kind kind : new Kind[] {Kind.EXPOSURE, Kind.TRIALS})
      if (kind.size() == likelihood.size())
        spec.commandLine()
            .getErr()
            .printf(
                "lovelace: every observation has %s 1; %s COLUMN gives each row its own%n",
                likelihood.size(), kind.option());
  }
}

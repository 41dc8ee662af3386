package lovelace.cli;

import java.util.ArrayList;
import java.util.List;
import lovelace.Model;
import lovelace.cli.Reading.Missing;
import lovelace.cli.Reading.Unseen;
import lovelace.data.Column;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/// Options for how a command reads the rows of a table for a model.
final class ReadingOptions {

  @Option(
      names = "--missing",
      paramLabel = "error|skip|mean",
      description =
          "What to do if a value is missing: stop (error), leave the row out so that its results"
              + " are empty (skip), or use the mean of the rows of the fit (mean). The default is"
              + " mean if the model was fitted with --missing mean, otherwise error.")
  private @Nullable Missing missing;

  @Option(
      names = "--unseen",
      paramLabel = "mean|error",
      description =
          "What to do with a word that the model has not seen: predict from the other columns "
              + "(mean) or stop (error) (default: mean).")
  private Unseen unseen = Unseen.MEAN;

  /// Reads the inputs of a model.
  Reading inputs(Model model, Table table) {
    return new Reading(
            Reading.columns(Models.inputs(model, table), missing),
            missing == null ? Missing.ERROR : missing,
            unseen)
        .at(model.place());
  }

  /// Reads the inputs of a model and other columns, whose values are never replaced.
  ///
  /// @param size the kind of the last of the others; null if it is not a size
  Reading rows(Model model, Table table, List<Column> others, @Nullable RowSize size) {
    List<Column> all = new ArrayList<>(Reading.columns(Models.inputs(model, table), missing));
    int inputs = all.size();
    all.addAll(others);
    return new Reading(all, inputs, size, missing == null ? Missing.ERROR : missing, unseen)
        .at(model.place());
  }
}

package lovelace.cli;

import java.io.IOException;
import java.nio.file.Path;
import lovelace.Model;
import lovelace.likelihood.Likelihood;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Parameters;

/// Options of commands that show further rows to a model: the model, and columns of the
/// observations.
final class ModelRows {

  @Parameters(index = "0", paramLabel = "MODEL", description = "The model file to read.")
  @SuppressWarnings("NullAway.Init") // picocli sets it before call()
  private Path model;

  @Parameters(
      index = "1",
      arity = "0..1",
      paramLabel = "TABLE",
      description =
          "The rows, with the model's inputs and its target. - is standard input. With --sql it "
              + "may be a JDBC URL.")
  private @Nullable String table;

  @Mixin private final ModelOptions models = new ModelOptions();

  @Mixin private final RowOptions rows = new RowOptions();

  @Mixin private final ReadingOptions reading = new ReadingOptions();

  @Mixin private final CovariateOptions covariates = new CovariateOptions();

  Path model() {
    return model;
  }

  Model load(CommandSpec spec) throws IOException {
    return models.load(spec, model);
  }

  ModelOptions models() {
    return models;
  }

  Table open() throws IOException {
    return rows.tables.open(table);
  }

  /// Whether the model needs an exposure that no option names.
  boolean lacksExposure(Model of) {
    return of.likelihood().size() == Likelihood.Size.EXPOSURE && rows.sizes.given() == null;
  }

  /// The columns of the opened table that the model reads.
  TableSource source(Table opened, Model of) throws IOException {
    covariates.addTo(opened, of);
    return TableSource.of(opened, of, rows.sizes.of(of.likelihood()), reading);
  }
}

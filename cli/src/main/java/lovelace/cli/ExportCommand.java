package lovelace.cli;

import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.Callable;
import lovelace.Model;
import lovelace.forecast.ForecastFile;
import lovelace.likelihood.Likelihood;
import lovelace.onnx.OnnxExport;
import lovelace.onnx.OnnxFile;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/// `lovelace export`: writes a model for programs that do not know Lovelace.
@Command(
    name = "export",
    customSynopsis = {"lovelace export MODEL --out FILE [OPTIONS]"},
    description = {
      "Write a model as an ONNX graph, or its predictions as a table.",
      "The graph runs in Python, C#, JavaScript, a browser or a phone without Lovelace. Its "
          + "outputs are mean, variance, stddev, lower, upper and outside, one value for each "
          + "row. The table holds predictions on a regular grid: .parquet, .csv, .tsv or .json.",
      "",
      "Only models on a grid can be written. The file holds no training rows. What a graph "
          + "cannot express is refused. Beyond the grid the graph tends to the prior, and differs "
          + "there from the model itself.",
      "",
      "Examples:",
      "  lovelace export model.lvl --out model.onnx",
      "  lovelace export model.lvl --out small.onnx --float32 --of observation \\",
      "      --interval 0.9",
      "  lovelace inspect model.onnx",
      "  lovelace export model.lvl --out table.parquet --grid 1000x1000"
    })
final class ExportCommand implements Callable<Integer> {

  @Spec
  @SuppressWarnings("NullAway.Init") // picocli sets it before call()
  private CommandSpec spec;

  @Parameters(paramLabel = "MODEL", description = "The model file to read.")
  @SuppressWarnings("NullAway.Init")
  private Path model;

  @Mixin private final ModelOptions models = new ModelOptions();

  @Option(
      names = "--out",
      required = true,
      paramLabel = "FILE",
      description =
          "The file to write (required): .onnx for a graph; .parquet, .csv, .tsv or .json for a "
              + "table.")
  @SuppressWarnings("NullAway.Init")
  private Path out;

  @Mixin private final AskedOptions asked = new AskedOptions();

  @Option(
      names = "--interval",
      paramLabel = "LEVEL",
      description = "The probability between lower and upper (default: 0.95).")
  private double interval = 0.95;

  @Option(
      names = "--inputs",
      paramLabel = "x|columns",
      description =
          "What the graph reads: one tensor x of rows and columns (x), or one tensor for each "
              + "column by its name, with words as texts (columns) (default: x).")
  private OnnxExport.Inputs inputs = OnnxExport.Inputs.X;

  @Option(
      names = "--float32",
      description = "Use numbers of 32 bits, half the size. The error is measured and printed.")
  private boolean float32 = false;

  @Option(names = "--json", description = "Print what was written as JSON on standard output.")
  private boolean json = false;

  @Mixin private final GridRows grid = new GridRows();

  @Mixin private final CovariateOptions covariates = new CovariateOptions();

  @Override
  public Integer call() throws IOException {
    refuseForecasts();
    boolean graph = out.toString().toLowerCase(Locale.ROOT).endsWith(".onnx");
    if (!graph) requireTable();
    Output.checkFolder("--out", out);
    return graph ? graph() : table();
  }

  /// Refuses a file of forecasts. Their input is the whole history of a series, which is in the
  /// file and grows: a graph would be a list of answers, or take histories of one length only.
  private void refuseForecasts() throws IOException {
    if (ForecastFile.isOne(model))
      throw new IllegalArgumentException(
          "'%1$s' holds forecasts of series, which are computed from histories and not from inputs, so there is no graph of them; write them as a table with 'lovelace forecast --model %1$s --out next.parquet', or serve them with 'lovelace serve %1$s'"
              .formatted(model));
  }

  private void requireTable() {
    try {
      Output.options(out.toString());
    } catch (IllegalArgumentException e) {
      throw new IllegalArgumentException(
          "--out '%s' must end in .onnx for a graph, or in .parquet, .csv, .tsv or .json for a table"
              .formatted(out),
          e);
    }
    if (float32 || inputs != OnnxExport.Inputs.X)
      throw new IllegalArgumentException(
          "%s is only for graphs, and '%s' is a table; leave it out, or write a file that ends in .onnx"
              .formatted(float32 ? "--float32" : "--inputs", out));
    if (!(interval > 0 && interval < 1))
      throw new IllegalArgumentException(
          "--interval must lie between 0 and 1, got " + interval + "; 0.95 is usual");
  }

  /// Writes predictions on a grid.
  private int table() throws IOException {
    long start = System.nanoTime();
    Model loaded = models.load(spec, model);
    Likelihood.Of of = asked.of(loaded.likelihood());
    try (Table rows = grid.open(loaded, covariates.columns())) {
      covariates.addTo(rows, loaded);
      long count = grid.rows(loaded, covariates.columns());
      new GridTable(loaded, of, interval, count, spec.commandLine().getErr())
          .write(rows, out.toString());
      double seconds = (System.nanoTime() - start) / 1e9;
      long bytes = Files.size(out);
      PrintWriter print = spec.commandLine().getOut();
      if (json) {
        Map<String, Object> all = new LinkedHashMap<>();
        all.put("files", List.of(out.toString()));
        all.put("rows", count);
        all.put("bytes", bytes);
        all.put("seconds", seconds);
        print.println(Json.of(all));
      } else
        print.printf(Locale.ROOT, "%s: %,d rows, %,d bytes, %.1f s%n", out, count, bytes, seconds);
    }
    return 0;
  }

  private int graph() throws IOException {
    if (!grid.given().isEmpty() || !covariates.columns().isEmpty())
      throw new IllegalArgumentException(
          "%s is only for tables, and '%s' is a graph; leave it out, or write a file that ends in .parquet"
              .formatted(grid.given().isEmpty() ? "--drift" : grid.given(), out));
    OnnxExport options =
        Named.of("--interval", () -> OnnxExport.DEFAULT.withInterval(interval))
            .withInputs(inputs)
            .withFloat32(float32);
    Model loaded = models.load(spec, model);
    OnnxFile file = options.withOf(asked.of(loaded.likelihood())).write(loaded, out);
    OnnxReport report = OnnxReport.of(out, file);
    PrintWriter print = spec.commandLine().getOut();
    if (json) {
      Map<String, Object> all = new LinkedHashMap<>();
      all.put("files", List.of(out.toString()));
      all.putAll(report.json());
      print.println(Json.of(all));
    } else report.printShort(print);
    return 0;
  }
}

package lovelace.cli;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Locale;
import java.util.concurrent.Callable;
import lovelace.Model;
import lovelace.onnx.OnnxExport;
import lovelace.onnx.OnnxFile;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/// `lovelace export`: a model for programs that do not know this one.
@Command(
    name = "export",
    description = {
      "Write a model as an ONNX graph, which runs in Python, C#, JavaScript, a browser or a phone",
      "without Lovelace. Outputs: mean, variance, stddev, lower, upper, outside, a value a row.",
      "",
      "Models on a grid can be written; their files hold no rows. What a graph cannot say is refused.",
      "Beyond the grid the graph tends to the prior; it differs there from the model itself.",
      "",
      "Examples:",
      "  lovelace export model.lvl --out model.onnx",
      "  lovelace export model.lvl --out small.onnx --float32 --of observation --interval 0.9",
      "  lovelace inspect model.onnx"
    })
final class ExportCommand implements Callable<Integer> {

  @Spec
  @SuppressWarnings("NullAway.Init") // picocli sets it before call()
  private CommandSpec spec;

  @Parameters(paramLabel = "MODEL", description = "A model file.")
  @SuppressWarnings("NullAway.Init")
  private Path model;

  @Mixin private final ModelOptions models = new ModelOptions();

  @Option(
      names = "--out",
      required = true,
      paramLabel = "FILE",
      description = "Where to: a file that ends in .onnx.")
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
      description = {
        "What the graph reads: one tensor x of rows and columns, or one tensor a column by its name,",
        "words as texts (default: x)."
      })
  private OnnxExport.Inputs inputs = OnnxExport.Inputs.X;

  @Option(
      names = "--float32",
      description = "Numbers of 32 bits, half as long; the error is measured and told.")
  private boolean float32 = false;

  @Override
  public Integer call() throws IOException {
    if (!out.toString().toLowerCase(Locale.ROOT).endsWith(".onnx"))
      throw new IllegalArgumentException(
          "--out '%s' must end in .onnx, which says how to write it".formatted(out));
    Output.checkFolder("--out", out);
    OnnxExport options =
        Named.of("--interval", () -> OnnxExport.DEFAULT.withInterval(interval))
            .withInputs(inputs)
            .withFloat32(float32);
    Model loaded = models.load(model);
    OnnxFile file = options.withOf(asked.of(loaded.likelihood())).write(loaded, out);
    OnnxReport.of(out, file).printShort(spec.commandLine().getOut());
    return 0;
  }
}

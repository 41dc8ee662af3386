package lovelace.cli;

import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.Callable;
import lovelace.experiments.reproduce.Reproduction;
import lovelace.experiments.reproduce.Size;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/// `lovelace reproduce`: makes the paper's tables and figures, with its numbers beside ours.
@Command(
    name = "reproduce",
    customSynopsis = {"lovelace reproduce [EXPERIMENT...] [--out DIR] [OPTIONS]"},
    description = {
      "Make the tables and figures of the paper again.",
      "The paper is Pleiss et al. 2018, Constant-Time Predictive Distributions for Gaussian "
          + "Processes. Writes a report with its numbers beside ours: report.html, report.md, "
          + "results.json and pictures.",
      "",
      "airline is Figure 1, variances Table 2, samples Table 3, iterations Figure 2, "
          + "maxvalue Figure 3, complexity Table 1. Without --data, synthetic sets replace the "
          + "seven sets of the paper. The folder keeps what is finished: the same command "
          + "continues where it stopped. A number that could not be computed is an empty cell of "
          + "the report, and the exit code is 1.",
      "",
      "Example: lovelace reproduce all --quick --out report"
    })
final class ReproduceCommand implements Callable<Integer> {

  private static final String TORCH_THREADS = "ai.djl.pytorch.num_threads";

  @Spec
  @SuppressWarnings("NullAway.Init") // picocli sets it before call()
  private CommandSpec spec;

  @Parameters(
      arity = "0..*",
      paramLabel = "EXPERIMENT",
      description =
          "airline, variances, samples, iterations, maxvalue, complexity or all (default: all).")
  private List<String> experiments = List.of("all");

  @Option(
      names = "--data",
      paramLabel = "DIR",
      description =
          "The folder of the paper's sets: airfoil, skillcraft, parkinsons, pol, elevators, kin40k"
              + " and protein. Each is a folder with data.csv.gz (no header, target last) and "
              + "test_mask.csv.gz.")
  private @Nullable Path data;

  @Option(
      names = "--out",
      paramLabel = "DIR",
      description = "The folder for the report (default: reproduction).")
  private Path out = Path.of("reproduction");

  @Option(names = "--quick", description = "Use smaller sizes. Takes about two minutes in all.")
  private boolean quick = false;

  @Option(
      names = "--points",
      paramLabel = "N",
      description =
          "The number of points of a joint sample in 'samples' (default: 10,000 as in the "
              + "paper, 1,000 with --quick). The exact sampler factors an N × N matrix.")
  private int points = 0;

  @Option(
      names = "--fail-on-red",
      description =
          "Exit with code 1 if a figure is worse than the paper's (red in the report), and list "
              + "these figures. The report is still written.")
  private boolean failOnRed = false;

  @Option(
      names = "--json",
      description = "Print as JSON where the report is, and which figures are red or empty.")
  private boolean json = false;

  @Override
  public Integer call() throws IOException {
    List<String> names =
        experiments.stream().map(name -> name.toLowerCase(Locale.ROOT)).distinct().toList();
    Size size = quick ? Size.QUICK : Size.FULL;
    Reproduction reproduction =
        new Reproduction(
            names.contains("all") ? Reproduction.names() : names,
            points == 0 ? size : Named.of("--points", () -> size.withSamplePoints(points)),
            data,
            out,
            command(names));
    for (String name : reproduction.overNetworks()) Networks.require("reproduce " + name);
    // small networks: threads would wait for each other
    if (quick && System.getProperty(TORCH_THREADS) == null) System.setProperty(TORCH_THREADS, "1");
    Output.makeFolder("--out", out);
    PrintWriter print = spec.commandLine().getOut();
    PrintWriter err = spec.commandLine().getErr();
    Reproduction.Outcome outcome = reproduction.run(err);
    if (json) {
      Map<String, Object> all = new LinkedHashMap<>();
      all.put("report", outcome.page().toString());
      all.put("results", out.resolve("results.json").toString());
      all.put("red", outcome.red());
      all.put("empty", outcome.empty());
      print.println(Json.of(all));
    } else {
      print.println("Report:   " + outcome.page());
      print.println("          " + out.resolve("report.md"));
      print.println("Results:  " + out.resolve("results.json"));
      print.println("Red:      " + outcome.red().size() + " figures");
    }
    print.flush();
    return exitCode(outcome, failOnRed, Quiet.errors(err));
  }

  /// Reports what failed. A missing number of ours always fails; a red one only if that was asked
  /// for.
  static int exitCode(Reproduction.Outcome outcome, boolean failOnRed, PrintWriter err) {
    for (String cell : outcome.empty())
      err.println("lovelace: no number was computed for: " + cell);
    if (failOnRed) for (String cell : outcome.red()) err.println("lovelace: red: " + cell);
    boolean failed = !outcome.empty().isEmpty() || (failOnRed && !outcome.red().isEmpty());
    return failed ? Errors.FAILURE : 0;
  }

  private String command(List<String> names) {
    StringBuilder text = new StringBuilder("lovelace reproduce ").append(String.join(" ", names));
    if (data != null) text.append(" --data ").append(data);
    text.append(" --out ").append(out);
    if (quick) text.append(" --quick");
    if (points != 0) text.append(" --points ").append(points);
    if (failOnRed) text.append(" --fail-on-red");
    return text.toString();
  }
}

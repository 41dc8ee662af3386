package lovelace.cli;

import com.fasterxml.jackson.core.type.TypeReference;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.Callable;
import lovelace.Fit;
import lovelace.budget.Budget;
import lovelace.experiments.LikelihoodFolds;
import lovelace.experiments.LikelihoodLattice;
import lovelace.experiments.LikelihoodOutliers;
import lovelace.experiments.LikelihoodScore;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/// `lovelace bench likelihoods [DIR]`.
@Command(
    name = "likelihoods",
    description = {
      "Measure fits under other likelihoods than the Gaussian one.",
      "",
      "bernoulli, poisson, gamma: a lattice of 550 x 550 cells over [0, 10] x [0, 10] with one",
      "observation each, exponential covariance, variance 1, range 0.3, gamma's shape 2, true",
      "parameters; then one draw with parameters learned from its middle 96 x 96 cells. Scores are",
      "of the latent function, beside Zilber and Katzfuss (2021) and, on windows of 64 x 64 cells,",
      "beside the exact kernel.",
      "",
      "outliers: a curve with 5 %% of its rows moved by 20 standard deviations of the noise,",
      "Student's t beside Gaussian noise. MSE is to the curve.",
      "",
      "coal, banana, motorcycle: sets in DIR, coal.csv.gz (year, count, fold), banana.csv.gz (x1,",
      "x2, class, fold) and motorcycle.csv.gz (ms, acceleration, fold), each fold fitted on the",
      "others. Prints the difference of NLPD, taken fold by fold, if DIR has peers.csv.gz: a",
      "column fold, and the NLPD of another program in a column named after each set.",
      "",
      "Each case runs in its own operating-system process.",
      "",
      "Examples:",
      "  lovelace bench likelihoods --out likelihoods.json",
      "  lovelace bench likelihoods --case poisson --size 200 --draws 2",
      "  lovelace bench likelihoods sets --case coal --case banana"
    })
final class BenchLikelihoods implements Callable<Integer> {

  private static final String OUTLIERS = "outliers";

  @Spec
  @SuppressWarnings("NullAway.Init") // picocli sets it before call()
  private CommandSpec spec;

  @Parameters(
      paramLabel = "DIR",
      arity = "0..1",
      description = "The folder with the sets. Without it no set is measured.")
  private @Nullable Path folder;

  @Option(
      names = "--case",
      paramLabel = "NAME",
      description =
          "What to measure: bernoulli, poisson, gamma, outliers, or a set of DIR. Give it "
              + "several times for several cases (default: all; with DIR only its sets).")
  private List<String> names = new ArrayList<>();

  @Option(
      names = "--size",
      paramLabel = "N",
      description = "The number of cells along each side of the lattice (default: 550).")
  private int size = LikelihoodLattice.SIDE;

  @Option(
      names = "--draws",
      paramLabel = "N",
      description =
          "The number of draws of a lattice, and of the curve with outliers (default: 10).")
  private int draws = 10;

  @Mixin private final LimitOptions.OfBench limits = new LimitOptions.OfBench();

  @Mixin private final ResultOptions output = new ResultOptions(false);

  /// A column of the table: heading, key, format.
  private record Column(String heading, String key, String format) {}

  private static final List<Column> COLUMNS =
      List.of(
          new Column("likelihood", "likelihood", "%s"),
          new Column("runs", "runs", "%.0f"),
          new Column("NLPD", "nlpd", "%.4f"),
          new Column("MSE", "mse", "%.4f"),
          new Column("fit s", "fit_s", "%.1f"),
          new Column("peak MB", "peak_mb", "%,.0f"),
          new Column("MSE / exact", "exact_ratio", "%.4f"),
          new Column("published MSE", "published_mse", "%.3f"),
          new Column("published s", "published_s", "%.0f"),
          new Column("NLPD - peer", "nlpd_difference", "%+.4f"),
          new Column("+-", "nlpd_difference_se", "%.4f"));

  @Override
  public Integer call() throws IOException, InterruptedException {
    if (size < 16 || size > 2000)
      throw new IllegalArgumentException("--size must lie between 16 and 2000, got " + size);
    if (draws < 1 || draws > 1000)
      throw new IllegalArgumentException("--draws must lie between 1 and 1000, got " + draws);
    Fit fit = limits.on(Fit.DEFAULT);
    List<String> cases = cases();
    output.check();
    PrintWriter err = spec.commandLine().getErr();
    List<Map<String, Object>> results = new ArrayList<>();
    int code = 0;
    for (String each : cases) {
      if (cases.size() == 1) {
        for (LikelihoodScore score : measure(each, fit)) results.add(json(score));
      } else {
        ChildProcess child = ChildProcess.run(arguments(each), limits.bytes(), err);
        if (child.code() == 0) {
          results.addAll(new ObjectMapper().readValue(child.output(), new TypeReference<>() {}));
        } else {
          Quiet.errors(err).println("lovelace: " + each + " failed with exit code " + child.code());
          code = child.code() == Errors.WRONG_USE ? Errors.WRONG_USE : Errors.FAILURE;
        }
      }
      output.keep(results);
    }
    print(results);
    return code;
  }

  /// The cases that were asked for, each once.
  private List<String> cases() {
    List<String> lattices =
        Arrays.stream(LikelihoodLattice.Kind.values()).map(BenchLikelihoods::lower).toList();
    List<String> sets = Arrays.stream(LikelihoodFolds.values()).map(LikelihoodFolds::text).toList();
    if (names.isEmpty() && folder == null) {
      List<String> all = new ArrayList<>(lattices);
      all.add(OUTLIERS);
      return all;
    }
    List<String> asked = names.stream().map(String::strip).distinct().toList();
    for (String each : asked) {
      if (!lattices.contains(each) && !sets.contains(each) && !each.equals(OUTLIERS))
        throw new IllegalArgumentException(
            "--case must be %s, %s or %s, got '%s'"
                .formatted(String.join(", ", lattices), OUTLIERS, String.join(", ", sets), each));
      if (folder == null && sets.contains(each))
        throw new IllegalArgumentException(
            "--case %s is a set; name the folder that has %s.csv.gz".formatted(each, each));
    }
    if (asked.isEmpty()) asked = sets;
    for (LikelihoodFolds set : LikelihoodFolds.values())
      if (folder != null && asked.contains(set.text()) && !Files.exists(set.file(folder)))
        throw new IllegalArgumentException(
            "there is no file '%s'; name the folder of the sets, or leave the case out by --case"
                .formatted(set.file(folder)));
    return asked;
  }

  private static String lower(Enum<?> value) {
    return value.name().toLowerCase(Locale.ROOT);
  }

  /// The command that measures one case.
  private List<String> arguments(String of) {
    List<String> all = new ArrayList<>(List.of("bench", "likelihoods"));
    if (folder != null) all.add(folder.toString());
    all.addAll(List.of("--case=" + of, "--size=" + size, "--draws=" + draws, "--json"));
    all.addAll(limits.arguments());
    if (spec.findOption("--threads").getValue() instanceof Integer n && n > 0)
      all.add("--threads=" + n);
    return all;
  }

  private List<LikelihoodScore> measure(String of, Fit fit) throws IOException {
    try (var progress = new BenchProgress(spec.commandLine().getErr(), of)) {
      if (of.equals(OUTLIERS)) return LikelihoodOutliers.measure(draws, fit, progress);
      for (LikelihoodLattice.Kind kind : LikelihoodLattice.Kind.values())
        if (lower(kind).equals(of))
          return Budget.of(fit.limits().time(), fit.limits().memory(), System::nanoTime)
              .call(() -> LikelihoodLattice.measure(kind, size, draws, progress));
      for (LikelihoodFolds set : LikelihoodFolds.values())
        if (folder != null && set.text().equals(of))
          return List.of(set.measure(folder, fit, progress));
      throw new IllegalStateException(of);
    }
  }

  private static Map<String, Object> json(LikelihoodScore score) {
    Map<String, Object> result = new LinkedHashMap<>();
    result.put("problem", score.problem());
    result.put("likelihood", score.likelihood());
    result.put("nlpd", score.nlpd());
    result.put("mse", score.mse());
    result.put("fit_s", score.seconds());
    result.put("peak_mb", score.peakBytes() / 1e6);
    result.put("runs", score.runs());
    put(result, "exact_ratio", score.exactRatio());
    put(result, "published_mse", score.published().mse());
    put(result, "published_s", score.published().seconds());
    put(result, "nlpd_difference", score.difference().mean());
    put(result, "nlpd_difference_se", score.difference().standardError());
    if (!score.parameters().isEmpty()) result.put("parameters", score.parameters());
    return result;
  }

  /// Adds a value unless it is NaN.
  private static void put(Map<String, Object> result, String key, double value) {
    if (!Double.isNaN(value)) result.put(key, value);
  }

  private void print(List<Map<String, Object>> results) {
    PrintWriter out = spec.commandLine().getOut();
    if (output.print(out, results)) return;
    if (results.isEmpty()) return;
    List<Column> shown =
        COLUMNS.stream()
            .filter(column -> results.stream().anyMatch(one -> one.containsKey(column.key)))
            .toList();
    List<List<String>> rows = new ArrayList<>();
    List<String> head = new ArrayList<>(List.of("problem"));
    shown.forEach(column -> head.add(column.heading));
    rows.add(head);
    for (Map<String, Object> result : results) {
      List<String> row = new ArrayList<>(List.of(String.valueOf(result.get("problem"))));
      for (Column column : shown)
        row.add(
            switch (result.get(column.key)) {
              case Number n -> String.format(Locale.ROOT, column.format, n.doubleValue());
              case String text -> text;
              case null, default -> "-";
            });
      rows.add(row);
    }
    out.println(
        "Means of runs: draws or folds. NLPD and MSE on a lattice are of the latent function.");
    Bench.align(out, rows);
    for (Map<String, Object> result : results)
      if (result.get("parameters") instanceof String learned)
        out.println("Learned, " + result.get("likelihood") + ": " + learned);
  }
}

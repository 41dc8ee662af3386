package lovelace.cli;

import com.fasterxml.jackson.core.type.TypeReference;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.stream.Stream;
import lovelace.Fit;
import lovelace.experiments.RegressionSet;
import lovelace.experiments.SyntheticTable;
import lovelace.experiments.TableBenchmark;
import lovelace.experiments.TableModel;
import lovelace.experiments.WarmMedian;
import lovelace.neighbours.NeighbourGp;
import lovelace.options.Options;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/// `lovelace bench tables DIR`.
@Command(
    name = "tables",
    customSynopsis = {
      "lovelace bench tables DIR [--out DIR] [--out FILE.json] [OPTIONS]",
      "lovelace bench tables --rows N [OPTIONS]"
    },
    description = {
      "Fit tables of many columns in several ways and score each.",
      "DIR has a folder for each set, with data.csv.gz (rows of numbers without a header, "
          + "target last) and test_mask.csv.gz (a column of 0 and 1 for each split; rows with 1 "
          + "are scored).",
      "",
      "Each method runs on each set in its own process. It gets the table as it is. Scores "
          + "are of the target standardised by the training rows, noise included.",
      "",
      "Methods: auto (what fit does by default), neighbours (--engine neighbours), exact "
          + "(the exact process with the likeliest of four kernels), additive, projection, deep "
          + "(a network 1000,500,50,2).",
      "",
      "Examples:",
      "  lovelace bench tables uci --out tables.json --out pictures",
      "  lovelace bench tables uci --set pol --method auto --method deep",
      "  lovelace bench tables --rows 1e6 --columns 8"
    })
final class BenchTables implements Callable<Integer> {

  /// The most rows for which the exact process is learned without being asked for.
  private static final int EXACT_UNASKED = 6000;

  private static final long SEED = 1;

  /// One measurement: a model of one table.
  private record Case(RegressionSet set, TableModel model) {
    @Override
    public String toString() {
      return set.name() + ", " + model;
    }
  }

  @Spec
  @SuppressWarnings("NullAway.Init") // picocli sets it before call()
  private CommandSpec spec;

  @Parameters(
      paramLabel = "DIR",
      arity = "0..1",
      description = "The folder with one folder for each set. Not with --rows.")
  private @Nullable Path folder;

  @Option(
      names = "--set",
      paramLabel = "NAME",
      description = "A set of DIR. Give it several times for several sets (default: all).")
  private List<String> sets = new ArrayList<>();

  @Option(
      names = "--method",
      paramLabel = "NAME",
      description =
          "A method to measure. Give it several times for several methods (default: auto, "
              + "additive, projection, and exact up to 6,000 rows; with --rows only auto). exact "
              + "takes at most 15,000 rows.")
  private List<String> models = new ArrayList<>();

  @Option(
      names = "--split",
      paramLabel = "S",
      description = "The split to score, counted from 0 (default: 0).")
  private int split = 0;

  @Option(
      names = "--rows",
      paramLabel = "N",
      description =
          "Instead of DIR: generate a table of N rows, a smooth function of its columns plus "
              + "noise.")
  private @Nullable String rows;

  @Option(
      names = "--columns",
      paramLabel = "D",
      description = "With --rows: the number of columns (default: 8).")
  private @Nullable Integer columns;

  @Option(
      names = "--warmup",
      paramLabel = "SECONDS",
      description =
          "How long to warm up each measurement (default: 0.5). It takes up to six times as "
              + "long while it still gets faster. 0 measures everything once, cold.")
  private double warmup = 0.5;

  @Mixin private final LimitOptions.OfTables limits = new LimitOptions.OfTables();

  @Mixin private final ResultOptions output = new ResultOptions(true);

  @Override
  public Integer call() throws IOException, InterruptedException {
    List<TableModel> asked =
        models.stream()
            .map(name -> Named.of("--method", () -> TableModel.parse(name.strip())))
            .distinct()
            .toList();
    if (asked.contains(TableModel.DEEP)) Networks.require("--model deep");
    if (!(warmup >= 0 && warmup <= 3600))
      throw new IllegalArgumentException(
          "--warmup must lie between 0 and 3600 seconds, got " + warmup);
    Fit fit = limits.on(Fit.DEFAULT);
    output.check();
    PrintWriter err = spec.commandLine().getErr();
    TablesReport report = new TablesReport();
    List<Case> cases = new ArrayList<>();
    for (RegressionSet set : tables(err)) cases.addAll(cases(set, asked, report));
    Path out = output.folder(); // for a picture of the scores
    if (out != null) Output.makeFolder("--out", out);
    int code = 0;
    for (Case each : cases) {
      if (cases.size() == 1) {
        report.add(measure(each, fit));
      } else {
        ChildProcess child = ChildProcess.run(arguments(each), limits.bytes(), err);
        if (child.code() == 0) {
          List<Map<String, @Nullable Object>> found =
              new ObjectMapper().readValue(child.output(), new TypeReference<>() {});
          found.forEach(report::add);
        } else {
          Quiet.errors(err).println("lovelace: " + each + " failed with exit code " + child.code());
          report.leaveOut(each.set.name(), each.model, "it failed with exit code " + child.code());
          code = child.code() == Errors.WRONG_USE ? Errors.WRONG_USE : Errors.FAILURE;
        }
      }
      output.keep(report.results());
    }
    PrintWriter print = spec.commandLine().getOut();
    if (!output.print(print, report.results())) report.print(print, split, cores());
    if (out != null && !report.results().isEmpty()) {
      Path picture = out.resolve("tables.png");
      report.picture().write(picture);
      if (!output.json()) print.println("Picture:  " + picture);
    }
    return code;
  }

  /// The tables that were asked for. They are read before any work is done.
  private List<RegressionSet> tables(PrintWriter err) throws IOException {
    if (split < 0) throw new IllegalArgumentException("--split must be >= 0, got " + split);
    if (columns != null && (columns < 1 || columns > 100))
      throw new IllegalArgumentException("--columns must lie between 1 and 100, got " + columns);
    if (rows != null) {
      int count = (int) Bench.count("--rows", rows, 50, NeighbourGp.MOST_ROWS);
      if (folder != null || !sets.isEmpty() || split != 0)
        throw new IllegalArgumentException(
            "--rows generates a table, so DIR, --set and --split do not apply; leave them out, or"
                + " leave out --rows");
      return List.of(SyntheticTable.of(count, columns == null ? 8 : columns, SEED));
    }
    if (columns != null)
      throw new IllegalArgumentException(
          "--columns is for a generated table; add --rows, or leave --columns out");
    if (folder == null)
      throw new IllegalArgumentException(
          "name a folder of sets, or give --rows 1e6 for a generated table");
    List<RegressionSet> all = new ArrayList<>();
    for (Path each : folders(folder, err)) {
      err.println("lovelace: reading '" + each + "'");
      all.add(RegressionSet.read(each, split));
    }
    return all;
  }

  private List<Path> folders(Path in, PrintWriter err) throws IOException {
    if (!Files.isDirectory(in))
      throw new IllegalArgumentException(
          "'%s' is not a folder; name a folder with one folder per set".formatted(in));
    List<Path> inside;
    try (Stream<Path> found = Files.list(in)) {
      inside = found.filter(Files::isDirectory).sorted().toList();
    }
    List<Path> all = inside.stream().filter(RegressionSet::describes).toList();
    if (all.isEmpty())
      throw new IllegalArgumentException(
          "there is no folder with data.csv.gz and test_mask.csv.gz in '" + in + "'");
    if (sets.isEmpty()) {
      for (Path other : inside)
        if (!all.contains(other))
          err.println(
              "lovelace: skipped '%s', which has no %s"
                  .formatted(other, String.join(" and no ", RegressionSet.missing(other))));
      return all;
    }
    List<Path> chosen = new ArrayList<>();
    for (String name : sets.stream().distinct().toList())
      chosen.add(
          all.stream()
              .filter(each -> String.valueOf(each.getFileName()).equals(name))
              .findFirst()
              .orElseThrow(() -> unknown(in, name, all)));
    return chosen;
  }

  private static IllegalArgumentException unknown(Path in, String name, List<Path> all) {
    return new IllegalArgumentException(
        "--set: '%s' has no set '%s'; it has %s"
            .formatted(
                in,
                name,
                String.join(
                    ", ", all.stream().map(p -> String.valueOf(p.getFileName())).toList())));
  }

  /// The models to measure for a set. Those that would take too long are left out, and the report
  /// says why.
  private List<Case> cases(RegressionSet set, List<TableModel> asked, TablesReport report) {
    int n = set.train().size();
    List<TableModel> wanted =
        !asked.isEmpty()
            ? asked
            : rows != null
                ? List.of(TableModel.AUTO)
                : List.of(
                    TableModel.AUTO, TableModel.EXACT, TableModel.ADDITIVE, TableModel.PROJECTION);
    int most = asked.isEmpty() ? EXACT_UNASKED : Options.EXACT_ROWS;
    List<Case> all = new ArrayList<>();
    for (TableModel model : wanted)
      if (model == TableModel.EXACT && n > most)
        report.leaveOut(
            set.name(),
            model,
            String.format(
                Locale.ROOT,
                "%,d rows take too long to learn exactly; the limit%s is %,d",
                n,
                asked.isEmpty() ? " without --method exact" : "",
                most));
      else all.add(new Case(set, model));
    return all;
  }

  /// The command that measures one model of one set.
  private List<String> arguments(Case of) {
    List<String> all = new ArrayList<>(List.of("bench", "tables"));
    if (rows != null) {
      all.add("--rows=" + rows);
      if (columns != null) all.add("--columns=" + columns);
    } else all.addAll(List.of(folder + "", "--set=" + of.set.name(), "--split=" + split));
    all.addAll(List.of("--method=" + of.model, "--json", "--warmup=" + warmup));
    all.addAll(limits.arguments());
    if (threads() > 0) all.add("--threads=" + threads());
    return all;
  }

  private int threads() {
    return spec.findOption("--threads").getValue() instanceof Integer n ? n : 0;
  }

  private int cores() {
    return threads() > 0 ? threads() : Runtime.getRuntime().availableProcessors();
  }

  private Map<String, @Nullable Object> measure(Case of, Fit fit) throws IOException {
    try (var progress = new BenchProgress(spec.commandLine().getErr(), of.toString())) {
      TableBenchmark run =
          TableBenchmark.run(of.set, of.model, fit, new WarmMedian(warmup), progress);
      Map<String, @Nullable Object> result = new LinkedHashMap<>();
      result.put("set", of.set.name());
      result.put("n", run.n());
      result.put("d", run.d());
      result.put("model", of.model.toString());
      result.put("rmse", run.rmse());
      result.put("nlpd", run.nlpd());
      result.put("coverage", run.coverage());
      result.put("fit_s", run.fitSeconds());
      result.put("predict_us", run.predictMicros());
      result.put("peak_mb", run.peakBytes() / 1e6);
      result.put("test_rows", run.tested());
      if (rows != null) result.put("noise_rmse", SyntheticTable.NOISE / of.set.targetDeviation());
      result.put("kernel", run.kernel());
      result.put("engine", run.engine());
      if (run.neighbours() > 0) result.put("neighbours", run.neighbours());
      result.put("transform", run.transform().toString());
      result.put("ended", run.ended());
      result.put("compared", run.compared());
      run.times()
          .ifPresent(
              times -> {
                result.put("one_50_us", times.one50());
                result.put("batch_50_us", times.batch50());
                result.put("one_200_us", times.one200());
                result.put("batch_200_us", times.batch200());
              });
      return result;
    }
  }
}

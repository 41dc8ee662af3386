package lovelace.cli;

import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.Callable;
import lovelace.Comparison;
import lovelace.Fit;
import lovelace.data.Column;
import lovelace.data.Column.LeftOut;
import lovelace.data.Dataset;
import lovelace.kernel.Kernel;
import lovelace.optimize.Lbfgs;
import lovelace.options.Options;
import lovelace.plan.Engine;
import lovelace.plot.Picture;
import lovelace.plot.Pictures;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/// `lovelace compare`: compares how well kernels suit a table.
@Command(
    name = "compare",
    customSynopsis = {"lovelace compare TABLE --target COLUMN [OPTIONS]"},
    description = {
      "Fit several kernels to one table and compare them.",
      "Shows the log marginal likelihood and BIC of a fit to all rows, and the mean "
          + "negative log density (NLPD) of held-out rows in cross-validation. The best by BIC "
          + "comes first. Smaller is better in BIC and NLPD.",
      "",
      "Examples:",
      "  lovelace compare sales.csv --target price --kernels rbf,matern32,matern52",
      "  lovelace compare air.csv --target passengers --transform log \\",
      "      --kernels 'rbf + periodic*rbf,sm(4)' --plot kernels.png",
      "  lovelace compare rain.csv --target rain --crs EPSG:4326"
    })
final class CompareCommand implements Callable<Integer> {

  private static final int MOST_ROWS = 1_000_000;

  @Spec
  @SuppressWarnings("NullAway.Init") // picocli sets it before call()
  private CommandSpec spec;

  @Mixin private final LearningOptions columns = new LearningOptions();
  @Mixin private final PlaceOptions places = new PlaceOptions();

  @Option(
      names = "--kernels",
      paramLabel = "EXPR,EXPR",
      description =
          "The kernels, separated by commas (default: rbf,matern12,matern32,matern52,rq).")
  private List<String> kernels = List.of("rbf,matern12,matern32,matern52,rq");

  @Option(
      names = "--folds",
      paramLabel = "N",
      description = "The number of parts in cross-validation. Each is held out once (default: 5).")
  private int folds = 5;

  @Option(
      names = "--engine",
      paramLabel = "auto|spectral|markov|sparse|krylov|dense|exact|chain|sites|neighbours",
      description = "How to compute, as in fit (default: auto).")
  private Engine engine = Engine.AUTO;

  @Option(
      names = "--seed",
      paramLabel = "N",
      description = "The seed of the folds and of learning (default: 1).")
  private long seed = 1;

  @Option(
      names = "--plot",
      paramLabel = "FILE",
      description = "Draw the comparison, to a .png, .svg or .html file.")
  private @Nullable Path plot;

  @Option(
      names = "--json",
      description = "Print the results as JSON on standard output, and nothing else there.")
  private boolean json = false;

  private List<String> leftOut = List.of();

  @Override
  public Integer call() throws IOException {
    Path picture = plot;
    if (picture != null) {
      Named.check("--plot", () -> Picture.check(picture));
      Output.checkFolder("--plot", picture);
    }
    List<String> wanted = new ArrayList<>();
    for (String text : kernels) wanted.addAll(split(text));
    if (wanted.size() != wanted.stream().distinct().count())
      throw new IllegalArgumentException(
          "--kernels names a kernel twice: %s; name each once"
              .formatted(String.join(", ", wanted)));
    if (folds < 2)
      throw new IllegalArgumentException(
          "--folds must be 2 or more, got " + folds + "; 5 is usual");
    places.check();
    LearningLine line = new LearningLine(spec.commandLine().getErr());
    Fit fit =
        columns
            .on(Fit.DEFAULT)
            .withEngine(engine)
            .withLearning(new Options.Learning(Lbfgs.DEFAULT, 1, seed, line));
    for (String kernel : wanted) // reports a mistake before any work
    Named.check("--kernels", () -> Kernel.parse(kernel));
    line.begin("reading the table; comparing takes " + LimitOptions.text(fit));
    List<Comparison> all;
    Dataset data;
    try (Table opened = columns.open()) {
      columns.addRasters(opened, false, process -> places.place(process, mayAssume(process)));
      data = rows(opened);
      if (folds > data.size())
        throw new IllegalArgumentException(
            String.format(
                Locale.ROOT,
                "--folds must be at most the number of rows, %,d, got %d; pass --folds %d or fewer",
                data.size(),
                folds,
                data.size()));
      List<Column> process = columns.process(data.columns());
      Fit placed = places.on(fit, process, mayAssume(process), false);
      all = Comparison.of(placed, data, wanted, folds, seed);
    } finally {
      line.done();
    }
    if (plot != null) Pictures.comparison(all, columns.target()).write(plot);
    report(all, data.size());
    return 0;
  }

  /// Whether longitudes and latitudes may be recognised by their names.
  private static boolean mayAssume(List<Column> inputs) {
    return inputs.stream().noneMatch(Column::isText);
  }

  /// Splits a text at commas that are not inside parentheses.
  static List<String> split(String text) {
    List<String> parts = new ArrayList<>();
    int depth = 0;
    int from = 0;
    for (int i = 0; i <= text.length(); i++) {
      char c = i < text.length() ? text.charAt(i) : ',';
      if (c == '(') depth++;
      if (c == ')') depth--;
      if (c == ',' && (depth <= 0 || i == text.length())) {
        String part = text.substring(from, i).strip();
        if (part.isEmpty())
          throw new IllegalArgumentException(
              "--kernels has an empty kernel in '%s'; write rbf,matern52".formatted(text));
        parts.add(part);
        from = i + 1;
      }
    }
    return parts;
  }

  private Dataset rows(Table opened) throws IOException {
    TableSource source = columns.source(opened);
    leftOut = source.leftOut();
    int d = source.columns().size();
    var all =
        new Object() {
          double[] x = new double[1024 * d];
          double[] y = new double[1024];
          double[] w = new double[1024];
          int n = 0;
          boolean weighted = false;
        };
    source.read(
        (count, x, y, weights) -> {
          double[] w = weights.orElse(null);
          int n = all.n + count;
          if (n > MOST_ROWS)
            throw new IllegalArgumentException(
                String.format(
                    Locale.ROOT,
                    "compare takes at most %,d rows, and '%s' has more; compare with a part of them",
                    MOST_ROWS,
                    opened.name()));
          if (n > all.y.length) {
            all.x = Arrays.copyOf(all.x, 2 * n * d);
            all.y = Arrays.copyOf(all.y, 2 * n);
            all.w = Arrays.copyOf(all.w, 2 * n);
          }
          System.arraycopy(x, 0, all.x, all.n * d, count * d);
          System.arraycopy(y, 0, all.y, all.n, count);
          all.weighted |= w != null;
          if (w != null) System.arraycopy(w, 0, all.w, all.n, count);
          else Arrays.fill(all.w, all.n, n, 1);
          all.n = n;
        });
    Dataset data =
        Dataset.of(
            Arrays.copyOf(all.x, all.n * d),
            source.columns(),
            Arrays.copyOf(all.y, all.n),
            source.target());
    return all.weighted ? data.withWeights(Arrays.copyOf(all.w, all.n)) : data;
  }

  private void report(List<Comparison> all, int rows) {
    PrintWriter out = spec.commandLine().getOut();
    if (json) {
      List<Object> list = new ArrayList<>();
      for (Comparison c : all) {
        Map<String, Object> one = new LinkedHashMap<>();
        one.put("kernel", c.kernel());
        one.put("fitted", c.model().hyperparameters().kernel().toString());
        one.put("log_marginal_likelihood", c.logLikelihood());
        one.put("parameters", c.parameters());
        one.put("bic", c.bic());
        one.put("nlpd", c.nlpd());
        one.put("nlpd_standard_error", c.nlpdError());
        list.add(one);
      }
      Map<String, Object> whole = new LinkedHashMap<>();
      whole.put("rows", rows);
      whole.put("folds", folds);
      whole.put("crs_assumed", places.assumed(all.getFirst().model()));
      whole.put(
          "left_out",
          all.getFirst().model().leftOut().stream().map(left -> left.column().name()).toList());
      whole.put("text_left_out", leftOut);
      whole.put("kernels", list);
      if (plot != null) whole.put("plot", plot.toString());
      out.println(Json.of(whole));
      return;
    }
    out.printf(
        Locale.ROOT,
        "%,d rows, %d folds; best by BIC first; smaller is better in BIC and NLPD%n",
        rows,
        folds);
    int width = Math.max(6, all.stream().mapToInt(c -> c.kernel().length()).max().orElse(6));
    out.printf(
        "%-" + width + "s  %10s  %12s  %12s  %s%n",
        "kernel",
        "parameters",
        "log lik.",
        "BIC",
        "NLPD, held out");
    for (Comparison c : all)
      out.printf(
          Locale.ROOT,
          "%-" + width + "s  %10d  %12.3f  %12.3f  %.4f ± %.4f%n",
          c.kernel(),
          c.parameters(),
          c.logLikelihood(),
          c.bic(),
          c.nlpd(),
          c.nlpdError());
    if (places.assumed(all.getFirst().model()))
      out.println(PlaceOptions.remark(all.getFirst().model()));
    for (String left : leftOut) out.printf("left out: %s%n", left);
    for (LeftOut left : all.getFirst().model().leftOut())
      out.printf("left out: %s, the same in all rows%n", left);
    if (plot != null) out.println("picture: " + plot);
  }
}

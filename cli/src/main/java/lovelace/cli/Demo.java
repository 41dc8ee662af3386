package lovelace.cli;

import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Locale;
import java.util.SplittableRandom;
import java.util.concurrent.Callable;
import lovelace.data.Airline;
import lovelace.data.Dataset;
import lovelace.data.TargetTransform;
import lovelace.exact.ExactGp;
import lovelace.kernel.Hyperparameters;
import lovelace.kernel.Kernel;
import lovelace.kernel.PriorMean;
import lovelace.learning.Learner;
import lovelace.optimize.Lbfgs;
import lovelace.plot.Palette;
import lovelace.plot.Plot;
import lovelace.posterior.Prediction;
import lovelace.posterior.Scores;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/// `lovelace demo`: goes from data of airline passengers to a forecast and a picture, in seconds.
@Command(
    name = "demo",
    description = {
      "Fit 96 months of airline passengers, forecast 48 more, and draw a picture.",
      "The months are written as tables too.",
      "",
      "'demo map' makes a map.",
      "",
      "Examples:",
      "  lovelace demo --out pictures",
      "  lovelace demo map"
    },
    subcommands = DemoMap.class)
final class Demo implements Callable<Integer> {

  private static final int FITTED = 96;
  private static final TargetTransform LOG = TargetTransform.LOG;

  /// A smooth trend plus a spectral mixture that has to find the seasons. The fit of the trend
  /// begins at the values given here, on the scale of log passengers and years.
  private static final String KERNEL = "1.0*rbf(lengthscale=20) + sm(10)";

  @Spec
  @SuppressWarnings("NullAway.Init") // picocli sets it before call()
  private CommandSpec spec;

  @Option(
      names = "--out",
      paramLabel = "DIR",
      description = "Folder for the pictures (default: demo).")
  private Path out = Path.of("demo");

  @Override
  public Integer call() throws IOException {
    Output.makeFolder("--out", out);
    Dataset all = Airline.dataset();
    ExactGp gp = fit(LOG.apply(all.rows(0, FITTED)));
    PrintWriter print = spec.commandLine().getOut();
    print.println("Airline passengers, in thousands a month");
    print.println(
        "Fitted: the 96 months of 1949 to 1956. Forecast: the 48 months of 1957 to 1960.");
    print.println();
    table(print, all, gp);
    Plot picture = picture(all, gp);
    picture.write(out.resolve("airline.png"));
    picture.write(out.resolve("airline.svg"));
    print.println();
    writeTable("airline.csv", 0, FITTED, all);
    writeTable("later.csv", FITTED, all.size(), all);
    print.println("Picture:  " + out.resolve("airline.png"));
    print.println("          " + out.resolve("airline.svg"));
    print.println("Tables:   " + out.resolve("airline.csv") + ", " + out.resolve("later.csv"));
    print.println("Next, with a table of your own (CSV, Parquet or JSON lines):");
    print.println("          lovelace fit TABLE --target COLUMN --model m.lvl");
    print.println("          lovelace plot m.lvl TABLE --out m.html");
    print.println("          'lovelace --help' lists the commands.");
    return 0;
  }

  /// Writes the months as a table for further use.
  private void writeTable(String name, int from, int to, Dataset all) throws IOException {
    StringBuilder csv = new StringBuilder("month,passengers\n");
    for (int i = from; i < to; i++)
      csv.append(String.format(Locale.ROOT, "%s,%.0f%n", Airline.months().get(i), all.target()[i]));
    Output.write(out.resolve(name), csv.toString());
  }

  /// Learns the hyperparameters. The mixture's start with the largest marginal likelihood wins.
  private static ExactGp fit(Dataset data) {
    var start =
        Hyperparameters.of(
            Kernel.parse(KERNEL).bind(1), Double.NaN, PriorMean.named("constant", 1));
    Learner learner = Learner.DEFAULT.withOptimizer(Lbfgs.DEFAULT);
    return ExactGp.of(
        data, learner.learn(ExactGp.likelihood(data), start, data, 1).hyperparameters());
  }

  private static void table(PrintWriter print, Dataset all, ExactGp gp) {
    print.println("forecast of   RMSE   NLPD   inside 95 % interval");
    for (int from = FITTED; from < all.size(); from += 12)
      row(
          print,
          String.format(Locale.ROOT, "%.0f", all.inputs()[from]),
          all.rows(from, from + 12),
          gp);
    Dataset heldOut = all.rows(FITTED, all.size());
    row(print, "all years", heldOut, gp);
    print.printf(
        Locale.ROOT,
        "Log density of the %d months together: %.1f%n",
        heldOut.size(),
        Scores.jointLogDensity(gp, heldOut.inputs(), heldOut.target(), LOG));
  }

  private static void row(PrintWriter print, String name, Dataset data, ExactGp gp) {
    Scores scores = Scores.of(observation(gp, data.inputs()), data.target(), LOG);
    print.printf(
        Locale.ROOT,
        "%-11s %6.1f %6.2f   %2.0f of %d%n",
        name,
        scores.rmse(),
        scores.nlpd(),
        scores.coverage(0.95) * data.size(),
        data.size());
  }

  private static Prediction observation(ExactGp gp, double[] points) {
    return gp.predictObservation(points);
  }

  private static Plot picture(Dataset all, ExactGp gp) {
    double[] months = all.inputs();
    double[] x = new double[4 * (all.size() - 1) + 1];
    for (int i = 0; i < x.length; i++) x[i] = months[0] + i / 48.0;
    Prediction p = observation(gp, x);
    double[] draws = gp.sample(x, 3, new SplittableRandom(1957));
    Dataset fitted = all.rows(0, FITTED);
    Dataset heldOut = all.rows(FITTED, all.size());
    return Plot.titled("Airline passengers, 1949 to 1960")
        .subtitle("A Gaussian process that saw eight years, and its forecast of the next four")
        .labels("year", "passengers a month (thousands)")
        .band("95 % interval", x, quantiles(p, 0.025), quantiles(p, 0.975), Palette.BLUE, 0.15)
        .band("50 % interval", x, quantiles(p, 0.25), quantiles(p, 0.75), Palette.BLUE, 0.28)
        .draws("draws", x, Arrays.stream(draws).map(LOG::invert).toArray(), Palette.ORANGE)
        .line("median", x, quantiles(p, 0.5), Palette.BLUE, 2)
        .points("seen", fitted.inputs(), fitted.target(), Palette.BLACK, Plot.Mark.DOT)
        .points("held out", heldOut.inputs(), heldOut.target(), Palette.VERMILION, Plot.Mark.CIRCLE)
        .boundary((months[FITTED - 1] + months[FITTED]) / 2, "forecast");
  }

  private static double[] quantiles(Prediction p, double probability) {
    double[] q = new double[p.size()];
    for (int i = 0; i < q.length; i++) q[i] = LOG.invert(p.quantile(i, probability));
    return q;
  }
}

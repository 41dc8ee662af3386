package lovelace.plot;

import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.stream.IntStream;
import lovelace.Comparison;
import lovelace.Model;
import lovelace.data.Column;
import lovelace.data.Dataset;
import lovelace.likelihood.Likelihood;
import lovelace.model.Provenance;
import lovelace.posterior.Prediction;
import lovelace.posterior.Scores;
import org.jspecify.annotations.Nullable;

/// Makes the usual pictures of a model: its predictions, its learning, and whether it can be
/// trusted.
///
/// ```java
/// Pictures.posterior(model, data, Pictures.Options.DEFAULT).write(Path.of("model.png"));
/// ```
public final class Pictures {

  private static final int STEPS = 99;
  private static final int CURVE = 601;
  private static final int MAP = 121;

  private Pictures() {}

  /// Options of a picture.
  ///
  /// @param draws the number of functions drawn from the posterior
  /// @param of the quantity of mean and bands; null for the usual one ([Likelihood#usual]): the
  ///   rate or the probability if there is one, otherwise the function
  /// @param seed of the draws
  public record Options(int draws, Likelihood.@Nullable Of of, long seed) {
    /// Three draws, bands of the usual quantity.
    public static final Options DEFAULT = new Options(3, null, 1);

    public Options {
      if (draws < 0 || draws > 100)
        throw new IllegalArgumentException("draws must lie between 0 and 100, got " + draws);
    }
  }

  /// The predictions of a model. Over one input: mean, bands of 50 and 95 %, draws, data. Over two:
  /// maps of the mean and of its standard deviation with contours and the places of the data. Over
  /// more: one slice along each input through the middle of the data; with more than three inputs,
  /// those that matter most come first. Events are marks at their places. If no data are given, the
  /// rows that the model holds are shown, or the averages of the grid's cells. If the likelihood
  /// has a rate or a probability, that is drawn; rows are dots at counts per unit of exposure, at
  /// shares of trials, or at 0 and 1.
  public static Picture posterior(Model model, @Nullable Dataset data, Options options) {
    return posterior(model, Shown.of(model, data), options);
  }

  /// The predictions of a model over its own features, [Model#inFeatures], near the data, because
  /// no input leads far from there. Otherwise like [#posterior].
  public static Picture features(Model inner, @Nullable Dataset data, Options options) {
    return posterior(inner, Shown.of(inner, data).nearData(), options);
  }

  private static Picture posterior(Model model, Shown shown, Options options) {
    return switch (model.columns().size()) {
      case 1 -> curve(model, shown, options);
      case 2 -> map(model, shown, options);
      default -> Slices.of(model, shown, options);
    };
  }

  static double[] spread(double[] range, int count) {
    double[] x = new double[count];
    for (int i = 0; i < count; i++) x[i] = range[0] + (range[1] - range[0]) * i / (count - 1);
    return x;
  }

  static double[] quantiles(Prediction p, double probability) {
    double[] q = new double[p.size()];
    for (int i = 0; i < q.length; i++) q[i] = p.quantile(i, probability);
    return q;
  }

  /// The quantity of a mean or deviation of a model, with units: `rain (mm)`, `an observation of
  /// rain (mm)`, `rate of calls`, `probability of rain = 1`.
  public static String label(Model model, Likelihood.Of of) {
    return new Asked(model, of).quantity();
  }

  private static String about(Asked asked, String shown) {
    Model model = asked.model();
    Likelihood likelihood = model.likelihood();
    return String.format(
        Locale.ROOT,
        "%s%s, %,d %s; %s are of %s",
        model.laplace().isEmpty() ? "" : likelihood + ", ",
        kernel(model),
        model.count(),
        model.window().isPresent() ? "events" : "rows",
        shown,
        asked.about());
  }

  /// The kernel in few words: its text without values.
  private static String kernel(Model model) {
    return model
        .hyperparameters()
        .kernel()
        .toString()
        .replaceAll("fixed\\(([^()]*)\\)", "$1")
        .replaceAll("\\((?:[a-z_]+=)?[^()]*\\)", "")
        .replaceAll("\\d+(?:\\.\\d+)?(?:[eE][+-]?\\d+)?\\*", "")
        .replaceAll("^\\(([^()]*)\\)$", "$1");
  }

  static Plot bands(Plot plot, double[] x, Prediction p) {
    return plot.band(
            "95 % interval", x, quantiles(p, 0.025), quantiles(p, 0.975), Palette.BLUE, 0.15)
        .band("50 % interval", x, quantiles(p, 0.25), quantiles(p, 0.75), Palette.BLUE, 0.28);
  }

  private static Plot curve(Model model, Shown shown, Options options) {
    Asked asked = Asked.of(model, options);
    Column input = model.columns().getFirst();
    double[] x = spread(shown.ranges().getFirst(), CURVE);
    Prediction p = asked.predict(x);
    Plot plot =
        Plot.titled(asked.subject() + " by " + input.name())
            .subtitle(about(asked, "bands"))
            .labels(input.label(), asked.label())
            .time(input.time().orElse(null));
    if (asked.isProbability()) plot.within(0, 1);
    if (asked.of() == Likelihood.Of.FUNCTION && model.likelihood().isVarying()) {
      Prediction rows = model.predict(x, Likelihood.Of.OBSERVATION);
      plot.band(
          "95 % of observations",
          x, quantiles(rows, 0.025), quantiles(rows, 0.975), Palette.GREY, 0.2);
    }
    bands(plot, x, p);
    if (options.draws > 0)
      plot.draws("draws", x, asked.draws(x, options.draws, options.seed), Palette.ORANGE);
    plot.line("mean", x, p.means(), Palette.BLUE, 2);
    Dataset data = shown.data();
    if (data != null) asked.rows(plot, shown.name(), data, 0);
    return plot;
  }

  private static HeatMap map(Model model, Shown shown, Options options) {
    Column first = model.columns().get(0);
    Column second = model.columns().get(1);
    double[] xs = spread(shown.ranges().get(0), MAP);
    double[] ys = spread(shown.ranges().get(1), MAP);
    double[] points = new double[2 * MAP * MAP];
    for (int i = 0; i < MAP; i++)
      for (int j = 0; j < MAP; j++) {
        points[2 * (i * MAP + j)] = xs[i];
        points[2 * (i * MAP + j) + 1] = ys[j];
      }
    Asked asked = Asked.of(model, options);
    Prediction p = asked.predict(points);
    double[] deviations = new double[p.size()];
    for (int i = 0; i < deviations.length; i++) deviations[i] = p.deviation(i);
    String target = asked.quantity();
    HeatMap map =
        HeatMap.titled("%s by %s and %s".formatted(asked.subject(), first.name(), second.name()))
            .subtitle(about(asked, "deviations"))
            .labels(first.label(), second.label())
            .time(first.time().orElse(null), second.time().orElse(null))
            .grid(xs, ys)
            .values("mean of " + target, p.means())
            .doubts("standard deviation of " + target, deviations);
    Dataset data = shown.data();
    if (asked.isProbability()) map.boundary(0.5);
    if (data == null) return map;
    double[] across = Shown.column(data, 0);
    double[] up = Shown.column(data, 1);
    if (!asked.isClasses()) return map.points(across, up);
    double[] y = asked.targets(data);
    int[] zeros = IntStream.range(0, y.length).filter(i -> y[i] < 0.5).toArray();
    int[] ones = IntStream.range(0, y.length).filter(i -> y[i] >= 0.5).toArray();
    return map.points(at(across, ones), at(up, ones)).circles(at(across, zeros), at(up, zeros));
  }

  private static double[] at(double[] values, int[] places) {
    return Arrays.stream(places).mapToDouble(i -> values[i]).toArray();
  }

  /// Shows which columns matter, and how sure that is: the share of the function's variance that is
  /// lost when a column is taken from other rows ([ColumnShare]), the largest first.
  ///
  /// @param data rows that the columns come from; null for those of the model
  public static Ranking columns(Model model, @Nullable Dataset data, long seed) {
    return ColumnPicture.of(model, Shown.rows(model, data), seed);
  }

  /// Shows how the log posterior density of the parameters grew, step by step.
  public static Plot trace(Model model) {
    List<Provenance.Step> trace = model.provenance().trace();
    if (trace.isEmpty())
      throw new IllegalArgumentException(
          "the model's parameters were not learned, so there is no trace; fit without --no-train");
    double[] step = new double[trace.size()];
    double[] value = new double[trace.size()];
    for (int i = 0; i < step.length; i++) {
      step[i] = trace.get(i).iteration();
      value[i] = -trace.get(i).objective();
    }
    return Plot.titled("Learning the parameters of " + model.target().name())
        .subtitle(
            String.format(
                Locale.ROOT,
                "%s: %,.4g after %,d steps",
                kernel(model),
                value[value.length - 1],
                (int) step[step.length - 1]))
        .labels("step", "log posterior density")
        .line("", step, value, Palette.BLUE, 2)
        .points("", step, value, Palette.BLUE, Plot.Mark.DOT);
  }

  /// Compares kernels: negative log density in cross-validation and BIC, where less is better in
  /// both. The best by BIC is on top.
  public static Ranking comparison(List<Comparison> all, String target) {
    int n = all.size();
    return Ranking.titled("Kernels for " + target, all.stream().map(Comparison::kernel).toList())
        .subtitle("Lower is better in both; bars are one standard error")
        .measure(
            "cross-validated NLPD",
            all.stream().mapToDouble(Comparison::nlpd).toArray(),
            all.stream().mapToDouble(Comparison::nlpdError).toArray())
        .measure("BIC", all.stream().mapToDouble(Comparison::bic).toArray(), new double[n]);
  }

  /// Shows how many targets lie inside their central intervals, against how many should. It
  /// includes the range in which 95 % of correct models lie by chance, if targets are independent.
  /// Intervals of whole numbers hold more than their level, so counts have
  /// [#calibration(Scores.Residuals, Column)].
  public static Plot calibration(Scores scores, Column target) {
    return calibration(scores, target, "targets inside it (%)");
  }

  /// The same as [#calibration(Scores, Column)] for counts: how many randomised ranks of targets
  /// lie inside the central interval of a level. A right model lies on the diagonal.
  public static Plot calibration(Scores.Residuals residuals, Column target) {
    double[] deviations = residuals.deviations();
    double[] ones = new double[deviations.length];
    Arrays.fill(ones, 1);
    return calibration(
        Scores.of(new double[ones.length], ones, deviations),
        target,
        "randomised ranks inside it (%)");
  }

  /// Shows whether predicted probabilities are right: the share of rows of class 1 against its
  /// predicted probability, in classes of probability ([Scores.Classes#calibration]), with the
  /// number of rows of each and the range in which the share lies for 95 % of right models.
  ///
  /// @param bins in their order
  /// @param target its second word is class 1 if it has words
  /// @param trials whether rows are trials, each a success or not
  public static Plot reliability(List<Scores.Classes.Bin> bins, Column target, boolean trials) {
    String one = "%s = %s".formatted(target.name(), target.isText() ? target.format(1) : "1");
    return trials
        ? Reliability.of(
            bins,
            target,
            "probability of a success (%s)".formatted(target.name()),
            "that are a success")
        : Reliability.of(bins, target, "probability of " + one, "with " + one);
  }

  private static Plot calibration(Scores scores, Column target, String inside) {
    double[] nominal = new double[STEPS + 2];
    double[] seen = new double[STEPS + 2];
    double[] low = new double[STEPS + 2];
    double[] high = new double[STEPS + 2];
    for (int i = 0; i <= STEPS + 1; i++) {
      double level = i / (STEPS + 1.0);
      nominal[i] = 100 * level;
      seen[i] = i == 0 ? 0 : i > STEPS ? 100 : 100 * scores.coverage(level);
      double chance = 196 * Math.sqrt(level * (1 - level) / scores.size());
      low[i] = Math.max(0, nominal[i] - chance);
      high[i] = Math.min(100, nominal[i] + chance);
    }
    return Plot.titled("Calibration of " + target.name())
        .subtitle(
            String.format(
                Locale.ROOT,
                "%,d rows. Above the diagonal intervals are too wide, below it too narrow",
                scores.size()))
        .labels("level of the interval (%)", inside)
        .size(620, 600)
        .band("what chance allows", nominal, low, high, Palette.SKY, 0.3)
        .dashed("calibrated", nominal, nominal, Palette.GREY, 1.2)
        .line("model", nominal, seen, Palette.VERMILION, 2.4);
  }
}

package lovelace.series;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.function.UnaryOperator;
import java.util.stream.IntStream;
import lovelace.linear.Parallel;
import lovelace.series.Components.Kind;
import lovelace.series.Components.Part;
import lovelace.series.state.LongParts;
import lovelace.series.state.LongPoint;
import lovelace.series.state.OneAhead;

/// The reasons for a forecast by state spaces, from smoothers of those with the largest shares.
final class LongExplanation implements Explained {

  /// At most as many state spaces tell parts, fitted values and coefficients.
  private static final int POINTS = 3;

  private static final int CHUNK = 256;

  private final History history;
  private final double[] given;
  private final double[] periods;
  private final Calibration calibration;
  private final int horizon;
  private final List<LongPoint> points;
  private final double[] share;
  private final Warp[] warp;
  private final double[] centre;

  /// @param given all values, those left out of the history among them
  /// @param warp of each point
  LongExplanation(
      History history,
      double[] given,
      double[] periods,
      Calibration calibration,
      int horizon,
      List<LongPoint> all,
      double[] shares,
      int[] warp) {
    this.history = history;
    this.given = given;
    this.periods = periods;
    this.calibration = calibration;
    this.horizon = horizon;
    int[] top =
        IntStream.range(0, shares.length)
            .filter(j -> shares[j] > 0)
            .boxed()
            .sorted(Comparator.comparingDouble((Integer j) -> -shares[j]))
            .limit(POINTS)
            .mapToInt(Integer::intValue)
            .toArray();
    double sum = Arrays.stream(top).mapToDouble(j -> shares[j]).sum();
    points = Arrays.stream(top).mapToObj(all::get).toList();
    share = Arrays.stream(top).mapToDouble(j -> shares[j] / sum).toArray();
    this.warp = Arrays.stream(top).mapToObj(j -> history.warps.get(warp[j])).toArray(Warp[]::new);
    centre = Arrays.stream(top).mapToDouble(j -> history.centre[warp[j]]).toArray();
  }

  private Blend blend(int nu) {
    return new Blend(history.scale, nu, share, warp);
  }

  /// The value at a step on the scale of a point.
  private double value(int p, int step) {
    return warp[p].of(history.values[step]) - centre[p];
  }

  private double noise(int p) {
    return Math.sqrt(points.get(p).squares() / (history.seen() - 1));
  }

  @Override
  public Components components(UnaryOperator<String> group, double... levels) {
    Covariates columns = history.covariates;
    List<String> names =
        columns == null ? List.of() : columns.names().stream().map(group).distinct().toList();
    int[] groups =
        columns == null
            ? new int[0]
            : columns.names().stream().mapToInt(c -> names.indexOf(group.apply(c))).toArray();
    List<LongParts> fits = points.stream().map(point -> point.parts(groups)).toList();
    List<Kind> kinds = new ArrayList<>(List.of(Kind.TREND));
    List<String> titles = new ArrayList<>(List.of("trend"));
    for (double period : periods) {
      kinds.add(Kind.SEASON);
      titles.add("season " + Season.text(period));
    }
    kinds.add(Kind.DEVIATION);
    titles.add("deviations");
    for (String name : names) {
      kinds.add(Kind.EFFECT);
      titles.add(name);
    }
    kinds.add(Kind.REMAINDER);
    titles.add("remainder");
    int steps = history.size() + horizon;
    int count = kinds.size();
    double[][] estimate = new double[count][steps];
    double[][][] quantiles = new double[count][steps][];
    Parallel.chunks(
        steps,
        CHUNK,
        (index, from, to) -> {
          for (int s = from; s < to; s++) {
            double[] base = centre.clone();
            for (int part = 0; part < count; part++) {
              Blend blend = blend(history.seen() - 1);
              for (int p = 0; p < share.length; p++)
                base[p] += set(blend, p, kinds.get(part), part, s, fits.get(p), base[p]);
              estimate[part][s] = blend.centre();
              quantiles[part][s] = blend.quantiles(levels);
            }
          }
        });
    List<Part> parts = new ArrayList<>();
    for (int part = 0; part < count; part++)
      parts.add(new Part(kinds.get(part), titles.get(part), estimate[part], quantiles[part]));
    return new Components(given.length - history.size(), parts);
  }

  /// Sets what a point makes of a part at a step, and returns it.
  private double set(Blend blend, int p, Kind kind, int part, int s, LongParts fit, double base) {
    double place;
    double spread;
    if (kind != Kind.REMAINDER) {
      place = fit.place()[part][s];
      spread = fit.spread()[part][s];
    } else if (s < history.size() && history.isObserved(s)) {
      place = value(p, s) - (base - centre[p]);
      spread = fit.spread()[part][s]; // that of all other parts together
    } else {
      place = 0;
      spread = noise(p);
    }
    if (part == 0) blend.value(p, centre[p] + place, spread);
    else blend.difference(p, base, place, spread);
    return place;
  }

  @Override
  public Fitted fitted(double... levels) {
    List<OneAhead> all = points.stream().map(LongPoint::oneAhead).toList();
    int first = given.length - history.size();
    int[] observed = history.observed;
    int from = observed.length <= OneStep.LEAST ? history.size() : observed[OneStep.LEAST - 1] + 1;
    int rows = history.size() - from;
    double[] looked = new double[levels.length];
    for (int l = 0; l < looked.length; l++) looked[l] = calibration.level(0, horizon, levels[l]);
    int[] steps = new int[rows];
    double[] median = new double[rows];
    double[][] quantiles = new double[rows][];
    Parallel.chunks(
        rows,
        CHUNK,
        (index, low, high) -> {
          for (int r = low; r < high; r++) {
            int t = from + r;
            int before = Arrays.binarySearch(observed, t);
            Blend blend = blend((before < 0 ? -before - 1 : before) - 1);
            for (int p = 0; p < share.length; p++)
              blend.value(p, centre[p] + all.get(p).place()[t], all.get(p).spread()[t]);
            steps[r] = first + t;
            median[r] = blend.quantiles(0.5)[0];
            quantiles[r] = blend.quantiles(looked);
          }
        });
    return new Fitted(steps, median, quantiles);
  }

  @Override
  public Anomalies anomalies(double rate) {
    return new LongAnomalies(history, given, points.getFirst(), warp[0], centre[0]).find(rate);
  }

  @Override
  public Coefficients coefficients(double... levels) {
    Covariates columns = history.covariates;
    if (columns == null) return new Coefficients(Double.NaN, List.of());
    List<Coefficients.Coefficient> effects = new ArrayList<>();
    for (int c = 0; c < columns.names().size(); c++) {
      Blend blend = blend(history.seen() - 1);
      double unit = columns.scale(c);
      for (int p = 0; p < share.length; p++) {
        double[] found = points.get(p).coefficient(c);
        blend.difference(p, centre[p], found[0] / unit, found[1] / unit);
      }
      double[] ends = blend.quantiles(1 - Effects.ONE, Effects.ONE);
      effects.add(
          new Coefficients.Coefficient(
              columns.names().get(c),
              blend.centre(),
              (ends[1] - ends[0]) / 2,
              blend.quantiles(levels)));
    }
    return new Coefficients(history.scale * warp[0].back(centre[0]), effects);
  }
}

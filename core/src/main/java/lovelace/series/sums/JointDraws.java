package lovelace.series.sums;

import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import lovelace.linear.Parallel;
import lovelace.series.Outlook;

/// Joint draws of series and of sums of them. Each has its own base forecast; draws depend on each
/// other as the innovations of the past do, and are moved so that sums agree in every draw.
///
/// The sums come first, then the series.
public final class JointDraws {

  private final List<int[]> members;
  private final float[][][] draws; // by step, series, draw

  private JointDraws(List<int[]> members, float[][][] draws) {
    this.members = members;
    this.draws = draws;
  }

  /// A sum or a series.
  ///
  /// @param outlook its base forecast
  /// @param lead how many steps of it come before the first one that is wanted
  /// @param innovations at the common times
  @SuppressWarnings("ArrayRecordComponent")
  public record Part(Outlook outlook, int lead, double[] innovations) {}

  /// Draws.
  ///
  /// @param parts sums, then series
  /// @param members the places among the series of those that each sum adds
  /// @param positive whether each series has no negative values
  public static JointDraws of(
      List<Part> parts,
      List<int[]> members,
      boolean[] positive,
      int steps,
      int count,
      SplittableRandom random) {
    int all = parts.size();
    int sums = members.size();
    int series = all - sums;
    Dependence dependence =
        new Dependence(parts.stream().map(Part::innovations).toArray(double[][]::new));
    int[][] at = new int[steps][count];
    SplittableRandom times = random.split();
    for (int[] step : at)
      for (int d = 0; d < count; d++)
        step[d] = dependence.times() == 0 ? 0 : times.nextInt(dependence.times());
    SplittableRandom[] own = new SplittableRandom[all];
    for (int i = 0; i < all; i++) own[i] = random.split();
    float[][][] draws = new float[steps][all][];
    double[][] width = new double[steps][all];
    double[][] least = new double[steps][series];
    boolean[] whole = new boolean[series];
    Parallel.forEach(
        all,
        i -> {
          Part part = parts.get(i);
          Margins margins = new Margins(part.outlook(), part.lead(), steps, count, own[i]);
          double[][] innovations = new double[steps][];
          for (int k = 0; k < steps; k++) innovations[k] = dependence.scores(i, at[k], own[i]);
          float[][] shuffled = margins.shuffled(innovations);
          for (int k = 0; k < steps; k++) {
            draws[k][i] = shuffled[k];
            width[k][i] = margins.width(k);
            if (i >= sums)
              least[k][i - sums] =
                  positive[i - sums] ? Math.max(0, margins.least(k)) : Double.NEGATIVE_INFINITY;
          }
          if (i >= sums) whole[i - sums] = margins.isWhole();
        });
    Reconciliation reconciliation = new Reconciliation(members, dependence, series);
    SplittableRandom[] rounding = Arrays.copyOfRange(own, sums, all);
    for (int k = 0; k < steps; k++)
      reconciliation.apply(width[k], draws[k], least[k], whole, rounding);
    return new JointDraws(List.copyOf(members), draws);
  }

  /// The draws at a step of a sum, or of a series after the sums.
  public double[] at(int place, int step) {
    int sums = members.size();
    int[] of = place < sums ? members.get(place) : new int[] {place - sums};
    double[] values = new double[draws[step][sums].length];
    for (int i : of) {
      float[] found = draws[step][sums + i];
      for (int d = 0; d < values.length; d++) values[d] += found[d];
    }
    return values;
  }
}

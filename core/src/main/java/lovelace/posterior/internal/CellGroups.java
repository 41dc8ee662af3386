package lovelace.posterior.internal;

import java.util.Arrays;
import java.util.stream.IntStream;

/// Points grouped by the cells of a lattice with fixed steps, so that those of one cell can share
/// work. The cell of a point depends only on the point. A group has at most `most` points; a cell
/// with more has several groups. Arrays are not copied: read only.
public final class CellGroups {

  private final int[] order; // the points, group by group
  private final int[] starts; // of the groups in it, and the end
  private final double[] centres;

  private CellGroups(int[] order, int[] starts, double[] centres) {
    this.order = order;
    this.starts = starts;
    this.centres = centres;
  }

  /// Groups points.
  ///
  /// @param points row-major
  /// @param steps of the lattice along each column, which has a node at 0
  /// @param most points of a group
  public static CellGroups of(double[] points, double[] steps, int most) {
    int d = steps.length;
    int n = points.length / d;
    double[] cells = new double[points.length];
    for (int i = 0; i < points.length; i++) cells[i] = Math.floor(points[i] / steps[i % d]);
    int[] order =
        IntStream.range(0, n)
            .boxed()
            .sorted(
                (a, b) -> {
                  for (int j = 0; j < d; j++) {
                    int compared = Double.compare(cells[a * d + j], cells[b * d + j]);
                    if (compared != 0) return compared;
                  }
                  return 0;
                })
            .mapToInt(Integer::intValue)
            .toArray();
    int[] starts = new int[n + 1];
    int groups = 0;
    for (int i = 1; i <= n; i++)
      if (i == n || i - starts[groups] == most || !same(cells, d, order[i - 1], order[i]))
        starts[++groups] = i;
    double[] centres = new double[groups * d];
    for (int g = 0; g < groups; g++)
      for (int j = 0; j < d; j++)
        centres[g * d + j] = (cells[order[starts[g]] * d + j] + 0.5) * steps[j];
    return new CellGroups(order, Arrays.copyOf(starts, groups + 1), centres);
  }

  private static boolean same(double[] cells, int d, int a, int b) {
    return Arrays.equals(cells, a * d, a * d + d, cells, b * d, b * d + d);
  }

  /// The number of groups.
  public int size() {
    return starts.length - 1;
  }

  /// The number of points of a group.
  public int size(int group) {
    return starts[group + 1] - starts[group];
  }

  /// The index among all points of a point of a group.
  public int point(int group, int i) {
    return order[starts[group] + i];
  }

  /// The centres of the cells of all groups, row-major.
  public double[] centres() {
    return centres;
  }
}

package lovelace.inference;

import java.util.Arrays;
import java.util.SplittableRandom;
import lovelace.grid.AdditiveGrid;
import lovelace.grid.Axis;
import lovelace.grid.Grid;
import lovelace.grid.Lattice;
import lovelace.statistics.AdditiveStatistics;
import lovelace.statistics.GridStatistics;
import lovelace.statistics.Statistics;

/// The points at which variances are checked: half of them near data, a quarter at the edges of the
/// lattice, and a quarter in the middle of its widest gaps. The same statistics give the same
/// points.
public final class CheckPoints {

  /// The default number of points.
  public static final int COUNT = 48;

  /// Every point of a grid with at most this many points is checked, for any engine.
  public static final int EVERY = 1024;

  private static final double NEAR = 0.02; // the share of a range that counts as its edge

  private final Lattice lattice;
  private final SplittableRandom random = new SplittableRandom(0xc4ec);

  private CheckPoints(Lattice lattice) {
    this.lattice = lattice;
  }

  /// Returns `count` points, row-major.
  public static double[] of(Statistics statistics, int count) {
    return new CheckPoints(statistics.lattice()).choose(statistics, count);
  }

  /// Returns `count` points, followed by all points of a small grid.
  public static double[] all(Statistics statistics, int count) {
    double[] some = of(statistics, count);
    double[] grid = grid(statistics.lattice());
    double[] all = Arrays.copyOf(some, some.length + grid.length);
    System.arraycopy(grid, 0, all, some.length, grid.length);
    return all;
  }

  /// Returns `count` points that represent all places, row-major: half of them near data, half
  /// anywhere.
  public static double[] typical(Statistics statistics, int count) {
    CheckPoints all = new CheckPoints(statistics.lattice());
    int d = all.lattice.dimensions();
    double[] points = all.choose(statistics, count);
    for (int p = 1; p < count; p += 2)
      for (int a = 0; a < d; a++) points[p * d + a] = all.anywhere(a);
    return points;
  }

  /// The points of the grid in the range that it covers, row-major. There are none if there would
  /// be more than [#EVERY], or for grids side by side, whose points are not places.
  static double[] grid(Lattice lattice) {
    if (!(lattice instanceof Grid grid) || covered(grid) > EVERY) return new double[0];
    int d = grid.dimensions();
    double[] points = new double[(int) covered(grid) * d];
    for (int p = 0; p < points.length / d; p++)
      for (int a = d - 1, rest = p; a >= 0; a--) {
        Axis axis = grid.axis(a);
        points[p * d + a] =
            Math.clamp(axis.at(rest % (axis.points() - 2) + 1), axis.low(), axis.high());
        rest /= axis.points() - 2;
      }
    return points;
  }

  /// The number of points of a grid in the range that it covers.
  public static long covered(Grid grid) {
    long all = 1;
    for (Axis axis : grid.axes()) all *= axis.points() - 2;
    return all;
  }

  private double[] choose(Statistics statistics, int count) {
    int d = lattice.dimensions();
    double[] points = new double[count * d];
    for (int p = 1, k = 0; p < count; p += 4) edge(k++, points, p * d);
    int gaps = count / 4;
    double[] inGaps = new double[gaps * d];
    for (int g = 0; g < inGaps.length; g++) inGaps[g] = anywhere(g % d);
    double[] beside = new double[(count + 1) / 2 * d];
    for (int b = 0; b < beside.length; b++) beside[b] = anywhere(b % d);
    switch (statistics) {
      case GridStatistics s -> {
        int[] columns = new int[d];
        Arrays.setAll(columns, a -> a);
        place(s.grid(), s.cellCounts(), columns, inGaps, beside);
      }
      case AdditiveStatistics s -> {
        for (int c = 0; c < s.grid().components(); c++) {
          AdditiveGrid.Component part = s.grid().component(c);
          int[] columns = new int[part.grid().dimensions()];
          Arrays.setAll(columns, part::column);
          place(part.grid(), s.cellCounts(c), columns, inGaps, beside);
        }
      }
    }
    for (int p = 0; p < count; p++) {
      if (p % 2 == 0) System.arraycopy(beside, p / 2 * d, points, p * d, d);
      if (p % 4 == 3) System.arraycopy(inGaps, p / 4 * d, points, p * d, d);
    }
    for (int i = 0; i < points.length; i++)
      points[i] = Math.clamp(points[i], lattice.low(i % d), lattice.high(i % d));
    return points;
  }

  private double anywhere(int column) {
    double low = lattice.low(column);
    return low + random.nextDouble() * (lattice.high(column) - low);
  }

  /// Writes a corner, or a point near one face.
  private void edge(int k, double[] points, int at) {
    int d = lattice.dimensions();
    boolean corner = k < 2 || (d > 1 && k % 2 == 0);
    for (int a = 0; a < d; a++) {
      boolean high = k < 2 ? k == 1 : random.nextBoolean();
      points[at + a] = corner ? (high ? lattice.high(a) : lattice.low(a)) : anywhere(a);
    }
    if (corner) return;
    int a = random.nextInt(d);
    double low = lattice.low(a);
    double high = lattice.high(a);
    double inwards = NEAR * random.nextDouble() * (high - low);
    points[at + a] = random.nextBoolean() ? low + inwards : high - inwards;
  }

  /// Fills the columns of one grid: the middles of its widest gaps, and points in occupied cells.
  private void place(Grid grid, long[] counts, int[] columns, double[] inGaps, double[] beside) {
    int d = lattice.dimensions();
    int[] distance = distances(grid, counts);
    for (int corner = 0; corner < 1 << grid.dimensions(); corner++) {
      int cell = 0;
      for (int a = 0; a < grid.dimensions(); a++) {
        int last = grid.axis(a).cells() - 1;
        cell = cell * (last + 1) + (((corner >> a) & 1) == 1 ? last : 0);
      }
      near(grid, cell, distance);
    }
    for (int g = 0; g < inGaps.length / d; g++) {
      int widest = 0;
      for (int c = 1; c < distance.length; c++) if (distance[c] > distance[widest]) widest = c;
      if (distance[widest] == 0) break; // no gap is left
      inside(grid, widest, false, columns, inGaps, g * d);
      near(grid, widest, distance);
    }
    long all = Arrays.stream(counts).sum();
    if (all == 0) return;
    for (int b = 0; b < beside.length / d; b++) {
      long left = random.nextLong(all);
      int c = 0;
      while (left >= counts[c]) left -= counts[c++];
      inside(grid, c, true, columns, beside, b * d);
    }
  }

  /// Writes a random point of a cell, or its middle.
  private void inside(
      Grid grid, int cell, boolean anyPlace, int[] columns, double[] points, int at) {
    for (int a = columns.length - 1, rest = cell; a >= 0; a--) {
      Axis axis = grid.axis(a);
      double part = anyPlace ? random.nextDouble() : 0.5;
      points[at + columns[a]] = axis.at(rest % axis.cells() + 1) + part * axis.step();
      rest /= axis.cells();
    }
  }

  /// The number of steps between neighbouring cells to the nearest occupied one.
  private static int[] distances(Grid grid, long[] counts) {
    int[] distance = new int[counts.length];
    for (int c = 0; c < distance.length; c++) distance[c] = counts[c] > 0 ? 0 : 1 << 29;
    for (int a = grid.dimensions() - 1, stride = 1; a >= 0; a--) {
      int length = grid.axis(a).cells();
      for (int c = 0; c < distance.length; c++)
        if (c / stride % length > 0) distance[c] = Math.min(distance[c], distance[c - stride] + 1);
      for (int c = distance.length - 1; c >= 0; c--)
        if (c / stride % length < length - 1)
          distance[c] = Math.min(distance[c], distance[c + stride] + 1);
      stride *= length;
    }
    return distance;
  }

  /// Updates the distances after a cell was chosen.
  private static void near(Grid grid, int cell, int[] distance) {
    int d = grid.dimensions();
    for (int c = 0; c < distance.length; c++) {
      int steps = 0;
      for (int a = d - 1, rest = c, other = cell; a >= 0; a--) {
        int length = grid.axis(a).cells();
        steps += Math.abs(rest % length - other % length);
        rest /= length;
        other /= length;
      }
      distance[c] = Math.min(distance[c], steps);
    }
  }
}

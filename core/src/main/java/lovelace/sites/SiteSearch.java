package lovelace.sites;

import java.util.Arrays;
import lovelace.grid.Grid;
import lovelace.kernel.Kernel;

/// Finds the nodes and sites that are most correlated with a place. Working memory for one thread.
final class SiteSearch {

  /// A search ends after it has examined this many times the number of points that it needs. If a
  /// kernel does not fall with distance, the search would examine all points.
  private static final int ENOUGH = 32;

  private final Sites sites;
  private final Grid grid;
  private final Kernel kernel;
  private final int d;
  private final int k;
  private int[] candidates = new int[256];
  private int count;
  private double[] coordinates = new double[0];
  private double[] values = new double[0];
  private final double[] best;
  private final double[] here; // the place of the search
  private final double[] u; // the same in cells from the first node
  private final double[] reach;
  private final double[] outside;
  private final int[] low;
  private final int[] high;
  private final double[] shifted;
  private final double[] one = new double[1];

  /// The points found, ascending.
  final int[] found;

  /// The index among the candidates of each point found.
  final int[] positions;

  SiteSearch(Sites sites, Kernel kernel, int k) {
    this.sites = sites;
    this.kernel = kernel;
    this.k = k;
    grid = sites.grid;
    d = grid.dimensions();
    best = new double[k];
    found = new int[k];
    positions = new int[k];
    here = new double[d];
    u = new double[d];
    reach = new double[d];
    outside = new double[d];
    low = new int[d];
    high = new int[d];
    shifted = new double[d];
  }

  /// Finds the points before `before` that are most correlated with a place, which may be beyond
  /// the grid. Returns their number.
  int near(double[] x, int xo, int before) {
    System.arraycopy(x, xo, here, 0, d);
    double crowd = 1 + (double) (before - sites.nodes()) / grid.cells(); // points per cell
    double start = 0.5 * Math.pow(k / crowd, 1.0 / d);
    for (int a = 0; a < d; a++) {
      u[a] = (here[a] - grid.axis(a).origin()) / grid.axis(a).step();
      double beyond = Math.max(0, Math.max(-u[a], u[a] - (grid.axis(a).points() - 1)));
      reach[a] = beyond + start;
    }
    while (true) {
      boolean whole = collect(before);
      locate();
      int number = select();
      if (whole || count >= ENOUGH * k) return sorted(number);
      int widen = 0;
      for (int a = 0; a < d; a++) {
        outside[a] = Double.NEGATIVE_INFINITY;
        if (u[a] - reach[a] <= 0 && u[a] + reach[a] >= grid.axis(a).points() - 1) continue;
        System.arraycopy(here, 0, shifted, 0, d);
        shifted[a] += reach[a] * grid.axis(a).step();
        kernel.matrix(here, 1, shifted, 1, one);
        outside[a] = one[0];
        if (outside[a] > outside[widen]) widen = a;
      }
      if (number == k && best[k - 1] >= outside[widen]) return sorted(number);
      reach[widen]++;
    }
  }

  /// Collects the points within reach. Returns whether these are all.
  private boolean collect(int before) {
    count = 0;
    boolean whole = true;
    for (int a = 0; a < d; a++) {
      int last = grid.axis(a).points() - 1;
      low[a] = (int) Math.max(0, Math.ceil(u[a] - reach[a]));
      high[a] = (int) Math.min(last, Math.floor(u[a] + reach[a]));
      whole &= u[a] - reach[a] <= 0 && u[a] + reach[a] >= last;
    }
    addNodes(0, 0);
    for (int a = 0; a < d; a++) {
      low[a] = Math.max(0, (int) Math.floor(u[a] - reach[a]) - 1);
      high[a] = Math.min(grid.axis(a).cells() - 1, (int) Math.floor(u[a] + reach[a]) - 1);
    }
    int from = count;
    addSites(0, 0, before);
    int kept = from;
    for (int i = from; i < count; i++) {
      sites.point(candidates[i], shifted, 0);
      boolean inside = true;
      for (int a = 0; a < d; a++)
        inside &= Math.abs(shifted[a] - here[a]) <= reach[a] * grid.axis(a).step();
      if (inside) candidates[kept++] = candidates[i];
    }
    count = kept;
    return whole;
  }

  /// Takes the points of a cell's box as candidates: the 4ᵈ nodes around it and the sites between
  /// them.
  void box(int cell) {
    count = 0;
    int rest = cell;
    for (int a = d - 1; a >= 0; a--) {
      int cells = grid.axis(a).cells();
      int at = rest % cells;
      low[a] = Math.max(0, at + 1 - SiteSets.BOX);
      high[a] = Math.min(grid.axis(a).points() - 1, at + 2 + SiteSets.BOX);
      rest /= cells;
    }
    addNodes(0, 0);
    rest = cell;
    for (int a = d - 1; a >= 0; a--) {
      int cells = grid.axis(a).cells();
      low[a] = Math.max(0, rest % cells - SiteSets.BOX);
      high[a] = Math.min(cells - 1, rest % cells + SiteSets.BOX);
      rest /= cells;
    }
    addSites(0, 0, sites.points);
    locate();
  }

  /// Finds the candidates of [#box] that are most correlated with a place. Returns their number.
  int inBox(double[] x, int xo) {
    System.arraycopy(x, xo, here, 0, d);
    return sorted(select());
  }

  /// The number of candidates.
  int candidates() {
    return count;
  }

  /// The coordinates of the candidates; not copied.
  double[] coordinates() {
    return coordinates;
  }

  /// The covariance of a candidate with the place of the search.
  double covariance(int position) {
    return values[position];
  }

  private void addNodes(int axis, int index) {
    if (axis == d) {
      add(index);
      return;
    }
    for (int i = low[axis]; i <= high[axis]; i++) addNodes(axis + 1, index + i * grid.stride(axis));
  }

  private void addSites(int axis, int cell, int before) {
    if (axis == d) {
      for (int i = sites.cellStart(cell); i < sites.cellStart(cell + 1); i++)
        if (sites.site(i) < before) add(sites.site(i));
      return;
    }
    int cells = grid.axis(axis).cells();
    for (int c = low[axis]; c <= high[axis]; c++) addSites(axis + 1, cell * cells + c, before);
  }

  private void add(int point) {
    if (count == candidates.length) candidates = Arrays.copyOf(candidates, 2 * count);
    candidates[count++] = point;
  }

  /// Computes the coordinates of the candidates.
  private void locate() {
    if (values.length < count) {
      values = new double[candidates.length];
      coordinates = new double[candidates.length * d];
    }
    for (int i = 0; i < count; i++) sites.point(candidates[i], coordinates, i * d);
  }

  /// Takes the k most correlated candidates, and of equal ones the first. Returns their number.
  private int select() {
    kernel.matrix(here, 1, coordinates, count, values);
    int number = 0;
    for (int i = 0; i < count; i++) {
      if (number == k && !(values[i] > best[k - 1])) continue;
      int at = number < k ? number++ : k - 1;
      for (; at > 0 && values[i] > best[at - 1]; at--) {
        best[at] = best[at - 1];
        positions[at] = positions[at - 1];
      }
      best[at] = values[i];
      positions[at] = i;
    }
    return number;
  }

  private int sorted(int number) {
    for (int i = 0; i < number; i++) {
      int position = positions[i];
      int at = i;
      for (; at > 0 && found[at - 1] > candidates[position]; at--) {
        found[at] = found[at - 1];
        positions[at] = positions[at - 1];
      }
      found[at] = candidates[position];
      positions[at] = position;
    }
    return number;
  }
}

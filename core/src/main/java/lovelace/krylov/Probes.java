package lovelace.krylov;

import java.util.Arrays;
import java.util.SplittableRandom;
import lovelace.grid.Grid;
import lovelace.statistics.CompressedWeights;
import lovelace.statistics.DataWeights;
import lovelace.statistics.GramRoot;
import lovelace.statistics.GridStatistics;
import lovelace.statistics.Statistics;

/// Random signs whose quadratic forms estimate a trace over the columns of a root of G, `tr F = E Σ
/// ξᵀFξ`.
///
/// The error comes from the entries of F between columns that share a probe. The entries of log A
/// decay with the distance between the places of the columns. So columns are coloured by their
/// place modulo a period along every axis, and by number if they share a place. Each probe is zero
/// except on one colour (Tang and Saad 2012), so columns that share a probe are far apart. With as
/// many colours as columns the trace is exact. Every fourth place has a second, independent probe.
/// How well the two agree, entry by entry, shows how large the error is.
final class Probes {

  private static final int REPEATED = 4;

  private final int[] colour; // of each column
  private final int classes; // number of colours of one place
  private final int[] probeColour;
  private final int[] replicates; // number of probes of each colour
  private final long[] seeds;

  private Probes(int[] colour, int places, int classes, int count, long seed) {
    this.colour = colour;
    this.classes = classes;
    int colours = places * classes;
    replicates = new int[colours];
    int total = 0;
    for (int c = 0; c < colours; c++) {
      if (places == 1) replicates[c] = Math.max(2, count / colours);
      else replicates[c] = c / classes % REPEATED == 0 ? 2 : 1;
      total += replicates[c];
    }
    probeColour = new int[total];
    SplittableRandom random = new SplittableRandom(seed);
    seeds = random.longs(total).toArray();
    for (int c = 0, at = 0; c < colours; c++)
      for (int r = 0; r < replicates[c]; r++) probeColour[at++] = c;
  }

  /// About `count` probes for the trace of a function of `VᵀKV`, coloured by the places of the
  /// columns of V if these have places.
  static Probes of(Statistics statistics, GramRoot root, int count, long seed) {
    int n = root.columns();
    if (!(statistics instanceof GridStatistics data) || root instanceof DataWeights)
      return plain(n, count, seed);
    int[] place = new int[n];
    int[] number = new int[n];
    if (root instanceof CompressedWeights weights) weights.places(place, number);
    else Arrays.setAll(place, i -> i);
    return coloured(data.grid(), place, number, count, seed);
  }

  /// About `count` probes without colours.
  static Probes plain(int columns, int count, long seed) {
    return new Probes(new int[columns], 1, 1, count, seed);
  }

  /// About `count` probes for columns at lattice points `place`. Columns may share a place;
  /// `number` tells them apart.
  static Probes coloured(Grid grid, int[] place, int[] number, int count, long seed) {
    int n = place.length;
    int most = 1 + Arrays.stream(number).max().orElse(0);
    int classes = Math.min(4, most);
    int[] period = periods(grid, count / (1.25 * classes));
    while (classes > 1 && Arrays.stream(period).min().orElse(1) < 3)
      period = periods(grid, count / (1.25 * --classes));
    // the rest of the budget separates more columns of a place
    int places = Arrays.stream(period).reduce(1, (a, b) -> a * b);
    classes = Math.max(1, Math.min(most, (int) (count / (1.25 * places))));
    int[] colour = new int[n];
    for (int i = 0; i < n; i++) {
      int own = 0;
      for (int a = 0; a < period.length; a++) {
        int at = place[i] / grid.stride(a) % grid.axis(a).points();
        own = own * period[a] + at % period[a];
      }
      colour[i] = own * classes + number[i] % classes;
    }
    return new Probes(colour, places, classes, count, seed);
  }

  /// Periods that are as equal as possible. Their product is at most `budget`, and none is longer
  /// than its axis.
  private static int[] periods(Grid grid, double budget) {
    int[] period = new int[grid.dimensions()];
    Arrays.fill(period, 1);
    double product = 1;
    while (true) {
      int shortest = -1;
      for (int a = 0; a < period.length; a++)
        if (period[a] < grid.axis(a).points()
            && product / period[a] * (period[a] + 1) <= budget
            && (shortest < 0 || period[a] < period[shortest])) shortest = a;
      if (shortest < 0) return period;
      product = product / period[shortest] * (period[shortest] + 1);
      period[shortest]++;
    }
  }

  int count() {
    return probeColour.length;
  }

  /// The factor of a probe's quadratic form in the estimate.
  double weight(int probe) {
    return 1.0 / replicates[probeColour[probe]];
  }

  /// Whether another probe has the same colour.
  boolean repeated(int probe) {
    return replicates[probeColour[probe]] > 1;
  }

  /// ξ for one probe: a random sign for every column of its colour, and 0 elsewhere.
  double[] signs(int probe) {
    SplittableRandom random = new SplittableRandom(seeds[probe]);
    double[] xi = new double[colour.length];
    for (int i = 0; i < xi.length; i++)
      if (colour[i] == probeColour[probe]) xi[i] = random.nextBoolean() ? 1 : -1;
    return xi;
  }

  /// The standard error of the estimate, from the entries `ξᵢ(Fξ)ᵢ` of the repeated probes (null
  /// for others). The variance of such an entry is the sum of the squares of its row's other
  /// entries within the colour. The variance of the sum over a colour is twice the sum of these.
  double standardError(double[][] entries) {
    double[] seen = new double[classes]; // variance of a single probe, summed over repeated colours
    double[] members = new double[classes]; // columns of the repeated colours
    int[] sizes = new int[replicates.length];
    for (int c : colour) sizes[c]++;
    double variance = 0;
    for (int p = 0; p < probeColour.length; ) {
      int c = probeColour[p];
      int r = replicates[c];
      if (r > 1) {
        double own = 0;
        for (int i = 0; i < colour.length; i++) {
          if (colour[i] != c) continue;
          double mean = 0;
          for (int k = p; k < p + r; k++) mean += entries[k][i] / r;
          for (int k = p; k < p + r; k++)
            own += (entries[k][i] - mean) * (entries[k][i] - mean) / (r - 1);
        }
        seen[c % classes] += 2 * own;
        members[c % classes] += sizes[c];
        variance += 2 * own / r;
      }
      p += r;
    }
    for (int c = 0; c < replicates.length; c++)
      if (replicates[c] == 1 && members[c % classes] > 0)
        variance += seen[c % classes] * sizes[c] / members[c % classes];
    return Math.sqrt(variance);
  }
}

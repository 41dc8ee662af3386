package lovelace.experiments.reproduce;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import lovelace.data.Dataset;
import lovelace.experiments.RegressionSet;

/// The seven sets of the paper's Table 2, with its figures.
///
/// The paper gives Airfoil 6 columns; the set has 5 inputs and a target.
enum Sets {
  AIRFOIL("airfoil", "Airfoil", 1503, 5, 1.30e-5, 7.01e-5, 4, 84, 3, 49, 9, 183),
  SKILLCRAFT("skillcraft", "Skillcraft", 3338, 19, 2.00e-7, 2.86e-4, 25, 167, 4, 70, 17, 110),
  PARKINSONS("parkinsons", "Parkinsons", 5875, 20, 8.80e-5, 5.18e-3, 46, 443, 3, 33, 16, 152),
  POLETELE("pol", "PoleTele", 15_000, 26, 2.90e-5, 1.08e-3, 78, 1178, 1.5, 40, 21, 343),
  ELEVATORS("elevators", "Elevators", 16_599, 18, 1.20e-6, Double.NaN, 64, 1017, 2, 31, 20, 316),
  KIN40K("kin40k", "Kin40k", 40_000, 8, 3.90e-7, Double.NaN, 31, 2065, 8, 81, 12, 798),
  PROTEIN("protein", "Protein", 45_730, 9, 5.30e-5, Double.NaN, 44, 1151, 10, 109, 20, 520);

  final String folder;
  final String title;
  final int n;
  final int d;
  final double smaeKiss;
  final double smaeExact;
  final double kissScratch;
  final double kissAfter;
  final double sgpr100Scratch;
  final double sgpr100After;
  final double sgpr1000Scratch;
  final double sgpr1000After;

  Sets(
      String folder,
      String title,
      int n,
      int d,
      double smaeKiss,
      double smaeExact,
      double kissScratch,
      double kissAfter,
      double sgpr100Scratch,
      double sgpr100After,
      double sgpr1000Scratch,
      double sgpr1000After) {
    this.folder = folder;
    this.title = title;
    this.n = n;
    this.d = d;
    this.smaeKiss = smaeKiss;
    this.smaeExact = smaeExact;
    this.kissScratch = kissScratch;
    this.kissAfter = kissAfter;
    this.sgpr100Scratch = sgpr100Scratch;
    this.sgpr100After = sgpr100After;
    this.sgpr1000Scratch = sgpr1000Scratch;
    this.sgpr1000After = sgpr1000After;
  }

  /// The name in a report.
  String label(Bench bench) {
    return bench.data() == null ? title + " (synthetic)" : title;
  }

  /// Fails before any work is done if the folder lacks a set.
  static void check(Path folder) {
    if (!Files.isDirectory(folder))
      throw new IllegalArgumentException(
          "--data '%s' is not a folder; name one with a folder for each set".formatted(folder));
    List<String> missing = new ArrayList<>();
    for (Sets set : values())
      if (!RegressionSet.describes(folder.resolve(set.folder))) missing.add(set.folder);
    if (!missing.isEmpty())
      throw new IllegalArgumentException(
          "--data '%s' has no %s; every set is a folder with data.csv.gz and test_mask.csv.gz"
              .formatted(folder, String.join(", ", missing)));
  }

  /// Rows to learn from and rows to test on, standardised.
  record Split(Dataset train, Dataset test) {}

  /// The most rows in a run of a size. A smaller run takes a number proportional to the square root
  /// of the paper's n: so sets still differ in size, and none is too small to learn from.
  private int rows(Size size) {
    if (size.full()) return size.rows();
    return (int) Math.min(n, Math.round(size.rows() * Math.sqrt((double) n / PROTEIN.n)));
  }

  /// The set, or a synthetic one of the same size, cut to the size of the run.
  Split split(Bench bench) throws IOException {
    Path data = bench.data();
    int rows = rows(bench.size());
    Split whole = data == null ? synthetic(Math.min(n, rows)) : read(data);
    int train = Math.min(whole.train.size(), Math.max(20, rows - rows / 10));
    int test = Math.min(whole.test.size(), Math.max(5, rows / 10));
    return new Split(whole.train.thinned(train), whole.test.thinned(test));
  }

  private Split read(Path data) throws IOException {
    Path own = data.resolve(folder);
    if (!RegressionSet.describes(own)) throw new NoSuchFileException(own.toString());
    RegressionSet set = RegressionSet.read(own, 0).standardised();
    return new Split(set.train(), set.test());
  }

  /// A smooth function of two directions among d, with noise of a standard deviation of 0.3. It has
  /// the size of the set, and is not like it in other ways.
  private Split synthetic(int rows) {
    SplittableRandom random = new SplittableRandom(Bench.SEED + n);
    double[] direction = new double[2 * d];
    for (int i = 0; i < direction.length; i++) direction[i] = random.nextGaussian() / Math.sqrt(d);
    double[] x = new double[rows * d];
    double[] y = new double[rows];
    for (int i = 0; i < rows; i++) {
      double u = 0;
      double v = 0;
      for (int a = 0; a < d; a++) {
        x[i * d + a] = random.nextGaussian();
        u += direction[a] * x[i * d + a];
        v += direction[d + a] * x[i * d + a];
      }
      y[i] = Math.sin(1.5 * u) + 0.7 * Math.cos(v + 1) + 0.3 * random.nextGaussian();
    }
    Dataset all = Dataset.of(x, d, y);
    int train = rows - rows / 10;
    return new Split(all.rows(0, train), all.rows(train, rows));
  }
}

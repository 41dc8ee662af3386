package lovelace.inference;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import lovelace.budget.Budget;
import lovelace.grid.CompressedWeights;
import lovelace.grid.DensePart;
import lovelace.grid.Grid;
import lovelace.grid.GridKernel;
import lovelace.grid.Lattice;
import lovelace.grid.ModulatedPart;
import lovelace.grid.StationaryPart;
import lovelace.grid.Statistics;
import lovelace.grid.StencilMatrix;
import lovelace.grid.Stencils;
import lovelace.kernel.Kernel;
import lovelace.kernel.PriorMean;
import lovelace.linear.Blas;
import lovelace.linear.Parallel;
import org.jspecify.annotations.Nullable;

/// The data seen through the Fourier modes of the lattice: `H = FᵀGF`, `f = Fᵀb`, once for all
/// hyperparameters whose kernel these modes carry. F holds, side by side, the modes of every
/// component's stationary terms, and one explicit vector for each constant or linear term.
/// Immutable.
final class SpectralSystem {

  private static final int BATCH = 32;

  private final Statistics statistics;
  private final List<Piece> pieces;
  private final int rank;
  private final double[] h; // rank × rank
  private final double[] f; // Fᵀ b about the statistics' origin
  private final double[][] means; // FᵀGc for each basis vector c of a prior mean: 1, x₁, …
  private final double[] projections; // cᵀb
  private final double[] overlaps; // cᵀGc′

  /// Modes `from` … `from + count` belong to one component: a Fourier basis, the kernel's own
  /// eigenvectors with their eigenvalues, or explicit vectors.
  private static final class Piece {
    final GridKernel.Block block;
    final int from;
    final @Nullable SpectralBasis basis;
    final @Nullable ModeProducts products;
    final double[] eigenvalues;
    final double[][] vectors;

    private Piece(
        GridKernel.Block block,
        int from,
        @Nullable SpectralBasis basis,
        @Nullable ModeProducts products,
        double[] eigenvalues,
        double[][] vectors) {
      this.block = block;
      this.from = from;
      this.basis = basis;
      this.products = products;
      this.eigenvalues = eigenvalues;
      this.vectors = vectors;
    }

    static Piece of(GridKernel.Block block, int from, SpectralBasis basis) {
      return new Piece(block, from, basis, basis.products(), new double[0], new double[0][]);
    }

    static Piece of(GridKernel.Block block, int from, double[][] vectors) {
      return new Piece(block, from, null, null, new double[0], vectors);
    }

    static Piece own(GridKernel.Block block, ModeProducts products, double[] eigenvalues) {
      return new Piece(block, 0, null, products, eigenvalues, new double[0][]);
    }

    int count() {
      return basis != null ? basis.rank() : products != null ? eigenvalues.length : vectors.length;
    }
  }

  private SpectralSystem(Statistics statistics, List<Piece> pieces, int rank) {
    this.statistics = statistics;
    this.pieces = pieces;
    this.rank = rank;
    Lattice lattice = statistics.lattice();
    int m = lattice.size();
    h = gram(statistics);
    double[] b = statistics.projected();
    f = new double[rank];
    analyse(1, b, f);
    int d = lattice.dimensions();
    means = new double[d + 1][rank];
    projections = new double[d + 1];
    overlaps = new double[(d + 1) * (d + 1)];
    double[][] c = new double[d + 1][];
    double[][] gc = new double[d + 1][m];
    for (int i = 0; i <= d; i++) {
      c[i] = lattice.basis(i);
      statistics.gram().apply(c[i], gc[i]);
      analyse(1, gc[i], means[i]);
      projections[i] = Blas.dot(m, c[i], 0, b, 0);
    }
    for (int i = 0; i <= d; i++)
      for (int j = 0; j <= d; j++) overlaps[i * (d + 1) + j] = Blas.dot(m, c[i], 0, gc[j], 0);
  }

  /// The system of some data for a kernel, or null where the kernel is not carried by at most
  /// `most` modes.
  static @Nullable SpectralSystem of(
      Statistics statistics, GridKernel kernel, double tolerance, int most) {
    List<Piece> pieces = new ArrayList<>();
    int rank = pieces(kernel, tolerance, most, pieces);
    return rank < 0 ? null : new SpectralSystem(statistics, pieces, rank);
  }

  /// The system of some data for the one kernel whose eigenvectors on the grid these modes are,
  /// with its eigenvalues. There is no gradient in the kernel's parameters: the modes move with
  /// them.
  static SpectralSystem own(
      Statistics statistics, GridKernel kernel, ModeProducts products, double[] eigenvalues) {
    Piece piece = Piece.own(kernel.blocks().getFirst(), products, eigenvalues);
    return new SpectralSystem(statistics, List.of(piece), eigenvalues.length);
  }

  /// How many modes carry a kernel, or −1 where more than `most` would.
  static int rank(GridKernel kernel, double tolerance, int most) {
    return pieces(kernel, tolerance, most, null);
  }

  /// Why at most `most` modes do not carry a kernel, in words.
  static String obstacle(GridKernel kernel, double tolerance, int most) {
    for (GridKernel.Block block : kernel.blocks()) {
      List<Kernel> stationary = new ArrayList<>();
      for (GridKernel.Part part : block.parts())
        switch (part) {
          case StationaryPart s -> stationary.add(s.kernel());
          case ModulatedPart s when s.isLowRank() -> {}
          case ModulatedPart s -> {
            return "a part of it is not stationary";
          }
          case DensePart s -> {
            return "a part of it is not stationary";
          }
        }
      if (!ModeChoice.diesOut(block.grid(), block.columns(), stationary, tolerance))
        return String.format(
            Locale.ROOT, "it does not die out within %d lengths of the grid", ModeChoice.LONGEST);
      ModeChoice choice = ModeChoice.of(block.grid(), block.columns(), stationary, tolerance, most);
      if (choice != null && !SpectralBasis.fits(block.grid(), choice))
        return "its modes take more memory than allowed";
    }
    return String.format(Locale.ROOT, "it takes more than %,d modes", most);
  }

  /// Collects the pieces where a list is given, and counts their modes.
  private static int pieces(
      GridKernel kernel, double tolerance, int most, @Nullable List<Piece> pieces) {
    int rank = 0;
    for (GridKernel.Block block : kernel.blocks()) {
      List<Kernel> stationary = new ArrayList<>();
      List<double[]> vectors = new ArrayList<>();
      for (GridKernel.Part part : block.parts())
        switch (part) {
          case StationaryPart s -> stationary.add(s.kernel());
          case ModulatedPart s -> {
            if (!s.isLowRank()) return -1;
            for (int c = 0; c < s.vectors(); c++) vectors.add(s.vector(c));
          }
          case DensePart s -> {
            return -1;
          }
        }
      if (!stationary.isEmpty()) {
        ModeChoice choice =
            ModeChoice.of(block.grid(), block.columns(), stationary, tolerance, most);
        if (choice == null
            || rank + choice.modes() > most
            || !SpectralBasis.fits(block.grid(), choice)) return -1;
        if (pieces != null)
          pieces.add(
              Piece.of(
                  block,
                  rank,
                  SpectralBasis.of(block.grid(), block.columns(), stationary, tolerance, choice)));
        rank += choice.modes();
      }
      if (!vectors.isEmpty()) {
        if (pieces != null) pieces.add(Piece.of(block, rank, vectors.toArray(double[][]::new)));
        rank += vectors.size();
      }
      if (rank > most) return -1;
    }
    return rank;
  }

  private double[] gram(Statistics statistics) {
    Budget.require(
        16L * rank * rank,
        String.format(Locale.ROOT, "a system of %,d modes", rank),
        "use the krylov engine, a smaller grid,");
    if (isFew(statistics, rank)) return ofObservations(statistics, rank, this::analyse);
    if (pieces.size() == 1
        && pieces.getFirst().products != null
        && statistics.gram() instanceof StencilMatrix g
        && g.grid().dimensions() <= 2
        && pieces.getFirst().products.contracts()) return pieces.getFirst().products.contract(g);
    double[] product =
        new double[Budget.numbers(rank, rank, "a system of modes", "use the krylov engine")];
    Parallel.chunks(rank, BATCH, (chunk, from, to) -> gramRows(from, to, product));
    return symmetric(rank, product);
  }

  /// `x ← Fᵀv` for `count` lattice vectors v.
  interface Analysis {
    void apply(int count, double[] v, double[] x);
  }

  /// Whether observations are so much fewer than modes that H costs less by way of them.
  static boolean isFew(Statistics statistics, int modes) {
    return 2 * statistics.rankBound() <= Math.min(modes, statistics.lattice().size());
  }

  /// `H = (FᵀV)(FᵀV)ᵀ` by the compressed weights V.
  static double[] ofObservations(Statistics statistics, int modes, Analysis analysis) {
    CompressedWeights root = statistics.compressed();
    int n = root.columns();
    int m = root.size();
    double[] seen = new double[n * modes];
    Parallel.chunks(
        n,
        BATCH,
        (chunk, from, to) -> {
          int count = to - from;
          double[] columns = new double[count * m];
          double[] unit = new double[n];
          double[] column = new double[m];
          for (int c = 0; c < count; c++) {
            unit[from + c] = 1;
            root.apply(unit, column);
            unit[from + c] = 0;
            System.arraycopy(column, 0, columns, c * m, m);
          }
          double[] x = new double[count * modes];
          analysis.apply(count, columns, x);
          System.arraycopy(x, 0, seen, from * modes, x.length);
        });
    double[] h = new double[Math.multiplyExact(modes, modes)];
    Blas.gemm(true, false, modes, modes, n, 1, seen, 0, modes, seen, 0, modes, 0, h, 0, modes);
    return symmetric(modes, h);
  }

  /// The mean of a matrix and its transpose, in place.
  static double[] symmetric(int n, double[] a) {
    for (int i = 0; i < n; i++)
      for (int j = 0; j < i; j++) {
        double mean = 0.5 * (a[i * n + j] + a[j * n + i]);
        a[i * n + j] = mean;
        a[j * n + i] = mean;
      }
    return a;
  }

  /// Rows from ≤ j < to of H: `FᵀG(Fe_j)`.
  private void gramRows(int from, int to, double[] product) {
    int count = to - from;
    int m = statistics.lattice().size();
    double[] unit = new double[count * rank];
    for (int j = 0; j < count; j++) unit[j * rank + from + j] = 1;
    double[] mode = new double[count * m];
    synthesise(count, unit, mode);
    double[] image = new double[count * m];
    statistics.gram().applyBlock(count, mode, image);
    double[] rows = new double[count * rank];
    analyse(count, image, rows);
    System.arraycopy(rows, 0, product, from * rank, rows.length);
  }

  Statistics statistics() {
    return statistics;
  }

  int rank() {
    return rank;
  }

  double[] gram() {
    return h;
  }

  /// The coefficients of a prior mean, measured from the statistics' origin.
  double[] centre(PriorMean mean) {
    double[] own = mean.coefficients();
    double[] c = own.length == 0 ? new double[1] : own;
    c[0] -= statistics.origin();
    return c;
  }

  /// `Fᵀ(b − Gc)` for a prior mean of these coefficients.
  double[] projected(double[] coefficients) {
    double[] out = f.clone();
    for (int i = 0; i < coefficients.length; i++)
      for (int j = 0; j < rank; j++) out[j] -= coefficients[i] * means[i][j];
    return out;
  }

  /// `(y − c)ᵀ(y − c)` for a prior mean of these coefficients.
  double squares(double[] coefficients) {
    double sum = statistics.squares();
    for (int i = 0; i < coefficients.length; i++) {
      sum -= 2 * coefficients[i] * projections[i];
      for (int j = 0; j < coefficients.length; j++)
        sum += coefficients[i] * coefficients[j] * meanOverlap(i, j);
    }
    return sum;
  }

  /// `FᵀGc` for the basis vector c of a prior mean: 1, then the coordinates.
  double[] meanProjection(int basis) {
    return means[basis];
  }

  double meanTarget(int basis) {
    return projections[basis];
  }

  double meanOverlap(int i, int j) {
    return overlaps[i * means.length + j];
  }

  /// Whether a kernel of the same form is carried by these modes.
  boolean fits(GridKernel kernel) {
    for (Piece piece : pieces) {
      if (piece.eigenvalues.length > 0) return false;
      GridKernel.Block block = block(kernel, piece);
      int vector = 0;
      for (GridKernel.Part part : block.parts())
        if (piece.basis == null && part instanceof ModulatedPart s) {
          for (int c = 0; c < s.vectors(); c++)
            if (!Arrays.equals(piece.vectors[vector++], s.vector(c))) return false;
        } else if (piece.basis != null
            && part instanceof StationaryPart s
            && !piece.basis.fits(s.kernel())) return false;
    }
    return true;
  }

  private GridKernel.Block block(GridKernel kernel, Piece piece) {
    for (GridKernel.Block block : kernel.blocks())
      if (block.start() == piece.block.start()) return block;
    throw new IllegalArgumentException(
        "the kernel has another form than the modes were chosen for");
  }

  /// λ, the prior variance of every mode's coefficient.
  double[] weights(GridKernel kernel) {
    double[] lambda = new double[rank];
    for (Piece piece : pieces) {
      System.arraycopy(piece.eigenvalues, 0, lambda, piece.from, piece.eigenvalues.length);
      int at = piece.from;
      for (GridKernel.Part part : block(kernel, piece).parts())
        switch (part) {
          case StationaryPart s -> {
            if (piece.basis == null) continue;
            double[] own = piece.basis.weights(s.kernel());
            for (int j = 0; j < own.length; j++) lambda[piece.from + j] += own[j];
          }
          case ModulatedPart s -> {
            if (piece.basis != null) continue;
            for (int c = 0; c < s.vectors(); c++) lambda[at++] = s.weight(c);
          }
          case DensePart s -> throw noModes();
        }
    }
    return lambda;
  }

  /// A bound on the prior variance that is lost with the modes that are not in a basis, or whose
  /// scale is 0.
  double tail(GridKernel kernel, double[] scale) {
    double sum = 0;
    for (Piece piece : pieces) {
      if (piece.products != null && piece.basis == null) {
        sum += lost(kernel, piece.products, scale);
        continue;
      }
      double left = 0;
      int at = piece.from;
      for (GridKernel.Part part : block(kernel, piece).parts())
        switch (part) {
          case StationaryPart s -> {
            if (piece.basis != null) left += s.entry(0, 0);
          }
          case ModulatedPart s -> {
            if (piece.basis != null) continue;
            for (int c = 0; c < s.vectors(); c++) {
              double largest = 0;
              for (double u : s.vector(c)) largest = Math.max(largest, Math.abs(u));
              if (scale[at++] == 0) left += s.weight(c) * largest * largest;
            }
          }
          case DensePart s -> throw noModes();
        }
      if (piece.basis != null)
        for (int j = 0; j < piece.count(); j++)
          left -= scale[piece.from + j] * scale[piece.from + j];
      sum += Math.max(left, 0);
    }
    return sum;
  }

  /// The most that eigenvectors with these roots of their eigenvalues lack of a prior variance.
  private static double lost(GridKernel kernel, ModeProducts products, double[] scale) {
    double[] lambda = new double[scale.length];
    for (int j = 0; j < scale.length; j++) lambda[j] = scale[j] * scale[j];
    double[] variance = new double[kernel.size()];
    products.squared().synthesise(1, lambda, 0, lambda.length, variance, 0, variance.length);
    double own = kernel.entry(0, 0);
    double most = 0;
    for (double v : variance) most = Math.max(most, own - v);
    return most;
  }

  /// What rounding does to an entry of K beside the largest: eigenvectors come from a longer
  /// computation than Fourier modes.
  double rounding() {
    return pieces.stream().anyMatch(p -> p.eigenvalues.length > 0) ? 0x1p-45 : 0x1p-48;
  }

  private static IllegalStateException noModes() {
    return new IllegalStateException("a kernel that is not stationary has no modes");
  }

  /// Adds `Σⱼ slopeⱼ ∂λⱼ/∂θ` to g, in the order of the kernel's values.
  void pullBack(GridKernel kernel, double[] slope, double[] g) {
    for (Piece piece : pieces) {
      int at = piece.from;
      for (GridKernel.Part part : block(kernel, piece).parts())
        switch (part) {
          case StationaryPart s -> {
            if (piece.basis == null) continue;
            double[] own = new double[piece.count()];
            System.arraycopy(slope, piece.from, own, 0, own.length);
            double[] local = new double[s.kernel().parameterCount()];
            piece.basis.pullBack(s.kernel(), own, local);
            s.place(local, g);
          }
          case ModulatedPart s -> {
            if (piece.basis != null) continue;
            for (int c = 0; c < s.vectors(); c++) s.weightGradient(c, slope[at++], g);
          }
          case DensePart s -> throw noModes();
        }
    }
  }

  /// `X ← FᵀV` for `count` lattice vectors, one row of coefficients each.
  void analyse(int count, double[] v, double[] x) {
    int m = statistics.lattice().size();
    for (Piece piece : pieces) {
      int start = piece.block.start();
      if (piece.products == null) {
        for (int c = 0; c < count; c++)
          for (int k = 0; k < piece.vectors.length; k++)
            x[c * rank + piece.from + k] =
                Blas.dot(piece.vectors[k].length, v, c * m + start, piece.vectors[k], 0);
      } else {
        piece.products.analyse(count, v, start, m, x, piece.from, rank);
      }
    }
  }

  /// `V ← FX` for `count` rows of coefficients.
  void synthesise(int count, double[] x, double[] v) {
    int m = statistics.lattice().size();
    Arrays.fill(v, 0, count * m, 0);
    for (Piece piece : pieces) {
      int start = piece.block.start();
      if (piece.products != null) {
        piece.products.synthesise(count, x, piece.from, rank, v, start, m);
        continue;
      }
      for (int c = 0; c < count; c++)
        for (int k = 0; k < piece.vectors.length; k++)
          Blas.axpy(
              piece.vectors[k].length,
              x[c * rank + piece.from + k],
              piece.vectors[k],
              0,
              v,
              c * m + start);
    }
  }

  /// X, one row of `count` coefficients for every mode, as [#rows] takes it.
  double[][] spread(int count, double[] x) {
    double[][] all = new double[pieces.size()][];
    for (int i = 0; i < all.length; i++) {
      Piece piece = pieces.get(i);
      int at = piece.from * count;
      all[i] =
          piece.products == null
              ? Arrays.copyOfRange(x, at, at + piece.count() * count)
              : piece.products.spread(count, x, at);
    }
    return all;
  }

  /// `FX` on a single grid for the points from ≤ i < to along its first axis, one row of `count`
  /// numbers a point.
  void rows(int count, double[][] x, int from, int to, double[] out) {
    int stride = ((Grid) statistics.lattice()).stride(0);
    int points = (to - from) * stride;
    for (int i = 0; i < x.length; i++) {
      Piece piece = pieces.get(i);
      if (piece.products != null) {
        piece.products.rows(count, x[i], from, to, i == 0 ? 0 : 1, out);
        continue;
      }
      if (i == 0) Arrays.fill(out, 0, points * count, 0);
      for (int k = 0; k < piece.vectors.length; k++)
        for (int p = 0; p < points; p++)
          Blas.axpy(count, piece.vectors[k][from * stride + p], x[i], k * count, out, p * count);
    }
  }

  /// `φ = Fᵀw` for one sparse vector.
  void features(Stencils points, int p, double[] phi, int at) {
    for (int k = 0; k < points.width(); k++) {
      double w = points.weight(p, k);
      int i = points.index(p, k);
      for (Piece piece : pieces) {
        int local = i - piece.block.start();
        Grid grid = piece.block.grid();
        if (local < 0 || local >= grid.size()) continue;
        if (piece.products == null)
          for (int c = 0; c < piece.vectors.length; c++)
            phi[at + piece.from + c] += w * piece.vectors[c][local];
        else piece.products.addRow(local, w, phi, at + piece.from);
      }
    }
  }
}

package lovelace.modes;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.stream.IntStream;
import lovelace.budget.Budget;
import lovelace.grid.Grid;
import lovelace.grid.Lattice;
import lovelace.grid.StencilMatrix;
import lovelace.grid.Stencils;
import lovelace.kernel.Kernel;
import lovelace.kernel.PriorMean;
import lovelace.latticekernel.DensePart;
import lovelace.latticekernel.FourierModes;
import lovelace.latticekernel.GramContraction;
import lovelace.latticekernel.LatticeKernel;
import lovelace.latticekernel.ModeChoice;
import lovelace.latticekernel.ModulatedPart;
import lovelace.latticekernel.PeriodicPart;
import lovelace.latticekernel.StationaryPart;
import lovelace.linear.Blas;
import lovelace.linear.Parallel;
import lovelace.statistics.CompressedWeights;
import lovelace.statistics.Statistics;
import org.jspecify.annotations.Nullable;

/// The statistics of the data in terms of modes of the lattice: `H = FᵀGF` and `f = Fᵀb`. They are
/// computed once for all hyperparameters whose kernel these modes represent. F holds the Fourier
/// modes of every component's stationary terms side by side, and one explicit vector for each
/// constant or linear term. Or F holds the kernel's own eigenvectors, which represent only that
/// kernel. Immutable.
public final class ModeStatistics {

  private static final int BATCH = 32;

  private final Statistics statistics;
  private final List<Piece> pieces;
  private final int rank;
  private final double[] h; // rank × rank
  private final double[] f; // Fᵀ b about the statistics' origin
  private final double[][] means; // FᵀGc for each basis vector c of a prior mean: 1, x₁, …
  private final double[] projections; // cᵀb
  private final double[] overlaps; // cᵀGc′

  /// Results of a posterior in these modes, from which the slopes in the kernel's parameters
  /// follow.
  public interface Slopes {

    /// `∂ log p/∂λ` of every mode, while the modes do not move.
    double[] slopes();

    /// `Wα = WA⁻¹(y − μ)`.
    double[] dual();

    /// `σ²B⁻¹` over the modes in use.
    double[] inverse();

    /// The modes in use, ascending; not to be modified.
    int[] active();

    /// σ².
    double noise();
  }

  private ModeStatistics(Statistics statistics, List<Piece> pieces, int rank) {
    this.statistics = statistics;
    this.pieces = pieces;
    this.rank = rank;
    Lattice lattice = statistics.lattice();
    int m = lattice.size();
    h = makeGram();
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

  /// The statistics in modes for a kernel, or null if more than `most` modes are needed to
  /// represent it.
  public static @Nullable ModeStatistics of(
      Statistics statistics, LatticeKernel kernel, double tolerance, int most) {
    List<Piece> pieces = new ArrayList<>();
    int rank = pieces(kernel, tolerance, most, pieces);
    return rank < 0 ? null : new ModeStatistics(statistics, pieces, rank);
  }

  /// The statistics in the eigenvectors of one kernel on the grid.
  static ModeStatistics of(Statistics statistics, EigenModes own) {
    Piece piece = new Piece.Own(own, own.products());
    return new ModeStatistics(statistics, List.of(piece), own.rank());
  }

  /// The statistics in explicit lattice vectors, the first `count` of these rows.
  public static ModeStatistics ofRows(Statistics statistics, int count, double[] rows) {
    double[] own = Arrays.copyOf(rows, count * statistics.lattice().size());
    return new ModeStatistics(statistics, List.of(Piece.Explicit.of(0, 0, count, own)), count);
  }

  /// The number of modes that represent a kernel, or −1 if it is more than `most`.
  public static int rank(LatticeKernel kernel, double tolerance, int most) {
    return pieces(kernel, tolerance, most, null);
  }

  /// The reason why at most `most` modes cannot represent a kernel, in words.
  public static String obstacle(LatticeKernel kernel, double tolerance, int most) {
    for (LatticeKernel.Block block : kernel.blocks()) {
      List<Kernel> stationary = new ArrayList<>();
      for (LatticeKernel.Part part : block.others())
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
      if (choice != null && !FourierModes.fits(block.grid(), choice))
        return "its modes take more memory than allowed";
    }
    return String.format(Locale.ROOT, "it takes more than %,d modes", most);
  }

  /// Whether the stationary terms of a kernel decay well before they get too long for the modes, so
  /// that modes of another grid represent them too.
  public static boolean isWellWithin(LatticeKernel kernel, double tolerance) {
    return kernel.blocks().stream()
        .allMatch(
            block ->
                ModeChoice.diesOutWell(
                    block.grid(),
                    block.columns(),
                    block.others().stream()
                        .filter(StationaryPart.class::isInstance)
                        .map(part -> ((StationaryPart) part).kernel())
                        .toList(),
                    tolerance));
  }

  /// Counts the modes, and adds their pieces to the list if there is one.
  private static int pieces(
      LatticeKernel kernel, double tolerance, int most, @Nullable List<Piece> pieces) {
    int rank = 0;
    for (LatticeKernel.Block block : kernel.blocks()) {
      List<Kernel> stationary = new ArrayList<>();
      List<double[]> vectors = new ArrayList<>();
      for (LatticeKernel.Part part : block.others())
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
            || !FourierModes.fits(block.grid(), choice)) return -1;
        if (pieces != null) {
          FourierModes basis =
              FourierModes.of(block.grid(), block.columns(), stationary, tolerance, choice);
          pieces.add(new Piece.Fourier(block.start(), rank, basis));
        }
        rank += choice.modes();
      }
      for (int t = 0; t < block.periodic().size(); t++) {
        PeriodicPart part = block.periodic().get(t);
        int multiples = part.multiples(tolerance);
        if (multiples < 0 || rank + PeriodicPart.modes(multiples) > most) return -1;
        if (pieces != null)
          pieces.add(Piece.Periodic.of(block.start(), rank, t, part, multiples, tolerance));
        rank += PeriodicPart.modes(multiples);
      }
      if (pieces != null && !vectors.isEmpty())
        pieces.add(
            Piece.Explicit.of(block.start(), rank, vectors.size(), Piece.Explicit.joined(vectors)));
      rank += vectors.size();
      if (rank > most) return -1;
    }
    return rank;
  }

  private double[] makeGram() {
    Budget.require(
        16L * rank * rank,
        String.format(Locale.ROOT, "a system of %,d modes", rank),
        "use the krylov engine, a smaller grid,");
    // with far fewer observations than modes, computing H from the observations costs less
    if (2 * statistics.rankBound() <= Math.min(rank, statistics.lattice().size()))
      return ofObservations(statistics.compressed());
    if (pieces.size() == 1
        && statistics.gram() instanceof StencilMatrix g
        && pieces.getFirst().products().dimensions() == g.grid().dimensions())
      return pieces.getFirst().products().gram(g);
    return GramContraction.of(
        statistics.gram(),
        rank,
        this::columns,
        (count, v) -> {
          double[] x = new double[count * rank];
          analyse(count, v, x);
          return x;
        });
  }

  /// Modes from ≤ j < to as lattice vectors.
  private double[] columns(int from, int to) {
    int m = statistics.lattice().size();
    double[] all = new double[(to - from) * m];
    for (Piece piece : pieces) {
      int first = Math.max(from, piece.from());
      int last = Math.min(to, piece.from() + piece.count());
      if (first >= last) continue;
      double[] own = piece.products().columns(first - piece.from(), last - piece.from());
      int n = piece.products().size();
      for (int j = first; j < last; j++)
        System.arraycopy(own, (j - first) * n, all, (j - from) * m + piece.start(), n);
    }
    return all;
  }

  /// `H = (FᵀV)(FᵀV)ᵀ` from the compressed weights V.
  private double[] ofObservations(CompressedWeights root) {
    int n = root.columns();
    int m = root.size();
    double[] seen = new double[n * rank];
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
          double[] x = new double[count * rank];
          analyse(count, columns, x);
          System.arraycopy(x, 0, seen, from * rank, x.length);
        });
    double[] h = new double[Math.multiplyExact(rank, rank)];
    Blas.syrk(true, rank, n, 1, seen, 0, rank, 0, h, 0, rank);
    Blas.mirror(rank, h);
    return h;
  }

  public Statistics statistics() {
    return statistics;
  }

  public int rank() {
    return rank;
  }

  public double[] gram() {
    return h;
  }

  /// The coefficients of a prior mean, measured from the origin of the statistics.
  public double[] centre(PriorMean mean) {
    double[] own = mean.coefficients();
    double[] c = own.length == 0 ? new double[1] : own;
    c[0] -= statistics.origin();
    return c;
  }

  /// `Fᵀ(b − Gc)` for a prior mean with these coefficients.
  public double[] projected(double[] coefficients) {
    double[] out = f.clone();
    for (int i = 0; i < coefficients.length; i++)
      for (int j = 0; j < rank; j++) out[j] -= coefficients[i] * means[i][j];
    return out;
  }

  /// `(y − c)ᵀ(y − c)` for a prior mean with these coefficients.
  public double squares(double[] coefficients) {
    double sum = statistics.squares();
    for (int i = 0; i < coefficients.length; i++) {
      sum -= 2 * coefficients[i] * projections[i];
      for (int j = 0; j < coefficients.length; j++)
        sum += coefficients[i] * coefficients[j] * overlap(i, j);
    }
    return sum;
  }

  /// `cᵀ(b − Gμ − GFx)` for every basis vector c of a prior mean (1 and the coordinates), and a
  /// mean μ with these coefficients.
  public double[] meanSlopes(double[] coefficients, double[] x) {
    double[] slopes = projections.clone();
    for (int i = 0; i < slopes.length; i++) {
      slopes[i] -= Blas.dot(rank, means[i], 0, x, 0);
      for (int j = 0; j < coefficients.length; j++) slopes[i] -= coefficients[j] * overlap(i, j);
    }
    return slopes;
  }

  private double overlap(int i, int j) {
    return overlaps[i * means.length + j];
  }

  /// Whether these modes represent a kernel of the same form.
  public boolean fits(LatticeKernel kernel) {
    return pieces.stream().allMatch(piece -> piece.fits(kernel));
  }

  /// λ, the prior variance of every mode's coefficient.
  public double[] weights(LatticeKernel kernel) {
    double[] lambda = new double[rank];
    for (Piece piece : pieces) piece.addWeights(kernel, lambda);
    return lambda;
  }

  /// The modes heavier than `floor` times the heaviest.
  public static int[] heavy(double[] lambda, double floor) {
    double least = floor * Arrays.stream(lambda).max().orElse(0);
    return IntStream.range(0, lambda.length).filter(j -> lambda[j] > least).toArray();
  }

  /// The lower triangle of `B = σ²I + Λ^½HΛ^½` over some modes. `scale` is Λ^½ of all modes.
  public double[] matrix(int[] active, double[] scale, double noise) {
    int k = active.length;
    double[] b = new double[k * k];
    for (int i = 0; i < k; i++) {
      int row = active[i] * rank;
      double s = scale[active[i]];
      for (int j = 0; j <= i; j++) b[i * k + j] = s * scale[active[j]] * h[row + active[j]];
      b[i * k + i] += noise;
    }
    return b;
  }

  /// A bound on the prior variance of the modes that are not in the basis, or whose scale is 0.
  public double tail(LatticeKernel kernel, double[] scale) {
    double sum = 0;
    for (Piece piece : pieces) sum += Math.max(piece.tail(kernel, scale), 0);
    return sum;
  }

  /// The relative rounding error of an entry of K. It is larger for eigenvectors, which take a
  /// longer computation than Fourier modes.
  public double rounding() {
    return pieces.stream().anyMatch(Piece.Own.class::isInstance) ? 0x1p-45 : 0x1p-48;
  }

  /// Adds the slopes of a posterior's likelihood in the kernel's parameters to g, in the order of
  /// the kernel's values: `Σⱼ slopeⱼ ∂λⱼ/∂θ`, plus the effect of modes that move.
  public void pullBack(LatticeKernel kernel, Slopes posterior, double[] g) {
    double[] slope = posterior.slopes();
    Piece.Motion motion = new ModeMotion(this, kernel, posterior);
    for (Piece piece : pieces) piece.pullBack(kernel, motion, slope, g);
  }

  /// Whether no mode moves with the parameters and none is explicit. The slopes in the kernel's
  /// parameters then need only [Slopes#slopes].
  public boolean isStill() {
    return pieces.stream().allMatch(p -> p.isStill() && !(p instanceof Piece.Explicit));
  }

  /// `Fᵀw` for points. Each point gets a row of coefficients.
  public double[] features(Stencils points) {
    double[] rows =
        new double
            [Budget.numbers(points.count(), rank, "modes at points", "use fewer points at once")];
    Parallel.chunks(
        points.count(),
        BATCH,
        (chunk, from, to) -> {
          for (int p = from; p < to; p++)
            for (int k = 0; k < points.width(); k++)
              for (Piece piece : pieces) {
                int i = points.index(p, k) - piece.start();
                if (i >= 0 && i < piece.products().size())
                  piece.products().addRow(i, points.weight(p, k), rows, p * rank + piece.from());
              }
        });
    return rows;
  }

  /// `X ← FᵀV` for `count` lattice vectors. Each gets one row of coefficients.
  public void analyse(int count, double[] v, double[] x) {
    int m = statistics.lattice().size();
    for (Piece piece : pieces)
      piece.products().analyse(count, v, piece.start(), m, x, piece.from(), rank);
  }

  /// `V ← FX` for `count` rows of coefficients.
  public void synthesise(int count, double[] x, double[] v) {
    int m = statistics.lattice().size();
    Arrays.fill(v, 0, count * m, 0);
    for (Piece piece : pieces)
      piece.products().synthesise(count, x, piece.from(), rank, v, piece.start(), m);
  }

  /// X with one row of `count` coefficients per mode, in the form that [#rows] takes.
  public double[][] spread(int count, double[] x) {
    double[][] all = new double[pieces.size()][];
    for (int i = 0; i < all.length; i++)
      all[i] = pieces.get(i).products().spread(count, x, pieces.get(i).from() * count);
    return all;
  }

  /// `FX` on a single grid, for the points from ≤ i < to along its first axis. Each point gets one
  /// row of `count` numbers.
  public void rows(int count, double[][] x, int from, int to, double[] out) {
    int lead = ((Grid) statistics.lattice()).axis(0).points();
    for (int i = 0; i < x.length; i++)
      pieces.get(i).products().rows(count, x[i], lead, from, to, i == 0 ? 0 : 1, out);
  }

  /// `φ = Fᵀw` for one sparse vector.
  public void features(Stencils points, int p, double[] phi, int at) {
    for (int k = 0; k < points.width(); k++)
      for (Piece piece : pieces) {
        int local = points.index(p, k) - piece.start();
        if (points.weight(p, k) != 0 && local >= 0 && local < piece.products().size())
          piece.products().addRow(local, points.weight(p, k), phi, at + piece.from());
      }
  }
}

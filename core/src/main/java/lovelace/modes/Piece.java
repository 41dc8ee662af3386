package lovelace.modes;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import lovelace.latticekernel.FourierModes;
import lovelace.latticekernel.LatticeKernel;
import lovelace.latticekernel.ModeProducts;
import lovelace.latticekernel.ModulatedPart;
import lovelace.latticekernel.PeriodicPart;
import lovelace.latticekernel.StationaryPart;
import lovelace.latticekernel.ThinKernelRoot;
import lovelace.linear.Blas;
import lovelace.linear.Dense;

/// Modes `from` and following of [ModeStatistics]. They belong to one component, whose points begin
/// at `start`.
sealed interface Piece {

  int start();

  int from();

  ModeProducts products();

  /// Whether these modes represent a kernel of the same form.
  boolean fits(LatticeKernel kernel);

  /// Adds λ, the prior variance of every mode's coefficient.
  void addWeights(LatticeKernel kernel, double[] lambda);

  /// The prior variance of the modes that are not in the basis, or whose scale is 0.
  double tail(LatticeKernel kernel, double[] scale);

  /// Adds the slopes of a posterior's likelihood in the parameters that these modes depend on to g.
  ///
  /// @param slope [ModeStatistics.Slopes#slopes]
  void pullBack(LatticeKernel kernel, Motion motion, double[] slope, double[] g);

  default int count() {
    return products().rank();
  }

  /// Whether the modes do not move while learning changes the parameters.
  default boolean isStill() {
    return true;
  }

  /// The component of a kernel that the modes belong to.
  default LatticeKernel.Block block(LatticeKernel kernel) {
    for (LatticeKernel.Block block : kernel.blocks()) if (block.start() == start()) return block;
    throw new IllegalArgumentException(
        "the kernel has another form than the modes were chosen for");
  }

  /// The contribution of moving modes to the slopes.
  interface Motion {
    ModeStatistics.Slopes posterior();

    /// `∂ log p` for a motion `∂F` of the modes of a piece. The modes follow one another.
    double slope(Piece piece, double[] moved);
  }

  /// Makes modes from the rows of a matrix.
  private static ModeProducts products(int count, double[] rows) {
    int points = rows.length / count;
    double[] columns = Dense.transposed(count, points, rows);
    ThinKernelRoot all =
        ThinKernelRoot.of(new int[] {points}, new int[] {count}, new double[][] {columns});
    return new ModeProducts(all, IntStream.range(0, count).toArray());
  }

  /// The Fourier modes of a component's stationary terms that decay.
  record Fourier(int start, int from, FourierModes basis) implements Piece {
    @Override
    public ModeProducts products() {
      return basis.products();
    }

    private List<StationaryPart> parts(LatticeKernel kernel) {
      List<StationaryPart> parts = new ArrayList<>();
      for (LatticeKernel.Part part : block(kernel).others())
        if (part instanceof StationaryPart s) parts.add(s);
      return parts;
    }

    @Override
    public boolean fits(LatticeKernel kernel) {
      return parts(kernel).stream().allMatch(part -> basis.fits(part.kernel()));
    }

    @Override
    public void addWeights(LatticeKernel kernel, double[] lambda) {
      for (StationaryPart part : parts(kernel))
        Blas.axpy(count(), 1, basis.weights(part.kernel()), 0, lambda, from);
    }

    @Override
    public double tail(LatticeKernel kernel, double[] scale) {
      double left = 0;
      for (StationaryPart part : parts(kernel)) left += part.variance();
      return left - Blas.dot(count(), scale, from, scale, from);
    }

    @Override
    public void pullBack(LatticeKernel kernel, Motion motion, double[] slope, double[] g) {
      double[] own = Arrays.copyOfRange(slope, from, from + count());
      for (StationaryPart part : parts(kernel)) {
        double[] local = new double[part.kernel().parameterCount()];
        basis.pullBack(part.kernel(), own, local);
        part.place(local, g);
      }
    }
  }

  /// The modes of a component's periodic term, which move with its period.
  ///
  /// @param term the number of the term among the periodic ones
  record Periodic(
      int start,
      int from,
      ModeProducts products,
      int term,
      double period,
      int multiples,
      double tolerance,
      boolean isStill)
      implements Piece {

    static Periodic of(
        int start, int from, int term, PeriodicPart part, int multiples, double tolerance) {
      return new Periodic(
          start,
          from,
          Piece.products(PeriodicPart.modes(multiples), part.vectors(multiples)),
          term,
          part.period(),
          multiples,
          tolerance,
          !part.moves());
    }

    private PeriodicPart part(LatticeKernel kernel) {
      return block(kernel).periodic().get(term);
    }

    @Override
    public boolean fits(LatticeKernel kernel) {
      int needed = part(kernel).multiples(10 * tolerance);
      return part(kernel).period() == period && needed >= 0 && needed <= multiples;
    }

    @Override
    public void addWeights(LatticeKernel kernel, double[] lambda) {
      Blas.axpy(count(), 1, part(kernel).weights(multiples), 0, lambda, from);
    }

    /// The sine and cosine of a frequency are a constant part of the variance everywhere.
    @Override
    public double tail(LatticeKernel kernel, double[] scale) {
      double left = part(kernel).variance() - scale[from] * scale[from];
      for (int j = 1; j <= multiples; j++) {
        int cosine = from + 2 * j - 1;
        left -= Math.min(scale[cosine] * scale[cosine], scale[cosine + 1] * scale[cosine + 1]);
      }
      return left;
    }

    @Override
    public void pullBack(LatticeKernel kernel, Motion motion, double[] slope, double[] g) {
      PeriodicPart part = part(kernel);
      double byPeriod = isStill ? 0 : motion.slope(this, part.motion(multiples));
      part.pullBack(Arrays.copyOfRange(slope, from, from + count()), byPeriod, g);
    }
  }

  /// The vectors of a component's constant and linear terms, or any other vectors.
  record Explicit(int start, int from, ModeProducts products) implements Piece {

    /// Takes the `count` rows of a matrix.
    static Explicit of(int start, int from, int count, double[] rows) {
      return new Explicit(start, from, Piece.products(count, rows));
    }

    private List<ModulatedPart> parts(LatticeKernel kernel) {
      List<ModulatedPart> parts = new ArrayList<>();
      for (LatticeKernel.Part part : block(kernel).parts())
        if (part instanceof ModulatedPart s) parts.add(s);
      return parts;
    }

    @Override
    public boolean fits(LatticeKernel kernel) {
      List<double[]> vectors = new ArrayList<>();
      for (ModulatedPart part : parts(kernel))
        for (int c = 0; c < part.vectors(); c++) vectors.add(part.vector(c));
      return Arrays.equals(products.columns(0, count()), joined(vectors));
    }

    @Override
    public void addWeights(LatticeKernel kernel, double[] lambda) {
      int at = from;
      for (ModulatedPart part : parts(kernel))
        for (int c = 0; c < part.vectors(); c++) lambda[at++] = part.weight(c);
    }

    @Override
    public double tail(LatticeKernel kernel, double[] scale) {
      double left = 0;
      int at = from;
      for (ModulatedPart part : parts(kernel))
        for (int c = 0; c < part.vectors(); c++) {
          double largest = 0;
          for (double u : part.vector(c)) largest = Math.max(largest, Math.abs(u));
          if (scale[at++] == 0) left += part.weight(c) * largest * largest;
        }
      return left;
    }

    @Override
    public void pullBack(LatticeKernel kernel, Motion motion, double[] slope, double[] g) {
      int at = from;
      for (ModulatedPart part : parts(kernel))
        for (int c = 0; c < part.vectors(); c++) part.weightGradient(c, slope[at++], g);
    }

    static double[] joined(List<double[]> vectors) {
      int m = vectors.isEmpty() ? 0 : vectors.getFirst().length;
      double[] all = new double[vectors.size() * m];
      for (int i = 0; i < vectors.size(); i++) System.arraycopy(vectors.get(i), 0, all, i * m, m);
      return all;
    }
  }

  /// The kernel's own eigenvectors, which represent only that kernel.
  record Own(EigenModes modes, ModeProducts products) implements Piece {
    @Override
    public int start() {
      return 0;
    }

    @Override
    public int from() {
      return 0;
    }

    @Override
    public boolean isStill() {
      return false;
    }

    @Override
    public boolean fits(LatticeKernel kernel) {
      return false;
    }

    @Override
    public void addWeights(LatticeKernel kernel, double[] lambda) {
      System.arraycopy(modes.eigenvalues(), 0, lambda, 0, count());
    }

    /// The most that is missing of a prior variance, for eigenvectors with these roots of their
    /// eigenvalues.
    @Override
    public double tail(LatticeKernel kernel, double[] scale) {
      double[] lambda = new double[scale.length];
      for (int j = 0; j < scale.length; j++) lambda[j] = scale[j] * scale[j];
      double[] variance = new double[kernel.size()];
      products.squared().synthesise(1, lambda, 0, lambda.length, variance, 0, variance.length);
      double own = kernel.entry(0, 0);
      double most = 0;
      for (double v : variance) most = Math.max(most, own - v);
      return most;
    }

    @Override
    public void pullBack(LatticeKernel kernel, Motion motion, double[] slope, double[] g) {
      modes.pullBack(motion.posterior().dual(), motion.posterior().inverse(), g);
    }
  }
}

package lovelace.latticekernel;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import lovelace.budget.Budget;
import lovelace.grid.AdditiveGrid;
import lovelace.grid.Grid;
import lovelace.grid.Lattice;
import lovelace.grid.StencilMatrix;
import lovelace.grid.Stencils;
import lovelace.kernel.Kernel;
import lovelace.kernel.Leaf;
import lovelace.kernel.Term;
import lovelace.linear.LinearOperator;
import lovelace.linear.Parallel;
import org.jspecify.annotations.Nullable;

/// K, the kernel between the points of a lattice. It is the same function on the grid as elsewhere.
/// The matrix is never formed.
///
/// A kernel is a sum of terms. The stationary ones together are one matrix that depends only on
/// index differences ([StationaryPart]). Each factor `Σᵢ vᵢ(xᵢ − cᵢ)(x′ᵢ − cᵢ)` of a term turns it
/// into a sum of `diag(u) K diag(u)` over grid vectors u, which has rank one if the term has no
/// other factor. A user's own term that is not stationary is a dense matrix ([DensePart]). White
/// noise is not included: it is added to the observations' noise. On an additive lattice K is
/// block-diagonal.
public final class LatticeKernel implements LinearOperator {

  private final Lattice lattice;
  private final Kernel kernel;
  private final List<Block> blocks;
  private final double maxVariance;

  /// A component: its grid, the input columns of its axes, the index of its first point, and the
  /// parts of K over it.
  public static final class Block {
    private final Grid grid;
    private final int[] columns;
    private final int start;
    private final List<Part> parts;
    private final Repeating repeating;

    private Block(Grid grid, int[] columns, int start, List<Part> parts, Repeating repeating) {
      this.grid = grid;
      this.columns = columns;
      this.start = start;
      this.parts = List.copyOf(parts);
      this.repeating = repeating;
    }

    public Grid grid() {
      return grid;
    }

    /// A new array with the input column of each axis.
    public int[] columns() {
      return columns.clone();
    }

    /// The lattice index of the grid's first point.
    public int start() {
      return start;
    }

    public List<Part> parts() {
      return parts;
    }

    /// The terms that are periodic without end.
    public List<PeriodicPart> periodic() {
      return repeating.periodic;
    }

    /// The parts without the terms that are periodic without end.
    public List<Part> others() {
      return repeating.periodic.isEmpty() ? parts : repeating.others;
    }
  }

  /// The terms of a block that are periodic without end, and all others if there are such terms.
  private record Repeating(List<PeriodicPart> periodic, List<Part> others) {

    static Repeating of(Grid grid, int[] columns, Kernel kernel, List<Term> terms) {
      List<PeriodicPart> periodic = new ArrayList<>();
      List<Part> others = new ArrayList<>();
      if (terms.stream().anyMatch(term -> PeriodicPart.serves(grid, term)))
        for (Term term : terms)
          if (PeriodicPart.serves(grid, term))
            periodic.add(PeriodicPart.of(grid, columns, kernel, term));
          else others.add(part(grid, columns, kernel, term));
      return new Repeating(List.copyOf(periodic), List.copyOf(others));
    }
  }

  /// One summand of K over one grid.
  public sealed interface Part permits StationaryPart, ModulatedPart, DensePart {
    /// Adds `K x` to y, both from the given offset.
    void add(int count, int stride, double[] x, double[] y, int offset);

    double entry(int i, int j);

    /// Adds `weight Σ uᵀ(∂K/∂θ)v` over pairs of vectors to g, in the order of the whole kernel's
    /// values.
    void gradient(
        int count, int stride, double[] u, double[] v, int offset, double weight, double[] g);
  }

  private LatticeKernel(Lattice lattice, Kernel kernel, List<Block> blocks) {
    this.lattice = lattice;
    this.kernel = kernel;
    this.blocks = blocks;
    double most = 0;
    for (Block block : blocks)
      for (Part part : block.parts)
        most +=
            switch (part) {
              case StationaryPart p -> p.variance();
              case ModulatedPart p -> p.maxVariance();
              case DensePart p -> p.maxVariance();
            };
    maxVariance = most;
  }

  /// K for a kernel that is bound and has all its values. On an additive lattice every term must
  /// read the columns of one component only.
  public static LatticeKernel of(Lattice lattice, Kernel kernel) {
    if (kernel.dimensions() != lattice.dimensions())
      throw new IllegalArgumentException(
          String.format(
              Locale.ROOT,
              "the kernel reads %d columns, the lattice has %d",
              kernel.dimensions(),
              lattice.dimensions()));
    int[] words = kernel.categories();
    if (words.length > 0)
      throw new IllegalArgumentException(
          "column %s (counted from 0) holds words, which have no place on a lattice; use engine exact or neighbours, or make indicators of it"
              .formatted(words[0]));
    return switch (lattice) {
      case Grid grid -> {
        int[] columns = new int[grid.dimensions()];
        for (int a = 0; a < columns.length; a++) columns[a] = a;
        List<Term> terms = kernel.terms().stream().filter(t -> !t.isWhite()).toList();
        Repeating repeating = Repeating.of(grid, columns, kernel, terms);
        List<Part> parts = parts(grid, columns, kernel, terms);
        yield new LatticeKernel(
            lattice, kernel, List.of(new Block(grid, columns, 0, parts, repeating)));
      }
      case AdditiveGrid additive ->
          new LatticeKernel(lattice, kernel, additiveBlocks(additive, kernel));
    };
  }

  private static List<Part> parts(Grid grid, int[] columns, Kernel kernel, List<Term> terms) {
    if (terms.stream().allMatch(t -> t.isStationary() && !t.factors().isEmpty()))
      return List.of(StationaryPart.of(grid, columns, kernel));
    List<Part> parts = new ArrayList<>();
    for (Term term : terms) parts.add(part(grid, columns, kernel, term));
    return parts;
  }

  private static Part part(Grid grid, int[] columns, Kernel kernel, Term term) {
    if (term.isStationary() && !term.factors().isEmpty())
      return StationaryPart.of(grid, columns, kernel, term);
    return term.factors().stream().anyMatch(f -> !f.isStationary() && !f.isLinear())
        ? DensePart.of(grid, columns, kernel, term)
        : ModulatedPart.of(grid, columns, kernel, term);
  }

  private static List<Block> additiveBlocks(AdditiveGrid lattice, Kernel kernel) {
    List<List<Part>> parts = new ArrayList<>();
    List<List<Term>> terms = new ArrayList<>();
    for (int c = 0; c < lattice.components(); c++) {
      parts.add(new ArrayList<>());
      terms.add(new ArrayList<>());
    }
    for (Term term : kernel.terms()) {
      if (term.isWhite()) continue;
      int c = component(lattice, term);
      parts.get(c).add(part(lattice.component(c).grid(), columns(lattice, c), kernel, term));
      terms.get(c).add(term);
    }
    List<Block> blocks = new ArrayList<>();
    for (int c = 0; c < lattice.components(); c++) {
      Grid grid = lattice.component(c).grid();
      int[] columns = columns(lattice, c);
      Repeating repeating = Repeating.of(grid, columns, kernel, terms.get(c));
      blocks.add(new Block(grid, columns, lattice.start(c), parts.get(c), repeating));
    }
    return blocks;
  }

  /// The component whose columns include all that the term reads.
  private static int component(AdditiveGrid lattice, Term term) {
    int best = -1;
    for (int c = 0; c < lattice.components(); c++) {
      boolean covers = true;
      for (Leaf leaf : term.factors())
        for (int column : leaf.columns()) {
          boolean found = false;
          for (int own : columns(lattice, c)) found |= own == column;
          covers &= found;
        }
      if (covers && (best < 0 || axes(lattice, c) < axes(lattice, best))) best = c;
    }
    if (best < 0)
      throw new IllegalArgumentException(
          "no component of the additive lattice has all the columns of the term " + term);
    return best;
  }

  private static int axes(AdditiveGrid lattice, int c) {
    return lattice.component(c).grid().dimensions();
  }

  private static int[] columns(AdditiveGrid lattice, int c) {
    int[] columns = new int[axes(lattice, c)];
    for (int a = 0; a < columns.length; a++) columns[a] = lattice.component(c).column(a);
    return columns;
  }

  @Override
  public int size() {
    return lattice.size();
  }

  /// The kernel as a function.
  public Kernel kernel() {
    return kernel;
  }

  public Lattice lattice() {
    return lattice;
  }

  /// The components: one for a grid, several for an additive lattice.
  public List<Block> blocks() {
    return blocks;
  }

  /// The largest diagonal entry, or a bound on it.
  public double maxVariance() {
    return maxVariance;
  }

  @Override
  public void apply(double[] x, double[] y) {
    applyBlock(1, x, y);
  }

  @Override
  public void applyBlock(int count, double[] x, double[] y) {
    int m = size();
    Arrays.fill(y, 0, count * m, 0);
    for (Block block : blocks) for (Part part : block.parts) part.add(count, m, x, y, block.start);
  }

  /// K[i, j].
  public double entry(int i, int j) {
    for (Block block : blocks) {
      int end = block.start + block.grid.size();
      if (i < block.start || i >= end) continue;
      if (j < block.start || j >= end) return 0;
      double sum = 0;
      for (Part part : block.parts) sum += part.entry(i - block.start, j - block.start);
      return sum;
    }
    throw new IndexOutOfBoundsException("no lattice point " + i);
  }

  /// `wᵀKw` for one sparse vector.
  public double quadratic(int[] index, double[] weight) {
    return bilinear(index, weight, index, weight);
  }

  /// `wₚᵀKwₚ` for every point.
  public double[] quadratics(Stencils points) {
    double[] out = new double[points.count()];
    int width = points.width();
    boolean same =
        lattice instanceof Grid
            && blocks.getFirst().parts.stream().allMatch(StationaryPart.class::isInstance);
    double[] local = new double[same && points.count() > 0 ? width * width : 0];
    for (int e = 0; e < local.length; e++)
      local[e] = entry(points.index(0, e / width), points.index(0, e % width));
    Parallel.chunks(
        out.length,
        256,
        (chunk, from, to) -> {
          int[] index = new int[width];
          double[] weight = new double[width];
          for (int p = from; p < to; p++) {
            points.copy(p, index, weight);
            out[p] = same ? quadratic(local, weight) : quadratic(index, weight);
          }
        });
    return out;
  }

  /// `wᵀAw`, A symmetric.
  private static double quadratic(double[] a, double[] w) {
    int n = w.length;
    double diagonal = 0;
    double off = 0;
    for (int i = 0; i < n; i++) {
      double inner = 0;
      for (int j = 0; j < i; j++) inner += w[j] * a[i * n + j];
      off += w[i] * inner;
      diagonal += w[i] * w[i] * a[i * n + i];
    }
    return diagonal + 2 * off;
  }

  /// A root of K with few columns, for one smooth, separable, stationary part on one grid;
  /// otherwise null.
  public @Nullable ThinKernelRoot thinRoot() {
    if (!(lattice instanceof Grid) || blocks.getFirst().parts.size() != 1) return null;
    return blocks.getFirst().parts.getFirst() instanceof StationaryPart part
        ? part.thinRoot()
        : null;
  }

  private double bilinear(int[] i, double[] u, int[] j, double[] v) {
    double sum = 0;
    for (int p = 0; p < u.length; p++) {
      double inner = 0;
      for (int q = 0; q < v.length; q++) inner += v[q] * entry(i[p], j[q]);
      sum += u[p] * inner;
    }
    return sum;
  }

  /// `wᵢᵀKwⱼ` for all pairs, row-major.
  public double[] between(Stencils a, Stencils b) {
    double[] out = new double[Budget.covariance(a.count(), b.count())];
    int m = size();
    Parallel.forEach(
        a.count(),
        p -> {
          double[] w = new double[m];
          double[] kw = new double[m];
          a.scatter(p, 1, w, 0);
          apply(w, kw);
          for (int q = 0; q < b.count(); q++) out[p * b.count() + q] = b.dot(q, kw, 0);
        });
    return out;
  }

  /// The entries of K between points of one stencil, for a lattice with one grid.
  public StencilMatrix stencil() {
    if (!(lattice instanceof Grid grid))
      throw new UnsupportedOperationException("an additive lattice has no single stencil");
    StencilMatrix pattern = StencilMatrix.zero(grid);
    int count = pattern.diagonalCount();
    double[][] diagonals = new double[count][grid.size()];
    int d = grid.dimensions();
    int[] offset = new int[d];
    boolean stationary =
        blocks.getFirst().parts.stream().allMatch(StationaryPart.class::isInstance);
    for (int k = 0; k < count; k++) {
      pattern.offset(k, offset);
      int shift = pattern.shift(k);
      double value = Double.NaN;
      for (int i = 0; i < grid.size(); i++) {
        if (!inside(grid, i, offset)) continue;
        if (!stationary || Double.isNaN(value)) value = entry(i, i + shift);
        diagonals[k][i] = value;
      }
    }
    return StencilMatrix.adopt(grid, diagonals);
  }

  private static boolean inside(Grid grid, int i, int[] offset) {
    for (int a = 0; a < offset.length; a++) {
      int at = i / grid.stride(a) % grid.axis(a).points() + offset[a];
      if (at < 0 || at >= grid.axis(a).points()) return false;
    }
    return true;
  }

  /// k*, the covariances of f at x and at the lattice points. On an additive lattice they are those
  /// of each component's part of f.
  public double[] column(double[] x, int xo) {
    double[] out = new double[size()];
    double[] here = Arrays.copyOfRange(x, xo, xo + kernel.dimensions());
    for (Block block : blocks) {
      double[] points = block.grid.points();
      int own = block.columns.length;
      int m = block.grid.size();
      double[] full = new double[m * here.length];
      for (int i = 0; i < m; i++) {
        System.arraycopy(here, 0, full, i * here.length, here.length);
        for (int a = 0; a < own; a++)
          full[i * here.length + block.columns[a]] = points[i * own + a];
      }
      double[] k = new double[m];
      if (blocks.size() == 1) {
        kernel.withoutWhite().matrix(here, 1, full, m, k);
        System.arraycopy(k, 0, out, block.start, m);
        continue;
      }
      for (Term term : kernel.terms()) {
        if (term.isWhite() || component((AdditiveGrid) lattice, term) != blocks.indexOf(block))
          continue;
        term.kernel(here.length).matrix(here, 1, full, m, k);
        for (int i = 0; i < m; i++) out[block.start + i] += k[i];
      }
    }
    return out;
  }

  /// Adds `weight Σₚ uₚᵀ(∂K/∂θ)vₚ` for pairs of vectors stored one after another to g, in the order
  /// of the kernel's values.
  public void gradient(int count, double[] u, double[] v, double weight, double[] g) {
    for (Block block : blocks)
      for (Part part : block.parts) part.gradient(count, size(), u, v, block.start, weight, g);
  }
}

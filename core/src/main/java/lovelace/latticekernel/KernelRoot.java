package lovelace.latticekernel;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.stream.IntStream;
import lovelace.linear.Parallel;
import org.jspecify.annotations.Nullable;

/// A root of the kernel on a lattice, `RRᵀ = K`: `Rξ` with standard normal ξ is a draw from the
/// prior.
///
/// A stationary part is drawn by circulant embedding ([CirculantKernelRoot]); by dense factors of
/// the axes if it is a product over them; or by a dense factor if no embedding is non-negative
/// ([DenseKernelRoot]). A modulated part `Σ v diag(u) K diag(u)` is drawn by a draw of K for every
/// u, and a part of low rank by one normal per vector. Parts and components are independent.
/// Immutable.
public final class KernelRoot {

  /// A root of a stationary part.
  sealed interface Part permits CirculantKernelRoot, DenseKernelRoot {
    int normals();

    /// `v ← Rξ` for the normals from `xi[xo]` on.
    void apply(double[] xi, int xo, double[] v);

    /// The variance due to normal j, summed over the grid, up to a common factor of about 1.
    double weight(int j);

    String describe();
  }

  /// Adds `scale · modulation ∘ (root ξ)`, from `start` on. Without a root it adds `scale · ξ ·
  /// modulation`.
  private static final class Piece {
    final int start;
    final int from; // of its normals
    final @Nullable Part root;
    final double @Nullable [] modulation;
    final double scale;

    Piece(int start, int from, @Nullable Part root, double @Nullable [] modulation, double scale) {
      this.start = start;
      this.from = from;
      this.root = root;
      this.modulation = modulation;
      this.scale = scale;
    }

    int normals() {
      return root == null ? 1 : root.normals();
    }
  }

  private final LatticeKernel kernel;
  private final List<Piece> pieces;
  private final int normals;

  private KernelRoot(LatticeKernel kernel, List<Piece> pieces, int normals) {
    this.kernel = kernel;
    this.pieces = pieces;
    this.normals = normals;
  }

  public static KernelRoot of(LatticeKernel kernel) {
    List<Piece> pieces = new ArrayList<>();
    int at = 0;
    for (LatticeKernel.Block block : kernel.blocks())
      for (LatticeKernel.Part part : block.parts())
        switch (part) {
          case StationaryPart stationary -> {
            pieces.add(new Piece(block.start(), at, stationary.root(), null, 1));
            at = Math.addExact(at, pieces.getLast().normals());
          }
          case DensePart dense -> {
            pieces.add(new Piece(block.start(), at, dense.root(), null, 1));
            at = Math.addExact(at, pieces.getLast().normals());
          }
          case ModulatedPart modulated -> {
            Part root = modulated.coreRoot();
            for (int c = 0; c < modulated.vectors(); c++) {
              double scale = Math.sqrt(modulated.weight(c));
              pieces.add(new Piece(block.start(), at, root, modulated.vector(c), scale));
              at = Math.addExact(at, pieces.getLast().normals());
            }
          }
        }
    return new KernelRoot(kernel, pieces, at);
  }

  /// The number of lattice points.
  public int size() {
    return kernel.size();
  }

  /// The number of normals for a draw.
  public int normals() {
    return normals;
  }

  /// `u ← Rξ` for `count` draws. ξ of draw c starts at `xi[c·stride]`; u holds the draws one after
  /// another.
  public void apply(int count, int stride, double[] xi, double[] u) {
    int m = size();
    Arrays.fill(u, 0, count * m, 0);
    Parallel.forEach(
        count,
        c -> {
          double[] v = new double[0];
          for (Piece piece : pieces) {
            int to = c * m + piece.start;
            double[] by = piece.modulation;
            if (piece.root == null && by != null) {
              double factor = piece.scale * xi[c * stride + piece.from];
              for (int i = 0; i < by.length; i++) u[to + i] += factor * by[i];
            } else if (piece.root != null) {
              int own = gridSize(piece);
              if (v.length != own) v = new double[own];
              piece.root.apply(xi, c * stride + piece.from, v);
              if (by == null) for (int i = 0; i < own; i++) u[to + i] += v[i];
              else for (int i = 0; i < own; i++) u[to + i] += piece.scale * by[i] * v[i];
            }
          }
        });
  }

  private int gridSize(Piece piece) {
    for (LatticeKernel.Block block : kernel.blocks())
      if (block.start() == piece.start) return block.grid().size();
    throw new IllegalStateException("no block at " + piece.start);
  }

  /// The normals with most of the prior variance, the largest first, at most `most` of them.
  public int[] leading(int most) {
    double[] weight = new double[normals];
    for (Piece piece : pieces)
      for (int j = 0; j < piece.normals(); j++) {
        double squares = gridSize(piece);
        if (piece.modulation != null) {
          squares = 0;
          for (double u : piece.modulation) squares += u * u;
        }
        double own =
            piece.root == null ? squares : squares / gridSize(piece) * piece.root.weight(j);
        weight[piece.from + j] = piece.scale * piece.scale * own;
      }
    return IntStream.range(0, normals)
        .boxed()
        .sorted(Comparator.comparingDouble((Integer j) -> -weight[j]))
        .limit(most)
        .mapToInt(Integer::intValue)
        .toArray();
  }

  /// Describes how the stationary parts are drawn, such as `circulant 200 × 200` or `factors 30 ×
  /// 28`.
  public String describe() {
    List<String> words = new ArrayList<>();
    for (Piece piece : pieces)
      if (piece.root != null && !words.contains(piece.root.describe()))
        words.add(piece.root.describe());
    return words.isEmpty() ? "low rank" : String.join(", ", words);
  }
}

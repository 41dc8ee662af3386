package lovelace.modes;

import java.util.Arrays;
import java.util.stream.IntStream;
import lovelace.latticekernel.LatticeKernel;
import lovelace.linear.Blas;

/// Computes how moving modes change the slopes of a likelihood. With `K = FΛFᵀ` and modes that move
/// by `∂F`, `∂K = ∂FΛFᵀ + FΛ∂Fᵀ`, so that
///
/// ```
/// ½ αᵀWᵀ∂KWα − ½ tr(WA⁻¹Wᵀ∂K) = Σⱼ λⱼ (∂fⱼᵀWα)(fⱼᵀWα) − Σⱼ λⱼ^½ (B⁻¹Λ^½ FᵀG∂F)ⱼⱼ
/// ```
///
/// because `WA⁻¹WᵀFΛ^½ = GFΛ^½B⁻¹`.
///
/// @param system the modes in use
record ModeMotion(ModeStatistics system, LatticeKernel kernel, ModeStatistics.Slopes posterior)
    implements Piece.Motion {

  @Override
  public double slope(Piece piece, double[] moved) {
    int count = piece.count();
    int m = system.statistics().lattice().size();
    int own = moved.length / count;
    double[] placed = new double[Math.multiplyExact(count, m)];
    for (int j = 0; j < count; j++)
      System.arraycopy(moved, j * own, placed, j * m + piece.start(), own);
    double[] lambda = system.weights(kernel);
    double[] dual = posterior.dual();
    int rank = system.rank();
    double[] along = new double[rank];
    system.analyse(1, dual, along);
    double[] image = new double[placed.length];
    system.statistics().gram().applyBlock(count, placed, image);
    double[] seen = new double[count * rank]; // FᵀG∂F, a row for every moving mode
    system.analyse(count, image, seen);
    int[] active = posterior.active();
    double[] inverse = posterior.inverse(); // σ²B⁻¹
    int k = active.length;
    int[] at = new int[rank];
    Arrays.fill(at, -1);
    for (int i = 0; i < k; i++) at[active[i]] = i;
    double noise = posterior.noise();
    return IntStream.range(0, count)
        .mapToDouble(
            j -> {
              int i = at[piece.from() + j];
              if (i < 0) return 0; // left out
              double root = Math.sqrt(lambda[active[i]]);
              double trace = 0;
              for (int c = 0; c < k; c++)
                trace +=
                    inverse[i * k + c] * Math.sqrt(lambda[active[c]]) * seen[j * rank + active[c]];
              double fit = Blas.dot(m, placed, j * m, dual, 0) * along[active[i]];
              return root * root * fit - root * trace / noise;
            })
        .sum();
  }
}

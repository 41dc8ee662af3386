package lovelace.linear;

/// Where a Krylov method on `A = VᵀKV + σ²I` keeps its vectors.
///
/// The same iterates can be held in several coordinates. With the weights W of a lattice and G =
/// WWᵀ, a vector `v = Wᵀx` of observation space is held as x itself, a grid vector, with inner
/// product `xᵀGy`: nothing then depends on the number of observations (Yadav, Sheldon and Musco
/// 2021). With a root V of G, vectors are held as they are and the inner product is Euclid's. An
/// algorithm sees these products:
///
/// | product | grid coordinates | coordinates of a root V |
/// |---|---|---|
/// | metric | `g = G x` | `g = x` |
/// | embed | `g` | `V g` |
/// | lift | `r = K g` | `r = K V g` |
/// | project | `y = r` | `y = Vᵀ r` |
/// | A x | `K G x + σ² x` | `VᵀKV x + σ² x` |
///
/// so that `A x = project(lift(metric(x))) + σ² x` in every space. Products that a space does not
/// write itself are the identity. Implementations are immutable.
public interface Space {

  /// The length of a vector of this space.
  int size();

  /// The length of a lifted vector: the number of grid points, or of coordinates that stand for
  /// them.
  default int liftedSize() {
    return size();
  }

  /// σ², the smallest eigenvalue A can have.
  double shift();

  /// Whether the inner product is Euclid's, so that [#metric] is the identity.
  default boolean euclidean() {
    return true;
  }

  /// `g ← M x`, where the inner product is `⟨x, y⟩ = xᵀMy`, for `count` vectors stored one after
  /// another.
  default void metric(int count, double[] x, double[] g) {
    System.arraycopy(x, 0, g, 0, count * size());
  }

  /// `r ← K V x` given `g = M x`, for `count` vectors stored one after another.
  void lift(int count, double[] g, double[] r);

  /// `y ← Vᵀ r`, for `count` vectors stored one after another.
  default void project(int count, double[] r, double[] y) {
    System.arraycopy(r, 0, y, 0, count * size());
  }

  /// `V g`, a lifted-size vector, for `count` vectors stored one after another; `K` times it is
  /// [#lift].
  default void embed(int count, double[] g, double[] grid) {
    System.arraycopy(g, 0, grid, 0, count * size());
  }
}

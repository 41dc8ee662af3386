package lovelace.linear;

/// The coordinates in which a Krylov method on `A = VᵀKV + σ²I` keeps its vectors.
///
/// The same iterates can be held in several coordinates. Let W be the weights of a lattice and G =
/// WWᵀ. A vector `v = Wᵀx` of observation space can be held as x, a grid vector, with inner product
/// `xᵀGy`. Nothing then depends on the number of observations (Yadav, Sheldon and Musco 2021). With
/// a root V of G, vectors are held as they are, and the inner product is Euclid's. An algorithm
/// uses these products:
///
/// | product | grid coordinates | coordinates of a root V |
/// |---|---|---|
/// | metric | `g = G x` | `g = x` |
/// | embed | `g` | `V g` |
/// | lift | `r = K g` | `r = K V g` |
/// | project | `y = r` | `y = Vᵀ r` |
/// | A x | `K G x + σ² x` | `VᵀKV x + σ² x` |
///
/// So `A x = project(lift(metric(x))) + σ² x` in every space. A product that a space does not
/// override is the identity. Implementations are immutable.
public interface Space {

  /// The length of a vector of this space.
  int size();

  /// The length of a lifted vector: the number of grid points, or of the coordinates that represent
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

  /// `V g`, a lifted-size vector, for `count` vectors stored one after another. [#lift] is `K`
  /// times it.
  default void embed(int count, double[] g, double[] grid) {
    System.arraycopy(g, 0, grid, 0, count * size());
  }
}

package lovelace.data;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.Locale;

/// A linear projection of the input columns, `z = A(x − c)`: k features of d columns. Each feature
/// is a weighted sum.
public final class LinearMap implements FeatureMap {

  static final String TYPE = "linear";

  private final int inputs;
  private final int outputs;
  private final double[] matrix;
  private final double[] centre;

  private LinearMap(int inputs, int outputs, double[] matrix, double[] centre) {
    if (inputs < 1 || outputs < 1)
      throw new IllegalArgumentException(
          String.format(
              Locale.ROOT,
              "a projection needs at least one column and one feature, got %d and %d",
              inputs,
              outputs));
    if (matrix.length != (long) inputs * outputs || centre.length != inputs)
      throw new IllegalArgumentException(
          String.format(
              Locale.ROOT,
              "a projection of %d columns to %d features needs %d weights and %d centres, got %d and %d",
              inputs,
              outputs,
              (long) inputs * outputs,
              inputs,
              matrix.length,
              centre.length));
    for (double value : matrix) requireFinite("weight", value);
    for (double value : centre) requireFinite("centre", value);
    this.inputs = inputs;
    this.outputs = outputs;
    this.matrix = matrix;
    this.centre = centre;
  }

  private static void requireFinite(String what, double value) {
    if (!Double.isFinite(value))
      throw new IllegalArgumentException(
          "a " + what + " of a projection must be finite, got " + value);
  }

  /// Makes a map of A, row-major with one row per feature, and c. Both are copied.
  public static LinearMap of(double[] matrix, double[] centre) {
    int d = centre.length;
    if (d == 0 || matrix.length % d != 0)
      throw new IllegalArgumentException(
          String.format(
              Locale.ROOT,
              "a projection of %d columns needs %d weights per feature, got %d in all",
              d,
              d,
              matrix.length));
    return new LinearMap(d, matrix.length / d, matrix.clone(), centre.clone());
  }

  @Override
  public int inputs() {
    return inputs;
  }

  @Override
  public int outputs() {
    return outputs;
  }

  /// The weight of a column in a feature.
  public double weight(int feature, int column) {
    return matrix[feature * inputs + column];
  }

  /// The value of a column that is subtracted before weighting.
  public double centre(int column) {
    return centre[column];
  }

  @Override
  public void apply(double[] x, int rows, double[] out) {
    for (int i = 0; i < rows; i++)
      for (int f = 0; f < outputs; f++) {
        double sum = 0;
        for (int j = 0; j < inputs; j++)
          sum += matrix[f * inputs + j] * (x[i * inputs + j] - centre[j]);
        out[i * outputs + f] = sum;
      }
  }

  @Override
  public void pullBack(double[] x, int xo, double[] g, int go, double[] out, int oo) {
    for (int j = 0; j < inputs; j++) {
      double sum = 0;
      for (int f = 0; f < outputs; f++) sum += matrix[f * inputs + j] * g[go + f];
      out[oo + j] = sum;
    }
  }

  @Override
  public String type() {
    return TYPE;
  }

  /// Writes d and k as 32-bit numbers, then A and c as 64-bit numbers, little-endian.
  @Override
  public byte[] bytes() {
    ByteBuffer all = ByteBuffer.allocate(8 + 8 * (matrix.length + inputs));
    all.order(ByteOrder.LITTLE_ENDIAN).putInt(inputs).putInt(outputs);
    for (double value : matrix) all.putDouble(value);
    for (double value : centre) all.putDouble(value);
    return all.array();
  }

  static LinearMap read(byte[] bytes) {
    ByteBuffer all = ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);
    int d = bytes.length < 8 ? 0 : all.getInt();
    int k = bytes.length < 8 ? 0 : all.getInt();
    if (d < 1 || k < 1 || 8 + 8L * d * (k + 1L) != bytes.length)
      throw new IllegalArgumentException(
          String.format(
              Locale.ROOT,
              "its projection of %d columns to %d features has %d bytes",
              d,
              k,
              bytes.length));
    double[] matrix = new double[d * k];
    double[] centre = new double[d];
    Arrays.setAll(matrix, i -> all.getDouble());
    Arrays.setAll(centre, i -> all.getDouble());
    return new LinearMap(d, k, matrix, centre);
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof LinearMap map
        && Arrays.equals(matrix, map.matrix)
        && Arrays.equals(centre, map.centre);
  }

  @Override
  public int hashCode() {
    return 31 * Arrays.hashCode(matrix) + Arrays.hashCode(centre);
  }

  @Override
  public String toString() {
    return String.format(
        Locale.ROOT, "a linear projection of %d columns to %d features", inputs, outputs);
  }
}

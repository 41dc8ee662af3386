package lovelace.kernel;

import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.function.IntPredicate;
import java.util.stream.IntStream;
import lovelace.kernel.KernelFunction.Slot;
import org.jspecify.annotations.Nullable;

/// A base kernel: its named parameters, and the input columns that it reads.
///
/// It reads all columns unless it was restricted with [Kernel#on]. Once it is bound, a parameter
/// that exists per column has exactly one value per column read.
public abstract sealed class Leaf implements Kernel
    permits Radial, Periodic, Cosine, SpectralMixture, Constant, Linear, White, Custom {

  /// The values of all parameters, which of them are fixed in addition to those that are fixed by
  /// default, and which columns hold codes.
  static final class Values {
    private final double[][] of;
    private final boolean[] fixed;
    private final int[] categories;

    /// @param categories ascending
    Values(double[][] of, boolean[] fixed, int[] categories) {
      this.of = of;
      this.fixed = fixed;
      this.categories = categories;
    }

    /// Values that a fit may change.
    static Values free(double[]... of) {
      return new Values(of, new boolean[of.length], new int[0]);
    }
  }

  private final String kind;
  private final List<Slot> slots;
  private final int components;
  private final int dimensions;
  private final int @Nullable [] chosen;
  private final int[] columns;
  private final double[][] values;
  private final boolean[] fixed;
  private final int[] categories;
  private final @Nullable String unset;

  Leaf(
      String kind,
      List<Slot> slots,
      int components,
      int dimensions,
      int @Nullable [] chosen,
      Values given) {
    double[][] values = given.of;
    this.kind = kind;
    this.slots = slots;
    this.components = components;
    this.dimensions = dimensions;
    this.chosen = chosen;
    this.columns = chosen != null ? chosen : IntStream.range(0, dimensions).toArray();
    this.values = values;
    this.fixed = given.fixed;
    this.categories = given.categories;
    if (categories.length > 0) {
      IntPredicate readable = readable();
      for (int c : categories) requireCategory(c, readable);
    }
    String unset = null;
    for (int s = 0; s < slots.size(); s++) {
      Slot slot = slots.get(s);
      checkCount(slot, values[s].length);
      for (double v : values[s]) {
        slot.check(kind, v);
        if (Double.isNaN(v) && fixed[s])
          throw new IllegalArgumentException(
              kind + "." + slot.name() + " is fixed and needs a value");
        if (Double.isNaN(v)) unset = unset == null ? kind + "." + slot.name() : unset;
      }
    }
    this.unset = unset;
  }

  private void requireCategory(int column, IntPredicate readable) {
    if (!(this instanceof Radial))
      throw new IllegalArgumentException(
          "%s reads column %s (counted from 0), which holds words; use matern12, matern32, matern52, rbf or rq, or name the columns of %s without it: columns=[…]"
              .formatted(kind, column, kind));
    if (!readable.test(column))
      throw new IllegalArgumentException(
          "%s does not read column %s, which is among its categories; name columns it reads (counted from 0)"
              .formatted(kind, column));
  }

  /// Tells whether the kernel reads a column, or may read it once bound.
  private IntPredicate readable() {
    if (chosen == null) return column -> column >= 0 && (dimensions == 0 || column < dimensions);
    int[] sorted = chosen.clone();
    Arrays.sort(sorted);
    return column -> Arrays.binarySearch(sorted, column) >= 0;
  }

  private void checkCount(Slot slot, int count) {
    int unit = slot.isPerComponent() ? components : 1;
    boolean known = dimensions > 0 || chosen != null || !slot.isPerColumn();
    int expected = slot.isPerColumn() ? unit * columns.length : unit;
    boolean fits =
        dimensions > 0
            ? count == expected
            : count == 1 || (known ? count == expected : count > 0 && count % unit == 0);
    if (!fits)
      throw new IllegalArgumentException(
          String.format(
              Locale.ROOT,
              "%s.%s takes %s, got %d",
              kind,
              slot.name(),
              known ? quantity(slot, expected) : "one value or a multiple of " + unit,
              count));
  }

  private String quantity(Slot slot, int expected) {
    return expected
        + (expected == 1 ? " value" : " values")
        + (slot.isPerComponent() ? ", one per component" : "")
        + (slot.isPerColumn()
            ? (slot.isPerComponent() ? " and" : ", one per") + " column read"
            : "");
  }

  /// The name of the base kernel in the text form, such as `rbf`.
  public final String kind() {
    return kind;
  }

  /// Whether the kernel is a straight line. Its [#values] are then a variance for each column read,
  /// followed by a centre for each.
  public final boolean isLinear() {
    return this instanceof Linear;
  }

  /// The columns read, once bound, in a new array.
  public final int[] columns() {
    return columns.clone();
  }

  @Override
  public final int dimensions() {
    return dimensions;
  }

  abstract Leaf rebuild(int dimensions, int @Nullable [] chosen, Values values);

  final List<Slot> slots() {
    return slots;
  }

  final int components() {
    return components;
  }

  final boolean restricted() {
    return chosen != null;
  }

  /// Whether the kernel names columns: those that it reads, or those that hold codes.
  final boolean namesColumns() {
    return chosen != null || categories.length > 0;
  }

  /// Whether the value depends on the inputs. For a constant and for white noise it does not.
  boolean readsColumns() {
    return slots.stream().anyMatch(Slot::isPerColumn);
  }

  /// Whether the value depends on `x − x′` only.
  boolean stationary() {
    return true;
  }

  /// The length over which the kernel varies along each column that it reads; NaN if unknown. A
  /// column may have several lengths: entry i belongs to column `i % columns`.
  public double[] lengths() {
    double[] unknown = new double[columns.length];
    Arrays.fill(unknown, Double.NaN);
    return unknown;
  }

  /// The length of the finest detail along each column read, which a grid must resolve; NaN if
  /// unknown. It differs from [#lengths] for periodic functions, which vary over less than a
  /// period.
  public double[] details() {
    return lengths();
  }

  /// Whether functions repeat for ever, with one period along each column read.
  public boolean repeats() {
    return false;
  }

  /// The index of the first lengthscale among the parameter values; −1 if there is none.
  public final int lengthscaleOffset() {
    int at = 0;
    for (int s = 0; s < values.length; s++) {
      if (slots.get(s).role() == Parameter.Role.LENGTHSCALE) return at;
      at += values[s].length;
    }
    return -1;
  }

  /// The columns, not copied.
  final int[] cols() {
    return columns;
  }

  /// The values of parameter s, not copied.
  final double[] slot(int s) {
    return values[s];
  }

  /// Whether the user fixed parameter s, which a fit would otherwise change.
  final boolean fixed(int s) {
    return fixed[s];
  }

  /// Throws unless the kernel is bound and all its parameters are set.
  final void requireReady() {
    if (dimensions == 0)
      throw new IllegalStateException(this + " is not bound; call bind(number of columns) first");
    if (unset != null)
      throw new IllegalStateException(unset + " is not set; give it a value or fit the kernel");
  }

  /// Returns this kernel bound to d columns.
  final Leaf over(int d) {
    if (dimensions == d) return this;
    if (dimensions != 0)
      throw new IllegalArgumentException(
          this + " is bound to " + dimensions + " columns, not " + d);
    if (chosen != null)
      for (int c : chosen)
        if (c >= d)
          throw new IllegalArgumentException(
              this + " reads column " + c + ", but there are " + d + " (counted from 0)");
    int width = chosen != null ? chosen.length : d;
    double[][] full = new double[values.length][];
    for (int s = 0; s < full.length; s++) {
      Slot slot = slots.get(s);
      int n = (slot.isPerComponent() ? components : 1) * (slot.isPerColumn() ? width : 1);
      if (values[s].length == n) full[s] = values[s];
      else if (values[s].length == 1) {
        full[s] = new double[n];
        Arrays.fill(full[s], values[s][0]);
      } else
        throw new IllegalArgumentException(
            String.format(
                Locale.ROOT,
                "%s.%s has %d values, but %d columns need %d",
                kind,
                slot.name(),
                values[s].length,
                width,
                n));
    }
    return rebuild(d, chosen, new Values(full, fixed, categories));
  }

  final Leaf read(int[] outer) {
    if (dimensions != 0)
      throw new IllegalArgumentException(
          this + " is bound already; choose its columns before bind");
    if (!readsColumns()) return this;
    int[] composed = chosen == null ? outer.clone() : new int[chosen.length];
    if (chosen != null)
      for (int i = 0; i < composed.length; i++) {
        if (chosen[i] >= outer.length)
          throw new IllegalArgumentException(
              this + " reads column " + chosen[i] + ", but only " + outer.length + " are chosen");
        composed[i] = outer[chosen[i]];
      }
    int[] words = new int[categories.length];
    for (int i = 0; i < words.length; i++) {
      if (categories[i] >= outer.length)
        throw new IllegalArgumentException(
            this + " reads column " + categories[i] + ", but only " + outer.length + " are chosen");
      words[i] = outer[categories[i]];
    }
    Arrays.sort(words);
    return rebuild(0, composed, new Values(values, fixed, words));
  }

  /// Returns this kernel with more columns that hold codes. Columns that it does not read have no
  /// effect.
  final Leaf coded(int[] more) {
    if (!readsColumns()) return this;
    int[] all =
        IntStream.concat(Arrays.stream(categories), Arrays.stream(more).filter(readable()))
            .sorted()
            .distinct()
            .toArray();
    return rebuild(dimensions, chosen, new Values(values, fixed, all));
  }

  /// The columns read that hold codes, ascending; see [Kernel#categories]. A new array.
  @Override
  public final int[] categories() {
    return categories.clone();
  }

  /// Whether the column holds codes.
  final boolean isCategory(int column) {
    return Arrays.binarySearch(categories, column) >= 0;
  }

  final Leaf with(double[] flat, int offset) {
    double[][] next = new double[values.length][];
    for (int s = 0; s < next.length; s++) {
      next[s] = Arrays.copyOfRange(flat, offset, offset + values[s].length);
      offset += values[s].length;
    }
    return rebuild(dimensions, chosen, new Values(next, fixed, categories));
  }

  /// Fixes the parameters for which `held`, from index `offset` on, is true, and frees the others.
  final Leaf withFixed(boolean[] held, int offset) {
    boolean[] next = new boolean[fixed.length];
    for (int s = 0; s < next.length; s++) next[s] = held[offset + s] && !slots.get(s).isHeld();
    return rebuild(dimensions, chosen, new Values(values, next, categories));
  }

  /// `out[j] ← k(x, yⱼ)` for ny points from offset yo.
  abstract void row(double[] x, int xo, double[] y, int yo, int ny, double[] out, int oo);

  /// Adds `Σⱼ wⱼ ∂k(x, yⱼ)/∂θ`, given the values `kⱼ = k(x, yⱼ)`.
  abstract void rowGradient(
      double[] x, int xo, double[] y, int yo, int ny, double[] w, double[] k, double[] g, int go);

  /// Adds `weight · ∂k/∂x`. Called only on kernels that depend on the inputs.
  abstract void addInputGradient(
      double[] x, int xo, double[] y, int yo, double weight, double[] g, int go);

  /// Identifies the base kernel, for equality.
  Object identity() {
    return kind;
  }

  @Override
  public final boolean equals(@Nullable Object other) {
    return other instanceof Leaf that
        && identity().equals(that.identity())
        && components == that.components
        && dimensions == that.dimensions
        && Arrays.equals(chosen, that.chosen)
        && Arrays.equals(categories, that.categories)
        && Arrays.deepEquals(values, that.values)
        && Arrays.equals(fixed, that.fixed);
  }

  @Override
  public final int hashCode() {
    return 31 * (31 * kind.hashCode() + Arrays.hashCode(chosen)) + Arrays.deepHashCode(values);
  }

  @Override
  public final String toString() {
    return KernelWriter.print(this);
  }

  static double[] orUnset(double[] given) {
    return given.length == 0 ? new double[] {Double.NaN} : given.clone();
  }
}

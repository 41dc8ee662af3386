package lovelace.latticekernel;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import lovelace.grid.Grid;
import lovelace.kernel.Kernel;
import lovelace.kernel.Leaf;
import lovelace.kernel.Term;
import org.jspecify.annotations.Nullable;

/// A term with linear factors over a grid: `amplitude Σ_c v_c diag(u_c) K diag(u_c)`. Each u_c is a
/// product of centred coordinates, one from every linear factor, and K is the term's stationary
/// rest. Without a rest it is `u_c u_cᵀ`.
public final class ModulatedPart implements LatticeKernel.Part {

  private final Grid grid;
  private final double[] values; // of the whole kernel
  private final Term term;
  private final @Nullable StationaryPart core;
  private final List<Choice> choices;

  /// One column of each linear factor: the positions of its variances and centres, and the product
  /// of coordinates.
  private static final class Choice {
    final int[] variances;
    final int[] centres;
    final double coefficient;
    final double[] product;
    final double[][] without; // the product without each factor

    Choice(int[] variances, int[] centres, double coefficient, double[][] coordinates, int m) {
      this.variances = variances;
      this.centres = centres;
      this.coefficient = coefficient;
      product = new double[m];
      Arrays.fill(product, 1);
      without = new double[coordinates.length][m];
      for (int f = 0; f < coordinates.length; f++) Arrays.fill(without[f], 1);
      for (int f = 0; f < coordinates.length; f++)
        for (int i = 0; i < m; i++) {
          product[i] *= coordinates[f][i];
          for (int o = 0; o < coordinates.length; o++)
            if (o != f) without[o][i] *= coordinates[f][i];
        }
    }
  }

  private ModulatedPart(
      Grid grid, double[] values, Term term, @Nullable StationaryPart core, List<Choice> choices) {
    this.grid = grid;
    this.values = values;
    this.term = term;
    this.core = core;
    this.choices = choices;
  }

  static ModulatedPart of(Grid grid, int[] columns, Kernel whole, Term term) {
    List<Leaf> rest = term.factors().stream().filter(f -> !f.isLinear()).toList();
    StationaryPart core = rest.isEmpty() ? null : StationaryPart.core(grid, columns, rest, term);
    List<Integer> linear = new ArrayList<>();
    for (int f = 0; f < term.factors().size(); f++)
      if (term.factors().get(f).isLinear()) linear.add(f);
    List<Choice> choices = new ArrayList<>();
    choose(grid, columns, term, linear, new int[linear.size()], 0, choices);
    return new ModulatedPart(grid, whole.values(), term, core, choices);
  }

  private static void choose(
      Grid grid,
      int[] columns,
      Term term,
      List<Integer> linear,
      int[] chosen,
      int at,
      List<Choice> choices) {
    if (at < chosen.length) {
      Leaf leaf = term.factors().get(linear.get(at));
      for (int c = 0; c < leaf.columns().length; c++) {
        chosen[at] = c;
        choose(grid, columns, term, linear, chosen, at + 1, choices);
      }
      return;
    }
    int count = chosen.length;
    int[] variances = new int[count];
    int[] centres = new int[count];
    double coefficient = 1;
    double[][] coordinates = new double[count][];
    for (int f = 0; f < count; f++) {
      Leaf leaf = term.factors().get(linear.get(f));
      int c = chosen[f];
      variances[f] = term.offset(linear.get(f)) + c;
      centres[f] = variances[f] + leaf.columns().length;
      coefficient *= leaf.values()[c];
      int axis = 0;
      while (columns[axis] != leaf.columns()[c]) axis++;
      double centre = leaf.values()[leaf.columns().length + c];
      coordinates[f] = grid.coordinates(axis);
      for (int i = 0; i < coordinates[f].length; i++) coordinates[f][i] -= centre;
    }
    choices.add(new Choice(variances, centres, coefficient, coordinates, grid.size()));
  }

  /// Whether there is no stationary rest. Then the part is `Σ weight·uuᵀ` over [#vector].
  public boolean isLowRank() {
    return core == null;
  }

  /// The largest diagonal entry.
  double maxVariance() {
    double most = 0;
    for (int i = 0; i < grid.size(); i++) {
      double sum = 0;
      for (Choice choice : choices)
        sum += choice.coefficient * choice.product[i] * choice.product[i];
      most = Math.max(most, sum);
    }
    return term.amplitude() * most * (core == null ? 1 : core.variance());
  }

  /// A root of the stationary rest, or null without one.
  KernelRoot.@Nullable Part coreRoot() {
    return core == null ? null : core.root();
  }

  /// The number of vectors.
  public int vectors() {
    return choices.size();
  }

  /// Vector c over the grid; not to be modified.
  public double[] vector(int c) {
    return choices.get(c).product;
  }

  /// The weight of vector c.
  public double weight(int c) {
    return term.amplitude() * choices.get(c).coefficient;
  }

  /// The number of linear factors.
  public int factors() {
    return choices.getFirst().centres.length;
  }

  /// The position of the centre of factor f of vector c in the whole kernel's values.
  public int centre(int c, int f) {
    return choices.get(c).centres[f];
  }

  /// Vector c without its factor f, minus its derivative in that factor's centre; not to be
  /// modified.
  public double[] without(int c, int f) {
    return choices.get(c).without[f];
  }

  /// Adds `slope · ∂weight/∂θ` to g, for a part of low rank.
  public void weightGradient(int c, double slope, double[] g) {
    double scaled = slope * weight(c);
    for (int p : term.amplitudeParameters()) g[p] += scaled / values[p];
    for (int p : choices.get(c).variances) g[p] += scaled / values[p];
  }

  @Override
  public void add(int count, int stride, double[] x, double[] y, int offset) {
    for (Choice choice : choices) {
      double[] modulated = modulate(count, stride, x, offset, choice.product);
      double[] image = product(count, modulated);
      double scale = term.amplitude() * choice.coefficient;
      int m = grid.size();
      for (int c = 0; c < count; c++)
        for (int i = 0; i < m; i++)
          y[c * stride + offset + i] += scale * choice.product[i] * image[c * m + i];
    }
  }

  /// The rest of the term times packed vectors. Without a rest it is the matrix of ones.
  private double[] product(int count, double[] packed) {
    int m = grid.size();
    double[] image = new double[packed.length];
    if (core != null) {
      core.add(count, m, packed, image, 0);
      return image;
    }
    for (int c = 0; c < count; c++) {
      double sum = 0;
      for (int i = 0; i < m; i++) sum += packed[c * m + i];
      Arrays.fill(image, c * m, (c + 1) * m, sum);
    }
    return image;
  }

  private double[] modulate(int count, int stride, double[] x, int offset, double[] by) {
    int m = grid.size();
    double[] out = new double[count * m];
    for (int c = 0; c < count; c++)
      for (int i = 0; i < m; i++) out[c * m + i] = by[i] * x[c * stride + offset + i];
    return out;
  }

  @Override
  public double entry(int i, int j) {
    double sum = 0;
    for (Choice choice : choices) sum += choice.coefficient * choice.product[i] * choice.product[j];
    return term.amplitude() * sum * (core == null ? 1 : core.entry(i, j));
  }

  @Override
  public void gradient(
      int count, int stride, double[] u, double[] v, int offset, double weight, double[] g) {
    for (Choice choice : choices) {
      double scale = weight * term.amplitude() * choice.coefficient;
      double[] left = modulate(count, stride, u, offset, choice.product);
      double[] right = modulate(count, stride, v, offset, choice.product);
      double[] image = product(count, right);
      double value = scale * dot(left, image);
      for (int p : term.amplitudeParameters()) g[p] += value / values[p];
      double[] mirrored = product(count, left);
      for (int f = 0; f < choice.variances.length; f++) {
        g[choice.variances[f]] += value / values[choice.variances[f]];
        double[] lowered = modulate(count, stride, u, offset, choice.without[f]);
        double[] raised = modulate(count, stride, v, offset, choice.without[f]);
        g[choice.centres[f]] -= scale * (dot(lowered, image) + dot(raised, mirrored));
      }
      if (core != null) core.gradient(count, grid.size(), left, right, 0, scale, g);
    }
  }

  private static double dot(double[] a, double[] b) {
    double sum = 0;
    for (int i = 0; i < a.length; i++) sum += a[i] * b[i];
    return sum;
  }
}

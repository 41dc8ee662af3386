package lovelace.latticekernel;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.function.Function;
import java.util.stream.Stream;
import lovelace.grid.AdditiveGrid;
import lovelace.grid.Axis;
import lovelace.grid.Grid;
import lovelace.grid.Lattice;
import lovelace.grid.StencilMatrix;
import lovelace.grid.Stencils;
import lovelace.inference.Interpolated;
import lovelace.kernel.Kernel;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class LatticeKernelTest {

  private static final long SEED = 20;

  /// A kernel over a lattice, and its dense matrix as a function of the kernel.
  record Case(Lattice lattice, Kernel kernel, Function<Kernel, double[]> dense) {
    @Override
    public String toString() {
      return kernel + " over " + lattice + ", seed " + SEED;
    }
  }

  private static Case on(Grid grid, Kernel kernel) {
    Kernel bound = kernel.dimensions() == 0 ? kernel.bind(grid.dimensions()) : kernel;
    return new Case(grid, bound, k -> Interpolated.kernelMatrix(grid, k));
  }

  private static Grid uneven(int... points) {
    Axis[] axes = new Axis[points.length];
    for (int a = 0; a < points.length; a++)
      axes[a] = Axis.covering(-1 + 0.3 * a, 1 + 0.5 * a, points[a]);
    return Grid.of(axes);
  }

  static Stream<Case> cases() {
    List<Case> all = new ArrayList<>();
    for (String text :
        List.of(
            "1.3*rbf(lengthscale=0.4)",
            "0.7*matern12(lengthscale=0.6)",
            "0.7*matern32(lengthscale=0.6) + 0.5*periodic(period=0.9, lengthscale=1.2)*rbf(lengthscale=2)",
            "1.1*rq(lengthscale=0.6, alpha=1.4)",
            "0.6*cosine(period=1.3)",
            "0.3*rbf(lengthscale=0.4) + constant(variance=0.7)",
            "constant(variance=0.7) + linear(variance=0.4, centre=0.3)",
            "0.8*linear(variance=0.4, centre=-0.2)*linear(variance=1.5, centre=0.1)",
            "1.7*linear(variance=0.4, centre=0.3)*rbf(lengthscale=0.5) + 0.2*matern52(lengthscale=0.3)",
            "1.1*rbf(lengthscale=0.4) + white(variance=0.2)",
            "2.5*(0.5*rbf(lengthscale=0.4) + 0.3*matern52(lengthscale=0.9))"))
      all.add(on(uneven(13), Kernel.parse(text)));
    all.add(
        on(
            uneven(13),
            Kernel.spectralMixture(
                new double[] {0.6, 0.9}, new double[] {0.4, 1.7}, new double[] {0.2, 0.5})));
    for (String text :
        List.of(
            "1.3*rbf(lengthscale=[0.4,0.7])",
            "1.3*matern12(lengthscale=[0.4,0.7])",
            "0.8*matern52(lengthscale=[0.5,0.9])",
            "1.2*periodic(period=1.1, lengthscale=0.8)",
            "0.5*rbf(columns=[0], lengthscale=0.3) + 0.9*matern32(columns=[1], lengthscale=0.8)",
            "0.5*rbf(columns=[0], lengthscale=0.3)*matern32(columns=[1], lengthscale=0.8)",
            "1.4*rbf(columns=[1], lengthscale=0.6)",
            "0.6*linear(variance=[0.4,0.9], centre=[0.1,-0.2]) + constant(variance=0.3)",
            "1.6*linear(variance=[0.4,0.9])*rbf(lengthscale=[0.4,0.7])",
            "1.1*matern32(lengthscale=0.5) + white(variance=0.4) + linear(columns=[1], variance=0.3)",
            "2*(rbf(lengthscale=0.5) + linear(variance=0.2))*matern52(lengthscale=0.7)"))
      all.add(on(uneven(6, 9), Kernel.parse(text)));
    all.add(
        on(
            uneven(6, 9),
            Kernel.spectralMixture(
                new double[] {0.6, 0.9},
                new double[] {0.4, 0.2, 0.9, 1.1},
                new double[] {0.3, 0.5, 0.6, 0.2})));
    all.add(
        on(
            uneven(6, 9),
            Kernel.spectralMixture(
                    new double[] {0.6, 0.9},
                    new double[] {0.4, 0.2, 0.9, 1.1},
                    new double[] {0.3, 0.5, 0.6, 0.2})
                .plus(Kernel.linear(0.5))));
    for (String text :
        List.of(
            "1.3*rbf(lengthscale=[0.4,0.7,0.9])",
            "0.8*matern32(lengthscale=[0.5,0.9,1.1])",
            "0.8*matern52(columns=[0,2], lengthscale=0.8) + 0.4*rbf(columns=[1], lengthscale=0.5)"))
      all.add(on(uneven(4, 6, 5), Kernel.parse(text)));
    all.add(on(uneven(4, 5, 4, 4), Kernel.parse("0.9*matern52(lengthscale=0.8)")));
    AdditiveGrid lines = AdditiveGrid.of(uneven(7, 8, 6).axes().toArray(Axis[]::new));
    all.add(
        new Case(
            lines,
            Kernel.additive(Kernel.rbf(0.5).times(0.8), 3)
                .bind(3)
                .with(new double[] {0.8, 0.5, 0.6, 0.7, 0.4, 0.9}),
            k -> Interpolated.kernelMatrix(lines, parts(k))));
    AdditiveGrid mixed =
        AdditiveGrid.of(
            3,
            List.of(
                new AdditiveGrid.Component(uneven(5, 6), 2, 0),
                new AdditiveGrid.Component(uneven(9), 1)));
    all.add(
        new Case(
            mixed,
            Kernel.parse(
                    "0.7*matern32(columns=[0,2], lengthscale=[0.6,0.8]) + 0.4*rbf(columns=[1], lengthscale=0.5)")
                .bind(3),
            k -> Interpolated.kernelMatrix(mixed, parts(k))));
    return all.stream();
  }

  private static Kernel[] parts(Kernel kernel) {
    return ((Kernel.Sum) kernel).parts().toArray(Kernel[]::new);
  }

  private static double[] times(double[] k, double[] x, int from) {
    int m = (int) Math.round(Math.sqrt(k.length));
    double[] y = new double[m];
    for (int i = 0; i < m; i++) for (int j = 0; j < m; j++) y[i] += k[i * m + j] * x[from + j];
    return y;
  }

  @ParameterizedTest
  @MethodSource("cases")
  void productsAndEntriesAreThoseOfTheDenseMatrix(Case c) {
    SplittableRandom random = new SplittableRandom(SEED);
    LatticeKernel kernel = LatticeKernel.of(c.lattice, c.kernel);
    double[] k = c.dense.apply(c.kernel);
    int m = c.lattice.size();
    double scale = 0;
    for (int i = 0; i < m; i++) {
      scale = Math.max(scale, k[i * m + i]);
      for (int j = 0; j < m; j++)
        assertEquals(k[i * m + j], kernel.entry(i, j), 1e-14 * 10, i + ", " + j);
    }
    assertTrue(kernel.maxVariance() >= scale * (1 - 1e-12), "maxVariance is a bound");
    double[] x = Interpolated.normals(random, 3 * m);
    double[] y = new double[m];
    kernel.apply(x, y);
    assertArrayEquals(times(k, x, 0), y, 1e-12 * scale * m);
    double[] block = new double[3 * m];
    kernel.applyBlock(3, x, block);
    for (int v = 0; v < 3; v++)
      assertArrayEquals(
          times(k, x, v * m), Arrays.copyOfRange(block, v * m, (v + 1) * m), 1e-12 * scale * m);
  }

  @ParameterizedTest
  @MethodSource("cases")
  void betweenPointsItIsInterpolated(Case c) {
    SplittableRandom random = new SplittableRandom(SEED + 1);
    LatticeKernel kernel = LatticeKernel.of(c.lattice, c.kernel);
    double[] k = c.dense.apply(c.kernel);
    int m = c.lattice.size();
    int d = c.lattice.dimensions();
    double[] at = new double[5 * d];
    for (int i = 0; i < at.length; i++)
      at[i] = random.nextDouble(c.lattice.low(i % d), c.lattice.high(i % d));
    double[][] w = Interpolated.weights(c.lattice, at);
    Stencils stencils = Stencils.of(c.lattice, at);
    Stencils few = Stencils.of(c.lattice, Arrays.copyOf(at, 2 * d));
    double[] all = kernel.between(stencils, stencils);
    double[] some = kernel.between(stencils, few);
    int[] index = new int[c.lattice.stencilSize()];
    double[] weight = new double[index.length];
    for (int i = 0; i < 5; i++) {
      double[] kw = times(k, w[i], 0);
      for (int j = 0; j < 5; j++) {
        double expected = 0;
        for (int p = 0; p < m; p++) expected += w[j][p] * kw[p];
        assertEquals(expected, all[i * 5 + j], 1e-12, i + ", " + j);
        if (j < 2) assertEquals(expected, some[i * 2 + j], 1e-12, i + ", " + j);
        if (i == j) {
          stencils.copy(i, index, weight);
          assertEquals(expected, kernel.quadratic(index, weight), 1e-12, "quadratic " + i);
        }
      }
    }
  }

  @ParameterizedTest
  @MethodSource("cases")
  void stencilHoldsTheEntriesNearTheDiagonal(Case c) {
    LatticeKernel kernel = LatticeKernel.of(c.lattice, c.kernel);
    if (!(c.lattice instanceof Grid grid)) {
      assertThrows(UnsupportedOperationException.class, kernel::stencil);
      return;
    }
    double[] k = c.dense.apply(c.kernel);
    StencilMatrix stencil = kernel.stencil();
    int m = grid.size();
    for (int i = 0; i < m; i++)
      for (int j = 0; j < m; j++) {
        boolean near = true;
        for (int a = 0; a < grid.dimensions(); a++) {
          int points = grid.axis(a).points();
          near &= Math.abs(i / grid.stride(a) % points - j / grid.stride(a) % points) < 4;
        }
        assertEquals(near ? k[i * m + j] : 0, stencil.entry(i, j), 1e-13, i + ", " + j);
      }
  }

  @ParameterizedTest
  @MethodSource("cases")
  void columnIsTheKernelOffTheGrid(Case c) {
    LatticeKernel kernel = LatticeKernel.of(c.lattice, c.kernel);
    int d = c.lattice.dimensions();
    double[] x = new double[d + 1];
    for (int i = 0; i < d; i++) x[1 + i] = c.lattice.high(i) + 0.3 + 0.1 * i;
    double[] column = kernel.column(x, 1);
    for (LatticeKernel.Block block : kernel.blocks()) {
      Kernel own =
          kernel.blocks().size() == 1 ? c.kernel : parts(c.kernel)[kernel.blocks().indexOf(block)];
      double[] points = block.grid().points();
      int axes = block.columns().length;
      for (int i = 0; i < block.grid().size(); i++) {
        double[] u = new double[d];
        for (int a = 0; a < axes; a++) u[block.columns()[a]] = points[i * axes + a];
        assertEquals(own.value(x, 1, u, 0), column[block.start() + i], 1e-14, "point " + i);
      }
    }
  }

  @ParameterizedTest
  @MethodSource("cases")
  void gradientIsThatOfTheBilinearForm(Case c) {
    SplittableRandom random = new SplittableRandom(SEED + 2);
    LatticeKernel kernel = LatticeKernel.of(c.lattice, c.kernel);
    int m = c.lattice.size();
    double[] u = Interpolated.normals(random, 2 * m);
    double[] v = Interpolated.normals(random, 2 * m);
    double[] values = c.kernel.values();
    double[] g = new double[values.length];
    Arrays.fill(g, 1); // it adds
    kernel.gradient(2, u, v, 0.7, g);
    for (int p = 0; p < values.length; p++) {
      double h = 1e-5 * Math.max(0.1, Math.abs(values[p]));
      double[] sides = new double[2];
      for (int side = 0; side < 2; side++) {
        double[] moved = values.clone();
        moved[p] += side == 0 ? h : -h;
        double[] k = c.dense.apply(c.kernel.with(moved));
        for (int q = 0; q < 2; q++) {
          double[] kv = times(k, v, q * m);
          for (int i = 0; i < m; i++) sides[side] += u[q * m + i] * kv[i];
        }
      }
      double expected = 1 + 0.7 * (sides[0] - sides[1]) / (2 * h);
      assertEquals(
          expected, g[p], 1e-6 * Math.max(10, Math.abs(expected)), "parameter " + p + " of " + c);
    }
  }

  @Test
  void anOutputScaleCountsOnce() {
    for (String shape : List.of("rbf", "matern32", "periodic(period=3, lengthscale=1)*rbf")) {
      for (int d = 1; d <= 4; d++) {
        Grid grid = Interpolated.cube(d, 4);
        Kernel one = unit(Kernel.parse("1*" + shape).bind(d));
        double[] scaled = one.values();
        scaled[0] = 7;
        double[] x = Interpolated.normals(new SplittableRandom(SEED + 3), grid.size());
        double[] y = new double[x.length];
        double[] z = new double[x.length];
        LatticeKernel.of(grid, one).apply(x, y);
        LatticeKernel.of(grid, one.with(scaled)).apply(x, z);
        for (int i = 0; i < y.length; i++) y[i] *= 7;
        assertArrayEquals(y, z, 1e-11 * 7, shape + " in " + d + " dimensions");
      }
    }
  }

  private static Kernel unit(Kernel kernel) {
    double[] values = kernel.values();
    for (int i = 0; i < values.length; i++) if (Double.isNaN(values[i])) values[i] = 1;
    return kernel.with(values);
  }

  @Test
  void aLongAxisIsMultipliedByFft() {
    Grid grid = Grid.of(Axis.covering(0, 1, 701), Axis.covering(0, 1, 5));
    Kernel kernel = Kernel.rbf(0.1, 0.5).times(1.5).bind(2);
    double[] x = Interpolated.normals(new SplittableRandom(SEED + 4), grid.size());
    double[] y = new double[x.length];
    LatticeKernel.of(grid, kernel).apply(x, y);
    double[] points = grid.points();
    double[] other = points.clone();
    for (int i = 0; i < grid.size(); i += 457) {
      double sum = 0;
      for (int j = 0; j < grid.size(); j++) sum += kernel.value(points, 2 * i, other, 2 * j) * x[j];
      assertEquals(sum, y[i], 1e-10, "row " + i);
    }
  }

  @Test
  void aTermThatNoComponentCoversIsRefused() {
    AdditiveGrid lattice = AdditiveGrid.of(Axis.covering(0, 1, 6), Axis.covering(0, 1, 6));
    Kernel both = Kernel.rbf(0.5, 0.5).times(1.0).bind(2);
    assertThrows(IllegalArgumentException.class, () -> LatticeKernel.of(lattice, both));
    assertThrows(
        IllegalArgumentException.class,
        () -> LatticeKernel.of(Interpolated.cube(1, 5), Kernel.rbf(1).times(1.0).bind(2)));
  }
}

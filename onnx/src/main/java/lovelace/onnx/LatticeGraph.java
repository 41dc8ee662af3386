package lovelace.onnx;

import java.util.ArrayList;
import java.util.List;
import lovelace.grid.Axis;
import lovelace.grid.CellCoefficients;
import lovelace.grid.Grid;
import lovelace.grid.Keys;
import lovelace.grid.Lattice;
import lovelace.kernel.Kernel;
import lovelace.kernel.PriorMean;
import lovelace.lattice.LatticePosterior;
import lovelace.onnx.Graph.Value;

/// The posterior on a lattice in operators: the cell of a row, its coefficients, and Horner's rule,
/// in the order of [lovelace.grid.CellPolynomials], so that answers agree to rounding.
///
/// Beyond the lattice f is kriged from its value at c, the nearest point of the lattice's box: with
/// `b = k(x,c)/k(c,c)`
///
///     mean = μ(x) + b (mean(c) − μ(c))      variance = k(x,x) − b² (k(c,c) − variance(c))
///
/// which joins at the edge and tends to the prior. The posterior itself goes on by the covariances
/// with all lattice points, which a graph of constant cost cannot say.
final class LatticeGraph {

  private final Graph graph;
  private final LatticePosterior posterior;
  private final List<Value> x;
  private final List<Value> near; // c: x itself where it lies inside
  private final Value outside;
  private final Kernel kernel;

  /// @param x the coordinates of the rows, a vector a column of the lattice
  LatticeGraph(Graph graph, LatticePosterior posterior, List<Value> x) {
    this.graph = graph;
    this.posterior = posterior;
    this.x = x;
    kernel = posterior.hyperparameters().kernel().withoutWhite();
    Lattice lattice = posterior.statistics().lattice();
    near = new ArrayList<>();
    Value beyond = null;
    for (int j = 0; j < x.size(); j++) {
      Value inside = null;
      for (Axis axis : axes(lattice, j)) {
        Value u = steps(axis, x.get(j));
        Value own =
            graph.and(
                graph.atLeast(u, 1 - Axis.SLACK), graph.atMost(u, axis.points() - 2 + Axis.SLACK));
        inside = inside == null ? own : graph.and(inside, own);
      }
      if (inside == null) {
        near.add(x.get(j)); // no component reads it
        continue;
      }
      Value low = graph.number(lattice.low(j));
      Value high = graph.number(lattice.high(j));
      Value end = graph.where(graph.greater(x.get(j), lattice.low(j)), high, low);
      near.add(graph.where(inside, x.get(j), end));
      Value own = graph.not(inside);
      beyond = beyond == null ? own : graph.or(beyond, own);
    }
    if (beyond == null) throw new IllegalStateException("a lattice without columns");
    outside = beyond;
  }

  private static List<Axis> axes(Lattice lattice, int column) {
    return switch (lattice) {
      case Grid grid -> List.of(grid.axis(column));
      default -> throw new IllegalStateException("no axes of " + lattice);
    };
  }

  private Value steps(Axis axis, Value value) {
    return graph.div(graph.sub(value, axis.origin()), axis.step());
  }

  /// Whether each row lies outside the lattice.
  Value outside() {
    return outside;
  }

  /// Mean and variance of f, of the transformed target.
  record Latent(Value mean, Value variance) {}

  Latent latent() {
    Grid grid = (Grid) posterior.statistics().lattice();
    Latent inside = polynomials(grid);
    return beyond(inside);
  }

  private Latent polynomials(Grid grid) {
    int d = grid.dimensions();
    double[] table = posterior.table();
    Value cell = null;
    List<Value> offsets = new ArrayList<>();
    for (int a = 0; a < d; a++) {
      Axis axis = grid.axis(a);
      Value u = steps(axis, near.get(a));
      Value low = graph.max(graph.sub(graph.floor(u), 1), graph.number(0));
      Value c = graph.min(low, graph.number(axis.points() - 4));
      offsets.add(graph.sub(graph.sub(u, c), 1.5));
      Value own = graph.whole(c);
      cell = cell == null ? own : graph.add(graph.mul(cell, graph.whole(axis.cells())), own);
    }
    if (cell == null) throw new IllegalStateException("a grid without axes");
    int means = Keys.power(4, d);
    int variances = Keys.power(7, d);
    int width = means + variances;
    Tensor.Numbers meanAt = place -> table[(int) (place / means * width + place % means)];
    Tensor.Numbers varianceAt =
        place -> table[(int) (place / variances * width + means + place % variances)];
    if (d == 3) {
      CellCoefficients written =
          CellCoefficients.of(grid, posterior.latticeMean(), posterior.table());
      meanAt = place -> written.mean((int) (place / means), (int) (place % means));
      varianceAt = place -> written.variance((int) (place / variances), (int) (place % variances));
    }
    Value mean = polynomial("mean", meanAt, grid, cell, offsets, 4);
    Value variance = polynomial("variance", varianceAt, grid, cell, offsets, 7);
    return new Latent(mean, graph.max(variance, graph.number(posterior.floor())));
  }

  /// A polynomial in the offsets, with so many coefficients an axis, cell by cell.
  private Value polynomial(
      String name,
      Tensor.Numbers table,
      Grid grid,
      Value cell,
      List<Value> offsets,
      int coefficients) {
    int d = offsets.size();
    long[] shape = new long[d + 1];
    shape[0] = grid.cells();
    for (int a = 1; a <= d; a++) shape[a] = coefficients;
    Value all = graph.numbers(name, table, shape);
    Value value = graph.gather(all, cell, 0); // rows × coefficients × …
    int[] ones = new int[d];
    for (int a = 0; a < d; a++) ones[a] = a + 1;
    for (int a = d; a >= 1; a--) {
      Value t = graph.widen(offsets.get(a - 1), ones);
      List<Value> powers = graph.split(value, a, coefficients);
      Value sum = powers.getLast();
      for (int p = coefficients - 2; p >= 0; p--) sum = graph.add(powers.get(p), graph.mul(t, sum));
      value = sum;
    }
    return graph.narrow(value, ones);
  }

  /// Beside what holds at the nearest points, what holds at the rows.
  private Latent beyond(Latent at) {
    PriorMean prior = posterior.hyperparameters().mean();
    KernelGraph covariance = new KernelGraph(graph, kernel);
    Value own = covariance.at(x, x);
    Value b = weight();
    Value departure = graph.sub(at.mean, prior(prior, near));
    Value mean = graph.add(prior(prior, x), graph.mul(b, departure));
    Value known = graph.sub(covariance.at(near, near), at.variance);
    Value variance = graph.sub(own, graph.mul(graph.square(b), known));
    return new Latent(
        graph.where(outside, mean, at.mean), graph.where(outside, variance, at.variance));
  }

  /// b.
  private Value weight() {
    KernelGraph covariance = new KernelGraph(graph, kernel);
    Value there = covariance.at(near, near);
    return graph.where(
        graph.greater(there, 0), graph.div(covariance.at(x, near), there), graph.number(0));
  }

  private Value prior(PriorMean prior, List<Value> at) {
    double[] coefficients = prior.coefficients();
    Value mean = graph.number(coefficients.length == 0 ? 0 : coefficients[0]);
    for (int i = 1; i < coefficients.length; i++)
      mean = graph.add(mean, graph.mul(at.get(i - 1), coefficients[i]));
    return mean;
  }
}

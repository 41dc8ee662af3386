package lovelace.onnx;

import java.util.ArrayList;
import java.util.List;
import lovelace.grid.AdditiveCells;
import lovelace.grid.AdditiveGrid;
import lovelace.grid.Axis;
import lovelace.grid.Grid;
import lovelace.grid.Lattice;
import lovelace.kernel.Kernel;
import lovelace.kernel.PriorMean;
import lovelace.lattice.LatticePosterior;
import lovelace.onnx.Graph.Value;

/// The posterior on a lattice in operators. The results agree with it to rounding.
///
/// Beyond the lattice f is kriged from its value at c, the nearest point of the lattice's box: with
/// `b = k(x,c)/k(c,c)`
///
///     mean = μ(x) + b (mean(c) − μ(c))      variance = k(x,x) − b² (k(c,c) − variance(c))
///
/// which is continuous at the edge and tends to the prior. The posterior itself uses the
/// covariances with all lattice points there, which a graph of constant cost cannot do.
final class LatticeGraph {

  /// Mean and variance of f, of the transformed target, and whether the row lies outside.
  record Latent(Value mean, Value variance, Value outside) {}

  /// A kind of lattice, for points inside it.
  interface Cells {

    /// Mean and variance of f.
    Value[] moments();

    /// Interpolates or kriges a function from its values at the lattice points.
    Value interpolated(double[] nodes);
  }

  private final Graph graph;
  private final LatticePosterior posterior;
  private final Kernel kernel;
  private final List<Value> x;
  private final List<Value> near; // c: x itself if it lies inside
  private final Value outside;
  private final Cells cells;
  private final Value weight; // b

  /// @param x the coordinates of the rows, one vector per column of the lattice
  LatticeGraph(Graph graph, LatticePosterior posterior, List<Value> x) {
    this.graph = graph;
    this.posterior = posterior;
    this.x = x;
    kernel = posterior.hyperparameters().kernel().withoutWhite();
    if (!KernelGraph.says(kernel))
      throw new IllegalArgumentException(
          "a graph cannot express a kernel of your own, %s; fit with one that comes with Lovelace"
              .formatted(kernel));
    Lattice lattice = posterior.statistics().lattice();
    near = new ArrayList<>();
    Value beyond = null;
    for (int j = 0; j < x.size(); j++) {
      Value inside = null;
      for (Axis axis : axes(lattice, j)) {
        Value u = steps(graph, axis, x.get(j));
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
    cells = cells(lattice);
    Value there = variance(near);
    Value across = new KernelGraph(graph, kernel).at(x, near);
    weight = graph.where(graph.greater(there, 0), graph.div(across, there), graph.number(0));
  }

  /// k(x, x). For a stationary kernel it is one number, also at an infinite x.
  private Value variance(List<Value> at) {
    return kernel.isStationary()
        ? graph.number(kernel.variance(new double[at.size()], 0))
        : new KernelGraph(graph, kernel).at(at, at);
  }

  private Cells cells(Lattice lattice) {
    if (posterior.table().length == 0)
      throw new IllegalArgumentException(
          "a graph holds the tables of a grid of one to three axes, or of sums over up to %s points, but the model is on %s; fit with fewer columns, fewer grid points, or a projection"
              .formatted(AdditiveCells.MOST, lattice));
    return switch (lattice) {
      case Grid grid when posterior.kriges() -> new KrigedGraph(graph, posterior, grid, near);
      case Grid grid -> new CellGraph(graph, posterior, grid, near);
      case AdditiveGrid sum -> new SumGraph(graph, posterior, sum, near);
    };
  }

  private static List<Axis> axes(Lattice lattice, int column) {
    return switch (lattice) {
      case Grid grid -> List.of(grid.axis(column));
      case AdditiveGrid sum -> {
        List<Axis> all = new ArrayList<>();
        for (int c = 0; c < sum.components(); c++) {
          Grid grid = sum.component(c).grid();
          for (int a = 0; a < grid.dimensions(); a++)
            if (sum.component(c).column(a) == column) all.add(grid.axis(a));
        }
        yield all;
      }
    };
  }

  /// The number of steps from the origin to a coordinate.
  static Value steps(Graph graph, Axis axis, Value value) {
    return graph.div(graph.sub(value, axis.origin()), axis.step());
  }

  /// Mean and variance at the rows.
  Latent latent() {
    Value[] at = cells.moments();
    PriorMean prior = posterior.hyperparameters().mean();
    Value departure = graph.sub(at[0], prior(graph, prior, near));
    Value mean = graph.add(prior(graph, prior, x), graph.mul(weight, departure));
    Value known = graph.sub(variance(near), at[1]);
    Value variance = graph.sub(variance(x), graph.mul(graph.square(weight), known));
    return new Latent(
        graph.where(outside, mean, at[0]), graph.where(outside, variance, at[1]), outside);
  }

  /// The posterior mean at the rows for a process whose prior mean is zero, from its values at the
  /// lattice points.
  Value term(double[] nodes) {
    Value at = cells.interpolated(nodes);
    return graph.where(outside, graph.mul(weight, at), at);
  }

  static Value prior(Graph graph, PriorMean prior, List<Value> at) {
    double[] coefficients = prior.coefficients();
    Value mean = graph.number(coefficients.length == 0 ? 0 : coefficients[0]);
    for (int i = 1; i < coefficients.length; i++)
      mean = graph.add(mean, graph.mul(at.get(i - 1), coefficients[i]));
    return mean;
  }
}

package lovelace.onnx;

import java.util.ArrayList;
import java.util.List;
import lovelace.grid.Axis;
import lovelace.grid.CellCoefficients;
import lovelace.grid.CellPolynomials;
import lovelace.grid.Grid;
import lovelace.grid.Keys;
import lovelace.lattice.LatticePosterior;
import lovelace.onnx.Graph.Value;

/// The polynomials of a grid's cells in operators: the cell of a row, its coefficients, and
/// Horner's rule in the order of [CellPolynomials].
final class CellGraph implements LatticeGraph.Cells {

  private final Graph graph;
  private final LatticePosterior posterior;
  private final Grid grid;
  private final Value cell;
  private final Value corner; // the lowest point of the cell's stencil
  private final List<Value> offsets; // from the middle of the cell, in cells

  /// @param x coordinates inside the grid, one vector per axis
  CellGraph(Graph graph, LatticePosterior posterior, Grid grid, List<Value> x) {
    this.graph = graph;
    this.posterior = posterior;
    this.grid = grid;
    offsets = new ArrayList<>();
    Value number = graph.whole(0);
    Value point = graph.whole(0);
    for (int a = 0; a < grid.dimensions(); a++) {
      Axis axis = grid.axis(a);
      Value u = LatticeGraph.steps(graph, axis, x.get(a));
      Value low = graph.max(graph.sub(graph.floor(u), 1), graph.number(0));
      Value c = graph.min(low, graph.number(axis.points() - 4));
      offsets.add(graph.sub(graph.sub(u, c), 1.5));
      Value own = graph.whole(c);
      number = a == 0 ? own : graph.add(graph.mul(number, graph.whole(axis.cells())), own);
      Value along = graph.mul(own, graph.whole(grid.stride(a)));
      point = a == 0 ? along : graph.add(point, along);
    }
    cell = number;
    corner = point;
  }

  /// The lowest point of each row's stencil.
  Value corner() {
    return corner;
  }

  /// The offsets from the middle of the cell, in cells, one vector per axis.
  List<Value> offsets() {
    return List.copyOf(offsets);
  }

  @Override
  public Value[] moments() {
    Value[] raw = polynomials();
    return new Value[] {raw[0], graph.max(raw[1], graph.number(posterior.floor()))};
  }

  /// Mean and variance from the polynomials.
  Value[] polynomials() {
    int d = grid.dimensions();
    double[] table = posterior.table();
    int means = Keys.power(4, d);
    int variances = Keys.power(7, d);
    int width = means + variances;
    if (d == 3) {
      CellCoefficients written = CellCoefficients.of(grid, posterior.latticeMean(), table);
      return new Value[] {
        polynomial("mean", place -> written.mean((int) (place / means), (int) (place % means)), 4),
        polynomial(
            "variance",
            place -> written.variance((int) (place / variances), (int) (place % variances)),
            7)
      };
    }
    return new Value[] {
      polynomial("mean", place -> table[(int) (place / means * width + place % means)], 4),
      polynomial(
          "variance",
          place -> table[(int) (place / variances * width + means + place % variances)],
          7)
    };
  }

  @Override
  public Value interpolated(double[] nodes) {
    if (grid.dimensions() == 3) {
      CellCoefficients written = CellCoefficients.of(grid, nodes, new double[0]);
      int means = CellCoefficients.MEANS;
      return polynomial(
          "term", place -> written.mean((int) (place / means), (int) (place % means)), 4);
    }
    double[] table = CellPolynomials.of(grid, nodes).table();
    return polynomial("term", place -> table[(int) place], 4);
  }

  /// A polynomial in the offsets, with `coefficients` coefficients per axis, cell by cell.
  private Value polynomial(String name, Tensor.Numbers table, int coefficients) {
    int d = offsets.size();
    long[] shape = new long[d + 1];
    shape[0] = grid.cells();
    for (int a = 1; a <= d; a++) shape[a] = coefficients;
    Value value = graph.gather(graph.numbers(name, table, shape), cell, 0);
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

  /// Keys' weights of the four points along each axis, then of the stencil: rows × 4ᵈ, like
  /// [Grid#stencil].
  Value weights() {
    Value all = graph.number(1);
    for (int a = 0; a < offsets.size(); a++) {
      Value t = offsets.get(a);
      Value tt = graph.square(t);
      Value e0 = graph.add(graph.mul(tt, 0.25), -0.0625);
      Value o0 = graph.mul(t, graph.sub(graph.number(0.125), graph.mul(tt, 0.5)));
      Value e1 = graph.sub(graph.number(0.5625), graph.mul(tt, 0.25));
      Value o1 = graph.mul(t, graph.sub(graph.mul(tt, 1.5), 1.375));
      Value own =
          graph.columns(
              List.of(graph.add(e0, o0), graph.add(e1, o1), graph.sub(e1, o1), graph.sub(e0, o0)));
      if (a == 0) all = own;
      else {
        Value product = graph.mul(graph.widen(all, 2), graph.widen(own, 1));
        all = graph.reshape(product, -1, Keys.power(4, a + 1));
      }
    }
    return all;
  }

  /// The indices of the stencil's points: rows × 4ᵈ.
  Value places(int start) {
    int[] shifts = grid.stencilShifts();
    Value all = graph.wholes(i -> start + shifts[i], shifts.length);
    return graph.add(graph.widen(corner, 1), all);
  }
}

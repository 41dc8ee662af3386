package lovelace.grid;

import java.util.Arrays;
import java.util.List;

/// Several grids side by side, each over some of the input columns: the lattice of a sum of
/// functions. Points are numbered component after component, and w(x) stacks the weights of the
/// components.
public final class AdditiveGrid implements Lattice {

  private final Component[] components;
  private final int[] starts;
  private final int dimensions;
  private final int stencilSize;

  /// A grid over the input columns that its axes read, in order.
  public static final class Component {
    private final Grid grid;
    private final int[] columns;

    public Component(Grid grid, int... columns) {
      if (columns.length != grid.dimensions())
        throw new IllegalArgumentException(
            "a grid of "
                + grid.dimensions()
                + " axes needs one column for each, got "
                + Arrays.toString(columns));
      this.grid = grid;
      this.columns = columns.clone();
    }

    public Grid grid() {
      return grid;
    }

    public int column(int axis) {
      return columns[axis];
    }

    private int axisOf(int column) {
      for (int a = 0; a < columns.length; a++) if (columns[a] == column) return a;
      return -1;
    }

    private void gather(double[] x, int xo, double[] own) {
      for (int a = 0; a < columns.length; a++) own[a] = x[xo + columns[a]];
    }

    @Override
    public boolean equals(Object other) {
      return other instanceof Component c
          && grid.equals(c.grid)
          && Arrays.equals(columns, c.columns);
    }

    @Override
    public int hashCode() {
      return 31 * grid.hashCode() + Arrays.hashCode(columns);
    }
  }

  private AdditiveGrid(int dimensions, Component[] components) {
    if (components.length == 0)
      throw new IllegalArgumentException("an additive grid needs at least one component");
    this.dimensions = dimensions;
    this.components = components;
    starts = new int[components.length + 1];
    int stencils = 0;
    for (int c = 0; c < components.length; c++) {
      for (int column : components[c].columns)
        if (column < 0 || column >= dimensions)
          throw new IllegalArgumentException(
              "component " + (c + 1) + " reads column " + (column + 1) + " of " + dimensions);
      starts[c + 1] = Math.addExact(starts[c], components[c].grid.size());
      stencils += components[c].grid.stencilSize();
    }
    stencilSize = stencils;
  }

  /// Components over `dimensions` input columns.
  public static AdditiveGrid of(int dimensions, List<Component> components) {
    return new AdditiveGrid(dimensions, components.toArray(Component[]::new));
  }

  /// Makes one component per axis. Axis i reads column i.
  public static AdditiveGrid of(Axis... axes) {
    Component[] components = new Component[axes.length];
    for (int a = 0; a < axes.length; a++) components[a] = new Component(Grid.of(axes[a]), a);
    return new AdditiveGrid(axes.length, components);
  }

  public int components() {
    return components.length;
  }

  public Component component(int c) {
    return components[c];
  }

  /// The number of component c's first point. c may be [#components].
  public int start(int c) {
    return starts[c];
  }

  @Override
  public int size() {
    return starts[components.length];
  }

  @Override
  public int dimensions() {
    return dimensions;
  }

  @Override
  public int stencilSize() {
    return stencilSize;
  }

  @Override
  public boolean stencil(double[] x, int xo, int[] index, double[] weight) {
    double[] own = new double[4];
    int[] ownIndex = new int[256];
    double[] ownWeight = new double[256];
    int at = 0;
    for (int c = 0; c < components.length; c++) {
      components[c].gather(x, xo, own);
      if (!components[c].grid.stencil(own, 0, ownIndex, ownWeight)) return false;
      int count = components[c].grid.stencilSize();
      for (int k = 0; k < count; k++) {
        index[at + k] = starts[c] + ownIndex[k];
        weight[at + k] = ownWeight[k];
      }
      at += count;
    }
    return true;
  }

  @Override
  public boolean stencilGradient(
      double[] x, int xo, int[] index, double[] weight, double[] gradient) {
    Arrays.fill(gradient, 0, dimensions * stencilSize, 0);
    double[] own = new double[4];
    int[] ownIndex = new int[256];
    double[] ownWeight = new double[256];
    double[] ownGradient = new double[1024];
    int at = 0;
    for (int c = 0; c < components.length; c++) {
      Component component = components[c];
      component.gather(x, xo, own);
      if (!component.grid.stencilGradient(own, 0, ownIndex, ownWeight, ownGradient)) return false;
      int count = component.grid.stencilSize();
      for (int k = 0; k < count; k++) {
        index[at + k] = starts[c] + ownIndex[k];
        weight[at + k] = ownWeight[k];
      }
      for (int a = 0; a < component.columns.length; a++)
        System.arraycopy(
            ownGradient, a * count, gradient, component.columns[a] * stencilSize + at, count);
      at += count;
    }
    return true;
  }

  @Override
  public int outsideColumn(double[] x, int xo) {
    for (Component component : components)
      for (int a = 0; a < component.columns.length; a++)
        if (!component.grid.axis(a).covers(x[xo + component.columns[a]]))
          return component.columns[a];
    return -1;
  }

  @Override
  public double low(int column) {
    double low = Double.NEGATIVE_INFINITY;
    for (Component component : components) {
      int a = component.axisOf(column);
      if (a >= 0) low = Math.max(low, component.grid.low(a));
    }
    return low;
  }

  @Override
  public double high(int column) {
    double high = Double.POSITIVE_INFINITY;
    for (Component component : components) {
      int a = component.axisOf(column);
      if (a >= 0) high = Math.min(high, component.grid.high(a));
    }
    return high;
  }

  /// Ones in the first component, and zeros elsewhere.
  @Override
  public double[] constant() {
    double[] c = new double[size()];
    Arrays.fill(c, 0, starts[1], 1);
    return c;
  }

  /// The coordinates of the first component that reads the column, and zeros elsewhere.
  @Override
  public double[] coordinates(int column) {
    double[] all = new double[size()];
    for (int c = 0; c < components.length; c++) {
      int a = components[c].axisOf(column);
      if (a < 0) continue;
      double[] own = components[c].grid.coordinates(a);
      System.arraycopy(own, 0, all, starts[c], own.length);
      return all;
    }
    throw new IllegalArgumentException(
        "no component reads column " + (column + 1) + "; a linear mean in it needs one");
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof AdditiveGrid g
        && dimensions == g.dimensions
        && Arrays.equals(components, g.components);
  }

  @Override
  public int hashCode() {
    return Arrays.hashCode(components);
  }

  @Override
  public String toString() {
    return components.length + " grids of " + GridText.count(size()) + " points in all";
  }
}

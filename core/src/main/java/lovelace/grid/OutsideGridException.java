package lovelace.grid;

/// A training row outside the lattice.
public final class OutsideGridException extends IllegalArgumentException {

  private final long row;
  private final int column;

  OutsideGridException(Lattice lattice, long row, int column, double value) {
    super(
        "row "
            + GridText.count(row + 1)
            + ": input column "
            + (column + 1)
            + " is "
            + GridText.number(value)
            + ", outside the grid, which covers "
            + GridText.number(lattice.low(column))
            + " to "
            + GridText.number(lattice.high(column))
            + "; widen the grid's range or skip rows outside it");
    this.row = row;
    this.column = column;
  }

  /// The row, counted from 0.
  public long row() {
    return row;
  }

  /// The input column, counted from 0.
  public int column() {
    return column;
  }
}

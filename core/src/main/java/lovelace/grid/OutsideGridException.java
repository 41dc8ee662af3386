package lovelace.grid;

/// Thrown if a training row lies outside the lattice.
public final class OutsideGridException extends IllegalArgumentException {

  /// The usual remedy, if the axes of the lattice are input columns.
  public static final String REMEDY = "widen the grid's range or skip rows outside it";

  private final long row;
  private final int column;
  private final String rest;

  public OutsideGridException(Lattice lattice, long row, int column, double value) {
    this(
        row,
        column,
        " is "
            + GridText.number(value)
            + ", outside the grid, which covers "
            + GridText.number(lattice.low(column))
            + " to "
            + GridText.number(lattice.high(column)));
  }

  private OutsideGridException(long row, int column, String rest) {
    super(message(row, "input column " + (column + 1), rest, REMEDY));
    this.row = row;
    this.column = column;
    this.rest = rest;
  }

  private static String message(long row, String what, String rest, String remedy) {
    return "row " + GridText.count(row + 1) + ": " + what + rest + "; " + remedy;
  }

  /// The row, counted from 0.
  public long row() {
    return row;
  }

  /// The input column of the lattice, counted from 0.
  public int column() {
    return column;
  }

  /// The message with this name of the column and this remedy.
  public String message(String name, String remedy) {
    return message(row, name, rest, remedy);
  }
}

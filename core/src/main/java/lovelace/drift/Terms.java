package lovelace.drift;

import java.util.Arrays;
import java.util.List;
import java.util.Locale;

/// The terms of a linear mean: 1, and some of a model's columns, each standardised by a centre and
/// a scale that only help the arithmetic: `f₀ = 1`, `fⱼ = (xⱼ − centreⱼ)/scaleⱼ`. Among the model's
/// columns, those of the process come first, then those that only the mean reads. Immutable.
public final class Terms {

  private final int columns;
  private final int process;
  private final int[] places;
  private final double[] centres;
  private final double[] scales;

  private Terms(int columns, int process, int[] places, double[] centres, double[] scales) {
    this.columns = columns;
    this.process = process;
    this.places = places;
    this.centres = centres;
    this.scales = scales;
  }

  /// Terms of a model with `columns` columns. The process is over the first `process` of them. The
  /// columns of the mean have positions among all of them, ascending, and include every column that
  /// the process does not read.
  public static Terms of(
      int columns, int process, int[] places, double[] centres, double[] scales) {
    if (!(process >= 1 && process <= columns))
      throw new IllegalArgumentException(
          String.format(
              Locale.ROOT,
              "the process reads %d of %d columns; it must read at least one and at most all",
              process,
              columns));
    if (centres.length != places.length || scales.length != places.length)
      throw new IllegalArgumentException("every column of a drift needs a centre and a scale");
    for (int j = 0; j < places.length; j++) {
      if (places[j] < 0 || places[j] >= columns || (j > 0 && places[j] <= places[j - 1]))
        throw new IllegalArgumentException(
            "the columns of a drift must ascend, got " + Arrays.toString(places));
      if (!Double.isFinite(centres[j]) || !(scales[j] > 0 && Double.isFinite(scales[j])))
        throw new IllegalArgumentException(
            "a drift column needs a finite centre and scale > 0, got "
                + centres[j]
                + " and "
                + scales[j]);
    }
    if (Arrays.stream(places).filter(p -> p >= process).count() != columns - process)
      throw new IllegalArgumentException("a column is read neither by the process nor by the mean");
    return new Terms(columns, process, places.clone(), centres.clone(), scales.clone());
  }

  /// The number of columns of the model.
  public int columns() {
    return columns;
  }

  /// The number of columns that the process reads, which are the first ones.
  public int process() {
    return process;
  }

  /// The number of coefficients: the intercept and one for each column of the mean.
  public int size() {
    return places.length + 1;
  }

  /// The position of the j-th column of the mean among those of the model; j counts from 1.
  public int place(int j) {
    return places[j - 1];
  }

  public double centre(int j) {
    return centres[j - 1];
  }

  public double scale(int j) {
    return scales[j - 1];
  }

  /// The names of the coefficients.
  public List<String> names(List<String> columnNames) {
    String[] names = new String[size()];
    names[0] = "intercept";
    for (int j = 1; j < names.length; j++) names[j] = columnNames.get(place(j));
    return List.of(names);
  }

  /// Whether two means read the same columns, with any standardisation.
  public boolean isLike(Terms other) {
    return columns == other.columns
        && process == other.process
        && Arrays.equals(places, other.places);
  }

  /// The same for a model that leaves out columns of the process that the mean does not read.
  ///
  /// @param kept the positions of those that stay, ascending
  public Terms keeping(int[] kept) {
    int[] moved = places.clone();
    for (int j = 0; j < moved.length; j++) {
      int at = Arrays.binarySearch(kept, places[j]);
      moved[j] = places[j] >= process ? places[j] - process + kept.length : at;
    }
    return of(columns - process + kept.length, kept.length, moved, centres, scales);
  }

  /// The same after numbers were added to every column. The centres move with them.
  public Terms shifted(double[] byColumn) {
    double[] moved = centres.clone();
    for (int j = 0; j < moved.length; j++) moved[j] += byColumn[places[j]];
    return of(columns, process, places, moved, scales);
  }

  /// Writes f at the point that starts at `x[xo]` to `f`, from `f[fo]` on.
  public void basis(double[] x, int xo, double[] f, int fo) {
    f[fo] = 1;
    for (int j = 0; j < places.length; j++)
      f[fo + 1 + j] = (x[xo + places[j]] - centres[j]) / scales[j];
  }

  /// f at all points, row-major.
  public double[] basis(double[] points) {
    int count = points.length / columns;
    double[] f = new double[count * size()];
    for (int i = 0; i < count; i++) basis(points, i * columns, f, i * size());
    return f;
  }

  /// The columns of the process of some points, row-major.
  public double[] seen(double[] points, int count) {
    if (process == columns && points.length == count * columns) return points;
    double[] seen = new double[count * process];
    for (int i = 0; i < count; i++)
      System.arraycopy(points, i * columns, seen, i * process, process);
    return seen;
  }
}

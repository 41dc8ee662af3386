package lovelace.data;

import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/// A map that changes columns one by one: logarithms, ranks, indicators of words. A column has one
/// feature, or one for each of its words. Features are in the order of their columns.
///
/// - `log`: `log(x − shift)`, where shift is 0 if all values are positive. Below the smallest value
///   of the rows it was made from, the tangent at that value continues it, so every number has a
///   logarithm.
/// - `ranks`: normal scores by at most 64 [Knots], with the end slopes beyond them.
/// - `indicators`: 1 for the word of the row, 0 for the other words. For a word that was not seen,
///   each indicator is the share of its word in the rows, that is its mean.
final class ColumnMap implements FeatureMap {

  static final String TYPE = "columns";

  private static final int MOST_COLUMNS = 1 << 20;

  /// A column with at most this many different values is left as it is.
  private static final int FEW = 10;

  /// A column has a heavy tail if its outermost half per cent lies this many times the width of the
  /// middle half from the median. The ratio is 1.9 for a normal and 3.8 for a Student t with three
  /// degrees of freedom.
  private static final double HEAVY = 3.5;

  /// A column of positive numbers is logged if they span this factor.
  private static final double DECADES = 100;

  /// The change of one column.
  private sealed interface Part {
    int outputs();
  }

  private record Same() implements Part {
    @Override
    public int outputs() {
      return 1;
    }
  }

  private record Log(double shift, double least) implements Part {
    Log {
      if (!(Double.isFinite(shift) && Double.isFinite(Math.log(least - shift))))
        throw new IllegalArgumentException(
            "a logarithm needs numbers above its shift, got %s and %s".formatted(least, shift));
    }

    @Override
    public int outputs() {
      return 1;
    }
  }

  private record Ranks(Knots knots) implements Part {
    @Override
    public int outputs() {
      return 1;
    }
  }

  private record Indicators(List<Double> shares) implements Part {
    Indicators {
      if (shares.isEmpty())
        throw new IllegalArgumentException("indicators need at least one word, got none");
      for (double share : shares)
        if (!(share >= 0 && share <= 1))
          throw new IllegalArgumentException("a share must lie between 0 and 1, got " + share);
    }

    @Override
    public int outputs() {
      return shares.size();
    }
  }

  private final List<Part> parts;
  private final int outputs;

  private ColumnMap(List<Part> parts) {
    if (parts.isEmpty()) throw new IllegalArgumentException("a map needs at least one column");
    this.parts = List.copyOf(parts);
    outputs = this.parts.stream().mapToInt(Part::outputs).sum();
  }

  // ---- from rows ----

  static ColumnMap of(Dataset rows, List<Change> changes) {
    int d = rows.dimensions();
    if (changes.size() != d)
      throw new IllegalArgumentException(
          "expected one change for each of %s columns, got %s".formatted(d, changes.size()));
    List<Part> parts = new ArrayList<>();
    for (int j = 0; j < d; j++) {
      Column column = rows.columns().get(j);
      Change change = changes.get(j);
      boolean words = change == Change.INDICATORS;
      if (change != Change.SAME && words != column.isText())
        throw new IllegalArgumentException(
            "column '%s' holds %s and cannot become %s; use %s"
                .formatted(
                    column.name(),
                    column.isText() ? "words" : "numbers",
                    change,
                    column.isText() ? "indicators" : "log or ranks"));
      parts.add(
          switch (change) {
            case SAME -> new Same();
            case LOG -> log(column(rows, j));
            case RANKS -> new Ranks(Knots.ranks(column(rows, j), "column '" + column.name() + "'"));
            case INDICATORS -> indicators(column(rows, j), column.values().size());
          });
    }
    return new ColumnMap(parts);
  }

  private static double[] column(Dataset rows, int j) {
    double[] values = new double[rows.size()];
    for (int i = 0; i < values.length; i++) values[i] = rows.inputs()[i * rows.dimensions() + j];
    return values;
  }

  private static Part log(double[] values) {
    Arrays.sort(values);
    double least = values[0];
    if (least > 0) return new Log(0, least);
    double[] above = Arrays.stream(values).map(v -> v - least).filter(v -> v > 0).toArray();
    double small = above.length == 0 ? 1 : Knots.quantile(above, 0.05);
    return new Log(least - small, least);
  }

  private static Part indicators(double[] codes, int words) {
    double[] shares = new double[words];
    for (double code : codes)
      if (code >= 0 && code < words) shares[(int) code] += 1.0 / codes.length;
    return new Indicators(Arrays.stream(shares).map(s -> Math.min(1, s)).boxed().toList());
  }

  static List<Change> candidates(Dataset rows) {
    List<Change> all = new ArrayList<>();
    for (int j = 0; j < rows.dimensions(); j++) {
      Column column = rows.columns().get(j);
      boolean number = !column.isText() && column.time().isEmpty();
      all.add(number ? candidate(column(rows, j)) : Change.SAME);
    }
    return List.copyOf(all);
  }

  /// The change that may help values with a heavy tail: `LOG` for numbers that are not negative and
  /// span two decades, otherwise `RANKS`. It is `SAME` if there is no such tail or there are few
  /// different values.
  static Change candidate(double[] values) {
    double[] sorted = values.clone();
    Arrays.sort(sorted);
    if (Arrays.stream(sorted).distinct().limit(FEW + 1).count() <= FEW) return Change.SAME;
    double median = Knots.quantile(sorted, 0.5);
    double middle = Knots.quantile(sorted, 0.75) - Knots.quantile(sorted, 0.25);
    double above = Knots.quantile(sorted, 0.995) - median;
    double below = median - Knots.quantile(sorted, 0.005);
    if (!(Math.max(above, below) > HEAVY * middle)) return Change.SAME;
    double[] positive = Arrays.stream(sorted).filter(v -> v > 0).toArray();
    boolean log =
        sorted[0] >= 0
            && above > below
            && Knots.quantile(positive, 0.995) >= DECADES * Knots.quantile(positive, 0.005);
    return log ? Change.LOG : Change.RANKS;
  }

  // ---- a map ----

  @Override
  public int inputs() {
    return parts.size();
  }

  @Override
  public int outputs() {
    return outputs;
  }

  @Override
  public List<Change> changes() {
    return parts.stream()
        .map(
            part ->
                switch (part) {
                  case Same s -> Change.SAME;
                  case Log l -> Change.LOG;
                  case Ranks r -> Change.RANKS;
                  case Indicators i -> Change.INDICATORS;
                })
        .toList();
  }

  @Override
  public List<Column> features(List<Column> inputs) {
    if (inputs.size() != parts.size())
      throw new IllegalArgumentException(
          "the map reads %s columns, got %s".formatted(parts.size(), inputs.size()));
    List<Column> all = new ArrayList<>();
    for (int j = 0; j < parts.size(); j++) {
      Column column = inputs.get(j);
      switch (parts.get(j)) {
        case Same s -> all.add(column);
        case Log l -> all.add(Column.of("log " + column.name()));
        case Ranks r -> all.add(Column.of("ranks of " + column.name()));
        case Indicators(var shares) -> {
          if (shares.size() != column.values().size())
            throw new IllegalArgumentException(
                "column '%s' has %s words, but the map has %s indicators for it"
                    .formatted(column.name(), column.values().size(), shares.size()));
          for (String word : column.values()) all.add(Column.of(column.name() + " = " + word));
        }
      }
    }
    return List.copyOf(all);
  }

  @Override
  public void apply(double[] x, int rows, double[] out) {
    int d = parts.size();
    int to = 0;
    for (int i = 0; i < rows; i++)
      for (int j = 0; j < d; j++) {
        double value = x[i * d + j];
        switch (parts.get(j)) {
          case Same s -> out[to++] = value;
          case Log(double shift, double least) ->
              out[to++] =
                  value >= least
                      ? Math.log(value - shift)
                      : Math.log(least - shift) + (value - least) / (least - shift);
          case Ranks(Knots knots) -> out[to++] = knots.apply(value);
          case Indicators(var shares) -> {
            boolean seen = value >= 0 && value < shares.size();
            for (int w = 0; w < shares.size(); w++)
              out[to++] = seen ? (w == (int) value ? 1 : 0) : shares.get(w);
          }
        }
      }
  }

  @Override
  public void pullBack(double[] x, int xo, double[] g, int go, double[] out, int oo) {
    int from = go;
    for (int j = 0; j < parts.size(); j++) {
      double value = x[xo + j];
      Part part = parts.get(j);
      out[oo + j] =
          switch (part) {
            case Same s -> g[from];
            case Log(double shift, double least) -> g[from] / (Math.max(value, least) - shift);
            case Ranks(Knots knots) -> g[from] * knots.slope(value);
            case Indicators i -> 0;
          };
      from += part.outputs();
    }
  }

  // ---- bytes ----

  @Override
  public String type() {
    return TYPE;
  }

  /// The number of columns as 32 bits. Then for each column a byte (0 as it is, 1 logarithm, 2
  /// ranks, 3 indicators) and its data. For a logarithm: the shift and the smallest value. For
  /// ranks: the number of knots as 32 bits, then x and z of each. For indicators: the number of
  /// words as 32 bits, then their shares. Other numbers have 64 bits. Little-endian.
  @Override
  public byte[] bytes() {
    int length = 4;
    for (Part part : parts)
      length +=
          1
              + switch (part) {
                case Same s -> 0;
                case Log l -> 16;
                case Ranks(Knots knots) -> 4 + 16 * knots.count();
                case Indicators(var shares) -> 4 + 8 * shares.size();
              };
    ByteBuffer all = ByteBuffer.allocate(length).order(ByteOrder.LITTLE_ENDIAN);
    all.putInt(parts.size());
    for (int j = 0; j < parts.size(); j++) {
      switch (parts.get(j)) {
        case Same s -> all.put((byte) 0);
        case Log(double shift, double least) -> all.put((byte) 1).putDouble(shift).putDouble(least);
        case Ranks(Knots knots) -> {
          all.put((byte) 2).putInt(knots.count());
          for (int i = 0; i < knots.count(); i++) all.putDouble(knots.x(i)).putDouble(knots.z(i));
        }
        case Indicators(var shares) -> {
          all.put((byte) 3).putInt(shares.size());
          for (double share : shares) all.putDouble(share);
        }
      }
    }
    return all.array();
  }

  static ColumnMap read(byte[] bytes) {
    ByteBuffer all = ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);
    try {
      int columns = count(all, 1, MOST_COLUMNS);
      List<Part> parts = new ArrayList<>();
      for (int j = 0; j < columns; j++) {
        int kind = all.get();
        parts.add(
            switch (kind) {
              case 0 -> new Same();
              case 1 -> new Log(all.getDouble(), all.getDouble());
              case 2 -> ranks(all);
              case 3 -> indicators(all);
              default ->
                  throw new IllegalArgumentException(
                      "its column map has an unknown change number " + kind);
            });
      }
      if (all.hasRemaining())
        throw new IllegalArgumentException(
            "its column map has %s bytes too many".formatted(all.remaining()));
      return new ColumnMap(parts);
    } catch (BufferUnderflowException e) {
      throw new IllegalArgumentException("its column map ends too early", e);
    }
  }

  /// Reads the number of items that follow, each of at least this many bytes. It must fit the bytes
  /// that are left.
  private static int count(ByteBuffer all, int bytes, int most) {
    int count = all.getInt();
    if (count < 1 || count > most || (long) count * bytes > all.remaining())
      throw new IllegalArgumentException(
          "its column map announces %s entries, but only %s bytes follow"
              .formatted(count, all.remaining()));
    return count;
  }

  private static Part ranks(ByteBuffer all) {
    int count = count(all, 16, Knots.MOST);
    double[] x = new double[count];
    double[] z = new double[count];
    for (int i = 0; i < count; i++) {
      x[i] = all.getDouble();
      z[i] = all.getDouble();
    }
    return new Ranks(Knots.adopt(x, z));
  }

  private static Part indicators(ByteBuffer all) {
    int count = count(all, 8, MOST_COLUMNS);
    List<Double> shares = new ArrayList<>();
    for (int i = 0; i < count; i++) shares.add(all.getDouble());
    return new Indicators(List.copyOf(shares));
  }

  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof ColumnMap map && parts.equals(map.parts);
  }

  @Override
  public int hashCode() {
    return parts.hashCode();
  }

  @Override
  public String toString() {
    String changed =
        changes().stream()
            .filter(change -> change != Change.SAME)
            .map(Change::toString)
            .distinct()
            .collect(Collectors.joining(", "));
    return String.format(
        Locale.ROOT,
        "%d columns, one by one: %s",
        parts.size(),
        changed.isEmpty() ? "as they are" : changed);
  }
}

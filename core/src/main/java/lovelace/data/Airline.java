package lovelace.data;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;

/// Monthly totals of international airline passengers, January 1949 to December 1960, in thousands:
/// Series G of Box and Jenkins, Time Series Analysis (1970).
public final class Airline {

  private Airline() {}

  /// The months as texts, `1949-01` to `1960-12`.
  public static List<String> months() {
    return column(0);
  }

  /// All 144 months. The input is the time in years, `1949 + i/12`; the target is in thousands of
  /// passengers.
  public static Dataset dataset() {
    List<String> months = months();
    TimeScale scale = TimeScale.of("month", months);
    double[] passengers = column(1).stream().mapToDouble(Double::parseDouble).toArray();
    return Dataset.of(
        scale.parse("month", months),
        List.of(Column.of("month", scale)),
        passengers,
        Column.of("passengers", "thousands"));
  }

  private static List<String> column(int index) {
    List<String> values = new ArrayList<>();
    try (InputStream in =
            Objects.requireNonNull(
                Airline.class.getResourceAsStream("airline.csv"), "airline.csv");
        var reader = new BufferedReader(new InputStreamReader(in, StandardCharsets.UTF_8))) {
      List<String> lines = reader.lines().filter(line -> !line.startsWith("#")).toList();
      for (String line : lines.subList(1, lines.size()))
        values.add(List.of(line.split(",", -1)).get(index));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return values;
  }
}

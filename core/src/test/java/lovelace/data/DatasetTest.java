package lovelace.data;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;

class DatasetTest {

  private static final List<Column> COLUMNS = List.of(Column.of("east", "km"), Column.of("depth"));
  private static final Column TARGET = Column.of("heat");

  private static Dataset data(double[] x, double[] y) {
    return Dataset.of(x, COLUMNS, y, TARGET);
  }

  private static Dataset data(double[] x, double[] y, double[] w) {
    return Dataset.of(x, COLUMNS, y, TARGET, w);
  }

  private static String message(Executable action) {
    return String.valueOf(assertThrows(IllegalArgumentException.class, action).getMessage());
  }

  @Test
  void holdsItsRows() {
    Dataset data = data(new double[] {1, 2, 3, 4, 5, 6}, new double[] {7, 8, 9});
    assertEquals(3, data.size());
    assertEquals(2, data.dimensions());
    assertFalse(data.weighted());
    assertEquals(1, data.weight(2));
    assertEquals("east (km)", data.columns().getFirst().label());
    Dataset part = data.rows(1, 3);
    assertArrayEquals(new double[] {3, 4, 5, 6}, part.inputs());
    assertArrayEquals(new double[] {8, 9}, part.target());
  }

  @Test
  void selectionKeepsWeightsAndMayRepeatRows() {
    Dataset data =
        data(new double[] {1, 2, 3, 4, 5, 6}, new double[] {7, 8, 9}, new double[] {1, 2, 4});
    Dataset chosen = data.select(new int[] {2, 2});
    assertArrayEquals(new double[] {5, 6, 5, 6}, chosen.inputs());
    assertEquals(4, chosen.weight(1));
    assertEquals(Math.log(16), chosen.logWeights(), 1e-15);
  }

  @Test
  void badValuesAreNamedByRowAndColumn() {
    double nan = Double.NaN;
    double inf = Double.POSITIVE_INFINITY;
    double[] y = {7, 8};
    assertEquals(
        "row 2 (data rows count from 1): column 'depth' is NaN, values must be finite; drop the row or fill in the value",
        message(() -> data(new double[] {1, 2, 3, nan}, y)));
    assertTrue(
        message(() -> data(new double[] {-inf, 2, 3, 4}, y))
            .startsWith("row 1 (data rows count from 1): column 'east' is -Infinity"));
    assertTrue(
        message(() -> data(new double[] {1, 2, 3, 4}, new double[] {7, inf}))
            .startsWith("row 2 (data rows count from 1): target 'heat' is Infinity"));
    for (double weight : new double[] {0, -1, nan, inf})
      assertTrue(
          message(() -> data(new double[] {1, 2, 3, 4}, y, new double[] {1, weight}))
              .startsWith("row 2 (data rows count from 1): the weight is " + weight));
  }

  @Test
  void wrongShapesAreNamed() {
    assertTrue(message(() -> Dataset.of(new double[0], 1, new double[0])).contains("0 rows"));
    assertTrue(
        message(() -> Dataset.of(new double[0], 0, new double[1])).contains("0 input columns"));
    assertEquals(
        "inputs hold 3 numbers, but 2 target values × 2 columns need 4; pass one row of inputs per target value",
        message(() -> Dataset.of(new double[3], 2, new double[2])));
    assertEquals(
        "1 weights for 2 rows; pass one weight per row, or none",
        message(() -> Dataset.of(new double[] {1, 2}, 1, new double[2], new double[1])));
    Dataset data = Dataset.of(new double[] {1, 2}, 1, new double[2]);
    assertTrue(message(() -> data.rows(1, 3)).contains("from = 1, to = 3"));
  }

  @Test
  void columnsThatVaryAreFoundAndKept() {
    Dataset data = data(new double[] {1, 4, 3, 4}, new double[] {7, 8});
    assertArrayEquals(new int[] {0}, data.varying());
    assertArrayEquals(new double[] {1, 3}, data.keeping(data.varying()).inputs());
    assertEquals(COLUMNS.subList(0, 1), data.keeping(0).columns());
    assertEquals(2, data(new double[] {1, 4}, new double[] {7}).varying().length);
  }

  @Test
  void aConstantTargetIsFine() {
    assertEquals(2, Dataset.of(new double[] {1, 2}, 1, new double[] {3, 3}).size());
  }
}

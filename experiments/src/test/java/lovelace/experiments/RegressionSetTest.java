package lovelace.experiments;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class RegressionSetTest {

  @TempDir Path folder;

  private void write(String name, String text) throws IOException {
    try (OutputStream out = new GZIPOutputStream(Files.newOutputStream(folder.resolve(name)))) {
      out.write(text.getBytes(StandardCharsets.UTF_8));
    }
  }

  @Test
  void splitsAndStandardisesByTheTrainingRows() throws IOException {
    write("data.csv.gz", "1,7,10\n3,7,30\n100,8,20\n");
    write("test_mask.csv.gz", "0,1\n0,0\n1,0\n");
    assertTrue(RegressionSet.describes(folder));
    RegressionSet raw = RegressionSet.read(folder, 0);
    assertArrayEquals(new double[] {1, 7, 3, 7}, raw.train().inputs(), "rows as they stand");
    assertArrayEquals(new double[] {20}, raw.test().target());
    assertEquals(10, raw.targetDeviation(), 1e-14);
    RegressionSet set = raw.standardised();
    assertEquals(1, set.train().dimensions(), "the second column does not vary in training");
    double unit = set.train().inputs()[1];
    assertArrayEquals(new double[] {-unit, unit}, set.train().inputs(), 1e-15);
    assertArrayEquals(new double[] {98 * unit}, set.test().inputs(), 1e-12);
    assertArrayEquals(new double[] {0}, set.test().target(), 1e-15);
    assertEquals(2, RegressionSet.read(folder, 1).standardised().train().dimensions());
  }

  @Test
  void namesWhatIsWrong() throws IOException {
    write("data.csv.gz", "1,2\n3,oops\n");
    write("test_mask.csv.gz", "0\n1\n");
    assertTrue(
        error(0).contains("row 2: column 2 is 'oops', not a number; correct or drop the row"));
    write("data.csv.gz", "1,2\n3,4\n5,6\n");
    assertTrue(
        error(0).contains("has 3 rows, test_mask.csv.gz has 2; they must have the same rows"));
    write("data.csv.gz", "1,2\n3,4\n");
    assertTrue(error(3).contains("split must be 0 to 0, got 3"));
    write("test_mask.csv.gz", "0\n2\n");
    assertTrue(error(0).contains("row 2: column 1 is 2.0; it must be 0, or 1"), error(0));
    write("test_mask.csv.gz", "0\n0\n");
    assertTrue(error(0).contains("has no rows to score"), error(0));
    write("data.csv.gz", "1,2\n3,NaN\n");
    assertTrue(error(0).contains("row 2: column 2 is 'NaN'"), error(0));
    Files.writeString(folder.resolve("data.csv.gz"), "1,2\n3,4\n");
    assertTrue(error(0).contains("not compressed by gzip"), error(0));
    Files.delete(folder.resolve("test_mask.csv.gz"));
    assertTrue(error(0).contains("has no test_mask.csv.gz"), error(0));
  }

  private String error(int split) {
    return String.valueOf(
        assertThrows(IllegalArgumentException.class, () -> RegressionSet.read(folder, split))
            .getMessage());
  }
}

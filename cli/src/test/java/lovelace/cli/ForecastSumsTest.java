package lovelace.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ForecastSumsTest {

  @TempDir private Path folder;

  private Trial trial;

  @BeforeEach
  void table() throws IOException {
    trial = new Trial(folder);
    var random = new SplittableRandom(5);
    StringBuilder text = new StringBuilder("shop,item,year,sold\n");
    for (int s = 1; s <= 2; s++)
      for (String item : List.of("a", "b"))
        for (int t = 0; t < 25; t++) {
          if (s == 2 && item.equals("b") && t == 24) continue; // one year is still to come
          text.append(
              String.format(
                  Locale.ROOT,
                  "%d,%s,%d,%.1f%n",
                  s,
                  item,
                  1999 + t,
                  50 * s + t + 4 * random.nextGaussian()));
        }
    trial.write("t.csv", text.toString());
  }

  private static final String COMMAND =
      "forecast @t.csv --id shop,item --time year --target sold --horizon 2 ";

  @Test
  void meansAndDrawsOfEveryLevelAddUp() throws IOException {
    String said =
        trial.ok(COMMAND + "--sums shop,item --draws 300 --draws-out @d.csv --out @f.csv");
    assertTrue(said.contains("sums        the total, 2 by shop, 2 by item, on 300 draws"), said);
    assertTrue(said.contains("3 steps without a value in 3 sums"), said);
    List<String> lines = Files.readAllLines(trial.file("f.csv"));
    assertEquals(1 + 9 * 2, lines.size());
    assertTrue(lines.get(1).startsWith(",,2024,"), lines.get(1));
    assertTrue(lines.get(3).startsWith("1,,2024,"), lines.get(3));
    check(lines, 4, 3);
    check(Files.readAllLines(trial.file("d.csv")), 4, -1);
  }

  /// The values of a column add up on all levels, by time and draw.
  private static void check(List<String> lines, int column, int draw) {
    Map<String, double[]> sums = new HashMap<>();
    for (String line : lines.subList(1, lines.size())) {
      String[] row = line.split(",", -1);
      int level = (row[0].isEmpty() ? 0 : 1) + (row[1].isEmpty() ? 0 : 2);
      String key = row[2] + (draw < 0 ? " " + row[3] : "");
      sums.computeIfAbsent(key, k -> new double[4])[level] += Double.parseDouble(row[column]);
    }
    sums.forEach(
        (key, all) -> {
          for (double sum : all) assertEquals(all[0], sum, 1e-9 * all[0], key);
        });
  }

  @Test
  void levelsAreChainsThatCross() {
    List<String> ids = List.of("region", "shop", "item");
    assertEquals(
        List.of(Set.of(), Set.of("region"), Set.of("region", "shop")),
        SumLevels.parse("region/shop/item", ids));
    assertEquals(
        List.of(Set.of(), Set.of("region"), Set.of("item"), Set.of("region", "item")),
        SumLevels.parse("region,item", ids));
    assertEquals(List.of(Set.of()), SumLevels.parse("total", ids));
  }

  @Test
  void whatCannotBeAddedIsRefused() throws IOException {
    assertTrue(
        trial
            .refused(COMMAND + "--sums shops")
            .contains("--sums names 'shops', which is no column of ids; they are shop, item"));
    assertTrue(
        trial
            .refused(COMMAND + "--sums shop --from 2020")
            .contains(
                "--sums and --from do not go together, because sums begin after the last value"));
    assertTrue(
        trial
            .refused(COMMAND + "--sums shop --model @m.lvf")
            .contains("write the file first, and then forecast --model FILE --sums"));
    assertTrue(
        trial.refused(COMMAND + "--sums shop --draws 100000000").contains("--draws must lie"));
  }
}

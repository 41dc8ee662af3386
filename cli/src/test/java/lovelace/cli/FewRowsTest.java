package lovelace.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Few rows make an exact model, which holds them: every command works with it, or says what to use
/// instead.
final class FewRowsTest {

  @TempDir static Path folder;

  private static String fitted = "";

  private final Trial trial = new Trial(folder);

  @BeforeAll
  static void fit() throws IOException {
    Trial trial = new Trial(folder);
    trial.write("t.csv", Trial.wave(0, 30));
    trial.write("more.csv", Trial.wave(30, 40));
    trial.write("three.csv", Trial.wave(0, 3));
    fitted = trial.ok("fit @t.csv --target y --model @m.lvl");
    trial.ok("fit @t.csv --target y --engine spectral --model @grid.lvl");
  }

  private static long lines(String text, String label) {
    return text.lines().filter(line -> line.startsWith(label + " ")).count();
  }

  @Test
  void theReportGivesEveryLabelOneMeaning() {
    assertEquals(1, lines(fitted, "rows"), fitted);
    assertEquals(1, lines(fitted, "holds"), fitted);
  }

  @Test
  void inspectSaysWhetherAFileHoldsTheRows() {
    trial.ok("fit @t.csv --target y --engine exact --model @asked.lvl");
    trial.ok("update @m.lvl @more.csv --model @updated.lvl");
    for (String name : new String[] {"m", "asked", "updated"}) {
      String said = trial.ok("inspect @" + name + ".lvl");
      assertTrue(said.lines().anyMatch(l -> l.matches("file .*, with the training rows")), said);
    }
    String said = trial.ok("inspect @grid.lvl");
    assertTrue(said.lines().anyMatch(l -> l.matches("file .*, without training rows")), said);
  }

  @Test
  void whatACertificateDoesNotCoverHasItsOwnLine() {
    String said = trial.ok("inspect @grid.lvl");
    assertEquals(1, lines(said, "certificate"), said);
    assertEquals(1, lines(said, "not covered"), said);
    assertFalse(said.contains("; not covered"), said);
  }

  @ParameterizedTest
  @ValueSource(strings = {"--grid 30", "--bounds x=0:6", "--extend x=0:9"})
  void optionsOfAGridAreNotIgnoredByTheExactEngine(String option) {
    String said = trial.refused("fit @t.csv --target y --engine exact --model @no.lvl " + option);
    String name = option.substring(0, option.indexOf(' '));
    assertTrue(
        said.contains(name + " asks for a grid, and --engine exact makes none; leave out"), said);
    assertTrue(
        trial.ok("fit @t.csv --target y --model @g.lvl " + option).contains("grid "), option);
  }

  @Test
  void anUpdateDoesNotRepeatWhyTheFirstRowsWereModelledExactly() {
    String said = trial.ok("update @m.lvl @more.csv --model @u.lvl");
    assertTrue(said.contains("rows        40"), said);
    assertFalse(said.contains("30 rows take"), said);
    assertTrue(said.lines().anyMatch(line -> line.matches("engine +exact")), said);
    assertTrue(trial.ok("merge @m.lvl @u.lvl --model @both.lvl").contains("rows        70"));
  }

  @Test
  void aModelOnAGridIsMergedWithItsLikeOnly() {
    String said = trial.refused("merge @m.lvl @grid.lvl --model @no.lvl");
    assertTrue(said.contains("; fit both with the same engine, grid and bounds"), said);
  }

  @Test
  void picturesOfFeaturesAreRefusedInTrueWords() {
    String said = trial.refused("plot @m.lvl --what features --out @f.png");
    assertTrue(said.contains("and this one has none; use --what posterior"), said);
  }

  @Test
  void threeRowsCanBeComparedInAsManyFolds() {
    String said = trial.refused("compare @three.csv --target y --kernels rbf,matern52");
    assertTrue(said.contains("got 5; pass --folds 3 or fewer"), said);
    trial.ok("compare @three.csv --target y --kernels rbf,matern52 --folds 3");
  }

  @Test
  void everyOtherCommandTakesAnExactModel() {
    for (String line :
        new String[] {
          "predict @m.lvl @more.csv",
          "predict @m.lvl @more.csv --out @p.parquet",
          "sample @m.lvl @more.csv --draws 3 --of observation",
          "evaluate @m.lvl @more.csv",
          "inspect @m.lvl",
          "inspect @m.lvl --json",
          "plot @m.lvl @t.csv --draws 2 --of observation --out @p.svg",
          "plot @m.lvl --what trace --out @p.svg",
          "plot @m.lvl @more.csv --what calibration --out @p.svg",
          "update @m.lvl @more.csv --no-covariance --model @u2.lvl",
          "update @u2.lvl @more.csv --forget --model @u3.lvl"
        }) trial.ok(line);
  }
}

package lovelace;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import lovelace.engines.Engines;
import lovelace.grid.Axis;
import lovelace.grid.Grid;
import lovelace.plan.Engine;
import lovelace.planning.Costs;
import org.junit.jupiter.api.Test;

class CostsTest {

  /// Fits of 105,569 pixels took 24 s on two idle cores without noise, and 51 to 57 s of processor
  /// time with some, on cores that others used: at most 57 s, and half of that if both cores are
  /// busy throughout. A map of a quarter as many nodes takes less than a half of it.
  @Test
  void plannedSecondsOfAMapAreWithinAFactorOfTwoOfThoseMeasured() {
    double map = sparse(504, 304, 105_569);
    assertTrue(map > 57 / 2.0 && map < 2 * 24, "planned: " + map);
    double quarter = sparse(254, 154, 26_392);
    assertTrue(quarter > map / 16 && quarter < map / 2, "planned: " + quarter);
  }

  private static double sparse(int across, int up, long rows) {
    Grid grid = Grid.of(new Axis(-2, 1, across), new Axis(-2, 1, up));
    return Costs.lattice(new Engines.Choice(Engine.SPARSE, "", 0), grid, rows, true).seconds();
  }

  @Test
  void aChoiceOfKernelsAndAModeCostMoreThanTheProcessAlone() {
    Costs sites = Costs.sites(1500, 2, true);
    assertTrue(sites.choosing(1500).seconds() > sites.seconds());
    assertEquals(
        sites.choosing(1_000_000).seconds(), sites.choosing(3000).seconds(), 0, "some rows only");
    assertTrue(Costs.observed(2000, true, 4).seconds() > Costs.observed(2000, true, 0).seconds());
  }
}

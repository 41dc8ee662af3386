package lovelace.data;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

class AirlineTest {

  @Test
  void yearlyTotalsAreThePublishedOnes() {
    double[] totals = {1520, 1676, 2042, 2364, 2700, 2867, 3408, 3939, 4421, 4572, 5140, 5714};
    double[] y = Airline.dataset().target();
    assertEquals(144, y.length);
    for (int year = 0; year < 12; year++) {
      double sum = 0;
      for (int m = 0; m < 12; m++) sum += y[12 * year + m];
      assertEquals(totals[year], sum, 1949 + year + "");
    }
    assertEquals(112, y[0]);
    assertEquals(622, y[138]);
    assertEquals(432, y[143]);
  }

  @Test
  void inputsAreYearsThatPrintAsMonths() {
    Dataset data = Airline.dataset();
    Column month = data.columns().getFirst();
    assertTrue(month.time().isPresent());
    assertEquals("years", month.unit());
    for (int i = 0; i < 144; i++) {
      assertEquals(1949 + i / 12.0, data.inputs()[i], 1e-12);
      assertEquals(Airline.months().get(i), month.format(data.inputs()[i]));
    }
  }
}

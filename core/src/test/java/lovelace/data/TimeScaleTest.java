package lovelace.data;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.YearMonth;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class TimeScaleTest {

  private static TimeScale of(String... texts) {
    return TimeScale.of("when", List.of(texts));
  }

  private static void printsBack(TimeScale scale, String... texts) {
    for (String text : texts) assertEquals(text, scale.format(scale.parse(text)));
  }

  @Test
  void monthsAreEquallySpacedInYears() {
    for (String day : new String[] {"", "-01"}) {
      TimeScale scale = of("1949-01" + day, "1960-12" + day);
      assertEquals(TimeScale.Unit.YEARS, scale.unit());
      YearMonth month = YearMonth.of(1949, 1);
      for (int i = 0; i < 200; i++) {
        String text = month.plusMonths(i) + day;
        assertEquals(1949 + i / 12.0, scale.parse(text), 1e-12);
        assertEquals(text, scale.format(1949 + i / 12.0));
      }
    }
  }

  @Test
  void datesBecomeDaysSinceTheFirst() {
    TimeScale scale = of("2020-03-01", "2020-02-28", "2024-07-14");
    assertEquals(TimeScale.Unit.DAYS, scale.unit());
    assertEquals("days", scale.unit().text());
    assertEquals(0, scale.parse("2020-02-28"));
    assertEquals(2, scale.parse("2020-03-01"));
    assertEquals(-28, scale.parse("2020-01-31"));
    printsBack(scale, "2020-03-01", "2024-07-14", "1899-12-31");
    assertEquals("2020-02-29", scale.format(1.4));
  }

  @Test
  void theSpanOfTimestampsChoosesTheUnit() {
    assertEquals(TimeScale.Unit.DAYS, of("2020-01-31T12:00", "2020-02-03T06:00").unit());
    assertEquals(TimeScale.Unit.HOURS, of("2020-01-31T12:00", "2020-02-01T13:00").unit());
    assertEquals(TimeScale.Unit.MINUTES, of("2020-01-31 12:00", "2020-01-31 13:00").unit());
    TimeScale scale = of("2020-01-31T12:00:00", "2020-01-31T12:00:59.25");
    assertEquals(TimeScale.Unit.SECONDS, scale.unit());
    assertEquals(59.25, scale.parse("2020-01-31T12:00:59.25"));
    printsBack(scale, "2020-01-31T12:00:59.250", "2020-01-31T11:59:59.999");
    scale = of("2020-01-31T12:00", "2020-02-03T06:00");
    assertEquals(0.5, scale.parse("2020-01-31T12:00"));
    printsBack(scale, "2020-01-31T12:00", "2020-12-31T23:59");
  }

  @Test
  void zonesAreRespected() {
    TimeScale scale = of("2020-01-31T12:00+01:00", "2020-01-31T14:30:00+01:00");
    assertEquals(TimeScale.Unit.HOURS, scale.unit());
    assertEquals(2.5, scale.parse("2020-01-31T13:30:00Z"));
    assertEquals(2.5, scale.parse("2020-01-31T14:30:00+01:00[Europe/Paris]"));
    assertEquals("2020-01-31T14:30+01:00", scale.format(2.5));
    // clocks go back: two hours pass between 01:30+02:00 and 02:30+01:00
    scale = of("2020-10-25T01:30+02:00", "2020-10-25T02:30+01:00");
    assertEquals(2, scale.parse("2020-10-25T02:30+01:00"));
    assertEquals("2020-10-24T23:30Z", scale.format(0));
    assertEquals(2, scale.parse("2020-10-25T01:30Z"));
  }

  @Test
  void whatIsNotATimeIsNamedByRow() {
    var e = assertThrows(IllegalArgumentException.class, () -> of("2020-01-31", "31/01/2020"));
    assertEquals(
        "row 2 (data rows count from 1): column 'when' is '31/01/2020', not a date or timestamp; write it like 1949-01, 2020-01-31, 2020-01-31T12:30:00Z or 2020Q1",
        e.getMessage());
    e =
        assertThrows(
            IllegalArgumentException.class, () -> of("2020-01-31T12:00Z", "2020-01-31T12:00"));
    assertTrue(String.valueOf(e.getMessage()).contains("all have a zone or all have none"));
    assertThrows(IllegalArgumentException.class, () -> TimeScale.of("when", List.of()));
    for (String text : new String[] {"", "1949", "3.5", "2020-13-01", "2020-02-30", "n/a"})
      assertFalse(TimeScale.recognizes(text), text);
    for (String text :
        new String[] {"1949-01", "2020-02-29", "2020-02-29 12:00", "2020-02-29T12:00:00Z"})
      assertTrue(TimeScale.recognizes(text), text);
  }

  @Test
  void oneDateIsEnough() {
    TimeScale scale = of("2020-01-01");
    assertEquals(TimeScale.Unit.DAYS, scale.unit());
    assertEquals(0, scale.parse("2020-01-01"));
    assertEquals("2020-01", of("2020-01").format(2020));
  }

  @Test
  void quartersAreTheirFirstMonths() {
    for (String form :
        new String[] {
          "%1$dQ%2$d",
          "%1$dq%2$d",
          "%1$d-Q%2$d",
          "%1$d Q%2$d",
          "Q%2$d %1$d",
          "q%2$d-%1$d",
          "Q%2$d%1$d",
          "%2$dQ%1$d",
          "%2$dQ %1$d",
          " %1$dQ%2$d "
        }) {
      String[] texts = new String[12];
      for (int i = 0; i < texts.length; i++)
        texts[i] = String.format(Locale.ROOT, form, 2019 + i / 4, i % 4 + 1);
      TimeScale scale = of(texts);
      assertEquals(TimeScale.Unit.YEARS, scale.unit(), form);
      for (int i = 0; i < texts.length; i++) {
        assertEquals(2019 + i / 4.0, scale.parse(texts[i]), 1e-12, texts[i]);
        String month = YearMonth.of(2019, 1).plusMonths(3 * i).toString();
        assertEquals(month, scale.format(scale.parse(texts[i])));
        assertEquals(scale.parse(month), scale.parse(texts[i]));
      }
    }
    for (String text :
        new String[] {"2020Q5", "2020Q0", "Q1", "Q1 20", "20Q1", "2020QQ1", "2020.Q1", "5Q2020"})
      assertFalse(TimeScale.recognizes(text), text);
  }

  @Test
  void oneTextIsRefusedWithoutARow() {
    TimeScale days = of("2020-01-31", "2020-02-28");
    String told =
        assertThrows(IllegalArgumentException.class, () -> days.parse("31/01/2020")).getMessage();
    assertEquals(
        "'31/01/2020' is not a date or timestamp; write it like 1949-01, 2020-01-31, 2020-01-31T12:30:00Z or 2020Q1",
        told);
    String zoned = "2020-01-31T12:00Z";
    told = assertThrows(IllegalArgumentException.class, () -> days.parse(zoned)).getMessage();
    assertEquals(
        "'2020-01-31T12:00Z' is a time with a zone, and the other times of its column have none; remove the zone",
        told);
    assertTrue(Double.isNaN(days.find(zoned)));
    assertTrue(TimeScale.hasZone(zoned));
    assertFalse(TimeScale.hasZone("2020-01-31"));
    TimeScale there = of(zoned, "2020-01-31T13:00+01:00");
    assertEquals(Optional.empty(), there.refusal(zoned));
    assertTrue(there.refusal("2020-01-31").orElseThrow().startsWith("a time without a zone"));
  }
}

package lovelace.forecast.time;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.SplittableRandom;
import lovelace.forecast.time.Frequency.Unit;
import lovelace.forecast.time.TimeForm.Column;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class InferenceTest {

  private static final int CASES = Boolean.getBoolean("lovelace.long") ? 2_000 : 100;

  private static final TimeForm DATES = form("2020-01-31");
  private static final TimeForm TIMES = form("2020-01-31 10:00:00.5");

  private static TimeForm form(String text) {
    return TimeForm.read("a.csv", "ds", List.of(text)).form();
  }

  private static Inference infer(String... texts) {
    Column column = TimeForm.read("a.csv", "ds", Arrays.asList(texts));
    return Frequency.infer(column.moments(), column.form());
  }

  private static String words(String... texts) {
    Inference found = infer(texts);
    return found.frequency().map(Frequency::words).orElse(found.reason());
  }

  @Test
  void theCoarsestStepIsFound() {
    assertEquals("years, on the first day of January", words("2018", "2019", "2020"));
    assertEquals("steps of 4 years, on the first day of January", words("2012", "2016", "2020"));
    assertEquals(
        "quarters, on the first day of the first month of the quarter",
        words("2020Q1", "2020Q2", "2020Q3"));
    assertEquals(
        "months, on the last day of the month", words("2020-01-31", "2020-02-29", "2020-03-31"));
    assertEquals(
        "quarters, on the last day of the third month of the quarter",
        words("2020-06-30", "2020-09-30", "2020-12-31"));
    assertEquals("months, on day 30 of the month", words("2021-01-30", "2021-02-28", "2021-03-30"));
    assertEquals("steps of 30 days", words("2021-01-01", "2021-01-31", "2021-03-02"));
    assertEquals("weeks on Fridays", words("2021-01-01", "2021-01-08", "2021-01-15"));
    assertEquals("days", words("2021-01-01", "2021-01-02", "2021-01-03"));
    assertEquals("business days", words("2021-01-07", "2021-01-08", "2021-01-11"));
    assertEquals("days", words("2021-01-04", "2021-01-05", "2021-01-06"));
    assertEquals("days", words("2021-01-08", "2021-01-09", "2021-01-11", "2021-01-12"));
    assertEquals("days at 06:00", words("2021-01-01 06:00", "2021-01-02 06:00"));
    assertEquals("hours", words("2021-01-01 06:30", "2021-01-01 07:30"));
    assertEquals(
        "steps of 15 minutes", words("2021-01-01 06:30", "2021-01-01 06:45", "2021-01-01 07:00"));
    assertEquals(
        "steps of 0.25 seconds", words("2021-01-01 06:30:00.25", "2021-01-01 06:30:00.50"));
    assertEquals("steps of 0.1", words("0.1", "0.2", "0.3"));
  }

  @Test
  void gapsAndDuplicatesAreCounted() {
    Inference found = infer("2020-05", "2020-01", "2020-02", "2020-02", "2020-03");
    assertEquals(1, found.missing());
    assertEquals(1, found.duplicates());
    assertEquals(
        "its times are months, on the first day of the month; 1 of 5 steps is missing; 1 row has the"
            + " time of another row",
        found.reason());
  }

  @Test
  void irregularTimesAreSaidToBe() {
    Inference found = infer("2021-01-01", "2021-01-02", "2021-01-06", "2021-01-13", "2021-01-31");
    assertEquals(Optional.empty(), found.frequency());
    assertEquals(
        "its times are irregular: the gaps between them are from 1 day to 18 days, all lie only on"
            + " days, and fewer than half of the gaps are one such step; add up the rows to regular"
            + " steps, or name a frequency",
        found.reason());
    assertTrue(infer("2021-01-01").reason().contains("at least 2 different times, got 1"));
  }

  @Test
  void hoursThroughAChangeOfClocksHaveNoGap() {
    assertEquals(
        "hours in Europe/Berlin",
        words("2020-03-29T01:00+01:00", "2020-03-29T03:00+02:00", "2020-03-29T04:00+02:00"));
    assertEquals(
        0,
        infer("2020-10-25T02:00+02:00", "2020-10-25T02:00+01:00", "2020-10-25T03:00+01:00")
            .missing());
  }

  @ParameterizedTest
  @CsvSource({
    "YEAR, 1",
    "QUARTER, 1",
    "MONTH, 1",
    "MONTH, 2",
    "WEEK, 1",
    "WEEK, 2",
    "DAY, 1",
    "DAY, 5",
    "BUSINESS_DAY, 1",
    "HOUR, 1",
    "HOUR, 5",
    "MINUTE, 15",
    "SECOND, 10",
    "NUMBER, 0.5",
    "NUMBER, 3"
  })
  void stepsAreFoundThroughGapsInAnyOrder(Unit unit, double multiple) {
    for (long seed = 0; seed < CASES; seed++) {
      SplittableRandom random = new SplittableRandom(seed);
      LocalDate date = LocalDate.ofEpochDay(random.nextInt(30_000));
      if (unit == Unit.BUSINESS_DAY) while (Frequency.weekend(date)) date = date.plusDays(1);
      Optional<ZoneId> zone =
          unit == Unit.NUMBER || random.nextBoolean()
              ? Optional.empty()
              : Optional.of(ZoneId.of("America/New_York"));
      int day = unit.months > 0 ? random.nextInt(1, 32) : 0;
      if (day > 28) day = Frequency.END;
      Frequency frequency = new Frequency(unit, multiple, Moment.of(date.atTime(12, 0)), day, zone);
      List<Moment> moments = new ArrayList<>();
      long start = random.nextInt(1_000);
      for (long i = start; i < start + 60; i++)
        if (i == start || i == start + 59 || i % 10 < 5 || random.nextInt(10) < 8)
          moments.add(frequency.at(i));
      int distinct = moments.size();
      moments.add(moments.get(random.nextInt(distinct)));
      Collections.shuffle(moments, new Random(seed));
      TimeForm form =
          unit == Unit.NUMBER
              ? form("17.5")
              : TimeForm.read("a", "ds", List.of("2020-01-01 10:00:00.5"), zone).form();
      String place = "seed " + seed + ", " + frequency.words();
      Inference found = Frequency.infer(moments, form);
      assertEquals(Optional.of(frequency), found.frequency(), place);
      assertEquals(60 - distinct, found.missing(), place);
      assertEquals(1, found.duplicates(), place);
      assertEquals(found, Frequency.parse(frequency.text()).onto(moments, form), place);
    }
  }

  private static List<Moment> days(String start, int... offsets) {
    LocalDate first = LocalDate.parse(start);
    return Arrays.stream(offsets).mapToObj(i -> Moment.of(first.plusDays(i))).toList();
  }

  @Test
  void mostSeriesDecide() {
    Inference.OfMany all =
        Frequency.inferMany(
            List.of(
                days("2021-01-01", 0, 7, 14),
                days("2021-01-01", 0, 7, 21, 28),
                days("2021-01-01", 0, 14, 28),
                days("2021-01-04", 0, 7, 14),
                days("2021-01-01", 0, 1, 2),
                days("2021-01-01", 0)),
            DATES);
    assertEquals("weeks on Fridays", all.frequency().orElseThrow().words());
    assertEquals(List.of(4), all.disagreeing());
    assertEquals(2, all.series().get(2).missing());
    assertEquals("weeks on Mondays", all.series().get(3).frequency().orElseThrow().words());
    assertEquals(
        "its time 2021-01-01 does not lie on weeks on Sundays; the steps around it are 2020-12-27"
            + " and 2021-01-03",
        all.series().get(4).reason());
    assertEquals(
        "the times of 4 of 6 series are weeks on Fridays; 1 on steps of that length elsewhere; 2 with"
            + " missing steps; 1 on no such steps",
        all.reason());
  }

  @Test
  void seriesWithoutAFrequencyHaveNone() {
    Inference.OfMany all = Frequency.inferMany(List.of(days("2021-01-01", 0)), DATES);
    assertEquals(Optional.empty(), all.frequency());
    assertTrue(all.reason().startsWith("no series has a frequency; of the first: "), all.reason());
  }

  @Test
  void aNamedFrequencyMovesToTheTimes() {
    List<Moment> starts =
        List.of(Moment.of(LocalDate.of(2021, 1, 1)), Moment.of(LocalDate.of(2021, 3, 1)));
    Inference found = Frequency.parse("M").onto(starts, DATES);
    assertEquals("months, on the first day of the month", found.frequency().orElseThrow().words());
    assertEquals(1, found.missing());
    Inference weekend = Frequency.parse("B").onto(days("2021-01-01", 0, 1), DATES);
    assertEquals(
        "its time 2021-01-02 does not lie on business days; the steps around it are 2021-01-01 and"
            + " 2021-01-04",
        weekend.reason());
    Inference numbers = Frequency.parse("1").onto(starts, DATES);
    assertEquals(
        "its times are no plain numbers; name a frequency of the calendar", numbers.reason());
    Inference dates =
        Frequency.parse("M").onto(List.of(new Moment(1, 0), new Moment(2, 0)), form("17.5"));
    assertTrue(dates.reason().contains("plain numbers, which have no months"), dates.reason());
  }

  @Test
  void timesOfAnyClockAreRead() {
    Moment time = Moment.of(LocalDateTime.parse("2021-01-01T05:00"));
    assertEquals("2021-01-01 05:00:00.0", TIMES.format(time));
  }
}

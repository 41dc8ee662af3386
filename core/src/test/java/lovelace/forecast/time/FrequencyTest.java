package lovelace.forecast.time;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.math.BigDecimal;
import java.time.DayOfWeek;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.ZoneId;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;
import lovelace.forecast.time.Frequency.Unit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

class FrequencyTest {

  private static final int CASES = Boolean.getBoolean("lovelace.long") ? 5_000 : 300;

  private static final Optional<ZoneId> NO_ZONE = Optional.empty();

  private static final List<Optional<ZoneId>> ZONES =
      List.of(
          NO_ZONE,
          Optional.of(ZoneId.of("Europe/Berlin")),
          Optional.of(ZoneId.of("America/Sao_Paulo")),
          Optional.of(ZoneId.of("Australia/Lord_Howe")),
          Optional.of(ZoneId.of("Asia/Kolkata")),
          Optional.of(ZoneId.of("UTC")));

  private static Moment date(String text) {
    return Moment.of(LocalDate.parse(text));
  }

  private static LocalDate dateAt(Frequency frequency, long index) {
    return frequency.at(index).local(frequency.zone()).toLocalDate();
  }

  private static Frequency random(Unit unit, SplittableRandom random) {
    Optional<ZoneId> zone = unit == Unit.NUMBER ? NO_ZONE : ZONES.get(random.nextInt(ZONES.size()));
    double multiple = 1 + random.nextInt(random.nextBoolean() ? 1 : 40);
    if ((unit == Unit.NUMBER || unit == Unit.SECOND) && random.nextBoolean())
      multiple = multiple * random.nextInt(1, 1_000) / 1_000;
    LocalDate date = LocalDate.ofEpochDay(random.nextLong(-40_000, 40_000));
    if (unit == Unit.BUSINESS_DAY) while (Frequency.weekend(date)) date = date.plusDays(1);
    LocalTime clock =
        random.nextBoolean() ? LocalTime.MIDNIGHT : LocalTime.ofSecondOfDay(random.nextInt(86_400));
    int day = unit.months > 0 ? random.nextInt(1, 32) : 0;
    return new Frequency(unit, multiple, Moment.of(date.atTime(clock)), day, zone);
  }

  @ParameterizedTest
  @EnumSource(Unit.class)
  void momentsAndNumbersAreExactInverses(Unit unit) {
    for (long seed = 0; seed < CASES; seed++) {
      SplittableRandom random = new SplittableRandom(seed);
      Frequency frequency = random(unit, random);
      long start = random.nextLong(-2_000, 2_000);
      String place = "seed " + seed + ", " + frequency.words() + ", from " + start;
      Moment before = frequency.at(start - 1);
      for (long index = start; index < start + 40; index++) {
        Moment moment = frequency.at(index);
        assertTrue(before.compareTo(moment) < 0, place);
        assertEquals(index, frequency.index(moment), place);
        assertEquals(moment, frequency.at(frequency.index(moment)), place);
        Moment between = new Moment(moment.whole() - 1, moment.nano());
        if (between.compareTo(before) > 0) {
          assertEquals(index - 1, frequency.floor(between), place);
          assertFalse(frequency.holds(between), place);
        }
        before = moment;
      }
    }
  }

  @ParameterizedTest
  @EnumSource(Unit.class)
  void everyStepGivesTheSameFrequency(Unit unit) {
    for (long seed = 0; seed < CASES; seed++) {
      SplittableRandom random = new SplittableRandom(seed);
      Frequency one = random(unit, random);
      Moment step = one.at(random.nextLong(-500, 500));
      Moment phase =
          unit.civil()
              ? Moment.of(
                  step.local(one.zone()).toLocalDate().atTime(one.phase().local().toLocalTime()))
              : step;
      assertEquals(
          one,
          new Frequency(unit, one.multiple(), phase, one.day(), one.zone()),
          "seed " + seed + ", " + one.words());
    }
  }

  /// Steps counted one by one with the calendar of the JDK.
  @ParameterizedTest
  @EnumSource(
      value = Unit.class,
      names = {"YEAR", "QUARTER", "MONTH", "WEEK", "DAY", "BUSINESS_DAY"})
  void civilStepsAreThoseOfTheCalendar(Unit unit) {
    for (long seed = 0; seed < CASES; seed++) {
      SplittableRandom random = new SplittableRandom(seed);
      Frequency frequency = random(unit, random);
      long start = random.nextLong(-500, 500);
      LocalDate month = dateAt(frequency, start).withDayOfMonth(1);
      LocalDate date = dateAt(frequency, start);
      int multiple = (int) frequency.multiple();
      for (long index = start + 1; index < start + 30; index++) {
        if (unit.months > 0) {
          month = month.plusMonths((long) multiple * unit.months);
          date = month.withDayOfMonth(Math.min(frequency.day(), month.lengthOfMonth()));
        } else if (unit == Unit.BUSINESS_DAY)
          for (int left = multiple; left > 0; ) {
            date = date.plusDays(1);
            if (date.getDayOfWeek() != DayOfWeek.SATURDAY
                && date.getDayOfWeek() != DayOfWeek.SUNDAY) left--;
          }
        else date = date.plusDays((unit == Unit.WEEK ? 7L : 1L) * multiple);
        LocalDateTime time = date.atTime(frequency.phase().local().toLocalTime());
        assertEquals(
            Moment.of(time, frequency.zone()),
            frequency.at(index),
            "seed " + seed + ", " + frequency.words());
      }
    }
  }

  @Test
  void monthEndsAreTheLastDays() {
    Frequency ends = new Frequency(Unit.MONTH, 1, date("2023-01-31"), Frequency.END, NO_ZONE);
    long january = ends.index(date("2023-01-31"));
    assertEquals(LocalDate.of(2023, 2, 28), dateAt(ends, january + 1));
    assertEquals(LocalDate.of(2023, 3, 31), dateAt(ends, january + 2));
    assertEquals(LocalDate.of(2024, 2, 29), dateAt(ends, january + 13));
    assertEquals(636, january, "months since January 1970");
  }

  @Test
  void theDaysOfAChangeOfClocksHave23And25Hours() {
    Optional<ZoneId> berlin = Optional.of(ZoneId.of("Europe/Berlin"));
    Moment spring = Moment.of(LocalDateTime.parse("2020-03-29T00:00"), berlin);
    Moment autumn = Moment.of(LocalDateTime.parse("2020-10-25T00:00"), berlin);
    Frequency hours = Frequency.through(spring, Unit.HOUR, 1, berlin);
    Frequency days = Frequency.through(spring, Unit.DAY, 1, berlin);
    assertEquals(23, hours.index(days.at(days.index(spring) + 1)) - hours.index(spring));
    assertEquals(25, hours.index(days.at(days.index(autumn) + 1)) - hours.index(autumn));
    assertEquals(210, days.index(autumn) - days.index(spring));
  }

  @Test
  void aTimeOffTheStepsIsRefusedWithItsNeighbours() {
    Frequency weeks = Frequency.through(date("2020-01-06"), Unit.WEEK, 1, NO_ZONE);
    IllegalArgumentException e =
        assertThrows(IllegalArgumentException.class, () -> weeks.index(date("2020-01-08")));
    assertEquals(
        "2020-01-08T00:00 is not a step of weeks on Mondays; the steps around it are"
            + " 2020-01-06T00:00 and 2020-01-13T00:00",
        e.getMessage());
  }

  @ParameterizedTest
  @CsvSource({
    "M, M",
    "MS, M",
    "ME, M",
    "1mo, M",
    "monthly, M",
    "months, M",
    "3M, 3M",
    "Q, Q",
    "QS, Q",
    "QE-DEC, Q",
    "QS-FEB, Q",
    "Y, Y",
    "A, Y",
    "AS, Y",
    "YE, Y",
    "YE-MAR, Y",
    "W, W",
    "W-SUN, W",
    "2W-MON, 2W",
    "w, W",
    "D, D",
    "1d, D",
    "daily, D",
    "B, B",
    "h, h",
    "H, h",
    "6h, 6h",
    "hourly, h",
    "T, min",
    "15T, 15min",
    "15min, 15min",
    "15 minutes, 15min",
    "0.5h, 30min",
    "min, min",
    "s, s",
    "10S, 10s",
    "0.5s, 0.5s",
    "0.5, 0.5",
    "1, 1",
    "12.0, 12"
  })
  void spellingsOfPandasAreRead(String text, String expected) {
    assertEquals(expected, Frequency.parse(text).text());
    assertEquals(expected, Frequency.parse(expected).text());
  }

  @Test
  void spellingsSayWhereStepsLie() {
    assertEquals("months, on the last day of the month", Frequency.parse("M").words());
    assertEquals("months, on the first day of the month", Frequency.parse("MS").words());
    assertEquals("weeks on Sundays", Frequency.parse("W").words());
    assertEquals("weeks on Wednesdays", Frequency.parse("W-WED").words());
    assertEquals("years, on the last day of March", Frequency.parse("YE-MAR").words());
    assertEquals(
        "quarters, on the first day of the second month of the quarter",
        Frequency.parse("QS-FEB").words());
    assertEquals(2, Frequency.parse("QS-FEB").monthOfQuarter());
    assertEquals(Optional.of(DayOfWeek.WEDNESDAY), Frequency.parse("W-WED").dayOfWeek());
    assertEquals("steps of 15 minutes", Frequency.parse("15min").words());
    assertEquals("steps of 0.5", Frequency.parse("0.5").words());
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"", "X", "0D", "-1D", "1.5M", "W-FOO", "D-MON", "m", "NaN", "SM", "1-MON"})
  void otherTextsAreRefused(String text) {
    assertThrows(IllegalArgumentException.class, () -> Frequency.parse(text));
  }

  @ParameterizedTest
  @CsvSource({
    "M, 24, 12",
    "M, 23, ''",
    "3M, 8, 4",
    "Q, 8, 4",
    "Y, 100, ''",
    "1, 100, ''",
    "D, 726, 7",
    "D, 730, 7 365.25",
    "h, 17520, 24 168 8766",
    "B, 522, 5 261",
    "h, 48, 24",
    "h, 17532, 24 168 8766",
    "15min, 70128, 96 672 35064",
    "30min, 200, 48",
    "7D, 1000, 52.17857142857143",
    "W, 105, 52.17857142857143",
    "W, 104, ''",
    "12h, 14, 2"
  })
  void seasonsFitTwice(String text, long length, String expected) {
    double[] wanted =
        expected.isEmpty()
            ? new double[0]
            : java.util.Arrays.stream(expected.split(" ", -1))
                .mapToDouble(Double::parseDouble)
                .toArray();
    assertArrayEquals(wanted, Frequency.parse(text).seasons(length), 1e-9);
  }

  @Test
  void stepsCoverTheirDays() {
    Frequency months = Frequency.parse("MS");
    assertEquals(
        new Frequency.Days(LocalDate.of(2020, 2, 1), LocalDate.of(2020, 2, 29)),
        months.days(months.index(date("2020-02-01"))));
    Frequency quarters = Frequency.parse("QE");
    assertEquals(
        new Frequency.Days(LocalDate.of(2020, 4, 1), LocalDate.of(2020, 6, 30)),
        quarters.days(quarters.index(date("2020-06-30"))));
    Frequency mondays = Frequency.parse("W-MON");
    assertEquals(
        new Frequency.Days(LocalDate.of(2020, 1, 6), LocalDate.of(2020, 1, 12)),
        mondays.days(mondays.index(date("2020-01-06"))));
    Frequency sundays = Frequency.parse("W-SUN");
    assertEquals(
        new Frequency.Days(LocalDate.of(2020, 1, 6), LocalDate.of(2020, 1, 12)),
        sundays.days(sundays.index(date("2020-01-12"))));
    assertThrows(IllegalStateException.class, () -> Frequency.parse("1").days(0));
  }

  @Test
  void numbersAreExactDecimals() {
    Frequency tenths = Frequency.parse("0.1");
    assertEquals(Moment.of(new BigDecimal("0.3")), tenths.at(3));
    assertEquals(3, tenths.index(Moment.of(new BigDecimal("0.3"))));
    assertThrows(IllegalArgumentException.class, () -> Moment.of(new BigDecimal("0.1234567891")));
  }

  @Test
  void instantsKeepTheirZone() {
    Optional<ZoneId> zone = Optional.of(ZoneId.of("Asia/Kolkata"));
    Moment midnight = Moment.of(Instant.parse("2019-12-31T18:30:00Z"));
    Frequency days = Frequency.through(midnight, Unit.DAY, 1, zone);
    assertEquals(LocalDate.of(2020, 1, 1), dateAt(days, days.index(midnight)));
    assertEquals("days in Asia/Kolkata", days.words());
  }
}

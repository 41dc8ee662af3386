package lovelace.cli.holidays;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.LocalDate;
import java.time.Month;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import lovelace.cli.holidays.Holidays.Day;
import lovelace.forecast.time.Frequency;
import lovelace.forecast.time.Moment;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class HolidaysTest {

  @TempDir private Path folder;

  private static LocalDate date(String text) {
    return LocalDate.parse(text);
  }

  private static List<Day> year(Holidays holidays, int year) {
    return holidays.between(LocalDate.of(year, 1, 1), LocalDate.of(year, 12, 31));
  }

  private static String refusal(String code) {
    return String.valueOf(
        assertThrows(IllegalArgumentException.class, () -> Holidays.of(code)).getMessage());
  }

  private Path file(String text) throws IOException {
    return Files.writeString(folder.resolve("holidays.csv"), text);
  }

  private String refusalOf(String text) throws IOException {
    Path file = file(text);
    return String.valueOf(
            assertThrows(IllegalArgumentException.class, () -> Holidays.read(file)).getMessage())
        .replace(file.toString(), "FILE");
  }

  @Test
  void aPartOfACountryHasMoreHolidaysThanTheWhole() {
    List<Day> germany = year(Holidays.of("DE"), 2024);
    List<Day> bavaria = year(Holidays.of("de-by"), 2024);
    assertEquals(9, germany.size());
    assertTrue(bavaria.containsAll(germany));
    assertTrue(bavaria.contains(new Day(date("2024-01-06"), "Epiphany")));
    assertTrue(germany.contains(new Day(date("2024-10-03"), "German Unity Day")));
    assertEquals("DE-BY", Holidays.of("de-by").name());
  }

  @Test
  void fixedHolidaysKeepOneName() {
    for (String country : List.of("DE", "FR", "US", "GB", "JP", "BR", "IT", "ZA")) {
      List<Day> days = Holidays.of(country).between(date("2015-01-01"), date("2026-12-31"));
      Set<String> newYears =
          days.stream()
              .filter(
                  day -> day.date().getMonth() == Month.JANUARY && day.date().getDayOfMonth() == 1)
              .map(Day::name)
              .collect(Collectors.toSet());
      assertEquals(Set.of("New Year's Day"), newYears, country);
      long years = days.stream().filter(day -> newYears.contains(day.name())).count();
      assertTrue(years >= 12, country);
    }
  }

  @Test
  void aHolidayObservedOnAnotherDayIsOnBoth() {
    List<Day> days = year(Holidays.of("US"), 2021);
    assertTrue(days.contains(new Day(date("2021-07-04"), "Independence Day")), days::toString);
    assertTrue(
        days.contains(new Day(date("2021-07-05"), "Independence Day (observed)")), days::toString);
    List<Day> end = Holidays.of("US").between(date("2021-12-31"), date("2021-12-31"));
    assertEquals(List.of(new Day(date("2021-12-31"), "New Year's Day (observed)")), end);
  }

  @Test
  void namesDoNotDependOnTheMachine() {
    Locale before = Locale.getDefault();
    try {
      Locale.setDefault(Locale.GERMANY);
      assertTrue(
          year(Holidays.of("DE"), 2024).contains(new Day(date("2024-03-29"), "Good Friday")));
    } finally {
      Locale.setDefault(before);
    }
  }

  @Test
  void unknownCountriesAndPartsAreRefusedWithTheFormOfAFile() {
    assertEquals(
        "the holidays of country 'CN' are not known; write them into a CSV file with the columns"
            + " date,name and rows such as 2026-02-17,New Year, and name that file",
        refusal("CN"));
    assertTrue(refusal("Germany").contains("a code is like DE or DE-BY"), refusal("Germany"));
    assertTrue(refusal("nyse").contains("not known"));
    assertTrue(refusal("").contains("not known"));
    assertTrue(refusal("../DE").contains("not known"));
    assertTrue(
        refusal("DE-XX").startsWith("the holidays of 'DE-XX' are not known: 'XX' is no part of DE"),
        refusal("DE-XX"));
    assertTrue(refusal("DE-XX").contains("BB, BE, BW, BY"), refusal("DE-XX"));
  }

  @Test
  void everyCountryThatIsKnownHasHolidays() {
    Set<String> countries = CountryCalendar.countries();
    assertTrue(countries.size() > 200, countries::toString);
    List<String> without =
        countries.stream().filter(each -> year(Holidays.of(each), 2024).isEmpty()).toList();
    assertEquals(List.of("aq", "bv", "hm", "io", "tf", "um"), without, "where nobody lives");
  }

  @Test
  void windowsHaveNamesOfTheirOwn() {
    List<Day> days = Holidays.of("DE").days(-1, 1).between(date("2024-12-23"), date("2024-12-26"));
    assertEquals(
        List.of(
            new Day(date("2024-12-24"), "1st Christmas day -1"),
            new Day(date("2024-12-25"), "1st Christmas day"),
            new Day(date("2024-12-25"), "2nd Christmas day -1"),
            new Day(date("2024-12-26"), "1st Christmas day +1"),
            new Day(date("2024-12-26"), "2nd Christmas day")),
        days);
    assertEquals(
        List.of(new Day(date("2024-12-31"), "New Year's Day -1")),
        Holidays.of("DE").days(-1, 0).between(date("2024-12-31"), date("2024-12-31")));
    Holidays plain = Holidays.of("DE");
    assertThrows(IllegalArgumentException.class, () -> plain.days(1, 2));
    assertThrows(IllegalArgumentException.class, () -> plain.days(-400, 2));
  }

  @Test
  void filesAreRead() throws IOException {
    Path file =
        file(
            """
            date,name,country
            2024-11-29,Sale,
            2025-11-28,Sale,US
            2025-11-30,Fair,DE
            """);
    assertEquals(3, Holidays.read(file).between(date("2024-01-01"), date("2025-12-31")).size());
    Holidays germany = Holidays.read(file, Optional.of("de"));
    assertEquals(
        List.of(new Day(date("2024-11-29"), "Sale"), new Day(date("2025-11-30"), "Fair")),
        germany.between(date("2024-01-01"), date("2025-12-31")));
    assertEquals(Optional.of(date("2025-11-30")), germany.end());
    assertEquals(Optional.empty(), Holidays.of("DE").end());
  }

  @Test
  void wrongFilesAreRefusedWithTheirForm() throws IOException {
    assertEquals(
        "'FILE' has no column 'name'; a file of holidays begins with date,name or date,name,country"
            + " and has rows such as 2026-12-25,Christmas",
        refusalOf("date,title\n2024-01-01,x\n"));
    assertEquals(
        "row 2 of 'FILE': column 'date' is '25.12.2024', not a date; write it like 2026-12-25",
        refusalOf("date,name\n2024-12-25,a\n25.12.2024,b\n"));
    assertTrue(refusalOf("date,name\n2024-12-25,\n").contains("has no name"));
    assertTrue(refusalOf("date,name\n").contains("has no holidays"));
    assertTrue(refusalOf("").contains("is empty"));
    Path other = file("date,name,country\n2024-12-25,a,US\n");
    assertTrue(
        String.valueOf(
                assertThrows(
                        IllegalArgumentException.class,
                        () -> Holidays.read(other, Optional.of("FR")))
                    .getMessage())
            .contains("has no holidays of 'FR', only of US"));
  }

  @Test
  void daysHaveAColumnForEachName() throws IOException {
    Frequency days = Frequency.parse("D");
    Holidays fairs =
        Holidays.read(
            file(
                """
                date,name
                2024-01-03,Fair
                2024-01-05,Fair
                2024-01-05,Once
                2024-01-09,Fair
                2024-01-09,Later
                """));
    long first = days.index(Moment.of(date("2024-01-01")));
    HolidayColumns columns = fairs.columns(days, first, first + 6, first + 9);
    assertEquals(List.of("Fair"), columns.names());
    assertArrayEquals(new double[] {0, 0, 1, 0, 1, 0, 0, 0, 1, 0}, columns.values("Fair"));
    assertEquals(Map.of("Once", 1, "Later", 0), columns.leftOut());
    assertTrue(columns.remarks().getFirst().endsWith("are left out: Later, Once."));
    assertEquals(1, columns.remarks().size(), columns.remarks()::toString);
  }

  @Test
  void hoursOfAHolidayAreAllOfItsDay() {
    Frequency hours = Frequency.parse("h");
    long first = hours.index(Moment.of(date("2022-12-24")));
    long last = hours.index(Moment.of(date("2024-12-31")));
    double[] values = Holidays.of("DE").columns(hours, first, last, last).values("Good Friday");
    assertEquals(48, Arrays.stream(values).sum());
    int friday = (int) (hours.index(Moment.of(date("2024-03-29"))) - first);
    assertArrayEquals(new double[] {0, 1, 1}, Arrays.copyOfRange(values, friday - 1, friday + 2));
  }

  @Test
  void weeksAndMonthsCountDays() {
    Frequency months = Frequency.parse("MS");
    long first = months.index(Moment.of(date("2024-01-01")));
    HolidayColumns columns = Holidays.of("DE").columns(months, first, first + 11, first + 14);
    assertEquals(List.of(HolidayColumns.COUNT), columns.names());
    assertArrayEquals(
        new double[] {1, 0, 1, 1, 3, 0, 0, 0, 0, 1, 0, 2, 1, 0, 0},
        columns.values(HolidayColumns.COUNT));
    Frequency weeks = Frequency.parse("W-SUN");
    long easter = weeks.index(Moment.of(date("2024-03-31")));
    assertArrayEquals(
        new double[] {1, 1},
        Holidays.of("DE").columns(weeks, easter, easter + 1, easter + 1).values("holidays"));
  }

  @Test
  void aFileThatEndsBeforeTheForecastIsTold() throws IOException {
    Path file = file("date,name\n2023-12-25,Christmas\n2024-12-25,Christmas\n");
    Frequency days = Frequency.parse("D");
    long first = days.index(Moment.of(date("2023-01-01")));
    List<String> remarks =
        Holidays.read(file).columns(days, first, first + 730, first + 800).remarks();
    assertEquals(1, remarks.size());
    assertTrue(
        remarks
            .getFirst()
            .endsWith("end on 2024-12-25 and the steps on 2025-03-11; add the later holidays."),
        remarks::toString);
  }

  @Test
  void plainNumbersHaveNoHolidays() {
    Holidays germany = Holidays.of("DE");
    Frequency numbers = Frequency.parse("1");
    IllegalArgumentException e =
        assertThrows(IllegalArgumentException.class, () -> germany.columns(numbers, 0, 10, 20));
    assertTrue(String.valueOf(e.getMessage()).contains("plain numbers"));
  }
}

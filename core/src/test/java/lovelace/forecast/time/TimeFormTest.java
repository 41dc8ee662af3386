package lovelace.forecast.time;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.ZoneId;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import lovelace.forecast.time.TimeForm.Column;
import lovelace.forecast.time.TimeForm.Kind;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class TimeFormTest {

  private static Column read(String... texts) {
    return TimeForm.read("sales.csv", "ds", Arrays.asList(texts));
  }

  private static String refusal(String... texts) {
    return String.valueOf(
        assertThrows(IllegalArgumentException.class, () -> read(texts)).getMessage());
  }

  @ParameterizedTest
  @CsvSource({
    "YEAR, 1999, 2000, 2001",
    "QUARTER, 2020Q3, 2020Q4, 2021Q1",
    "QUARTER, 2020-Q3, 2020-Q4, 2021-Q1",
    "QUARTER, 2020 q3, 2020 q4, 2021 q1",
    "QUARTER, Q3 2020, Q4 2020, Q1 2021",
    "QUARTER, 3Q2020, 4Q2020, 1Q2021",
    "MONTH, 2020-11, 2020-12, 2021-01",
    "MONTH, 202011, 202012, 202101",
    "DATE, 2020-12-30, 2020-12-31, 2021-01-01",
    "DATE, 20201230, 20201231, 20210101",
    "TIME, 2020-12-31T22, 2020-12-31T23, 2021-01-01T00",
    "TIME, 2020-12-31 22:00, 2020-12-31 23:00, 2021-01-01 00:00",
    "TIME, 2020-12-31T22:00:00, 2020-12-31T23:00:00, 2021-01-01T00:00:00",
    "TIME, 2020-12-31 22:00:00.250, 2020-12-31 23:00:00.250, 2021-01-01 00:00:00.250",
    "INSTANT, 2020-12-31T22:00Z, 2020-12-31T23:00Z, 2021-01-01T00:00Z",
    "INSTANT, 2020-12-31 22:00:00+02, 2020-12-31 23:00:00+02, 2021-01-01 00:00:00+02",
    "INSTANT, 2020-12-31 22:00+0530, 2020-12-31 23:00+0530, 2021-01-01 00:00+0530",
    "INSTANT, 2020-12-31T22:00:00-03:30, 2020-12-31T23:00:00-03:30, 2021-01-01T00:00:00-03:30",
    "INSTANT, 2020-12-31 22:00:00 UTC, 2020-12-31 23:00:00 UTC, 2021-01-01 00:00:00 UTC",
    "INSTANT, 2020-12-31T22:00+01:00[Europe/Paris], 2020-12-31T23:00+01:00[Europe/Paris], 2021-01-01T00:00+01:00[Europe/Paris]",
    "NUMBER, 8, 9, 10",
    "NUMBER, -0.50, 0.00, 0.50",
    "NUMBER, 1.0, 2.0, 3.0"
  })
  void theFutureIsWrittenLikeThePast(Kind kind, String first, String second, String third) {
    Column column = read(second, first);
    TimeForm form = column.form();
    assertEquals(kind, form.kind());
    assertEquals(second, form.format(column.moments().get(0)));
    assertEquals(first, form.format(column.moments().get(1)));
    Frequency frequency = Frequency.infer(column.moments(), form).frequency().orElseThrow();
    assertEquals(third, form.format(frequency.at(frequency.index(column.moments().get(0)) + 1)));
    assertEquals(column.moments().get(0), form.parse(second));
  }

  @Test
  void numbersThatAreNotAllYearsAreNumbers() {
    assertEquals(Kind.NUMBER, read("999", "1999").form().kind());
    assertEquals(Kind.NUMBER, read("202012", "202013").form().kind());
    assertEquals(Kind.NUMBER, read("20200230", "20200301").form().kind());
  }

  @Test
  void offsetsThatChangeNameTheirZone() {
    Column column =
        read("2020-03-28T00:00+01:00", "2020-03-29T00:00+01:00", "2020-03-30T00:00+02:00");
    assertEquals(Optional.of(ZoneId.of("Europe/Berlin")), column.form().zone());
    assertTrue(column.form().remark().contains("Europe/Berlin"), column.form().remark());
    Inference found = Frequency.infer(column.moments(), column.form());
    assertEquals("its times are days in Europe/Berlin; no step is missing", found.reason());
    assertEquals("2020-03-30T00:00+02:00", column.form().format(column.moments().get(2)));
  }

  @Test
  void offsetsOfNoZoneAreCountedInUtc() {
    Column column = read("2020-03-28T00:00+01:17", "2020-03-29T00:00+02:00");
    assertEquals(
        "2020-03-27T22:43Z".replace("Z", "+00:00"), column.form().format(column.moments().get(0)));
    assertTrue(column.form().remark().contains("UTC"), column.form().remark());
  }

  @Test
  void aGivenZoneIsThatOfTimesWithoutOne() {
    Column column =
        TimeForm.read(
            "a.csv",
            "ds",
            List.of("2020-03-29 01:00", "2020-03-29 03:00"),
            Optional.of(ZoneId.of("Europe/Berlin")));
    assertEquals(3_600, column.moments().get(1).whole() - column.moments().get(0).whole());
    assertEquals("2020-03-29 03:00", column.form().format(column.moments().get(1)));
  }

  @Test
  void aTextThatIsNoTimeIsRefusedWithItsRow() {
    assertEquals(
        "row 2 of 'sales.csv': column 'ds' is '2020-13-01', not a time that exists; write all of"
            + " them like one of 2020, 2020Q1, 2020-03, 2020-03-31, 2020-03-31 12:30,"
            + " 2020-03-31T12:30:00Z or as plain numbers",
        refusal("2020-12-01", "2020-13-01"));
    assertTrue(refusal("31.12.2020").contains("row 1 of 'sales.csv'"));
    assertTrue(refusal("2020-02-30").contains("not a time that exists"));
    assertTrue(refusal("2020-12-01T25:00").contains("not a time that exists"));
  }

  @Test
  void anotherKindIsRefusedWithBothRows() {
    assertTrue(
        refusal("2020-12-01", "2020-12-02", "2020-12")
            .startsWith(
                "row 3 of 'sales.csv': column 'ds' is '2020-12', a month, but row 1 is"
                    + " '2020-12-01', a date, and a column has one kind of times;"));
    assertTrue(refusal("2020-12-01T00:00Z", "2020-12-01T00:00").contains("a time without a zone"));
    assertTrue(refusal("12", "2020-12-01").contains("a date, but row 1 is '12', a number"));
  }

  @Test
  void emptyTextsAndTablesAreRefused() {
    assertEquals(
        "row 2 of 'sales.csv': column 'ds' is empty, but each row needs a time; fill it in or"
            + " remove the row",
        refusal("2020", " "));
    List<@Nullable String> withNull = Arrays.asList("2020", null);
    assertThrows(IllegalArgumentException.class, () -> TimeForm.read("sales.csv", "ds", withNull));
    assertEquals("column 'ds' of 'sales.csv' has 0 rows; at least 1 is needed", refusal());
  }

  @Test
  void aNumberOfTooManyDecimalsIsRefusedWithItsRow() {
    assertEquals(
        "row 2 of 'sales.csv': column 'ds' is '0.12345678912', a number on the axis of time has at"
            + " most 9 decimals, got 0.12345678912; round it",
        refusal("0", "0.12345678912"));
  }

  @Test
  void oneMoreTextOfAnotherKindIsRefused() {
    IllegalArgumentException e =
        assertThrows(
            IllegalArgumentException.class,
            () -> read("2020-01", "2020-02").form().parse("tomorrow"));
    assertEquals("'tomorrow' is not a month; write it like 2020-03", e.getMessage());
  }
}

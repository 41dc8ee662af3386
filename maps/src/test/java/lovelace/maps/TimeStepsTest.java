package lovelace.maps;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import lovelace.data.Column;
import lovelace.data.TimeScale;
import org.junit.jupiter.api.Test;

class TimeStepsTest {

  private static final Column DAYS =
      Column.of("day", TimeScale.of("day", List.of("2023-12-30", "2024-12-31")));

  private static final Column NUMBERS = Column.of("hour");

  private static List<String> labels(String text, Column column) {
    return TimeSteps.parse(text, column).stream().map(TimeSteps.Step::label).toList();
  }

  @Test
  void monthsCountFromTheFirstDayAndKnowLeapYears() {
    assertEquals(
        List.of("2024-01-31", "2024-02-29", "2024-03-31", "2024-04-30"),
        labels("2024-01-31/2024-05-30/P1M", DAYS));
    assertEquals(
        List.of("2023-01-31", "2023-02-28", "2023-03-31"),
        labels("2023-01-31/2023-03-31/P1M", DAYS));
    assertEquals(
        List.of("2024-02-28", "2024-02-29", "2024-03-01"),
        labels("2024-02-28/2024-03-01/P1D", DAYS));
    assertEquals(366, labels("2024-01-01/2024-12-31/P1D", DAYS).size());
    assertEquals(365, labels("2023-01-01/2023-12-31/P1D", DAYS).size());
  }

  @Test
  void numbersAreThoseOfTheColumn() {
    List<TimeSteps.Step> steps = TimeSteps.parse("2024-02-29,2024-03-01", DAYS);
    assertEquals(61, steps.get(0).value()); // days after 30 December 2023
    assertEquals(62, steps.get(1).value());
    Column months =
        Column.of("month", TimeScale.of("month", List.of("2024-01", "2024-02", "2024-12")));
    assertEquals(2024 + 1 / 12.0, TimeSteps.parse("2024-02", months).getFirst().value(), 1e-12);
    assertEquals("2024-02-01", TimeSteps.parse("2024-02", months).getFirst().label());
    assertEquals("2024-04-01", TimeSteps.parse("Q2 2024", months).getFirst().label());
    assertEquals(
        List.of("2024-01-01", "2024-04-01", "2024-07-01"), labels("2024Q1/2024Q3/P3M", months));
    Column zoned =
        Column.of(
            "at", TimeScale.of("at", List.of("2024-03-01T00:00+01:00", "2024-03-09T12:00+01:00")));
    assertEquals(0.5, TimeSteps.parse("2024-03-01T11:00Z", zoned).getFirst().value(), 1e-12);
    assertEquals(
        "2024-03-01T12:00", TimeSteps.parse("2024-03-01T11:00Z", zoned).getFirst().label());
  }

  @Test
  void hoursAndNumbersMakeRanges() {
    assertEquals(
        List.of("2024-02-28", "2024-02-28T12:00", "2024-02-29"),
        labels("2024-02-28/2024-02-29/PT12H", DAYS));
    assertEquals(List.of("0", "0.1", "0.2", "0.3"), labels("0/0.3/0.1", NUMBERS));
    assertEquals(List.of("-1", "2.5", "4", "5"), labels("-1,2.5,4/5/1", NUMBERS));
  }

  @Test
  void wrongTimesAreNamed() {
    String[][] cases = {
      {"2023-02-29", "'2023-02-29' is not a date"},
      {"2024-01-01/2023-01-01/P1M", "ends before it begins"},
      {"2024-01-01/2025-01-01", "neither a time nor a range FROM/TO/STEP"},
      {"2024-01-01/2025-01-01/month", "not a period of ISO 8601"},
      {"2024-01-01/2025-01-01/P0D", "not > 0"},
      {"2024-01-01/2025-01-01/P-1D", "not > 0"},
      {"", "is not a date"},
      {"2000-01-01/2024-01-01/P1D", "more than 1,000 times"},
    };
    for (String[] one : cases) refused(one, DAYS);
    refused(new String[] {"noon", "'noon' is not a number; column 'hour' holds numbers"}, NUMBERS);
    refused(new String[] {"0/1/0", "not > 0"}, NUMBERS);
    refused(new String[] {"NaN", "is not a number"}, NUMBERS);
  }

  private static void refused(String[] one, Column column) {
    String message =
        String.valueOf(
            assertThrows(IllegalArgumentException.class, () -> TimeSteps.parse(one[0], column))
                .getMessage());
    assertTrue(message.contains(one[1]), message);
  }
}

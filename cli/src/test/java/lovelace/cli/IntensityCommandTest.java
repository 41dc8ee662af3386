package lovelace.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.LocalDate;
import java.util.List;
import java.util.Locale;
import java.util.SplittableRandom;
import lovelace.Model;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// Events on the command line: `fit --intensity` and what follows.
class IntensityCommandTest {

  private static final String DAYS = "--bounds day=2024-01-01:2024-12-31";

  @TempDir static Path folder;

  private final Trial trial = new Trial(folder);

  @BeforeAll
  static void writeFiles() throws IOException {
    SplittableRandom random = new SplittableRandom(21);
    StringBuilder days = new StringBuilder("day\n");
    StringBuilder places = new StringBuilder("x,y,kind\n");
    for (int i = 0; i < 365; i++)
      for (double t = gap(random); t < 1 + Math.sin(i / 30.0); t += gap(random))
        days.append(LocalDate.of(2024, 1, 1).plusDays(i)).append('\n');
    for (int i = 0; i < 120; i++)
      places.append(
          String.format(
              Locale.ROOT,
              "%s,%s,%s%n",
              Math.pow(random.nextDouble(), 2) * 4,
              random.nextDouble() * 2,
              i % 2 == 0 ? "a" : "b"));
    Trial trial = new Trial(folder);
    trial.write("days.csv", days.toString());
    trial.write("places.csv", places.toString());
    trial.write("more.csv", "day\n2024-02-01\n2024-02-01\n2024-02-02\n");
    trial.write("late.csv", "day\n2025-02-01\n");
    trial.write("words.csv", "word\nred\ngreen\n");
    trial.write("four.csv", "a,b,c,d\n1,2,3,4\n2,3,4,5\n");
    trial.write("one.csv", "x\n3\n3\n");
    trial.write("when.csv", "day,hours\n2024-02-01,1\n2024-02-02,3\n");
  }

  private static double gap(SplittableRandom random) {
    return -Math.log1p(-random.nextDouble());
  }

  private String json(String line) {
    return trial.ok(line + " --json").replaceAll("\\s", "");
  }

  @Test
  void eventsOfATableBecomeAnIntensity() throws IOException {
    String out = trial.ok("fit @days.csv --intensity %s --model @d.lvl".formatted(DAYS));
    long events = Files.readAllLines(folder.resolve("days.csv")).size() - 1L;
    assertTrue(out.contains("events per day"), out);
    assertTrue(out.contains("day from 2024-01-01 to 2024-12-31 in 365 cells"), out);
    Model model = Model.load(folder.resolve("d.lvl"));
    assertEquals(events, model.count());
    assertEquals("poisson", model.likelihood().toString());

    String rates = trial.ok("predict @d.lvl @when.csv");
    assertEquals(3, rates.lines().count(), rates);
    String counts = trial.ok("predict @d.lvl @when.csv --of observation --exposure hours");
    String upper = counts.lines().skip(2).findFirst().orElseThrow().split(",", -1)[5];
    assertEquals(Math.rint(Double.parseDouble(upper)), Double.parseDouble(upper), counts);

    String updated = json("update @d.lvl @more.csv --model @u.lvl");
    assertTrue(updated.contains("\"rows\":" + (events + 3)), updated);
    assertTrue(updated.contains("\"window\":{"), updated);
    String forgotten = json("update @u.lvl @more.csv --forget --model @v.lvl");
    assertTrue(forgotten.contains("\"rows\":" + events), forgotten);
    String merged = json("merge @d.lvl @u.lvl --model @w.lvl");
    assertTrue(merged.contains("\"rows\":" + (2 * events + 3)), merged);

    String scores = trial.ok("evaluate @d.lvl @days.csv");
    assertTrue(
        scores.contains(
            String.format(Locale.ROOT, "scores are of the counts of %,d events", events)),
        scores);
    assertTrue(trial.ok("inspect @d.lvl").contains("intensity"), "inspect");
    trial.ok("plot @d.lvl @days.csv --out @d.svg");
    assertFalse(Files.readString(folder.resolve("d.svg")).isEmpty());
    assertTrue(
        trial
            .refused("update @d.lvl @late.csv --model @x.lvl")
            .contains("'day' is 2025-02-01, outside the window from 2024-01-01 to 2024-12-31"));
    assertTrue(
        trial
            .refused("update @d.lvl @when.csv --exposure hours --model @x.lvl")
            .contains("the rows of this model are events; leave it out"));
  }

  /// The commands of the page, as they stand there.
  @Test
  void thePageTellsTheTruth() throws IOException {
    Files.copy(folder.resolve("days.csv"), folder.resolve("events.csv"));
    Files.copy(folder.resolve("when.csv"), folder.resolve("asked.csv"));
    List<String> lines =
        Files.readString(Path.of("..", "docs", "point-patterns.md"))
            .lines()
            .filter(line -> line.startsWith("lovelace "))
            .toList();
    assertEquals(3, lines.size(), lines::toString);
    for (String line : lines)
      trial.ok(
          line.substring("lovelace ".length())
              .replaceAll(" (\\w+\\.(csv|lvl|png))", " @$1")
              .replace("@days.csv", "@asked.csv"));
    assertEquals(3, Files.readAllLines(folder.resolve("rates.csv")).size());
    assertTrue(Files.size(folder.resolve("events.png")) > 1000);
  }

  @Test
  void placesHaveAMap() throws IOException {
    trial.ok(
        "fit @places.csv --intensity --inputs x,y --bounds x=0:4 --bounds y=0:2 --grid 12x8 --model @p.lvl");
    Model model = Model.load(folder.resolve("p.lvl"));
    assertEquals(12, model.window().orElseThrow().cells(0));
    assertEquals(8, model.window().orElseThrow().cells(1));
    trial.ok("plot @p.lvl @places.csv --out @p.png");
    assertTrue(Files.size(folder.resolve("p.png")) > 1000);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '"',
      textBlock =
          """
          fit @words.csv --intensity                    | column 'word' of '@words.csv' holds text (row 1: 'red'), and events are at times or places; name columns of numbers or dates with --inputs
          fit @places.csv --intensity                   | column 'kind' of '@places.csv' holds text
          fit @four.csv --intensity                     | events have one to three columns, their times or places, and '@four.csv' has 4 (a (number), b (number), c (number), d (number)); name them with --inputs
          fit @days.csv --intensity --target day        | --intensity learns where the rows are, and --target day names a column to learn; leave out one of the two
          fit @days.csv                                 | --target is missing; pass --target COLUMN, or --intensity if the rows are events
          fit @days.csv --intensity --likelihood gamma  | --intensity counts events with likelihood poisson, and --likelihood is gamma; leave it out
          fit @four.csv --intensity --inputs a --weights b  | --weights is for rows with a target, and --intensity treats rows as events; leave out one of the two
          fit @four.csv --intensity --inputs a --exposure b | --exposure is for rows with a target, and --intensity treats rows as events; leave out one of the two
          fit @days.csv --intensity --transform log     | --transform log changes a target, and --intensity has no target; leave out one of the two
          fit @days.csv --intensity --additive          | --intensity uses one grid over all inputs, which --additive does not; leave out one of the two
          fit @days.csv --intensity --engine exact      | --intensity counts events on a grid, and --engine exact uses none; leave out one of the two
          fit @days.csv --intensity --grid data         | the data's own grid needs rows with a target
          fit @places.csv --intensity --inputs x,y --grid 4x4x4 | grid points are given for 3 columns, and events have 2
          fit @days.csv --intensity --bounds day=2023-01-01:2023-12-31 | row 1 (data rows count from 1): 'day' is 2024-01-01, outside the window from 2023-01-01 to 2023-12-31; widen the bounds, or skip events outside them
          fit @days.csv --intensity --bounds day=2023-01-01:2023-12-31 --outside skip | no event lies in the window, day from 2023-01-01 to 2023-12-31 in
          fit @one.csv --intensity                      | all events have the same 'x', which makes no window; give bounds for 'x'
          """)
  void wrongEventsAreRefused(String line, String message) {
    String said = trial.refused(line + " --model @no.lvl");
    assertTrue(said.contains(message), said);
    assertFalse(Files.exists(folder.resolve("no.lvl")));
  }
}

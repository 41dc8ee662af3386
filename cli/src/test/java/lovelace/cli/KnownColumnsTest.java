package lovelace.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.SplittableRandom;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Columns that are known in the future: prices, promotions and holidays.
class KnownColumnsTest {

  private static final String RUN = " --id shop --horizon 4 --season none";

  @TempDir private Path folder;

  private Trial trial;
  private final List<String> sales = new ArrayList<>();
  private final List<String> plan = new ArrayList<>();
  private final List<Double> truth = new ArrayList<>();

  /// Three shops. A unit of price costs 6 pieces, and a sale brings 15. The noise is 1.
  @BeforeEach
  void tables() throws IOException {
    trial = new Trial(folder);
    var random = new SplittableRandom(7);
    for (int s = 0; s < 3; s++)
      for (int t = 0; t < 44; t++) {
        double price = Math.round(100 * (8 + 4 * random.nextDouble())) / 100.;
        boolean sale = random.nextInt(4) == 0;
        double sold = 200 - 6 * price + (sale ? 15 : 0) + random.nextGaussian();
        String time =
            String.format(Locale.ROOT, "shop %d,%d-%02d-01", s, 2020 + t / 12, t % 12 + 1);
        String known = String.format(Locale.ROOT, "%.2f,%s", price, sale ? "sale" : "none");
        if (t < 40) sales.add(String.format(Locale.ROOT, "%s,%.2f,%s", time, sold, known));
        else {
          plan.add(time + "," + known);
          truth.add(sold);
        }
      }
    trial.write("sales.csv", "shop,month,sold,price,promo\n" + String.join("\n", sales));
    trial.write("plan.csv", "shop,month,price,promo\n" + String.join("\n", plan));
  }

  private void plan(UnaryOperator<String> change) throws IOException {
    trial.write(
        "other.csv", change.apply("shop,month,price,promo\n" + String.join("\n", plan) + "\n"));
  }

  private String refused(String more) {
    return trial.refused("forecast @sales.csv" + RUN + more);
  }

  private List<String> rows(String file) throws IOException {
    List<String> lines = Files.readAllLines(trial.file(file));
    return lines.subList(1, lines.size());
  }

  private double error(String file) throws IOException {
    List<String> rows = rows(file);
    assertEquals(truth.size(), rows.size());
    double squares = 0;
    for (int i = 0; i < rows.size(); i++)
      squares += Math.pow(Double.parseDouble(rows.get(i).split(",", -1)[2]) - truth.get(i), 2);
    return Math.sqrt(squares / rows.size());
  }

  @Test
  void pricesAndPromotionsOfThePlanExplainTheFuture() throws IOException {
    String said = trial.ok("forecast @sales.csv" + RUN + " --future @plan.csv --out @f.csv");
    assertTrue(said.contains("id shop, time month, target sold"), said);
    assertTrue(said.contains("covariates  price, promo (effects of sale beside none)"), said);
    assertFalse(said.contains("not used"), said);
    assertTrue(error("f.csv") < 2, () -> "the noise is 1");
    trial.ok("forecast @sales.csv" + RUN + " --target sold --out @without.csv");
    assertTrue(error("without.csv") > 5, "prices alone have a deviation of 7");
    // The table may have the rows of the future itself, without values.
    List<String> all = new ArrayList<>(sales);
    for (String row : plan) {
      String[] part = row.split(",", -1);
      all.add("%s,%s,,%s,%s".formatted(part[0], part[1], part[2], part[3]));
    }
    trial.write("all.csv", "shop,month,sold,price,promo\n" + String.join("\n", all));
    trial.ok("forecast @all.csv" + RUN + " --covariates price,promo --out @g.csv");
    assertEquals(rows("f.csv"), rows("g.csv"));
    // A plan that covers the past too needs no column in the table.
    List<String> narrow =
        sales.stream()
            .map(row -> row.substring(0, row.lastIndexOf(',', row.lastIndexOf(',') - 1)))
            .toList();
    trial.write("narrow.csv", "shop,month,sold\n" + String.join("\n", narrow));
    List<String> whole = new ArrayList<>(plan);
    for (String row : sales) {
      String[] part = row.split(",", -1);
      whole.add("%s,%s,%s,%s".formatted(part[0], part[1], part[3], part[4]));
    }
    trial.write("whole.csv", "shop,month,price,promo\n" + String.join("\n", whole));
    trial.ok(
        "forecast @narrow.csv"
            + RUN
            + " --future @whole.csv --covariates price,promo --out @h.csv");
    assertEquals(rows("f.csv"), rows("h.csv"));
  }

  @Test
  void aPlanWithoutIdsHoldsForAllSeries() throws IOException {
    List<String> one =
        plan.stream().filter(row -> row.startsWith("shop 0")).map(r -> r.substring(7)).toList();
    trial.write("one.csv", "month,price,promo\n" + String.join("\n", one));
    trial.ok("forecast @sales.csv" + RUN + " --future @one.csv --covariates price --out @a.csv");
    StringBuilder three = new StringBuilder("shop,month,price\n");
    for (int s = 0; s < 3; s++)
      for (String row : one)
        three.append("shop ").append(s).append(',').append(row.replaceAll(",[a-z]+$", "\n"));
    trial.write("three.csv", three.toString());
    trial.ok("forecast @sales.csv" + RUN + " --future @three.csv --covariates price --out @b.csv");
    assertEquals(rows("a.csv"), rows("b.csv"));
  }

  @Test
  void aSeriesWithoutItsPlanHasNoForecastAndStopsNoOther() throws IOException {
    plan(text -> text.replaceAll("(shop 1,2023-06-01),[0-9.]+,", "$1,,"));
    String said = trial.ok("forecast @sales.csv" + RUN + " --future @other.csv --out @f.csv");
    assertTrue(said.contains("2 by the library of processes, 1 without a forecast"), said);
    assertTrue(
        said.contains(
            "shop 1: column 'price' has no value at 2023-06-01, and all steps of the horizon must have one"),
        said);
    assertEquals(8, rows("f.csv").size());
    plan(text -> text.replaceAll("(shop 2,2023-05-01,[0-9.]+),[a-z]+", "$1,bogo"));
    said = trial.ok("forecast @sales.csv" + RUN + " --future @other.csv --out @f.csv");
    assertTrue(
        said.contains("shop 2: column 'promo' is 'bogo' at 2023-05-01, a word that no history has"),
        said);
    plan(text -> text.replaceAll("2023-(0[78])-01", "2025-$1-01"));
    String none = refused(" --future @other.csv");
    assertTrue(none.contains("none of 3 series can be forecast with these columns. shop 0:"), none);
    assertTrue(none.contains("no value at 2023-07-01 and 1 more"), none);
  }

  @Test
  void stepsOfTheHistoryWithoutAColumnDoNotCount() throws IOException {
    String changed =
        String.join("\n", sales).replaceAll("(shop 1,2021-0[12]-01,[0-9.]+),[0-9.]+,", "$1,,");
    trial.write("gaps.csv", "shop,month,sold,price,promo\n" + changed);
    String said = trial.ok("forecast @gaps.csv" + RUN + " --future @plan.csv --out @f.csv");
    assertTrue(said.contains("shop 1: column 'price' has no value at 2 steps"), said);
    assertTrue(said.contains("2 steps of 1 series without a value"), said);
    assertTrue(error("f.csv") < 2);
    String end =
        String.join("\n", sales).replaceAll("(shop 1,2023-04-01,[0-9.]+),[0-9.]+,", "$1,,");
    trial.write("end.csv", "shop,month,sold,price,promo\n" + end);
    said = trial.ok("forecast @end.csv" + RUN + " --future @plan.csv --out @f.csv");
    assertTrue(said.contains("steps of the last value and the horizon must have one"), said);
  }

  @Test
  void columnsThatDoNotChangeAreLeftOut() throws IOException {
    String same = String.join("\n", sales).replaceAll("(shop 1,[^,]*,[0-9.]+),[0-9.]+,", "$1,9,");
    trial.write("same.csv", "shop,month,sold,price,promo\n" + same);
    String said = trial.ok("forecast @same.csv" + RUN + " --future @plan.csv --out @f.csv");
    assertTrue(said.contains("shop 1: column 'price' does not change in the history"), said);
    assertEquals(12, rows("f.csv").size());
  }

  @Test
  void wrongPlansAreRefusedWithPlaceAndRemedy() throws IOException {
    String said = refused(" --future @plan.csv --covariates prise");
    assertTrue(said.contains("--covariates: there is no column 'prise'; '@sales.csv' has"), said);
    said = refused(" --future @plan.csv --covariates sold --target sold");
    assertTrue(said.contains("column 'sold' is the target; name another"), said);
    said = refused(" --future @nothing.csv");
    assertTrue(said.contains("there is no file '@nothing.csv'"), said);
    plan(text -> text.replace("month", "date"));
    said = refused(" --future @other.csv");
    assertTrue(said.contains("'@other.csv' has no column 'month', which holds the times"), said);
    plan(text -> text.replaceAll("(shop 0),2023-06-01", "$1,06/01/2023"));
    said = refused(" --future @other.csv");
    assertTrue(said.contains("row 2 of '@other.csv', column 'month': '06/01/2023'"), said);
    plan(text -> text.replaceAll("-01,", "-01T00:00:00Z,"));
    said = refused(" --future @other.csv");
    assertTrue(said.contains("'2023-05-01T00:00:00Z' is not a date"), said);
    plan(text -> text.replaceAll("(shop 0,2023-06-01),[0-9.]+", "$1,cheap"));
    said = refused(" --future @other.csv");
    assertTrue(
        said.contains(
            "row 2 of '@other.csv': column 'price' is 'cheap', and most of its values are numbers"),
        said);
    plan(text -> text + "shop 0,2023-05-01,3,none\n");
    said = refused(" --future @other.csv");
    assertTrue(
        said.contains("several rows of shop 0 at 2023-05-01, and column 'price' is 3"), said);
    plan(text -> "shop,month,price,promo\n");
    said = refused(" --future @other.csv");
    assertTrue(said.contains("names of columns (shop, month, price, promo) and no rows"), said);
    plan(text -> "");
    said = refused(" --future @other.csv");
    assertTrue(said.contains("'@other.csv' is empty"), said);
    trial.write(
        "dates.csv",
        """
        shop,month,sold,since
        shop 0,2020-01-01,3,2019-01-01
        shop 0,2020-02-01,3,2019-01-01
        """);
    said = trial.refused("forecast @dates.csv --time month --horizon 1 --covariates since");
    assertTrue(said.contains("column 'since' of '@dates.csv' holds times"), said);
    assertTrue(refused(" --future -").contains("--future must be a file"));
  }

  @Test
  void sumsAndFilesOfForecastsHaveNoColumns() {
    String said = refused(" --future @plan.csv --sums shop");
    assertTrue(
        said.contains("--sums forecasts sums from their own histories, which --future"), said);
    said = refused(" --target sold --holidays DE --model @m.lvf");
    assertTrue(said.contains("--model and --holidays do not go together"), said);
    said = trial.refused("forecast --model @m.lvf --covariates price");
    assertTrue(said.contains("--model and --covariates do not go together"), said);
  }

  @Test
  void rowsOfOtherIdsAndTimesAreTold() throws IOException {
    plan(text -> text + "shop 9,2023-05-01,3,none\nshop 0,2030-01-01,3,none\n");
    String said = trial.ok("forecast @sales.csv" + RUN + " --future @other.csv --out @f.csv");
    assertTrue(
        said.contains("1 row of '@other.csv' belongs to no series".replace("@", folder + "/")),
        said);
    assertTrue(said.contains("such as 'shop 9', and is not used"), said);
    assertTrue(error("f.csv") < 2);
  }

  @Test
  void backtestsTakeColumnsFromTheTable() throws IOException {
    String run =
        "backtest @sales.csv --id shop --target sold --horizon 4 --windows 2 --season none";
    double without = mase(trial.ok(run));
    String said = trial.ok(run + " --covariates price,promo");
    assertTrue(said.contains("before the first cut"), said);
    assertTrue(mase(said) < without / 3, said);
    trial.ok(run + " --covariates price,promo --out @once.csv");
    said = trial.ok(run + " --covariates price,promo --refit --out @anew.csv");
    assertTrue(said.contains("before each cut"), said);
    List<String> once = rows("once.csv");
    List<String> anew = rows("anew.csv");
    int changed = 0;
    for (int i = 0; i < once.size(); i++) {
      boolean first = once.get(i).split(",", -1)[1].equals("2022-08-01");
      if (first)
        assertEquals(once.get(i), anew.get(i), "the weights of the first cut are the same");
      else if (!once.get(i).equals(anew.get(i))) changed++;
    }
    assertEquals(12, changed, "the second cut knows more");
  }

  private static double mase(String said) {
    String line = said.lines().filter(l -> l.startsWith("lovelace ")).findFirst().orElseThrow();
    return Double.parseDouble(line.strip().split(" +", -1)[1]);
  }

  @Test
  void holidaysOfAFileHaveEffects() throws IOException {
    var random = new SplittableRandom(3);
    StringBuilder days = new StringBuilder("ds,y\n");
    StringBuilder file = new StringBuilder("date,name\n");
    var date = java.time.LocalDate.of(2024, 1, 1);
    for (int t = 0; t < 130; t++) {
      boolean off = t % 13 == 5;
      if (off) file.append(date.plusDays(t)).append(",Fair\n");
      double y = 50 + (off ? 30 : 0) + (t % 13 == 4 ? -20 : 0) + random.nextGaussian();
      if (t < 120) days.append(String.format(Locale.ROOT, "%s,%.2f%n", date.plusDays(t), y));
    }
    trial.write("days.csv", days.toString());
    trial.write("fairs.csv", file.toString());
    String said =
        trial.ok(
            "forecast @days.csv --horizon 10 --season none --holidays @fairs.csv --holiday-days -1:0 --out @f.csv");
    assertTrue(said.contains(", with the days from 1 before to 0 after"), said);
    for (int k = 0; k < 10; k++) {
      int t = 120 + k;
      double wanted = 50 + (t % 13 == 5 ? 30 : 0) + (t % 13 == 4 ? -20 : 0);
      assertEquals(
          wanted, Double.parseDouble(rows("f.csv").get(k).split(",", -1)[1]), 2.5, "step " + k);
    }
  }

  @Test
  void wrongHolidaysAreRefused() throws IOException {
    String run = " --target sold";
    String said = refused(run + " --holidays CN");
    assertTrue(said.contains("--holidays: the holidays of country 'CN' are not known"), said);
    assertTrue(said.contains("date,name"), said);
    assertTrue(refused(run + " --holidays @no.csv").contains("there is no file '@no.csv'"));
    said = refused(run + " --holidays DE --holiday-days 2");
    assertTrue(said.contains("--holiday-days must be two days like -2:1, got '2'"), said);
    said = refused(run + " --holidays DE --holiday-days 1:2");
    assertTrue(said.contains("must go from -31..0 to 0..31 days, got 1:2"), said);
    said = refused(run + " --holiday-days -2:1");
    assertTrue(said.contains("add --holidays DE"), said);
    said = refused(run + " --holidays DE --holidays-by promo");
    assertTrue(said.contains("--holidays-by takes the country from a column"), said);
    said = refused(run + " --holidays-by promo");
    assertTrue(said.contains("has 'none' and 'sale' within one series"), said);
    said = refused(run + " --holidays-by land");
    assertTrue(said.contains("--holidays-by: there is no column 'land'"), said);
  }

  @Test
  void everySeriesMayHaveTheHolidaysOfItsCountry() throws IOException {
    StringBuilder rows = new StringBuilder("shop,month,sold,land\n");
    var random = new SplittableRandom(9);
    for (String land : List.of("DE", "US"))
      for (int t = 0; t < 40; t++)
        rows.append(
            String.format(
                Locale.ROOT,
                "in %s,%d-%02d-01,%.2f,%s%n",
                land,
                2020 + t / 12,
                t % 12 + 1,
                9 + random.nextGaussian(),
                land));
    trial.write("lands.csv", rows.toString());
    String run = "forecast @lands.csv --id shop --target sold --horizon 2 --season none";
    String said = trial.ok(run + " --holidays-by land --out @both.csv");
    assertTrue(said.contains("holidays    by column land"), said);
    assertFalse(said.contains("not used"), said);
    assertEquals(4, rows("both.csv").size());
    trial.write("wrong.csv", rows.toString().replace(",US", ",XX"));
    said =
        trial.refused("forecast @wrong.csv --id shop --target sold --horizon 2 --holidays-by land");
    assertTrue(said.contains("--holidays-by: the holidays of country 'XX' are not known"), said);
  }
}

package lovelace;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Pattern;
import lovelace.data.Airline;
import lovelace.data.Dataset;
import lovelace.data.TargetTransform;
import lovelace.kernel.Hyperparameters;
import lovelace.posterior.Prediction;
import org.junit.jupiter.api.Test;

/// The programs of docs/java.md run, and its text is theirs.
class JavaGuideTest {

  private static final Pattern NUMBER = Pattern.compile("-?\\b\\d+(\\.\\d+)?(E-?\\d+)?\\b");

  @Test
  void programsRun() throws IOException {
    // begin
    Dataset passengers = Airline.dataset();
    Fit fit =
        Fit.DEFAULT
            .withKernel("matern52 + rbf*periodic(period=fixed(1))")
            .withTransform(TargetTransform.LOG);
    Model model = fit.to(passengers.rows(0, 96));
    Prediction trend = model.predict(1957.5, 1958.5); // the function
    Prediction months = model.predictObservation(1957.5, 1958.5); // a new row of the table
    // end
    // begin
    Model longer = model.with(passengers.rows(96, 144)); // more rows, the same parameters
    Model again = longer.without(passengers.rows(96, 144)); // without them
    Model merged = Model.merge(model, fit.to(passengers.rows(96, 144)));
    Model learned = longer.learn(); // parameters learned anew
    Hyperparameters noisier = model.hyperparameters().set("noise", 0.01);
    Model other = model.with(noisier); // parameters given
    // end
    assertPrinted("fit", fit);
    assertPrinted("model", model);
    assertPrinted("months", months);
    assertTrue(months.variance(0) > trend.variance(0));
    assertEquals(144, longer.count());
    assertEquals(trend.mean(0), again.predict(1957.5).mean(0), 1e-6 * trend.mean(0));
    assertEquals(144, merged.count());
    assertTrue(learned.logMarginalLikelihood() > longer.logMarginalLikelihood());
    assertEquals(0.01, other.noise());
  }

  /// The page shows what JShell prints. Learned numbers may differ by what a machine's linear
  /// algebra rounds, so they agree to a twentieth.
  private static void assertPrinted(String name, Object value) throws IOException {
    String page = Files.readString(Path.of("../docs/java.md"));
    String prompt = "jshell> " + name + "\n" + name + " ==> ";
    int from = page.indexOf(prompt);
    assertTrue(from > 0, () -> "docs/java.md lacks " + prompt);
    String shown = page.substring(from + prompt.length()).split("\n\n|\n```", 2)[0];
    String printed = value.toString();
    assertEquals(NUMBER.matcher(shown).replaceAll("#"), NUMBER.matcher(printed).replaceAll("#"));
    List<Double> theirs = numbers(shown);
    List<Double> mine = numbers(printed);
    for (int i = 0; i < mine.size(); i++) {
      double expected = theirs.get(i);
      assertEquals(expected, mine.get(i), 0.05 * Math.abs(expected), printed);
    }
  }

  private static List<Double> numbers(String text) {
    return NUMBER.matcher(text).results().map(found -> Double.valueOf(found.group())).toList();
  }

  @Test
  void pageShowsTheProgramsThatRun() throws IOException {
    String source = Files.readString(Path.of("src/test/java/lovelace/JavaGuideTest.java"));
    String page = Files.readString(Path.of("../docs/java.md"));
    String[] parts = source.split("    // begin\n", -1);
    assertEquals(3, parts.length, "two programs");
    for (int i = 1; i < parts.length; i++) {
      String program = parts[i].substring(0, parts[i].indexOf("    // end\n"));
      String shown = "```java\n" + program.stripTrailing().stripIndent() + "\n```";
      assertTrue(page.contains(shown), program);
    }
  }
}

package lovelace;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.SplittableRandom;
import lovelace.data.Airline;
import lovelace.data.Dataset;
import lovelace.data.TargetTransform;
import lovelace.options.GridChoice;
import lovelace.posterior.Prediction;
import org.junit.jupiter.api.Test;

class ReadmeExampleTest {

  @Test
  void firstProgramRuns() {
    // begin
    // the first eight years: passengers a month by year
    Dataset passengers = Airline.dataset().rows(0, 96);
    // what is not given is learned; the grid leaves room for the forecast
    Model model =
        Fit.DEFAULT
            .withKernel("sm(10)")
            .withTransform(TargetTransform.LOG)
            .withGrid(GridChoice.DEFAULT.including(0, 1949, 1961))
            .to(passengers);
    double[] summer = {1957.5, 1958.5};
    // of a month's passengers, noise included; predict is of the function behind them
    Prediction forecast = model.predictObservation(summer);
    System.out.printf("%.0f to %.0f%n", forecast.lower(0, 0.95), forecast.upper(0, 0.95));
    double[] futures = model.sample(summer, 1000, new SplittableRandom(1));
    // end
    assertEquals(465, forecast.mean(0), 25); // passengers in July 1957
    double[] actual = {465, 491};
    Prediction function = model.predict(summer);
    assertEquals(2000, futures.length);
    for (int i = 0; i < 2; i++) {
      double lower = forecast.lower(i, 0.95);
      double upper = forecast.upper(i, 0.95);
      assertTrue(lower < actual[i] && actual[i] < upper, lower + " to " + upper);
      assertTrue(upper - lower < 0.4 * actual[i], lower + " to " + upper);
      double low = function.lower(i, 0.95); // draws are of the function
      double high = function.upper(i, 0.95);
      assertTrue(lower < low && high < upper, low + " to " + high);
      double inside = 0;
      double sum = 0;
      for (int draw = 0; draw < 1000; draw++) {
        double future = futures[2 * draw + i];
        if (low < future && future < high) inside++;
        sum += future;
      }
      // four standard errors of the share and of the mean of a thousand draws
      assertEquals(950, inside, 4 * Math.sqrt(1000 * 0.95 * 0.05));
      assertEquals(function.mean(i), sum / 1000, 4 * (high - low) / 3.92 / Math.sqrt(1000));
    }
  }

  @Test
  void readmeShowsTheProgramThatRuns() throws IOException {
    String source = Files.readString(Path.of("src/test/java/lovelace/ReadmeExampleTest.java"));
    String body =
        source.substring(source.indexOf("// begin\n") + 9, source.indexOf("    // end\n"));
    String page = Files.readString(Path.of("../README.md"));
    assertTrue(
        page.stripIndent().contains(body.stripTrailing().stripIndent().indent(3).stripTrailing()),
        body);
  }
}

package lovelace.cli;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// Observations that a likelihood cannot have, and options that do not suit it, are answered with
/// place, value, rule and remedy, and exit code 2.
class WrongObservationTest {

  @TempDir static Path folder;

  private static void write(String name, String header, String... rows) throws IOException {
    Files.writeString(folder.resolve(name), header + "\n" + String.join("\n", rows) + "\n");
  }

  @BeforeAll
  static void writeFiles() throws IOException {
    write("half.csv", "x,y", "1,2", "2,2.5", "3,4");
    write("gap.csv", "x,y", "1,2", "2,", "3,2.5");
    write("minus.csv", "x,y", "1,2", "2,3", "3,-4");
    write("three.csv", "x,y", "1,red", "2,green", "3,red", "4,blue");
    write("numbers.csv", "x,y", "1,0", "2,1", "3,2");
    write("same.csv", "x,y", "1,red", "2,red", "3,red");
    write("ones.csv", "x,y", "1,1", "2,1", "3,1");
    write("words.csv", "x,y", "1,few", "2,many", "3,some");
    write("two.csv", "x,y", "1,red", "2,green", "3,red");
    write("zero.csv", "x,y", "1,0.5", "2,0", "3,1");
    write("below.csv", "x,y", "1,0.5", "2,2", "3,-1");
    write("big.csv", "x,y", "1,1", "2,1e20", "3,2");
    write("binary.csv", "x,y", "1,0", "2,1", "3,1", "4,0");
    write("counts.csv", "x,y,h", "1,0,1", "2,1,2", "3,4,1", "4,2,1");
    write("exposure.csv", "x,y,h,z,g,t", "1,2,1,1,1,a", "2,3,-1,0,,b", "3,1,1,1,1,c");
    write("infinite.csv", "x,y,h", "1,2,1", "2,3,inf", "3,1,1");
    write("trials.csv", "x,y,n,q,p", "1,2,3,3,4", "2,3,2,0,4", "3,1,2,2,2.5");
    write("successes.csv", "x,y,n", "1,2,3", "2,3,4", "3,1,2");
    write("shares.csv", "x,y,n", "1,0.5,4", "2,0.25,4", "3,0.75,4");
    Trial trial = new Trial(folder);
    String held =
        " --target y --inputs x --no-train --set lengthscale=1 --set outputscale=1 --set mean=0";
    trial.ok("fit @counts.csv --likelihood poisson --exposure h --model @counts.lvl" + held);
    trial.ok("fit @two.csv --likelihood bernoulli --model @two.lvl" + held);
    trial.ok("fit @successes.csv --likelihood binomial --trials n --model @successes.lvl" + held);
    trial.ok("fit @successes.csv --noise-sd n --model @known.lvl" + held);
    write("deviations.csv", "x,y,s,v,w", "1,2,0.1,1,1", "2,3,-0.1,0,2", "3,1,0.1,1,1");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '"',
      textBlock =
          """
          fit @half.csv --likelihood poisson      | row 2 of '@half.csv': target 'y' is 2.5; a count must be a whole number >= 0; round it, or use likelihood gamma
          fit @half.csv --likelihood negative-binomial | target 'y' is 2.5; a count must be a whole number >= 0
          fit @gap.csv --likelihood poisson --missing skip | row 3 of '@gap.csv': target 'y' is 2.5; a count must be a whole number >= 0; round it, or use likelihood gamma
          fit @minus.csv --likelihood poisson     | row 3 of '@minus.csv': target 'y' is -4; a count must be a whole number >= 0; leave the row out, or use likelihood gaussian
          fit @big.csv --likelihood poisson       | a count must be below 2^53; use likelihood gamma
          fit @words.csv --likelihood poisson     | column 'y' of '@words.csv' holds text (row 1: 'few'), the target must be a column of numbers; choose another or correct it
          fit @three.csv --likelihood bernoulli   | row 4 of '@three.csv': target 'y' is 'blue', a third class beside 'red' and 'green'; likelihood bernoulli takes two, so merge classes or drop rows
          fit @numbers.csv --likelihood bernoulli | row 3 of '@numbers.csv': target 'y' is '2', a third class beside '0' and '1'
          fit @same.csv --likelihood bernoulli    | target 'y' is 'red' in all rows of '@same.csv', there is nothing to learn; give rows of both classes
          fit @ones.csv --likelihood bernoulli    | target 'y' is '1' in all rows of '@ones.csv', there is nothing to learn; give rows of both classes
          fit @two.csv                            | target 'y' of '@two.csv' holds two words, 'red' and 'green'; pass --likelihood bernoulli to learn the probability of one of them, or choose a column of numbers
          fit @two.csv --likelihood bernoulli --positive blue | --positive is 'blue', and target 'y' is 'green' or 'red'; name one of the two
          fit @counts.csv --likelihood poisson --positive 1 | --positive says which of two classes is 1, and the likelihood is poisson; leave it out, or pass --likelihood bernoulli
          fit @zero.csv --likelihood gamma        | row 2 of '@zero.csv': target 'y' is 0; an amount must be
          fit @below.csv --likelihood gamma       | row 3 of '@below.csv': target 'y' is -1; an amount must be
          fit @exposure.csv --likelihood poisson --exposure h | row 2 of '@exposure.csv': column 'h' of --exposure is -1; an exposure must be finite and > 0; give the hours, people or area that the count refers to, or drop the row
          fit @exposure.csv --likelihood poisson --exposure h --missing skip | row 2 of '@exposure.csv': column 'h' of --exposure is -1; an exposure must be finite and > 0
          fit @exposure.csv --likelihood poisson --exposure z | row 2 of '@exposure.csv': column 'z' of --exposure is 0; an exposure must be finite and > 0
          fit @exposure.csv --likelihood poisson --exposure g | row 2 of '@exposure.csv': column 'g' has no value; correct or drop the row, or pass --missing skip or mean
          fit @exposure.csv --likelihood poisson --exposure t | column 't' of '@exposure.csv' holds text (row 1: 'a'), --exposure must be a column of numbers; choose another or correct it
          fit @infinite.csv --likelihood poisson --exposure h | row 2 of '@infinite.csv': column 'h' is
          fit @counts.csv --likelihood poisson --exposure hours | --exposure: '@counts.csv' has no column 'hours'; it has x, y, h
          fit @counts.csv --exposure h            | --exposure is for likelihood poisson and negative-binomial, and the likelihood is gaussian; leave it out
          fit @binary.csv --likelihood bernoulli --exposure x | --exposure is for likelihood poisson and negative-binomial, and the likelihood is bernoulli; leave it out
          fit @counts.csv --likelihood poisson --trials h | --trials is for likelihood binomial, and the likelihood is poisson; leave it out
          fit @counts.csv --likelihood poisson --weights h | --weights is for likelihood gaussian and student-t, and the likelihood is poisson; leave it out
          fit @counts.csv --likelihood poisson --noise-sd h | --noise-sd is for likelihood gaussian, for noise that is known of each row, and the likelihood is poisson; leave it out
          fit @counts.csv --likelihood binomial   | likelihood binomial needs the number of trials of each row; name their column with --trials COLUMN
          fit @trials.csv --likelihood binomial --trials n | row 2 of '@trials.csv': target 'y' is 3 with trials 2; successes must not exceed the trials
          fit @trials.csv --likelihood binomial --trials q | row 2 of '@trials.csv': column 'q' of --trials is 0; trials must be a whole number >= 1; correct or drop the row
          fit @trials.csv --likelihood binomial --trials p | row 3 of '@trials.csv': column 'p' of --trials is 2.5; trials must be a whole number >= 1; correct or drop the row
          fit @shares.csv --likelihood binomial --trials n | row 1 of '@shares.csv': target 'y' is 0.5 with trials 4; successes must be a whole number >= 0; give how many of the trials succeeded, not their share
          fit @deviations.csv --noise-sd s        | row 2 of '@deviations.csv': column 's' of --noise-sd is -0.1; a standard deviation of noise must be finite and > 0; correct or drop the row
          fit @deviations.csv --noise-variance v  | row 2 of '@deviations.csv': column 'v' of --noise-variance is 0; a variance of noise must be finite and > 0; correct or drop the row
          fit @deviations.csv --noise-sd s --weights w | --weights and --noise-sd cannot be given together; leave out all but one
          fit @deviations.csv --noise-sd s --noise-variance v | --noise-sd and --noise-variance cannot be given together
          fit @deviations.csv --noise-sd v --transform log | --noise-sd is in the target's units, and --transform changes them; leave out one of the two
          fit @deviations.csv --noise-sd w --noise-model varying | --noise-sd says that the noise is known, and --noise-model varying learns it; leave out one of the two
          fit @counts.csv --likelihood 'gaussian(noise=known)' | this model knows the noise of each row; name its column with --noise-sd COLUMN or --noise-variance COLUMN
          fit @counts.csv --likelihood poisson --noise-model varying | --noise-model varying needs Gaussian noise, and --likelihood is poisson; leave out one of the two
          fit @counts.csv --noise-model changing  | --noise-model must be one of constant, varying, got 'changing'
          fit @counts.csv --likelihood poison     | --likelihood: no likelihood is called 'poison', did you mean 'poisson'? There are gaussian, student-t, poisson
          fit @counts.csv --likelihood 'Bernouli(link=probit)' | --likelihood: no likelihood is called 'bernouli', did you mean 'bernoulli'? There are gaussian
          fit @counts.csv --likelihood weather    | --likelihood: no likelihood is called 'weather'; there are gaussian, student-t, poisson
          fit @binary.csv --likelihood 'bernoulli(link=cloglog)' | --likelihood: likelihood bernoulli has the argument link, which is logit or probit
          fit @counts.csv --likelihood 'poisson(link=log)' | --likelihood: likelihood poisson has no arguments
          fit @counts.csv --likelihood poisson --transform log | --transform makes the target Gaussian, and the likelihood is poisson; leave out one of the two
          fit @counts.csv --likelihood poisson --projection | --projection learns features under Gaussian noise, and the likelihood is poisson; leave out one of the two
          fit @counts.csv --likelihood poisson --deep 4,2 | --deep learns features under Gaussian noise, and the likelihood is poisson; leave out one of the two
          fit @counts.csv --likelihood poisson --kernel 'rbf + white' | has a white term; leave the term out
          fit @counts.csv --likelihood poisson --set noise=0.1 | --set noise=0.1:
          """)
  void fitRefusesWithPlaceValueRuleAndRemedy(String line, String message) {
    refused(line + " --target y --inputs x --model @m.lvl", message);
    assertFalse(Files.exists(folder.resolve("m.lvl")), "no file is left");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '"',
      textBlock =
          """
          predict @two.lvl @two.csv --of rate       | --of rate: a model with likelihood bernoulli can predict only function, probability, observation; pass one of these
          predict @counts.lvl @counts.csv --of probability | --of probability: a model with likelihood poisson can predict only function, rate, observation; pass one of these
          predict @counts.lvl @counts.csv --of count | --of must be one of function, rate, probability, observation, got 'count'
          predict @counts.lvl @counts.csv --of rate --of observation | --of is given more than once; give it once
          predict @counts.lvl @counts.csv --exposure h | --exposure needs --of observation, and these predictions are of the rate; pass --of observation, or leave --exposure out
          predict @counts.lvl @counts.csv --of observation --exposure hours | --exposure: '@counts.csv' has no column 'hours'; it has x, y, h
          predict @counts.lvl @exposure.csv --of observation --exposure h | row 2 of '@exposure.csv': column 'h' of --exposure is -1; an exposure must be finite and > 0
          predict @counts.lvl @exposure.csv --of observation --exposure h --missing skip | row 2 of '@exposure.csv': column 'h' of --exposure is -1; an exposure must be finite and > 0
          predict @counts.lvl @exposure.csv --of observation --exposure g | row 2 of '@exposure.csv': column 'g' has no value; correct or drop the row, or pass --missing skip or mean
          predict @counts.lvl @counts.csv --of observation --trials h | --trials is for likelihood binomial, and the likelihood is poisson; leave it out
          predict @known.lvl @counts.csv --of observation | this model knows the noise of each row; name its column with --noise-sd COLUMN or --noise-variance COLUMN
          predict @known.lvl @counts.csv --of observation --noise-sd sd | --noise-sd: '@counts.csv' has no column 'sd'; it has x, y, h
          predict @counts.lvl @counts.csv --quantiles 0.5,1 | --quantiles must lie between 0 and 1, got 1.0; 0.5 is the median
          sample @two.lvl @two.csv --draws 2 --of rate | --of rate: a model with likelihood bernoulli can predict only function, probability, observation
          sample @successes.lvl @trials.csv --draws 2 --of observation --trials p | row 3 of '@trials.csv': column 'p' of --trials is 2.5; trials must be a whole number >= 1
          evaluate @counts.lvl @half.csv            | row 2 of '@half.csv': target 'y' is 2.5; a count must be a whole number >= 0; round it, or use likelihood gamma
          evaluate @two.lvl @three.csv              | row 4 of '@three.csv': column 'y' is 'blue', and the model's classes are 'green' and 'red'; correct or drop the row
          evaluate @successes.lvl @successes.csv    | likelihood binomial needs the number of trials of each row; name their column with --trials COLUMN
          evaluate @successes.lvl @trials.csv --trials n | row 2 of '@trials.csv': target 'y' is 3 with trials 2; successes must not exceed the trials
          evaluate @known.lvl @counts.csv           | this model knows the noise of each row; name its column with --noise-sd COLUMN or --noise-variance COLUMN
          update @two.lvl @three.csv --model @m.lvl   | row 4 of '@three.csv': column 'y' is 'blue', and the model's classes are 'green' and 'red'
          update @counts.lvl @half.csv --model @m.lvl | target 'y' is 2.5; a count must be a whole number >= 0
          compare @half.csv --target y --folds 2 --likelihood poisson | target 'y' is 2.5; a count must be a whole number >= 0
          """)
  void isRefusedWithPlaceValueRuleAndRemedy(String line, String message) {
    refused(line, message);
    assertFalse(Files.exists(folder.resolve("m.lvl")), "no file is left");
  }

  private static void refused(String line, String message) {
    String said = new Trial(folder).refused(line);
    assertTrue(said.contains(message), () -> line + "\n" + said);
    assertTrue(said.startsWith("lovelace: "), said);
    assertFalse(said.contains("Exception"), said);
  }
}

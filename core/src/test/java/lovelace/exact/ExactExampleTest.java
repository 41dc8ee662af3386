package lovelace.exact;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.SplittableRandom;
import lovelace.data.Dataset;
import lovelace.kernel.Hyperparameters;
import lovelace.kernel.Kernel;
import lovelace.kernel.PriorMean;
import lovelace.learning.Learned;
import lovelace.learning.Learner;
import lovelace.posterior.Prediction;
import org.junit.jupiter.api.Test;

class ExactExampleTest {

  @Test
  void exampleOfTheExactPageRuns() {
    // spotless:off
    // begin
    double[] x = {0, 1, 2, 3, 4, 5, 6, 7};
    double[] y = {0.1, 0.9, 0.8, 0.2, -0.7, -1.0, -0.3, 0.6};
    Dataset data = Dataset.of(x, 1, y);

    // lengthscale, output scale and noise are not given: they start from the data
    Hyperparameters start =
        Hyperparameters.of(Kernel.parse("matern52").bind(1), Double.NaN, PriorMean.constant());
    Learned learned = Learner.DEFAULT.learn(ExactGp.likelihood(data), start, data, 1);
    ExactGp gp = ExactGp.of(data, learned.hyperparameters());

    Prediction p = gp.predict(new double[] {2.5, 9});
    double mean = p.mean(0);
    double low = p.lower(0, 0.95);
    double high = p.upper(0, 0.95);
    double[] draws = gp.sample(new double[] {2.5, 9}, 100, new SplittableRandom(1));
    Prediction loo = gp.leaveOneOut();
    // end
    // spotless:on
    assertTrue(low < mean && mean < high);
    assertEquals(0.55, mean, 0.2);
    assertEquals(200, draws.length);
    assertEquals(8, loo.size());
  }

  @Test
  void pageShowsTheExampleThatRuns() throws IOException {
    String source = Files.readString(Path.of("src/test/java/lovelace/exact/ExactExampleTest.java"));
    String body =
        source.substring(source.indexOf("// begin\n") + 9, source.indexOf("    // end\n"));
    String page = Files.readString(Path.of("../docs/exact.md"));
    assertTrue(page.contains(body.stripTrailing().stripIndent()), body);
  }
}

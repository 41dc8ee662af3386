package lovelace;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.util.List;
import java.util.Locale;
import java.util.SplittableRandom;
import lovelace.data.Dataset;
import lovelace.data.Outside;
import lovelace.lattice.LatticePosterior;
import lovelace.options.Options;
import lovelace.plan.Engine;
import lovelace.posterior.Scores;
import lovelace.source.Source;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// A stored model reads the same wherever it was made.
class LocaleTest {

  @ParameterizedTest
  @ValueSource(strings = {"de-DE", "ar-EG-u-nu-arab", "tr-TR"})
  void notesOfAModelDoNotDependOnTheLocale(String tag) throws IOException {
    List<String> expected = texts();
    Locale before = Locale.getDefault();
    try {
      Locale.setDefault(Locale.forLanguageTag(tag));
      assertEquals(expected, texts());
    } finally {
      Locale.setDefault(before);
    }
  }

  private static List<String> texts() throws IOException {
    var random = new SplittableRandom(3);
    int n = 1500;
    double[] x = random.doubles(2L * n).toArray();
    double[] y = new double[n];
    for (int i = 0; i < n; i++) y[i] = Math.sin(9 * x[2 * i]) + 0.1 * random.nextGaussian();
    Dataset data = Dataset.of(x, 2, y);
    Model model =
        Fit.DEFAULT
            .withEngine(Engine.AUTO)
            .withTraining(false)
            .withMaker("1.0", "test")
            .set("lengthscale", 0.15)
            .set("outputscale", 1)
            .set("noise", 0.01)
            .set("mean", 0)
            .to(data.rows(0, 1300));
    Model more =
        model.with(
            Source.of(data.rows(1300, n)), Outside.ERROR, new Options.Maker("1.0", "more rows"));
    double[] at = data.rows(0, 50).inputs();
    return List.of(
        withoutTime(more.provenance().notes().toString()),
        withoutTime(more.provenance().toString()),
        more.hyperparameters().toString(),
        ((LatticePosterior) more.posterior()).certificate().toString(),
        Scores.of(more.predict(at).withNoise(0.01), data.rows(0, 50).target()).toString(),
        data.toString());
  }

  private static String withoutTime(String text) {
    return text.replaceAll("\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\dZ", "now");
  }
}

package lovelace;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;
import lovelace.data.Column;
import lovelace.data.LinearMap;
import lovelace.data.Outside;
import lovelace.options.Options;
import lovelace.source.Source;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;

/// Messages about rows that a model reads through a feature map.
class FeatureMessagesTest {

  private static final Options.Maker MAKER = new Options.Maker("1", "test");

  /// One column, two features, of which the first is 0 everywhere.
  private static final LinearMap MAP = LinearMap.of(new double[] {0, 10}, new double[] {0});

  private static final Fit FIT =
      Fit.DEFAULT
          .withTraining(false)
          .set("lengthscale", 5)
          .set("outputscale", 1)
          .set("noise", 0.1)
          .set("mean", 0);

  /// Rows that come one at a time, as a source may hand them over.
  private static Source rows(double... x) {
    return new Source() {
      @Override
      public List<Column> columns() {
        return List.of(Column.of("depth"));
      }

      @Override
      public Column target() {
        return Column.of("y");
      }

      @Override
      public void read(Sink sink) {
        for (int i = 0; i < x.length; i++)
          sink.accept(1, new double[] {x[i]}, new double[] {Math.sin(i)}, Optional.empty());
      }
    };
  }

  private static double[] sound(int count) {
    return new SplittableRandom(4).doubles(count, 0, 1).toArray();
  }

  private static Model model() throws IOException {
    return FIT.to(rows(sound(40)), MAP, List.of());
  }

  private static String refused(Executable action) {
    String said = String.valueOf(assertThrows(IllegalArgumentException.class, action).getMessage());
    assertTrue(said.contains("; "), () -> "no remedy: " + said);
    return said;
  }

  @Test
  void aRowOutsideNamesTheFeature() throws IOException {
    Model model = model();
    String said = refused(() -> model.with(rows(0.5, 0.4, 7), Outside.ERROR, MAKER));
    assertTrue(said.startsWith("row 3: feature 2 is 70, outside the grid"), said);
    Model more = model.with(rows(0.5, 7, 0.4), Outside.SKIP, MAKER);
    assertEquals(42, more.count());
  }

  @Test
  void aSumOverFeaturesNamesTheFeatureToo() throws IOException {
    LinearMap four = LinearMap.of(new double[] {1, 2, 3, 10}, new double[] {0});
    Model model = FIT.to(rows(sound(40)), four, List.of());
    String said = refused(() -> model.with(rows(0.5, 1.5), Outside.ERROR, MAKER));
    assertTrue(said.startsWith("row 2: feature 4 is 15, outside the grid"), said);
    String notes = model.provenance().notes().toString();
    assertTrue(notes.contains("feature 4 "), notes);
  }

  @Test
  void aRowWithoutAFiniteValueNamesItsColumn() throws IOException {
    Model model = model();
    String said = refused(() -> model.with(rows(0.5, Double.NaN), Outside.ERROR, MAKER));
    assertTrue(said.startsWith("row 2: column 'depth' is NaN"), said);
    double[] x = sound(40);
    x[30] = Double.POSITIVE_INFINITY;
    said = refused(() -> FIT.to(rows(x), MAP, List.of()));
    assertTrue(said.startsWith("row 31: column 'depth' is Infinity"), said);
  }

  @Test
  void aFeatureThatIsNotFiniteIsNamed() throws IOException {
    Model model = model();
    double far = 1e308; // ten times as much is beyond all numbers
    String said = refused(() -> model.with(rows(0.5, 0.2, far), Outside.ERROR, MAKER));
    assertTrue(said.startsWith("row 3: feature 2 is Infinity"), said);
    double[] x = sound(40);
    x[20] = far;
    said = refused(() -> FIT.to(rows(x), MAP, List.of()));
    assertTrue(said.startsWith("row 21: feature 2 is Infinity"), said);
    for (Executable asking :
        List.<Executable>of(
            () -> model.predict(0.5, far),
            () -> model.features(new double[] {0.5, far}),
            () -> model.sample(new double[] {0.5, far}, 1, new SplittableRandom(1)))) {
      said = refused(asking);
      assertTrue(said.startsWith("row 2: feature 2 is Infinity"), said);
    }
  }
}

package lovelace;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.SplittableRandom;
import lovelace.data.Column;
import lovelace.data.Dataset;
import lovelace.options.Options;
import lovelace.plan.Engine;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/// Fits of tables with a column of text.
class WordsFitTest {

  private static final List<Column> COLUMNS =
      List.of(Column.of("depth"), Column.of("rock", List.of("clay", "sand", "silt")));

  /// A curve per word; the effects of the words are in no order.
  private static Dataset table(int n) {
    var random = new SplittableRandom(4);
    double[] x = new double[2 * n];
    double[] y = new double[n];
    double[] effect = {0, 5, -2};
    for (int i = 0; i < n; i++) {
      int word = i % 3;
      x[2 * i] = random.nextDouble(0, 6);
      x[2 * i + 1] = word;
      y[i] = Math.sin(x[2 * i]) + effect[word] + 0.05 * random.nextGaussian();
    }
    return Dataset.of(x, COLUMNS, y, Column.of("speed"));
  }

  @Test
  void wordsAreCategoriesOfTheKernel() {
    Model model = Fit.DEFAULT.withKernel("matern52").to(table(90));
    assertArrayEquals(new int[] {1}, model.hyperparameters().kernel().categories());
    assertEquals(Engine.EXACT, model.plan().chosen());
    for (int word = 0; word < 3; word++) {
      double truth = Math.sin(2.5) + (word == 1 ? 5 : word == 2 ? -2 : 0);
      assertEquals(truth, model.predict(2.5, word).mean(0), 0.15);
    }
    double spread = model.predict(2.5, Column.UNSEEN).deviation(0);
    assertTrue(spread > 1, "an unseen word is uncertain, got " + spread);
  }

  @ParameterizedTest
  @EnumSource(
      value = Engine.class,
      names = {"SPECTRAL", "KRYLOV", "DENSE", "SPARSE"})
  void aLatticeRefusesWords(Engine engine) {
    Fit fit = Fit.DEFAULT.withKernel("matern52").withEngine(engine);
    String message =
        String.valueOf(
            assertThrows(IllegalArgumentException.class, () -> fit.to(table(90))).getMessage());
    assertTrue(message.startsWith("column 'rock' holds words"), message);
  }

  @Test
  void whatNeedsNumbersIsRefusedByName() {
    Fit linear = Fit.DEFAULT.withMean("linear").withEngine(Engine.EXACT);
    String message =
        String.valueOf(
            assertThrows(IllegalArgumentException.class, () -> linear.to(table(30))).getMessage());
    assertTrue(message.contains("column 'rock' holds words; use mean constant"), message);
    Fit periodic = Fit.DEFAULT.withKernel("periodic");
    assertThrows(IllegalArgumentException.class, () -> periodic.to(table(30)));
    Fit beside = Fit.DEFAULT.withKernel("rbf + periodic(columns=0)");
    assertArrayEquals(new int[] {1}, beside.to(table(30)).hyperparameters().kernel().categories());
  }

  @Test
  void aConstantColumnBeforeWordsIsLeftOut() {
    Dataset some = table(60);
    double[] x = new double[60 * 3];
    for (int i = 0; i < 60; i++) {
      x[3 * i] = 7;
      System.arraycopy(some.inputs(), 2 * i, x, 3 * i + 1, 2);
    }
    List<Column> columns = List.of(Column.of("year"), COLUMNS.get(0), COLUMNS.get(1));
    Fit fit = Fit.DEFAULT.withKernel("matern52").withEngine(Engine.EXACT);
    Model model = fit.to(Dataset.of(x, columns, some.target(), some.targetColumn()));
    assertEquals(1, model.leftOut().size());
    assertArrayEquals(new int[] {1}, model.hyperparameters().kernel().categories());
  }

  @Test
  void anAdditiveModelHasIndicators() {
    Fit fit = Fit.DEFAULT.withShape(Options.Shape.ADDITIVE);
    Model model = fit.to(table(90));
    assertTrue(model.held().isEmpty());
    assertEquals(
        List.of("depth", "rock = clay", "rock = sand", "rock = silt"),
        model.inFeatures().columns().stream().map(Column::name).toList());
    assertEquals(Math.sin(2.5) + 5, model.predict(2.5, 1).mean(0), 0.2);
    assertEquals(Math.sin(2.5) - 2, model.predict(2.5, 2).mean(0), 0.2);
    Fit named = fit.withKernel("rbf(columns=0) + rbf(columns=1)");
    assertThrows(IllegalArgumentException.class, () -> named.to(table(30)));
    Fit projection = Fit.DEFAULT.withShape(Options.Shape.PROJECTION);
    String message =
        String.valueOf(
            assertThrows(IllegalArgumentException.class, () -> projection.to(table(30)))
                .getMessage());
    assertTrue(message.contains("'rock' holds words"), message);
  }
}

package lovelace;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.SplittableRandom;
import lovelace.data.Dataset;
import lovelace.model.Provenance.Note;
import lovelace.optimize.Adam;
import lovelace.optimize.Optimizer.Progress;
import lovelace.options.GridChoice;
import lovelace.options.Options;
import lovelace.plan.Engine;
import lovelace.source.Source;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// A column of one value has nothing to say: it is left out, and models do not ask for it.
final class ConstantColumnTest {

  /// Rows of d columns; column `constant` has the value 7 except in rows from `until` on.
  private static Dataset rows(int n, int d, int constant, int until) {
    var random = new SplittableRandom(5);
    double[] x = new double[n * d];
    double[] y = new double[n];
    for (int i = 0; i < n; i++) {
      for (int j = 0; j < d; j++)
        x[i * d + j] = j == constant && i < until ? 7 : random.nextDouble();
      y[i] = Math.sin(6 * x[i * d]) + 0.1 * random.nextGaussian();
    }
    return Dataset.of(x, d, y);
  }

  private static Fit quick() {
    return Fit.DEFAULT
        .withGrid(GridChoice.DEFAULT.withPoints(12))
        .withLearning(new Options.Learning(Adam.DEFAULT.withMaxIterations(2), 1, 1, Progress.NONE));
  }

  private static Dataset without(Dataset data, int column) {
    return data.keeping(
        java.util.stream.IntStream.range(0, data.dimensions()).filter(j -> j != column).toArray());
  }

  private static void assertSame(Model expected, Model actual, double[] points) {
    assertEquals(expected.hyperparameters().toString(), actual.hyperparameters().toString());
    for (int i = 0; i < points.length / expected.columns().size(); i++) {
      assertEquals(expected.predict(points).mean(i), actual.predict(points).mean(i));
      assertEquals(expected.predict(points).variance(i), actual.predict(points).variance(i));
    }
  }

  @Test
  void theModelIsThatOfTheOtherColumnsWithEveryEngine(@TempDir Path folder) throws IOException {
    Dataset with = rows(80, 2, 1, 80);
    double[] points = {0.1, 0.5, 0.9};
    for (Engine engine : List.of(Engine.AUTO, Engine.EXACT)) {
      Fit fit = quick().withEngine(engine);
      Model model = fit.to(with);
      assertSame(fit.to(without(with, 1)), model, points);
      assertEquals("[x2 = 7.0]", model.leftOut().toString());
      assertEquals(1, model.leftOut().getFirst().place());
      Path file = folder.resolve(engine + ".lvl");
      model.save(file);
      Model read = Model.load(file);
      assertEquals(model.leftOut(), read.leftOut());
      assertSame(model, read, points);
    }
  }

  @Test
  void aColumnLeftOutIsNotTakenForAnother() {
    Dataset with = rows(80, 3, 1, 80);
    Model model = quick().to(with);
    assertArrayEquals(without(with, 1).inputs(), model.rows(without(with, 1)).inputs());
    var e = assertThrows(IllegalArgumentException.class, () -> model.rows(without(with, 2)));
    assertTrue(e.toString().contains("[x1, x3]"), e.toString());
  }

  @Test
  void aKernelThatReadsConstantsOnlyIsRefused() {
    Dataset with = rows(80, 2, 1, 80);
    var e =
        assertThrows(
            IllegalArgumentException.class,
            () -> quick().withKernel("rbf(columns=[1]) + white").to(with));
    assertTrue(e.toString().contains("constant"), e.toString());
  }

  @Test
  void columnsOfAProjectionsKernelAreFeatures() {
    Dataset with = rows(80, 4, 0, 80);
    Model model =
        quick()
            .withShape(Options.Shape.PROJECTION)
            .withKernel("rbf(columns=[0]) + matern32(columns=[1])")
            .to(with);
    assertTrue(model.hyperparameters().kernel().toString().contains("rbf"));
    assertEquals(1, model.leftOut().size());
  }

  @Test
  void settingsFollowTheColumnsThatStay() {
    Dataset with = rows(80, 3, 1, 80);
    Fit fit =
        Fit.DEFAULT
            .withTraining(false)
            .withMean("linear")
            .withGrid(GridChoice.DEFAULT.withPoints(20, 4, 30).including(2, -1, 2))
            .set("outputscale", 1)
            .set("noise", 0.01)
            .set("mean", 0);
    Model model = fit.set("lengthscale", 0.3, 5, 0.7).set("slope", 1, 2, 3).to(with);
    assertArrayEquals(
        new double[] {0.3, 0.7}, model.hyperparameters().parameters().get(1).values());
    assertEquals(2, model.lattice().orElseThrow().statistics().lattice().dimensions());
    // kernels that name columns, and values written into the kernel
    Model named =
        quick()
            .withKernel(
                "rbf(columns=[0], lengthscale=0.3) + rbf(columns=[1,2], lengthscale=[2,0.5])")
            .to(with);
    assertEquals(2, named.columns().size());
    assertTrue(
        named.hyperparameters().kernel().toString().contains("columns=1"),
        named.hyperparameters().kernel().toString());
    var none =
        assertThrows(
            IllegalArgumentException.class,
            () -> Fit.DEFAULT.withKernel("rbf(columns=[1])").to(with));
    assertTrue(String.valueOf(none.getMessage()).contains("constant"), none.getMessage());
  }

  @Test
  void aColumnWithARangeStays() {
    Dataset with = rows(80, 2, 1, 80);
    Model model = quick().withGrid(quick().grid().bounded(1, 0, 10).including(0, 0, 1)).to(with);
    assertEquals(2, model.columns().size());
    assertTrue(model.leftOut().isEmpty());
  }

  @Test
  void onlyConstantsAreAnError() {
    Dataset flat = Dataset.of(new double[] {1, 2, 1, 2}, 2, new double[] {3, 4});
    var e = assertThrows(IllegalArgumentException.class, () -> Fit.DEFAULT.to(flat));
    assertEquals(
        "every input is constant in all 2 rows (x1 = 1.0, x2 = 2.0), there is nothing to learn from; choose inputs that vary",
        e.getMessage());
  }

  @Test
  void aColumnConstantInASubsampleStopsNothing() {
    // varies in the last two rows only: constant in nearly every part of the rows
    Dataset rows = rows(60, 5, 3, 58);
    assertEquals(5, quick().to(rows).columns().size());
    for (Options.Shape shape : List.of(Options.Shape.ADDITIVE, Options.Shape.PROJECTION))
      assertEquals(4, quick().withShape(shape).to(rows(60, 5, 3, 60)).columns().size());
    Fit exact = quick().withEngine(Engine.EXACT);
    for (Comparison c : exact.compare(rows(40, 2, 1, 39), "rbf", "matern32"))
      assertTrue(Double.isFinite(c.nlpd()), c.toString());
    for (Comparison c : exact.compare(rows(40, 2, 1, 40), "rbf"))
      assertEquals(1, c.model().columns().size());
  }

  @Test
  void updatesTakeRowsWithTheColumnAndSayWhenItChanges() throws IOException {
    Dataset with = rows(80, 2, 1, 80);
    var maker = new Options.Maker("1", "test");
    var error = lovelace.data.Outside.ERROR;
    for (Engine engine : List.of(Engine.AUTO, Engine.EXACT)) {
      Model model =
          Fit.DEFAULT
              .withEngine(engine)
              .withGrid(GridChoice.DEFAULT.including(0, -1, 2))
              .to(with.rows(0, 60));
      Dataset more = with.rows(60, 80);
      Model same = model.with(Source.of(more), error, maker);
      assertSame(model.with(Source.of(without(more, 1)), error, maker), same, new double[] {0.5});
      assertEquals(model.leftOut(), same.leftOut());
      assertTrue(said(same).isEmpty(), said(same).toString());
      Model other = model.with(Source.of(rows(80, 2, 1, 0).rows(60, 80)), error, maker);
      assertEquals(1, said(other).size());
      assertTrue(said(other).getFirst().contains("'x2' was 7.0"), said(other).toString());
      assertEquals(60, same.without(Source.of(more), error, maker).count());
    }
  }

  private static List<String> said(Model model) {
    return model.provenance().notes().stream()
        .filter(n -> n.kind() == Note.Kind.LEFT_OUT)
        .map(Note::toString)
        .toList();
  }
}

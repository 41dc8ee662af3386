package lovelace;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import lovelace.data.Dataset;
import lovelace.data.TargetTransform;
import lovelace.exact.ExactGp;
import lovelace.model.Provenance.Note;
import lovelace.neighbours.NeighbourGp;
import lovelace.plan.Engine;
import lovelace.posterior.Prediction;
import org.junit.jupiter.api.Test;

/// Models of wide tables, which hold their rows, are compared and revised.
class HeldRowsTest {

  private static final String KERNEL = "1.5*matern32(lengthscale=[0.7,0.9,1.2,2,3])";

  private static final Fit GIVEN =
      Fit.DEFAULT.withKernel(KERNEL).set("noise", 0.05).set("mean", 0.3).withTraining(false);

  private static Dataset table(int n, long seed) {
    var random = new SplittableRandom(seed);
    double[] x = random.doubles(5L * n, 0, 1).toArray();
    double[] y = new double[n];
    for (int i = 0; i < n; i++)
      y[i] = Math.sin(5 * x[5 * i] * x[5 * i + 1]) + x[5 * i + 2] + 0.2 * random.nextGaussian();
    return Dataset.of(x, 5, y);
  }

  @Test
  void foldsAreExactWhereTheWholeIs() {
    Dataset data = table(90, 3);
    int folds = 3;
    long seed = 7;
    Comparison compared = Comparison.of(GIVEN, data, List.of(KERNEL), folds, seed).getFirst();
    assertEquals(Engine.EXACT, ((ExactGp) compared.model().posterior()).engine());
    int[] order = Comparison.shuffled(data.size(), seed);
    double sum = 0;
    for (int f = 0; f < folds; f++) {
      int fold = f;
      int[] seen =
          IntStream.range(0, 90).filter(i -> i % folds != fold).map(i -> order[i]).toArray();
      int[] out =
          IntStream.range(0, 90).filter(i -> i % folds == fold).map(i -> order[i]).toArray();
      Dataset held = data.select(out);
      Prediction p =
          ExactGp.of(data.select(seen), compared.model().hyperparameters())
              .predictObservation(held.inputs());
      for (int i = 0; i < out.length; i++) sum -= p.logDensity(i, held.target()[i]);
    }
    assertEquals(sum / 90, compared.nlpd(), 1e-9, "the order of rows changes the rounding");
  }

  @Test
  void foldsKeepWhatTheWholeHasChosen() {
    Dataset data = table(120, 4);
    List<String> plans = new ArrayList<>();
    Fit fit =
        Fit.DEFAULT
            .withEngine(Engine.NEIGHBOURS)
            .withNeighbours(20)
            .withTransform(TargetTransform.NONE)
            .withColumnMaps(false)
            .withListener(plan -> plans.add(plan.chosen() + ", " + plan.reason()));
    List<Comparison> all = Comparison.of(fit, data, List.of("matern32", "rbf"), 2, 7);
    assertEquals(2, all.size());
    for (Comparison one : all) {
      assertEquals(20, ((NeighbourGp) one.model().posterior()).neighbours());
      assertTrue(Double.isFinite(one.bic()));
    }
    assertTrue(plans.stream().allMatch(p -> p.startsWith("neighbours")), plans.toString());
    assertTrue(plans.stream().noneMatch(p -> p.contains("held out")), plans.toString());
  }

  @Test
  void likelihoodsThatAreComparedAreOfOneEngine() {
    Dataset data = table(80, 5);
    List<Engine> plans = new ArrayList<>();
    Fit fit = Fit.DEFAULT.withListener(plan -> plans.add(plan.chosen()));
    Comparison.of(fit, data, List.of("matern32", "rbf"), 2, 7);
    assertTrue(plans.stream().allMatch(Engine.EXACT::equals), plans.toString());
  }

  private static Fit near(int k) {
    return GIVEN.withEngine(Engine.NEIGHBOURS).withNeighbours(k);
  }

  @Test
  void rowsAddedAreAsIfTheyHadBeenFitted() {
    Dataset all = table(260, 6);
    double[] points = table(40, 7).inputs();
    Model part = near(30).to(all.rows(0, 200));
    Model whole = near(30).to(all);
    Model updated = part.with(all.rows(200, 260));
    assertEquals(260, updated.count());
    assertArrayEquals(whole.predict(points).means(), updated.predict(points).means());
    assertEquals(whole.logMarginalLikelihood(), updated.logMarginalLikelihood(), 1e-9);
    Model back = updated.without(all.rows(200, 260));
    assertArrayEquals(part.predict(points).means(), back.predict(points).means());
    assertEquals(part.logMarginalLikelihood(), back.logMarginalLikelihood(), 1e-9);
    Model merged = Model.merge(part, near(30).to(all.rows(200, 260)));
    assertArrayEquals(whole.predict(points).means(), merged.predict(points).means());
    for (Model model : List.of(updated, back, merged)) assertSaysNeighbours(model, 30);
  }

  private static void assertSaysNeighbours(Model model, int k) {
    List<Note> notes =
        model.provenance().notes().stream().filter(n -> n.kind() == Note.Kind.ENGINE).toList();
    assertEquals(1, notes.size());
    assertTrue(notes.getFirst().text().contains("the " + k + " nearest rows"), notes::toString);
  }

  @Test
  void manyRowsAreAddedWithoutTheirLikelihood() {
    Model small = near(10).to(table(60, 8));
    assertTrue(Double.isFinite(small.logMarginalLikelihood()));
    Model large = small.with(table(50_000, 9));
    assertEquals(Double.NaN, large.logMarginalLikelihood());
    List<Note> notes =
        large.provenance().notes().stream().filter(n -> n.kind() == Note.Kind.LIKELIHOOD).toList();
    assertEquals(1, notes.size());
    assertTrue(notes.getFirst().text().startsWith("not computed for more than"), notes.toString());
    assertTrue(large.toString().contains("not computed"));
    Model again = large.without(table(50_000, 9));
    assertEquals(small.logMarginalLikelihood(), again.logMarginalLikelihood(), 1e-9);
  }
}

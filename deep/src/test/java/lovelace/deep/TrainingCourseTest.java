package lovelace.deep;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import lovelace.Fit;
import lovelace.Model;
import lovelace.data.Dataset;
import lovelace.data.FeatureMap;
import lovelace.options.GridChoice;
import org.junit.jupiter.api.Test;

/// When training stops, what it keeps and at which rates it goes, one setting at a time.
class TrainingCourseTest {

  private static final Architecture NETWORK = Architecture.layers(16, 2);
  private static final Dataset DATA = DeepKernelTest.table(500, 4, 31);

  /// Warm-up alone, scored every ten steps.
  private static final Settings WARM =
      Settings.DEFAULT
          .withWarmUp(120, 64, 5e-3)
          .withSteps(0)
          .withWeightDecay(0)
          .withHeldOut(0.2)
          .withPatience(100, 10);

  private static Model train(Settings settings, List<Step> steps) {
    return DeepKernel.of(NETWORK)
        .withSettings(settings)
        .withFit(Fit.DEFAULT.withGrid(GridChoice.DEFAULT.withPoints(24)))
        .withWatcher(steps::add)
        .to(DATA);
  }

  private static double[] features(Model model) {
    FeatureMap map = model.map().orElseThrow();
    double[] z = new double[2 * DATA.size()];
    map.apply(DATA.inputs(), DATA.size(), z);
    return z;
  }

  /// Scorings after the best one at the end of a phase, and the best one's step.
  private static int[] misses(List<Step> steps) {
    int best = 0;
    for (int i = 0; i < steps.size(); i++)
      if (steps.get(i).heldOutNlpd() < steps.get(best).heldOutNlpd()) best = i;
    return new int[] {steps.size() - 1 - best, steps.get(best).step()};
  }

  @Test
  void aPhaseEndsAfterItsPatienceAndKeepsTheBest() {
    // rates so high that scores soon get no better
    Settings wild = WARM.withWarmUp(3000, 16, 0.05);
    List<Step> few = new ArrayList<>();
    Model model = train(wild.withPatience(3, 10), few);
    assertTrue(few.getLast().step() < 3000, few.getLast()::toString);
    int[] end = misses(few);
    assertEquals(3, end[0]);
    assertTrue(
        model.provenance().notes().stream()
            .anyMatch(
                note -> note.name().equals("warm-up") && note.words().contains("kept " + end[1])),
        () -> model.provenance().notes().toString());
    // the network of that step, which training to there alone gives too
    Settings shorter =
        wild.withWarmUp(end[1], 16, 0.05)
            .withSchedule(p -> wild.schedule().factor(p * end[1] / 3000))
            .withPatience(1000, 10);
    assertArrayEquals(features(model), features(train(shorter, new ArrayList<>())));
  }

  @Test
  void jointStepsHaveTheirPatienceToo() {
    List<Step> steps = new ArrayList<>();
    train(
        WARM.withWarmUp(0, 64, 1e-3).withSteps(200).withRates(0.2, 0.3).withPatience(4, 10), steps);
    assertTrue(steps.getLast().step() < 200, steps.getLast()::toString);
    assertEquals(4, misses(steps)[0]);
  }

  @Test
  void aScheduleIsAFactorOfTheRate() {
    double[] half = features(train(WARM.withSchedule(p -> 0.5), new ArrayList<>()));
    double[] full =
        features(train(WARM.withWarmUp(120, 64, 2.5e-3).withSchedule(p -> 1), new ArrayList<>()));
    assertArrayEquals(full, half);
    double[] other = features(train(WARM.withSchedule(p -> 1), new ArrayList<>()));
    assertFalse(Arrays.equals(full, other));
  }

  @Test
  void aScheduleSeesThePartOfThePhaseThatIsDone() {
    List<Double> seen = new ArrayList<>();
    train(
        WARM.withWarmUp(4, 64, 1e-3)
            .withSteps(2)
            .withSchedule(
                p -> {
                  seen.add(p);
                  return 1;
                }),
        new ArrayList<>());
    assertTrue(seen.containsAll(List.of(0.0, 0.5)), seen::toString);
    assertTrue(seen.stream().allMatch(p -> p >= 0 && p < 1), seen::toString);
    assertTrue(seen.size() >= 6, seen::toString);
  }

  @Test
  void weightDecayDrawsTheFeaturesTogether() {
    // early enough that no score cuts either short
    double free = spread(features(train(WARM, new ArrayList<>())));
    double drawn = spread(features(train(WARM.withWeightDecay(20), new ArrayList<>())));
    assertTrue(drawn < 0.8 * free, () -> drawn + " beside " + free);
  }

  @Test
  void aTinyClipMakesOtherSteps() {
    // Adam divides by the gradient's own size, so what a clip changes is how steps weigh
    double[] free = features(train(WARM.withClip(1e6), new ArrayList<>()));
    double[] cut = features(train(WARM.withClip(1e-3), new ArrayList<>()));
    assertFalse(Arrays.equals(free, cut));
    assertArrayEquals(free, features(train(WARM.withClip(1e7), new ArrayList<>())));
  }

  private static double spread(double[] z) {
    double mean = Arrays.stream(z).average().orElse(0);
    return Math.sqrt(Arrays.stream(z).map(v -> (v - mean) * (v - mean)).average().orElse(0));
  }
}

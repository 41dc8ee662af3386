package lovelace.deep;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import ai.djl.ndarray.NDArray;
import ai.djl.ndarray.NDManager;
import ai.djl.ndarray.types.Shape;
import ai.djl.training.GradientCollector;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/// Steps of the optimiser on a loss `Σ cᵢ pᵢ`, whose gradient c is known, against the definition.
class NetworkAdamTest {

  private static final double RATE = 0.01;
  private static final float[] START = {1, -2, 0.5f, 4};

  private final NDManager manager = Torch.engine().newBaseManager();

  @AfterEach
  void close() {
    manager.close();
  }

  private NDArray parameters(Shape shape) {
    return manager.create(START.clone(), shape);
  }

  /// Takes a step with a gradient; returns its length.
  private double step(NetworkAdam adam, NDArray p, float[] gradient, double rate) {
    try (NDManager sub = manager.newSubManager()) {
      Torch.GRADIENTS.lock();
      try (GradientCollector collector = Torch.engine().newGradientCollector()) {
        collector.backward(p.mul(sub.create(gradient, p.getShape())).sum());
      } finally {
        Torch.GRADIENTS.unlock();
      }
      return adam.step(sub, rate);
    }
  }

  /// The steps of Adam from gradients, by the book, without decay.
  private static float[] byTheBook(float[][] gradients) {
    double[] p = new double[START.length];
    double[] m = new double[p.length];
    double[] v = new double[p.length];
    for (int i = 0; i < p.length; i++) p[i] = START[i];
    for (int t = 1; t <= gradients.length; t++)
      for (int i = 0; i < p.length; i++) {
        double g = gradients[t - 1][i];
        m[i] = 0.9 * m[i] + 0.1 * g;
        v[i] = 0.999 * v[i] + 0.001 * g * g;
        p[i] -=
            RATE
                * (m[i] / (1 - Math.pow(0.9, t)))
                / (Math.sqrt(v[i] / (1 - Math.pow(0.999, t))) + 1e-8);
      }
    float[] result = new float[p.length];
    for (int i = 0; i < p.length; i++) result[i] = (float) p[i];
    return result;
  }

  @Test
  void shortGradientsAreTakenAsTheyAre() {
    NDArray p = parameters(new Shape(4));
    NetworkAdam adam = new NetworkAdam(manager, List.of(p), 0, 1);
    float[][] gradients = {{0.1f, -0.2f, 0.3f, 0}, {0.2f, 0.1f, -0.3f, 0.5f}};
    for (float[] g : gradients) step(adam, p, g, RATE);
    assertArrayEquals(byTheBook(gradients), p.toFloatArray(), 1e-6f);
  }

  @Test
  void aGradientLongerThanTheClipIsCutToItAsAWhole() {
    NDArray p = parameters(new Shape(4));
    NetworkAdam adam = new NetworkAdam(manager, List.of(p), 0, 0.5);
    float[] small = {0.1f, -0.2f, 0.2f, 0.1f}; // of length 0.316
    float[] large = {30, -40, 0, 120}; // of length 130
    assertEquals(130, step(adam, p, large, RATE), 1e-4);
    step(adam, p, small, RATE);
    float[] cut = new float[4];
    for (int i = 0; i < 4; i++) cut[i] = large[i] * 0.5f / 130;
    assertArrayEquals(byTheBook(new float[][] {cut, small}), p.toFloatArray(), 1e-6f);
    assertTrue(
        Math.abs(byTheBook(new float[][] {large, small})[0] - p.toFloatArray()[0]) > 1e-3,
        "without the cut the second step differs");
  }

  @Test
  void weightsDecayByTheirShareOfTheRateAndBiasesDoNot() {
    NDArray weights = parameters(new Shape(2, 2));
    NDArray biases = parameters(new Shape(4));
    NetworkAdam adam = new NetworkAdam(manager, List.of(weights, biases), 0.3, 1);
    try (NDManager sub = manager.newSubManager()) {
      Torch.GRADIENTS.lock();
      try (GradientCollector collector = Torch.engine().newGradientCollector()) {
        collector.backward(weights.sum().add(biases.sum()).mul(0));
      } finally {
        Torch.GRADIENTS.unlock();
      }
      adam.step(sub, RATE);
    }
    float[] decayed = new float[4];
    for (int i = 0; i < 4; i++) decayed[i] = (float) (START[i] * (1 - RATE * 0.3));
    assertArrayEquals(decayed, weights.toFloatArray(), 1e-6f);
    assertArrayEquals(START, biases.toFloatArray());
  }

  @Test
  void aGradientThatIsNotFiniteMovesNothing() {
    NDArray p = parameters(new Shape(4));
    NetworkAdam adam = new NetworkAdam(manager, List.of(p), 0.3, 1);
    double length = step(adam, p, new float[] {Float.NaN, 0, 0, 0}, RATE);
    assertTrue(Double.isNaN(length));
    assertArrayEquals(START, p.toFloatArray());
    assertEquals(0, adam.steps());
  }
}

package lovelace.deep;

import ai.djl.ndarray.NDArray;
import ai.djl.ndarray.NDManager;
import java.util.ArrayList;
import java.util.List;

/// Adam (Kingma and Ba 2015) on arrays of the engine. Weights decay separately from the gradient
/// (Loshchilov and Hutter 2019), and the gradient is cut to a largest length.
final class NetworkAdam {

  private static final double BETA1 = 0.9;
  private static final double BETA2 = 0.999;
  private static final double EPSILON = 1e-8;

  private final List<NDArray> parameters;
  private final List<NDArray> first = new ArrayList<>();
  private final List<NDArray> second = new ArrayList<>();
  private final double decay;
  private final double clip;
  private int steps;

  NetworkAdam(NDManager manager, List<NDArray> parameters, double decay, double clip) {
    this.parameters = parameters;
    this.decay = decay;
    this.clip = clip;
    for (NDArray p : parameters) {
      first.add(manager.zeros(p.getShape()));
      second.add(manager.zeros(p.getShape()));
      p.setRequiresGradient(true);
    }
  }

  /// The moments, first and second, for a checkpoint.
  List<NDArray> moments() {
    List<NDArray> all = new ArrayList<>(first);
    all.addAll(second);
    return all;
  }

  int steps() {
    return steps;
  }

  void steps(int value) {
    steps = value;
  }

  /// Takes a step along the collected gradients, and clears them. Returns the gradient's length. If
  /// that is not finite, nothing moves.
  double step(NDManager sub, double rate) {
    List<NDArray> gradients = new ArrayList<>();
    double squares = 0;
    for (NDArray p : parameters) {
      NDArray g = p.getGradient();
      g.attach(sub);
      gradients.add(g);
      squares += g.square().sum().toType(ai.djl.ndarray.types.DataType.FLOAT64, false).getDouble();
    }
    double length = Math.sqrt(squares);
    if (!Double.isFinite(length)) return length;
    double cut = length > clip ? clip / length : 1;
    steps++;
    double bias1 = 1 - Math.pow(BETA1, steps);
    double bias2 = 1 - Math.pow(BETA2, steps);
    for (int i = 0; i < gradients.size(); i++) {
      NDArray p = parameters.get(i);
      NDArray g = gradients.get(i);
      NDArray m = first.get(i);
      NDArray v = second.get(i);
      m.muli(BETA1).addi(g.mul(cut * (1 - BETA1)));
      v.muli(BETA2).addi(g.square().muli(cut * cut * (1 - BETA2)));
      NDArray root = v.div(bias2);
      root.attach(sub);
      NDArray move = m.div(root.sqrt().addi(EPSILON));
      move.attach(sub);
      // arrays that collect gradients cannot be changed in place
      p.setRequiresGradient(false);
      if (decay > 0 && p.getShape().dimension() > 1) p.muli(1 - rate * decay);
      p.subi(move.muli(rate / bias1));
      p.setRequiresGradient(true);
      g.subi(g);
    }
    return length;
  }
}

package consumer;

import lovelace.Fit;
import lovelace.Model;
import lovelace.data.Dataset;
import lovelace.posterior.Prediction;

/// Fits a model to a sine and says what it predicts between the rows.
public final class Consumer {

  private Consumer() {}

  public static void main(String[] args) {
    double[] x = new double[200];
    double[] y = new double[200];
    for (int i = 0; i < x.length; i++) {
      x[i] = i * 0.05;
      y[i] = Math.sin(x[i]);
    }
    Model model = Fit.DEFAULT.to(Dataset.of(x, 1, y));
    Prediction prediction = model.predict(new double[] {Math.PI / 2});
    double mean = prediction.mean(0);
    if (!(Math.abs(mean - 1) < 1e-3)) throw new AssertionError("sin(π/2) is 1, not " + mean);
    boolean module = Model.class.getModule().isNamed();
    System.out.printf("%.3f %s%n", mean, module ? "as a module" : "on the class path");
  }
}

package lovelace;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.SplittableRandom;
import lovelace.data.Dataset;
import lovelace.kernel.Hyperparameters;
import lovelace.model.Provenance.Note;
import lovelace.options.GridChoice;
import lovelace.options.Options;
import lovelace.plan.Engine;
import lovelace.posterior.Prediction;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// A linear kernel far from zero: every engine has the digits of the exact process, or says first
/// of all that it has not, and what to do.
class FarLinesLawTest {

  private static final double[] PLACES = {-480, -35.5, 3.5, 210.25, 490};

  private static Dataset data(double offset) {
    var random = new SplittableRandom(11);
    int n = 40;
    double[] x = new double[n];
    double[] y = new double[n];
    for (int i = 0; i < n; i++) {
      x[i] = offset + (i == 0 ? -500 : i == 1 ? 500 : random.nextInt(1000) - 500);
      y[i] = 0.004 * (x[i] - offset) + 0.05 * random.nextGaussian();
    }
    return Dataset.of(x, 1, y);
  }

  private static Fit fit(Engine engine, String kernel) {
    Fit fit =
        Fit.DEFAULT
            .withKernel(kernel)
            .withEngine(engine)
            .withTraining(false)
            .withTolerance(1e-4)
            .set("noise", 0.0025)
            .set("mean", 0.5);
    if (engine == Engine.NEIGHBOURS) return fit.withNeighbours(40);
    return engine == Engine.EXACT
        ? fit
        : fit.withGrid(GridChoice.DEFAULT.withPoints("60")).withShape(Options.Shape.GRID);
  }

  private static Model fitted(Engine engine, String kernel, double offset) {
    return fit(engine, kernel).to(data(offset));
  }

  private static double[] places(double offset) {
    double[] at = PLACES.clone();
    for (int i = 0; i < at.length; i++) at[i] += offset;
    return at;
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          EXACT      | linear(variance=1) + constant(variance=2)
          NEIGHBOURS | linear(variance=1) + constant(variance=2)
          SPECTRAL   | linear(variance=1) + constant(variance=2)
          KRYLOV     | linear(variance=1) + constant(variance=2)
          DENSE      | linear(variance=1) + constant(variance=2)
          NEIGHBOURS | linear(variance=1) + 0.7*rbf(lengthscale=200)
          SPECTRAL   | linear(variance=1) + 0.7*rbf(lengthscale=200)
          KRYLOV     | linear(variance=1) + 0.7*rbf(lengthscale=200)
          """)
  void anEngineHasTheDigitsOrSaysThatItHasNot(Engine engine, String kernel) {
    for (double offset : new double[] {0, 1e3, 1e6, 1e9}) {
      Model model = fitted(engine, kernel, offset);
      Prediction exact = fitted(Engine.EXACT, kernel, offset).predict(places(offset));
      Prediction p = model.predict(places(offset));
      List<Note> notes = model.provenance().notes();
      boolean said = notes.getFirst().kind() == Note.Kind.DIGITS;
      String where = engine + " " + kernel + " at " + offset + ": " + notes;
      assertEquals(
          said ? 1 : 0, notes.stream().filter(n -> n.kind() == Note.Kind.DIGITS).count(), where);
      double worst = 0;
      for (int i = 0; i < p.size(); i++) {
        worst = Math.max(worst, Math.abs(p.mean(i) - exact.mean(i)) / exact.deviation(i));
        worst = Math.max(worst, Math.abs(p.deviation(i) / exact.deviation(i) - 1));
      }
      if (!said) assertTrue(worst < 0.01, where + ", off by " + worst);
      boolean apart = engine == Engine.EXACT || engine == Engine.SPECTRAL;
      assertEquals(!apart && offset >= 1e6, said, where);
      if (said) {
        String text = notes.getFirst().text();
        assertTrue(text.contains("as in linear(centre=…) + constant"), text);
        assertTrue(text.contains("engines exact and spectral lose no digits to lines"), text);
      }
    }
  }

  /// Parameters that are changed take the remark away, or bring it.
  @Test
  void otherParametersSayTheirOwnDigits() {
    String kernel = "linear(variance=1) + constant(variance=2)";
    Model far = fitted(Engine.NEIGHBOURS, kernel, 1e6);
    Hyperparameters h = far.hyperparameters();
    Model small = far.with(h.set("linear.variance", 1e-12));
    assertTrue(far.provenance().notes().stream().anyMatch(n -> n.kind() == Note.Kind.DIGITS));
    assertTrue(small.provenance().notes().stream().noneMatch(n -> n.kind() == Note.Kind.DIGITS));
    Model again = small.with(h);
    assertEquals(Note.Kind.DIGITS, again.provenance().notes().getFirst().kind());
  }

  /// The remedy in the remark keeps the digits.
  @Test
  void aCentreAmongTheInputsKeepsTheDigits() {
    String near = "linear(variance=1,centre=1000000) + constant(variance=2)";
    Prediction exact = fitted(Engine.EXACT, near, 1e6).predict(places(1e6));
    Model model = fitted(Engine.NEIGHBOURS, near, 1e6);
    Prediction p = model.predict(places(1e6));
    assertTrue(model.provenance().notes().stream().noneMatch(n -> n.kind() == Note.Kind.DIGITS));
    for (int i = 0; i < p.size(); i++) {
      assertEquals(exact.mean(i), p.mean(i), 1e-4 * exact.deviation(i));
      assertEquals(exact.deviation(i), p.deviation(i), 1e-4 * exact.deviation(i));
    }
  }
}

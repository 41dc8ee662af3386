package lovelace;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.SplittableRandom;
import java.util.stream.Stream;
import lovelace.kernel.Hyperparameters;
import lovelace.kernel.Parameter;
import lovelace.optimize.Lbfgs;
import lovelace.optimize.Optimizer.Progress;
import lovelace.options.Options;
import lovelace.posterior.Prediction;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

/// Laws that a way to a posterior keeps, whatever is wrapped around it. To hold a new way to them,
/// extend this class and name its cases.
abstract class WayLaws {

  /// The models that are alike.
  enum Law {
    /// There is a model at all.
    FIT,
    /// To add rows is to fit all of them.
    WITH,
    /// To forget rows that were added leaves the model that was there before.
    WITHOUT,
    /// A model that was saved and loaded is the same, to the bit.
    LOADED,
    /// To merge models of two parts is to fit all rows.
    MERGED,
    /// To change hyperparameters is to fit with the others given.
    CHANGED,
    /// To learn from where a fit starts is to learn in the fit.
    LEARNED;

    @Override
    public String toString() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  private static final Options.Learning LEARNING =
      new Options.Learning(Lbfgs.DEFAULT.withMaxIterations(6), 1, 1, Progress.NONE);

  /// The small models that the laws are asked of.
  protected abstract List<SmallCase> cases();

  /// The verbs that are refused, and with which words.
  protected Refusals refusals() {
    return Refusals.NONE;
  }

  /// The most that two models may differ: means in standard deviations, variances and likelihoods
  /// relative. The usual value is what rounding leaves; see [RevisionTest].
  protected double slack(SmallCase one, Law law) {
    return 1e-8;
  }

  /// Whether a law says anything of a case.
  protected boolean applies(SmallCase one, Law law) {
    return true;
  }

  /// Two models that a law calls alike.
  private record Pair(Model expected, Model actual) {}

  private Pair pair(SmallCase one, Law law) throws IOException {
    Model first = one.model();
    return switch (law) {
      case FIT -> new Pair(first, first);
      case WITH -> new Pair(one.model(one.fit(), one.rows()), first.with(one.rest()));
      case WITHOUT -> new Pair(first, first.with(one.rest()).without(one.rest()));
      case LOADED -> new Pair(first, loaded(first));
      case MERGED ->
          new Pair(
              one.model(one.fit(), one.rows()),
              Model.merge(first, one.model(one.fit(), one.rest())));
      case CHANGED -> {
        Hyperparameters other = SmallCase.other(first.hyperparameters());
        yield new Pair(
            one.model(given(one.fit(), other), one.first()),
            first.with(other, one.fit().engine(), Fit.DEFAULT.maker()));
      }
      case LEARNED -> {
        Hyperparameters start = first.hyperparameters();
        Fit fit = given(one.fit(), start).withTraining(true).withLearning(LEARNING);
        yield new Pair(
            one.model(fit, one.first()),
            first.learn(start, one.fit().engine(), LEARNING, Fit.DEFAULT.maker()));
      }
    };
  }

  private static Model loaded(Model model) throws IOException {
    Path file = Files.createTempFile("laws", ".lvl");
    model.save(file);
    Model loaded = Model.load(file);
    Files.delete(file);
    return loaded;
  }

  /// The fit with these values in place of its own.
  private static Fit given(Fit fit, Hyperparameters h) {
    Fit given = fit;
    for (Parameter p : h.parameters()) given = given.set(p.path(), p.values());
    return given;
  }

  @TestFactory
  Stream<DynamicTest> everyWayKeepsTheLaws() {
    return cases().stream().map(one -> DynamicTest.dynamicTest(one.name(), () -> check(one)));
  }

  @Test
  void refusalsAreOfCasesThatThereAre() {
    assertEquals(List.of(), refusals().beyond(cases()));
  }

  private void check(SmallCase one) {
    List<String> faults = new ArrayList<>();
    for (Law law : Law.values()) {
      String fault = law == Law.FIT || applies(one, law) ? fault(one, law) : "";
      if (!fault.isEmpty()) faults.add(law + ": " + fault);
      if (!refusals().of(one.name(), Law.FIT).isEmpty()) break; // and nothing else
    }
    assertTrue(faults.isEmpty(), () -> one.name() + "\n" + String.join("\n", faults));
  }

  /// How a law is broken; empty if it is kept, or refused in the words of the table.
  String fault(SmallCase one, Law law) {
    String known = refusals().of(one.name(), law);
    try {
      Pair pair = pair(one, law);
      if (!known.isEmpty()) return "is no longer refused; strike it out of the table";
      return law == Law.LOADED ? bits(one, pair) : distance(one, pair, slack(one, law));
    } catch (IllegalArgumentException | IllegalStateException e) {
      String said = String.valueOf(e.getMessage());
      return known.isEmpty() || !said.startsWith(known) ? "is refused: " + said : "";
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /// How two models differ by more than the slack; empty if they do not.
  private static String distance(SmallCase one, Pair pair, double slack) {
    Model a = pair.expected();
    Model b = pair.actual();
    if (a.count() != b.count()) return "counts are " + a.count() + " and " + b.count();
    if (a.provenance().fingerprint() != b.provenance().fingerprint()) return "fingerprints differ";
    Prediction p = a.predict(one.points(a));
    Prediction q = b.predict(one.points(b));
    double mean = 0;
    double variance = 0;
    for (int i = 0; i < p.size(); i++) {
      mean = Math.max(mean, Math.abs(p.mean(i) - q.mean(i)) / p.deviation(i));
      variance = Math.max(variance, Math.abs(q.variance(i) / p.variance(i) - 1));
    }
    double likelihood =
        Math.abs(a.logMarginalLikelihood() - b.logMarginalLikelihood())
            / (1 + Math.abs(a.logMarginalLikelihood()));
    double parameters = 0;
    double[] v = a.hyperparameters().values();
    double[] w = b.hyperparameters().values();
    assertEquals(v.length, w.length, "parameters");
    for (int k = 0; k < v.length; k++)
      parameters = Math.max(parameters, Math.abs(v[k] - w[k]) / (1e-3 + Math.abs(v[k])));
    boolean alike =
        mean <= slack && variance <= slack && likelihood <= slack && parameters <= slack;
    return alike
        ? ""
        : String.format(
            Locale.ROOT,
            "means differ by %.2g, variances by %.2g, likelihoods by %.2g, parameters by %.2g",
            mean,
            variance,
            likelihood,
            parameters);
  }

  private static String bits(SmallCase one, Pair pair) {
    Model a = pair.expected();
    Model b = pair.actual();
    double[] points = one.points(a);
    boolean same =
        Arrays.equals(a.predict(points).means(), b.predict(points).means())
            && Arrays.equals(a.predict(points).variances(), b.predict(points).variances())
            && Arrays.equals(
                a.sample(points, 1, new SplittableRandom(2)),
                b.sample(points, 1, new SplittableRandom(2)))
            && Arrays.equals(
                a.posterior().covariance(points, points), b.posterior().covariance(points, points))
            && Double.compare(a.logMarginalLikelihood(), b.logMarginalLikelihood()) == 0
            && a.hyperparameters().equals(b.hyperparameters())
            && a.drift().equals(b.drift())
            && a.provenance().equals(b.provenance())
            && a.plan().equals(b.plan())
            && a.toString().equals(b.toString());
    return same ? "" : "a loaded model says something else";
  }
}

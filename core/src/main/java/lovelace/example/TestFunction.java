package lovelace.example;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.function.ToDoubleFunction;
import lovelace.bayesopt.SearchSpace;
import lovelace.bayesopt.SearchSpace.Point;
import lovelace.bayesopt.Variable;

/// A function to minimise whose smallest value is known.
///
/// @param optimum the smallest value
/// @param minimizer a point with that value, to the digits printed in the literature
public record TestFunction(
    String name,
    SearchSpace space,
    double optimum,
    List<Double> minimizer,
    ToDoubleFunction<double[]> formula) {

  /// The value at a point.
  public double at(Point point) {
    return formula.applyAsDouble(point.values());
  }

  /// The value at coordinates.
  public double at(double... x) {
    return formula.applyAsDouble(x);
  }

  /// The distance of a value from the optimum.
  public double regret(double value) {
    return value - optimum;
  }

  /// All functions, with their usual dimensions.
  public static List<TestFunction> all() {
    return List.of(
        eggholder(), branin(), hartmann6(), levy(6), ackley(5), rosenbrock(4), styblinskiTang(10));
  }

  /// Returns the function called `eggholder`, `branin`, `hartmann6`, `ackley`, `rosenbrock`, `levy`
  /// or `styblinski-tang`. A number after one of the last four is its dimension.
  public static TestFunction named(String name) {
    String bare = name.toLowerCase(Locale.ROOT).replaceAll("[-_ ]", "");
    String stem = bare.replaceAll("[0-9]+$", "");
    int given = stem.equals(bare) ? 0 : Integer.parseInt(bare.substring(stem.length()));
    return switch (stem) {
      case "eggholder" -> eggholder();
      case "branin" -> branin();
      case "hartmann" -> hartmann6();
      case "ackley" -> ackley(given == 0 ? 5 : given);
      case "rosenbrock" -> rosenbrock(given == 0 ? 4 : given);
      case "levy" -> levy(given == 0 ? 6 : given);
      case "styblinskitang", "styblinski" -> styblinskiTang(given == 0 ? 10 : given);
      default ->
          throw new IllegalArgumentException(
              "function must be eggholder, branin, hartmann6, ackley, rosenbrock, levy or styblinski-tang, got '%s'"
                  .formatted(name));
    };
  }

  /// `−(y+47) sin √|x/2+y+47| − x sin √|x−y−47|` on [−512, 512]².
  public static TestFunction eggholder() {
    return new TestFunction(
        "eggholder",
        box(2, -512, 512),
        -959.6406627208507,
        List.of(512.0, 404.2319),
        x ->
            -(x[1] + 47) * Math.sin(Math.sqrt(Math.abs(x[0] / 2 + x[1] + 47)))
                - x[0] * Math.sin(Math.sqrt(Math.abs(x[0] - x[1] - 47))));
  }

  /// `(y − 5.1x²/4π² + 5x/π − 6)² + 10(1 − 1/8π) cos x + 10` on [−5, 10] × [0, 15]; three minima.
  public static TestFunction branin() {
    return new TestFunction(
        "branin",
        SearchSpace.of(Variable.real("x1", -5, 10), Variable.real("x2", 0, 15)),
        0.39788735772973816,
        List.of(Math.PI, 2.275),
        x -> {
          double a = x[1] - 5.1 * x[0] * x[0] / (4 * Math.PI * Math.PI) + 5 * x[0] / Math.PI - 6;
          return a * a + 10 * (1 - 1 / (8 * Math.PI)) * Math.cos(x[0]) + 10;
        });
  }

  private static final double[] HARTMANN_WEIGHT = {1, 1.2, 3, 3.2};
  private static final double[][] HARTMANN_SCALE = {
    {10, 3, 17, 3.5, 1.7, 8},
    {0.05, 10, 17, 0.1, 8, 14},
    {3, 3.5, 1.7, 10, 17, 8},
    {17, 8, 0.05, 10, 0.1, 14}
  };
  private static final double[][] HARTMANN_CENTRE = {
    {0.1312, 0.1696, 0.5569, 0.0124, 0.8283, 0.5886},
    {0.2329, 0.4135, 0.8307, 0.3736, 0.1004, 0.9991},
    {0.2348, 0.1451, 0.3522, 0.2883, 0.3047, 0.6650},
    {0.4047, 0.8828, 0.8732, 0.5743, 0.1091, 0.0381}
  };

  /// `−Σ αᵢ exp(−Σ Aᵢⱼ(xⱼ − Pᵢⱼ)²)` on the unit cube of six dimensions.
  public static TestFunction hartmann6() {
    return new TestFunction(
        "hartmann6",
        box(6, 0, 1),
        -3.322368011415514,
        List.of(0.20169, 0.150011, 0.476874, 0.275332, 0.311652, 0.6573),
        x -> {
          double sum = 0;
          for (int i = 0; i < 4; i++) {
            double r = 0;
            for (int j = 0; j < 6; j++) {
              double t = x[j] - HARTMANN_CENTRE[i][j];
              r += HARTMANN_SCALE[i][j] * t * t;
            }
            sum -= HARTMANN_WEIGHT[i] * Math.exp(-r);
          }
          return sum;
        });
  }

  /// `20 + e − 20 exp(−0.2 √(Σx²/d)) − exp(Σ cos 2πx / d)` on [−32.768, 32.768]ᵈ.
  public static TestFunction ackley(int dimensions) {
    return new TestFunction(
        "ackley" + dimensions,
        box(dimensions, -32.768, 32.768),
        0,
        repeat(0, dimensions),
        x -> {
          double squares = 0;
          double waves = 0;
          for (double v : x) {
            squares += v * v;
            waves += Math.cos(2 * Math.PI * v);
          }
          return 20
              + Math.E
              - 20 * Math.exp(-0.2 * Math.sqrt(squares / x.length))
              - Math.exp(waves / x.length);
        });
  }

  /// `Σ 100(xᵢ₊₁ − xᵢ²)² + (1 − xᵢ)²` on [−5, 10]ᵈ.
  public static TestFunction rosenbrock(int dimensions) {
    if (dimensions < 2)
      throw new IllegalArgumentException(
          "rosenbrock needs 2 dimensions or more, got " + dimensions);
    return new TestFunction(
        "rosenbrock" + dimensions,
        box(dimensions, -5, 10),
        0,
        repeat(1, dimensions),
        x -> {
          double sum = 0;
          for (int i = 0; i + 1 < x.length; i++) {
            double a = x[i + 1] - x[i] * x[i];
            sum += 100 * a * a + (1 - x[i]) * (1 - x[i]);
          }
          return sum;
        });
  }

  /// With `w = 1 + (x − 1)/4`: `sin²πw₁ + Σ (wᵢ−1)²(1 + 10 sin²(πwᵢ+1)) + (w_d−1)²(1 + sin²2πw_d)`
  /// on [−10, 10]ᵈ.
  public static TestFunction levy(int dimensions) {
    return new TestFunction(
        "levy" + dimensions,
        box(dimensions, -10, 10),
        0,
        repeat(1, dimensions),
        x -> {
          double sum = square(Math.sin(Math.PI * (1 + (x[0] - 1) / 4)));
          for (int i = 0; i < x.length; i++) {
            double w = 1 + (x[i] - 1) / 4;
            boolean last = i == x.length - 1;
            double wave =
                last ? square(Math.sin(2 * Math.PI * w)) : 10 * square(Math.sin(Math.PI * w + 1));
            sum += (w - 1) * (w - 1) * (1 + wave);
          }
          return sum;
        });
  }

  private static double square(double x) {
    return x * x;
  }

  /// `½ Σ x⁴ − 16x² + 5x` on [−5, 5]ᵈ.
  public static TestFunction styblinskiTang(int dimensions) {
    return new TestFunction(
        "styblinski-tang" + dimensions,
        box(dimensions, -5, 5),
        -39.16616570377142 * dimensions,
        repeat(-2.903534027771177, dimensions),
        x -> {
          double sum = 0;
          for (double v : x) sum += 0.5 * (v * v * v * v - 16 * v * v + 5 * v);
          return sum;
        });
  }

  private static List<Double> repeat(double value, int count) {
    return Collections.nCopies(count, value);
  }

  private static SearchSpace box(int dimensions, double low, double high) {
    if (dimensions < 1)
      throw new IllegalArgumentException("dimensions must be >= 1, got " + dimensions);
    List<Variable> variables = new ArrayList<>();
    for (int i = 1; i <= dimensions; i++) variables.add(Variable.real("x" + i, low, high));
    return SearchSpace.of(variables);
  }
}

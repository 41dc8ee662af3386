package lovelace.experiments;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import lovelace.data.Dataset;
import lovelace.exact.ExactGp;
import lovelace.kernel.Hyperparameters;
import lovelace.kernel.Kernel;
import lovelace.kernel.PriorMean;
import lovelace.linear.Blas;
import lovelace.posterior.Prediction;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;
import org.openjdk.jmh.results.RunResult;
import org.openjdk.jmh.runner.Runner;
import org.openjdk.jmh.runner.RunnerException;
import org.openjdk.jmh.runner.options.CommandLineOptionException;
import org.openjdk.jmh.runner.options.CommandLineOptions;
import org.openjdk.jmh.runner.options.OptionsBuilder;

/// Measures how much of the machine's dense linear algebra the exact GP uses. It conditions on n
/// points and predicts mean and variance at t others, beside dpotrf (n) and dgemm (n × n × n) in
/// the same run.
///
/// [#main] prints the achieved fraction. This is the time that dpotrf and dgemm would need for the
/// same operations (n³/3 of the factorisation, n²t of the triangular solves), over the time taken.
@State(Scope.Benchmark)
@BenchmarkMode(Mode.SampleTime)
@OutputTimeUnit(TimeUnit.MILLISECONDS)
@Fork(
    value = 1,
    jvmArgsAppend = {"-Xmx4g", "--enable-native-access=ALL-UNNAMED"})
@Warmup(iterations = 3, time = 3)
@Measurement(iterations = 5, time = 3)
public class ExactGpBenchmark {

  @Param("2000")
  public int n = 2000;

  @Param("1000")
  public int t = 1000;

  @Param({"1*rbf(lengthscale=0.3)", "1*matern52(lengthscale=0.3)"})
  public String kernel = "1*rbf(lengthscale=0.3)";

  private Dataset data = Dataset.of(new double[] {0}, 1, new double[] {0});
  private double[] points = {};
  private Hyperparameters hyperparameters =
      Hyperparameters.of(Kernel.rbf(1).bind(1), 1, PriorMean.ZERO);
  private double[] matrix = {};
  private double[] factor = {};
  private double[] product = {};

  @Setup(Level.Trial)
  public void prepare() {
    int d = 4;
    var random = new SplittableRandom(1);
    double[] x = random.doubles((long) n * d).toArray();
    double[] y = new double[n];
    for (int i = 0; i < n; i++) y[i] = Math.sin(5 * x[i * d]) + 0.1 * random.nextGaussian();
    data = Dataset.of(x, d, y);
    points = random.doubles((long) t * d).toArray();
    hyperparameters = Hyperparameters.of(Kernel.parse(kernel).bind(d), 0.01, PriorMean.ZERO);
    matrix = new double[n * n];
    for (int i = 0; i < n; i++)
      for (int j = 0; j < n; j++) matrix[i * n + j] = i == j ? 2 : 1.0 / (1 + Math.abs(i - j)) / 8;
    factor = new double[n * n];
    product = new double[n * n];
  }

  @Benchmark
  public Prediction conditionAndPredict() {
    return ExactGp.of(data, hyperparameters).predict(points);
  }

  @Benchmark
  public ExactGp condition() {
    return ExactGp.of(data, hyperparameters);
  }

  @Benchmark
  public double[] likelihoodAndGradient() {
    return ExactGp.of(data, hyperparameters).likelihoodGradient();
  }

  @Benchmark
  public double[] dgemm() {
    Blas.gemm(false, false, n, n, n, 1, matrix, 0, n, matrix, 0, n, 0, product, 0, n);
    return product;
  }

  /// Includes the copy of the matrix that it works on, which is one part in a hundred.
  @Benchmark
  public double[] dpotrf() {
    System.arraycopy(matrix, 0, factor, 0, matrix.length);
    if (Blas.potrf(n, factor, 0, n) != 0) throw new AssertionError("not positive definite");
    return factor;
  }

  /// Runs everything and prints rates and fractions. They come from the fastest of all calls, which
  /// other work on the machine disturbs least. Takes the options of JMH.
  public static void main(String[] args) throws RunnerException, CommandLineOptionException {
    var options =
        new OptionsBuilder().parent(new CommandLineOptions(args)).include("ExactGpBenchmark\\.");
    List<String> lines = new ArrayList<>();
    var results = new Runner(options.build()).run();
    for (RunResult r : results) {
      String kernel = r.getParams().getParam("kernel");
      double n = Double.parseDouble(r.getParams().getParam("n"));
      double t = Double.parseDouble(r.getParams().getParam("t"));
      double gemm = 2 * n * n * n / fastest(results, "dgemm", kernel) / 1e6;
      double potrf = n * n * n / 3 / fastest(results, "dpotrf", kernel) / 1e6;
      double ms = r.getPrimaryResult().getStatistics().getMin();
      double factorise = n * n * n / 3 / potrf / 1e6;
      String line =
          switch (name(r)) {
            case "dgemm" -> String.format(Locale.ROOT, "%.1f GFLOP/s", gemm);
            case "dpotrf" -> String.format(Locale.ROOT, "%.1f GFLOP/s", potrf);
            case "condition" ->
                String.format(Locale.ROOT, "%.0f %% of dpotrf", 100 * factorise / ms);
            case "conditionAndPredict" ->
                String.format(
                    Locale.ROOT,
                    "%.0f %% of dpotrf and dgemm",
                    100 * (factorise + n * n * t / gemm / 1e6) / ms);
            default ->
                String.format(Locale.ROOT, "%.0f %% of dgemm", 100 * (n * n * n / gemm / 1e6) / ms);
          };
      lines.add(String.format(Locale.ROOT, "%-22s %-30s %8.1f ms  %s", name(r), kernel, ms, line));
    }
    System.out.println();
    lines.forEach(System.out::println);
  }

  private static String name(RunResult r) {
    String label = r.getParams().getBenchmark();
    return label.substring(label.lastIndexOf('.') + 1);
  }

  private static double fastest(Iterable<RunResult> results, String name, String kernel) {
    for (RunResult r : results)
      if (name(r).equals(name) && r.getParams().getParam("kernel").equals(kernel))
        return r.getPrimaryResult().getStatistics().getMin();
    return Double.NaN;
  }
}

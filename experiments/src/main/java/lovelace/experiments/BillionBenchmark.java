package lovelace.experiments;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.SplittableRandom;
import lovelace.Fit;
import lovelace.Model;
import lovelace.data.Column;
import lovelace.data.Outside;
import lovelace.data.TargetTransform;
import lovelace.grid.Grid;
import lovelace.linear.Parallel;
import lovelace.posterior.Prediction;
import lovelace.source.Source;
import lovelace.source.Sums;

/// Fits observations in two dimensions and predicts with variances of known error. The observations
/// are made on the fly; there are a billion unless another number is given:
///
/// ```
/// java -Xmx1g --enable-native-access=ALL-UNNAMED -cp 'experiments/target/lib/*:…' \
///   lovelace.experiments.BillionBenchmark [ROWS]
/// ```
public final class BillionBenchmark implements Source {

  private static final int PARTS = 256;
  private static final int BATCH = 1 << 13;
  private static final double NOISE = 0.3;

  private final long rows;

  private BillionBenchmark(long rows) {
    this.rows = rows;
  }

  public static void main(String[] arguments) throws IOException {
    long rows = arguments.length > 0 ? Long.parseLong(arguments[0]) : 1_000_000_000;
    System.out.println(run(rows));
  }

  /// Fits and predicts. Returns the measurements.
  static String run(long rows) throws IOException {
    var source = new BillionBenchmark(rows);
    long start = System.nanoTime();
    Model model = Fit.DEFAULT.to(source);
    double fitted = seconds(start);
    SplittableRandom random = new SplittableRandom(3);
    double[] points = random.doubles(2_000_000).toArray();
    start = System.nanoTime();
    Prediction p = model.predict(points);
    double predicted = seconds(start);
    double worst = 0;
    double squares = 0;
    for (int i = 0; i < p.size(); i++) {
      double error = p.mean(i) - function(points[2 * i], points[2 * i + 1]);
      worst = Math.max(worst, Math.abs(error));
      squares += error * error / p.variance(i);
    }
    var certificate = model.certificate().orElseThrow();
    return String.format(
        Locale.ROOT,
        """
        rows          %,d
        fit           %.1f s, of which sums %.1f s (%.1f ns a row; %.1f ns of a processor)
        predictions   %.2f s for %,d
        kernel        %s, noise %.5f (true %.5f)
        mean's error  %.2g at worst, %.2f standard deviations r.m.s.
        grid          %s, %d pass(es)
        certificate   %s
        peak memory   %s
        """,
        model.count(),
        fitted,
        source.summing,
        source.summing / rows * 1e9,
        source.processor / rows * 1e9,
        predicted,
        p.size(),
        model.hyperparameters().kernel(),
        model.noise(),
        NOISE * NOISE,
        worst,
        Math.sqrt(squares / p.size()),
        model.lattice().orElseThrow().statistics().lattice(),
        source.passes,
        certificate,
        PeakMemory.text());
  }

  private double summing; // seconds, of the clock
  private double processor; // the same for all threads
  private int passes;

  private static double seconds(long start) {
    return (System.nanoTime() - start) * 1e-9;
  }

  private static double function(double a, double b) {
    return Math.sin(5 * a) * Math.cos(4 * b) + 0.5 * a;
  }

  @Override
  public List<Column> columns() {
    return List.of(Column.of("a"), Column.of("b"));
  }

  @Override
  public Column target() {
    return Column.of("y");
  }

  @Override
  public Optional<Overview> overview(int count, long seed) {
    double[] x = new double[2 * count];
    double[] y = new double[count];
    fill(new SplittableRandom(seed), count, x, y);
    return Optional.of(new Overview(new double[2], new double[] {1, 1}, x, y, Optional.empty()));
  }

  /// Sums the parts in parallel and joins them in order.
  @Override
  public Optional<Sums> sums(Grid grid, TargetTransform transform, Outside outside) {
    long start = System.nanoTime();
    long used = StreamBenchmark.processor();
    passes++;
    int parts = (int) Math.min(PARTS, rows);
    Sums all = Sums.empty(grid);
    int block = 16; // parts that are held at the same time
    for (int from = 0; from < parts; from += block) {
      Sums[] made = new Sums[Math.min(block, parts - from)];
      int first = from;
      Parallel.forEach(
          made.length,
          i -> {
            try {
              made[i] = Sums.of(new Part(first + i), grid, transform, outside);
            } catch (IOException e) {
              throw new UncheckedIOException(e);
            }
          });
      for (Sums part : made) all = all.plus(part);
    }
    summing += seconds(start);
    processor += (StreamBenchmark.processor() - used) * 1e-9;
    return Optional.of(all);
  }

  @Override
  public void read(Sink sink) {
    for (int part = 0; part < PARTS; part++) new Part(part).read(sink);
  }

  /// Draws uniform places and values. The noise is a sum of uniforms, which is cheaper than a
  /// Gaussian one.
  private static void fill(SplittableRandom random, int count, double[] x, double[] y) {
    for (int i = 0; i < count; i++) {
      double a = random.nextDouble();
      double b = random.nextDouble();
      long bits = random.nextLong();
      double sum = 0;
      for (int k = 0; k < 4; k++) sum += (bits >>> (16 * k)) & 0xffff;
      x[2 * i] = a;
      x[2 * i + 1] = b;
      y[i] = function(a, b) + NOISE * Math.sqrt(3) * (sum / 65535 - 2);
    }
  }

  /// One of the parts.
  private final class Part implements Source {
    private final int number;

    Part(int number) {
      this.number = number;
    }

    @Override
    public List<Column> columns() {
      return BillionBenchmark.this.columns();
    }

    @Override
    public Column target() {
      return BillionBenchmark.this.target();
    }

    @Override
    public void read(Sink sink) {
      long parts = Math.min(PARTS, rows);
      long left = rows * (number + 1) / parts - rows * number / parts;
      SplittableRandom random = new SplittableRandom(number);
      double[] x = new double[2 * BATCH];
      double[] y = new double[BATCH];
      while (left > 0) {
        int count = (int) Math.min(BATCH, left);
        fill(random, count, x, y);
        sink.accept(count, x, y, Optional.empty());
        left -= count;
      }
    }
  }
}

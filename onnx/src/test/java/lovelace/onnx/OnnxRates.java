package lovelace.onnx;

import ai.onnxruntime.OnnxTensor;
import ai.onnxruntime.OrtEnvironment;
import ai.onnxruntime.OrtSession;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Locale;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.ForkJoinPool;
import lovelace.Model;
import lovelace.plan.Engine;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Prints how many rows a second onnxruntime predicts, and the model itself, with the size of the
/// file. One thread each; processor time, so that other programs do not count. Not part of
/// `./check`:
///
///     ./mvnw -ntp -pl onnx -am test -Dtest=OnnxRates -Dsurefire.failIfNoSpecifiedTests=false
class OnnxRates {

  private static final int[] BATCHES = {1, 1_000, 100_000};
  private static final long LONG = 1_000_000_000L; // nanoseconds

  @TempDir private Path folder;

  private interface Call {
    void run() throws Exception;
  }

  @Test
  void print() throws Exception {
    System.out.println("| grid | file | rows a call | onnxruntime, rows/s | Lovelace, rows/s |");
    System.out.println("|---|---|---|---|---|");
    try (ForkJoinPool one = new ForkJoinPool(1)) { // the model itself would use all threads
      one.submit(this::all).get();
    }
  }

  private Path all() throws Exception {
    rates("2*matern52(lengthscale=3)", Engine.SPECTRAL, 1_000);
    rates("2*rbf(lengthscale=[1,1])", Engine.SPECTRAL, 64, 64);
    rates("2*rbf(lengthscale=[4,5,6])", Engine.KRYLOV, 16, 16, 16);
    return folder;
  }

  private void rates(String kernel, Engine engine, int... points) throws Exception {
    int d = points.length;
    Model model =
        GridExportTest.fit(kernel, points).withEngine(engine).to(GridExportTest.data(d, 2_000, 1));
    Path file = folder.resolve("model.onnx");
    OnnxExport.DEFAULT.write(model, file);
    SplittableRandom random = new SplittableRandom(1);
    OrtEnvironment environment = OrtEnvironment.getEnvironment();
    try (OrtSession.SessionOptions options = new OrtSession.SessionOptions()) {
      options.setIntraOpNumThreads(1);
      try (OrtSession session = environment.createSession(file.toString(), options)) {
        for (int batch : BATCHES) {
          double[] rows = random.doubles((long) batch * d, 0, 10).toArray();
          double[][] x = new double[batch][];
          for (int i = 0; i < batch; i++) x[i] = Arrays.copyOfRange(rows, i * d, (i + 1) * d);
          double theirs;
          try (OnnxTensor tensor = OnnxTensor.createTensor(environment, x)) {
            theirs = seconds(() -> session.run(Map.of("x", tensor)).close());
          }
          double ours = seconds(() -> model.predict(rows));
          System.out.println(
              String.format(
                  Locale.ROOT,
                  "| %s | %,.1f MB | %,d | %,.0f | %,.0f |",
                  String.join(" × ", Arrays.stream(points).mapToObj(String::valueOf).toList()),
                  Files.size(file) / 1e6,
                  batch,
                  batch / theirs,
                  batch / ours));
        }
      }
    }
  }

  /// Processor seconds of a call of this thread. Calls are doubled until they take long enough; the
  /// earlier ones warm up.
  private static double seconds(Call call) throws Exception {
    var threads = ManagementFactory.getThreadMXBean();
    for (long calls = 1; ; calls *= 2) {
      long start = threads.getCurrentThreadCpuTime();
      for (long i = 0; i < calls; i++) call.run();
      long taken = threads.getCurrentThreadCpuTime() - start;
      if (taken > LONG) return taken / 1e9 / calls;
    }
  }
}

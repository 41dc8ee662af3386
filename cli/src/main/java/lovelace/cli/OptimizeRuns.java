package lovelace.cli;

import java.io.IOException;
import java.io.PrintWriter;
import java.util.Locale;
import java.util.concurrent.CompletionService;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorCompletionService;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import lovelace.bayesopt.SearchSpace.Point;
import lovelace.bayesopt.Tuner;
import lovelace.bayesopt.Tuning;

/// Runs the evaluations of `optimize`, one per worker at a time, until the search has finished.
/// Failures do not end it unless the first runs all fail: then something is wrong with the command
/// itself.
final class OptimizeRuns {

  /// If this many runs fail and none has succeeded since the start, the search stops.
  static final int FIRST = 10;

  /// Evaluates the objective.
  interface Evaluation {
    CommandRun at(Point point) throws IOException, InterruptedException;
  }

  private final Tuner tuner;
  private final Tuning tuning;
  private final int workers;
  private final PrintWriter err;

  private double suggesting; // seconds
  private int suggested;
  private int ended;
  private int failed;

  OptimizeRuns(Tuner tuner, Tuning tuning, int workers, PrintWriter err) {
    this.tuner = tuner;
    this.tuning = tuning;
    this.workers = workers;
    this.err = err;
  }

  /// Keeps the workers busy until the search has finished. Returns the reason for the end.
  String search(Evaluation evaluation) throws InterruptedException, IOException {
    ProgressLine line = new ProgressLine(err);
    ExecutorService pool = Executors.newFixedThreadPool(workers, r -> daemon(r));
    try {
      CompletionService<CommandRun> running = new ExecutorCompletionService<>(pool);
      int out = 0;
      while (true) {
        String reason = "";
        while (out < workers && tuner.history().size() + out < tuning.budget()) {
          reason = tuner.finished().orElse("");
          if (!reason.isEmpty()) break;
          long start = System.nanoTime();
          Point point = tuner.ask();
          suggesting += (System.nanoTime() - start) * 1e-9;
          suggested++;
          running.submit(() -> evaluation.at(point));
          out++;
        }
        if (out == 0) return tuner.finished().orElse(reason);
        CommandRun done = running.take().get();
        out--;
        ended++;
        if (done.failed()) {
          line.wipe();
          fail(done);
        } else {
          double[] limits = new double[tuning.constraints()];
          for (int c = 0; c < limits.length; c++) limits[c] = done.values().get(c + 1);
          tuner.tell(done.point(), done.values().getFirst(), limits);
        }
        line.say(() -> OptimizeReport.progress(tuner, tuning.budget()));
      }
    } catch (ExecutionException e) {
      if (e.getCause() instanceof IOException io) throw io;
      throw new IllegalStateException(e.getCause());
    } finally {
      line.close();
      pool.shutdownNow();
    }
  }

  private void fail(CommandRun done) {
    tuner.fail(done.point());
    failed++;
    boolean repeats = tuner.pending().contains(done.point());
    err.println("failed: " + done.failure() + (repeats ? "; the same point is tried again" : ""));
    boolean useless = tuner.history().stream().allMatch(o -> o.failed());
    if (failed == ended
        && (failed >= FIRST || (useless && tuner.history().size() >= tuning.budget())))
      throw new IllegalStateException(
          String.format(
              Locale.ROOT,
              "all of the first %d runs failed, the last one: %s; try the command by hand, then "
                  + "start the search again: it continues",
              failed,
              done.failure()));
  }

  private static Thread daemon(Runnable r) {
    Thread thread = new Thread(r, "evaluation");
    thread.setDaemon(true);
    return thread;
  }

  /// The milliseconds per suggestion, with learning; NaN if none was made.
  double millisecondsEach() {
    return suggested == 0 ? Double.NaN : 1000 * suggesting / suggested;
  }
}

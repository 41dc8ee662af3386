package lovelace.deep;

import ai.djl.ndarray.NDArray;
import ai.djl.ndarray.NDManager;
import ai.djl.ndarray.types.Shape;
import ai.djl.training.GradientCollector;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.SplittableRandom;
import lovelace.budget.Budget;
import lovelace.budget.Budget.TimeUpException;
import lovelace.data.Dataset;
import lovelace.features.FeatureEvidence;
import org.jspecify.annotations.Nullable;

/// The phases of training over one network.
final class DeepTrainer {

  private static final int CHUNK = 4096;
  private static final double WARM_UP = 0.5; // its share of the time
  private static final double MEMORY = 0.995; // of the mean of the warm-up's parameters
  private static final long MIX = 0x9E3779B97F4A7C15L;
  private static final long CHECKPOINT_NANOS = 30_000_000_000L;

  private final DeepKernel kernel;
  private final Settings settings;
  private final Rows rows;
  private final Network network;
  private final @Nullable Checkpoint checkpoint;
  private final List<NDArray> head; // slope and intercept of the warm-up
  private final List<NDArray> mean = new ArrayList<>(); // of the warm-up's recent parameters

  private Step.Phase phase = Step.Phase.WARM_UP;
  private int step;
  private double bestNlpd = Double.POSITIVE_INFINITY;
  private double bestObjective = Double.NaN;
  private double bestRmse = Double.NaN;
  private int bestStep;
  private int misses;
  private List<float[]> best = List.of();
  private long saved = System.nanoTime();
  private long networkNanos;
  private long processNanos;
  private final List<String> notes = new ArrayList<>();

  DeepTrainer(DeepKernel kernel, Rows rows, Network network) throws IOException {
    this.kernel = kernel;
    this.settings = kernel.settings();
    this.rows = rows;
    this.network = network;
    int k = network.outputs();
    float[] slope = new float[k];
    Arrays.fill(slope, 1);
    head =
        List.of(
            network.manager().create(slope, new Shape(k, 1)),
            network.manager().zeros(new Shape(1)));
    for (NDArray p : network.learning()) mean.add(p.duplicate());
    for (NDArray p : head) mean.add(p.duplicate());
    checkpoint =
        kernel.checkpoint() == null
            ? null
            : new Checkpoint(kernel.checkpoint(), Checkpoint.fingerprint(kernel, rows));
  }

  /// Remarks on the training, a line each.
  List<String> notes() {
    return notes;
  }

  /// Trains the network. At the end it has the parameters that predict the rows held out best.
  void train() throws IOException {
    Checkpoint.State state = checkpoint == null ? null : checkpoint.read();
    if (state != null) {
      restore(state);
      notes.add(String.format(Locale.ROOT, "resumed: %s, step %d", words(phase), step));
    }
    if (phase == Step.Phase.WARM_UP) {
      boolean on = settings.warmUp() == 0 || warmUp(state);
      state = null;
      if (!on) return;
      phase = Step.Phase.JOINT;
      step = 0;
      misses = 0;
      bestNlpd = Double.POSITIVE_INFINITY;
      best = List.of();
      networkNanos = 0;
      processNanos = 0;
    }
    if (settings.steps() > 0 && !joint(state)) return;
    if (checkpoint != null) checkpoint.remove();
  }

  // --- the warm-up -------------------------------------------------------------------------------

  /// Single batches make the parameters noisy. So the mean of the recent ones is scored and kept.
  private boolean warmUp(Checkpoint.@Nullable State state) throws IOException {
    List<NDArray> learning = new ArrayList<>(network.learning());
    learning.addAll(head);
    NetworkAdam adam =
        new NetworkAdam(network.manager(), learning, settings.weightDecay(), settings.clip());
    if (state != null) restore(adam, state);
    int n = rows.seen.size();
    int batch = Math.min(settings.batch(), n);
    int epoch = Math.max(1, n / batch);
    int[] order = new int[0];
    int known = -1;
    double loss = 0;
    int losses = 0;
    Budget warm = Budget.current().share(WARM_UP);
    while (step < settings.warmUp()) {
      if (step / epoch != known) {
        known = step / epoch;
        order = Rows.shuffled(n, new SplittableRandom(settings.seed() + MIX * (known + 1)));
      }
      loss += warmStep(adam, order, step % epoch * batch, batch);
      losses++;
      step++;
      average(learning);
      if (!Double.isFinite(loss)) {
        failed("the squared error is not finite", settings.warmUpRate());
        break;
      }
      boolean late = warm.over();
      if (step % settings.scoring() != 0 && step != settings.warmUp() && !late) continue;
      List<float[]> now = learning.stream().map(NDArray::toFloatArray).toList();
      load(learning, mean.stream().map(NDArray::toFloatArray).toList());
      double[] score = warmScore();
      boolean on = scored(settings.warmUp(), loss / losses, score[0], score[1]);
      boolean last = !on || late || misses >= settings.patience() || step == settings.warmUp();
      if (!last || checkpoint != null) load(learning, now);
      loss = 0;
      losses = 0;
      if (!on || shouldSave()) save(adam, null);
      if (!on) {
        useBest();
        return false;
      }
      if (misses >= settings.patience()) break;
      if (late) {
        noteTime();
        break;
      }
    }
    if (best.isEmpty()) load(learning, mean.stream().map(NDArray::toFloatArray).toList());
    useBest();
    noteEnd("warm-up", settings.warmUp());
    return true;
  }

  private void average(List<NDArray> learning) {
    double keep = Math.min(MEMORY, (1.0 + step) / (10.0 + step));
    for (int i = 0; i < learning.size(); i++)
      try (NDArray part = learning.get(i).mul(1 - keep)) {
        mean.get(i).muli(keep).addi(part);
      }
  }

  private double warmStep(NetworkAdam adam, int[] order, int from, int batch) {
    int d = network.inputs();
    double[] x = new double[batch * d];
    float[] y = new float[batch];
    float[] w = new float[batch];
    for (int i = 0; i < batch; i++) {
      int row = order[from + i];
      System.arraycopy(rows.seen.inputs(), row * d, x, i * d, d);
      y[i] = (float) ((rows.seen.target()[row] - rows.level) / rows.spread);
      w[i] = (float) rows.seen.weight(row);
    }
    seedDropout();
    long start = System.nanoTime();
    Torch.GRADIENTS.lock();
    try (NDManager sub = network.manager().newSubManager()) {
      NDArray loss;
      try (GradientCollector collector = Torch.engine().newGradientCollector()) {
        NDArray z =
            network.features(sub.create(network.standard(x, 0, batch), new Shape(batch, d)), true);
        NDArray rest =
            z.matMul(head.get(0)).add(head.get(1)).sub(sub.create(y, new Shape(batch, 1)));
        NDArray squares = rest.square();
        loss =
            (rows.seen.weighted() ? squares.mul(sub.create(w, new Shape(batch, 1))) : squares)
                .mean();
        collector.backward(loss);
      }
      adam.step(sub, settings.warmUpRate() * factor(settings.warmUp()));
      networkNanos += System.nanoTime() - start;
      return loss.getFloat();
    } finally {
      Torch.GRADIENTS.unlock();
    }
  }

  private double[] warmScore() {
    int count = rows.held();
    if (count == 0) return new double[] {Double.NaN, Double.NaN};
    int k = network.outputs();
    double[] z = features(rows.out());
    float[] slope = head.get(0).toFloatArray();
    float intercept = head.get(1).toFloatArray()[0];
    double[] means = new double[count];
    for (int i = 0; i < count; i++) {
      double sum = intercept;
      for (int f = 0; f < k; f++) sum += slope[f] * z[i * k + f];
      means[i] = rows.level + rows.spread * sum;
    }
    return score(means, new double[count]);
  }

  // --- joint steps -------------------------------------------------------------------------------

  private boolean joint(Checkpoint.@Nullable State state) throws IOException {
    Dataset seen = rows.seen;
    double @Nullable [] weights = Rows.weights(seen);
    double[] start = features(seen);
    FeatureProcess process =
        FeatureProcess.of(kernel.fit(), network.outputs(), start, seen.target(), rows.spread);
    NetworkAdam adam =
        new NetworkAdam(
            network.manager(), network.learning(), settings.weightDecay(), settings.clip());
    if (state == null) {
      try {
        process.settle(start, seen.target(), weights, settings.seed());
      } catch (TimeUpException e) {
        noteTime();
        return true;
      }
    } else {
      restore(adam, state);
      process.restore(state.process());
    }
    while (step < settings.steps()) {
      step++;
      JointStep done;
      try {
        done = jointStep(process, adam, weights);
      } catch (TimeUpException e) {
        step--;
        noteTime();
        break;
      }
      if (done == null) {
        failed("the marginal likelihood cannot be evaluated", settings.networkRate());
        break;
      }
      boolean on = scored(settings.steps(), done.objective, done.nlpd, done.rmse);
      if (!on || shouldSave()) save(adam, process);
      if (!on) {
        useBest();
        return false;
      }
      if (misses >= settings.patience()) break;
      if (Budget.current().over()) {
        noteTime();
        break;
      }
    }
    useBest();
    noteEnd("joint", settings.steps());
    return true;
  }

  private record JointStep(double objective, double nlpd, double rmse) {}

  /// Makes one step: features → statistics → engine → gradient at the features → backward. The
  /// score belongs to the parameters before the step, which are kept if it is the best.
  private @Nullable JointStep jointStep(
      FeatureProcess process, NetworkAdam adam, double @Nullable [] weights) {
    Dataset seen = rows.seen;
    int n = seen.size();
    int d = network.inputs();
    int k = network.outputs();
    float[] x = network.standard(seen.inputs(), 0, n);
    seedDropout();
    double rate = factor(settings.steps());
    long start = System.nanoTime();
    Torch.GRADIENTS.lock();
    try (NDManager sub = network.manager().newSubManager()) {
      double objective;
      double[] score;
      try (GradientCollector collector = Torch.engine().newGradientCollector()) {
        NDArray z = network.features(sub.create(x, new Shape(n, d)), true);
        float[] features = z.toFloatArray();
        networkNanos += System.nanoTime() - start;
        start = System.nanoTime();
        FeatureEvidence found =
            process.evidence(doubles(features), seen.target(), weights, settings.seed());
        if (found == null) return null;
        objective = process.objective(found.evidence(), n);
        double[] slopes = found.featureGradient();
        float[] g = new float[slopes.length];
        for (int i = 0; i < g.length; i++) g[i] = (float) (-slopes[i] / n);
        processNanos += System.nanoTime() - start;
        score = score(found);
        keepIfBest(score[0]);
        start = System.nanoTime();
        collector.backward(z.mul(sub.create(g, new Shape(n, k))).sum());
        networkNanos += System.nanoTime() - start;
        start = System.nanoTime();
        process.step(found.evidence(), n, settings.processRate() * rate, settings.clip());
        processNanos += System.nanoTime() - start;
      }
      start = System.nanoTime();
      double length = adam.step(sub, settings.networkRate() * rate);
      networkNanos += System.nanoTime() - start;
      return Double.isFinite(length) ? new JointStep(objective, score[0], score[1]) : null;
    } finally {
      Torch.GRADIENTS.unlock();
    }
  }

  private double[] score(FeatureEvidence found) {
    int count = rows.held();
    if (count == 0) return new double[] {Double.NaN, Double.NaN};
    int k = network.outputs();
    double[] z = features(rows.out());
    double[] means = new double[count];
    double[] variances = new double[count];
    double[] at = new double[2];
    for (int i = 0; i < count; i++) {
      if (!found.evaluate(z, i * k, at))
        throw new IllegalStateException("a feature left the box of its grid");
      means[i] = at[0];
      variances[i] = Math.max(0, at[1]);
    }
    return score(means, variances);
  }

  // --- shared by both ----------------------------------------------------------------------------

  /// NLPD and root mean squared error of the rows held out. The noise is estimated from their own
  /// errors.
  private double[] score(double[] means, double[] variances) {
    double[] y = rows.out().target();
    double squares = 0;
    double noise = 0;
    for (int i = 0; i < y.length; i++) {
      double rest = y[i] - means[i];
      squares += rest * rest;
      noise += rows.out().weight(i) * (rest * rest - variances[i]);
    }
    noise = Math.max(noise / y.length, 1e-8 * rows.spread * rows.spread);
    double nlpd = 0;
    for (int i = 0; i < y.length; i++) {
      double variance = variances[i] + noise / rows.out().weight(i);
      nlpd += 0.5 * (Math.log(2 * Math.PI * variance) + Math.pow(y[i] - means[i], 2) / variance);
    }
    return new double[] {nlpd / y.length, Math.sqrt(squares / y.length)};
  }

  /// Features of rows, without dropout.
  double[] features(Dataset data) {
    int d = network.inputs();
    int k = network.outputs();
    double[] z =
        new double
            [Budget.numbers(
                data.size(), k, "the features of the rows", "give fewer rows or features")];
    for (int from = 0; from < data.size(); from += CHUNK) {
      int count = Math.min(CHUNK, data.size() - from);
      try (NDManager sub = network.manager().newSubManager()) {
        NDArray x = sub.create(network.standard(data.inputs(), from, count), new Shape(count, d));
        float[] part = network.features(x, false).toFloatArray();
        for (int i = 0; i < part.length; i++) z[from * k + i] = part[i];
      }
    }
    return z;
  }

  private static double[] doubles(float[] values) {
    double[] all = new double[values.length];
    for (int i = 0; i < all.length; i++) {
      if (!Float.isFinite(values[i]))
        throw new ArithmeticException(
            "the network's features are no longer finite; lower its learning rate");
      all[i] = values[i];
    }
    return all;
  }

  private double factor(int steps) {
    return settings.schedule().factor((double) Math.max(0, step - 1) / steps);
  }

  /// Seeds the engine's random numbers by this step, so that training continues from a checkpoint
  /// as if it had not stopped.
  private void seedDropout() {
    int parity = phase == Step.Phase.JOINT ? 1 : 0;
    Torch.engine().setRandomSeed((int) (settings.seed() * 31 + 2L * step + parity));
  }

  private void keepIfBest(double nlpd) {
    if (!(nlpd < bestNlpd)) return;
    best = network.all().stream().map(NDArray::toFloatArray).toList();
  }

  private boolean scored(int of, double objective, double nlpd, double rmse) {
    if (nlpd < bestNlpd) {
      if (phase == Step.Phase.WARM_UP) keepIfBest(nlpd);
      bestNlpd = nlpd;
      bestRmse = rmse;
      bestObjective = objective;
      bestStep = step;
      misses = 0;
    } else if (!Double.isNaN(nlpd)) {
      misses++;
    } else {
      bestObjective = objective;
      bestStep = step;
    }
    return kernel
        .watcher()
        .accept(
            new Step(
                phase, step, of, objective, nlpd, rmse, networkNanos / 1e9, processNanos / 1e9));
  }

  private void useBest() {
    if (!best.isEmpty()) load(network.all(), best);
  }

  private void failed(String what, double rate) {
    if (best.isEmpty())
      throw new ArithmeticException(
          String.format(
              Locale.ROOT,
              "%s at step %d of the %s; lower the learning rate %s",
              what,
              step,
              words(phase),
              rate));
    notes.add(
        String.format(
            Locale.ROOT,
            "%s: %s at step %d; went back to the best parameters so far",
            words(phase),
            what,
            step));
  }

  private void noteTime() {
    notes.add(
        String.format(
            Locale.ROOT,
            "time: the %s stopped at step %d because their share of the time was up; give more time",
            words(phase),
            step));
  }

  private static String words(Step.Phase phase) {
    return phase == Step.Phase.WARM_UP ? "warm-up" : "joint steps";
  }

  private void noteEnd(String name, int of) {
    String held =
        rows.held() == 0
            ? ""
            : String.format(
                Locale.ROOT, "; rows held out: NLPD %.4f, RMSE %.4g", bestNlpd, bestRmse);
    String seen =
        phase == Step.Phase.WARM_UP
            ? String.format(Locale.ROOT, "mean squared error %.4g of the variance", bestObjective)
            : String.format(
                Locale.ROOT, "training rows: -log likelihood %.4f per row", bestObjective);
    notes.add(
        String.format(
            Locale.ROOT,
            "%s: %d steps of %d, kept %d; %s%s; network %.1f s, process %.1f s",
            name,
            step,
            of,
            bestStep,
            seen,
            held,
            networkNanos / 1e9,
            processNanos / 1e9));
  }

  // --- checkpoints -------------------------------------------------------------------------------

  /// All arrays that training changes.
  private List<NDArray> state() {
    List<NDArray> all = new ArrayList<>(network.all());
    all.addAll(head);
    all.addAll(mean);
    return all;
  }

  private boolean shouldSave() {
    return checkpoint != null && System.nanoTime() - saved > CHECKPOINT_NANOS;
  }

  private void save(NetworkAdam adam, @Nullable FeatureProcess process) throws IOException {
    if (checkpoint == null) return;
    List<NDArray> now = state();
    checkpoint.write(
        new Checkpoint.State(
            phase,
            step,
            misses,
            bestStep,
            List.of(bestNlpd, bestObjective, bestRmse),
            now.stream().map(NDArray::toFloatArray).toList(),
            best,
            adam.steps(),
            adam.moments().stream().map(NDArray::toFloatArray).toList(),
            process == null ? List.of() : process.state()));
    saved = System.nanoTime();
  }

  private void restore(Checkpoint.State state) {
    phase = state.phase();
    step = state.step();
    misses = state.misses();
    bestStep = state.bestStep();
    bestNlpd = state.scores().get(0);
    bestObjective = state.scores().get(1);
    bestRmse = state.scores().get(2);
    best = state.best();
    List<NDArray> now = state();
    load(now, state.parameters());
  }

  private static void restore(NetworkAdam adam, Checkpoint.State state) {
    adam.steps(state.adamSteps());
    load(adam.moments(), state.moments());
  }

  private static void load(List<NDArray> arrays, List<float[]> values) {
    if (arrays.size() != values.size())
      throw new IllegalArgumentException(
          String.format(
              Locale.ROOT,
              "the network has %d arrays, but its saved state has %d",
              arrays.size(),
              values.size()));
    for (int i = 0; i < arrays.size(); i++) {
      NDArray array = arrays.get(i);
      boolean learns = array.hasGradient();
      if (learns) array.setRequiresGradient(false);
      try (NDArray value = array.getManager().create(values.get(i), array.getShape())) {
        value.copyTo(array);
      }
      if (learns) array.setRequiresGradient(true);
    }
  }
}

package lovelace.series;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import lovelace.linear.Parallel;

/// Reads series: the evidence of every point of a library, and the scores of its forecasts at
/// earlier origins. One factor a shape serves all series and all origins.
public final class Reader {

  /// How many earlier origins are scored.
  private static final int ORIGINS = 6;

  /// How many times the last values are held out, a horizon apart.
  private static final int HELD = 3;

  /// Of the values held out, this many count. Neighbours tell the same.
  private static final int STEPS = 8;

  private final Library library;
  private final int horizon;

  public Reader(Library library, int horizon) {
    this.library = library;
    this.horizon = horizon;
  }

  /// The number of last values that are held out of a series to learn weights; 0 if it is too
  /// short.
  public int held(int length) {
    int held = Math.min(horizon, length - library.least());
    return held >= Math.max(2, horizon / 2) || held == horizon ? held : 0;
  }

  /// The readings of series, in their order.
  ///
  /// @param learning whether to hold out the last values of each
  public List<Reading> read(List<History> histories, boolean learning) {
    List<Work> works =
        Kin.of(histories).stream()
            .map(
                kin ->
                    new Work(
                        Group.knowing(kin.histories(), kin.places(), (i, w) -> true), learning))
            .toList();
    int longest = works.stream().mapToInt(w -> w.group.length).max().orElse(1);
    Parallel.forEach(
        library.shapes().size(),
        s -> {
          Factor factor = Factor.of(library.shapes().get(s), longest);
          for (Work work : works) work.add(s, factor);
        });
    Reading[] readings = new Reading[histories.size()];
    for (Work work : works) work.finish(readings);
    return List.of(readings);
  }

  /// At most eight of some steps, each the middle of a part.
  private static int[] chosen(int steps) {
    int count = Math.min(steps, STEPS);
    return IntStream.range(0, count).map(i -> (2 * i + 1) * steps / (2 * count)).toArray();
  }

  /// The results of one group, filled shape by shape.
  private final class Work {
    private final Group group;
    private final int[] held; // lengths before held-out values
    private final int steps; // held-out values at an origin
    private final int[] chosen; // the held-out steps that are kept
    private final int origins; // earlier origins of the whole series
    private final int[] lengths; // the lengths of histories at all origins
    private final float[][] evidence;
    private final float[][] score;
    private final float[][][] heldEvidence; // by origin, series, point
    private final float[][][] heldScore;
    private final float[][][][] density; // by origin, series, step, point

    Work(Group group, boolean learning) {
      this.group = group;
      int n = group.length;
      steps = learning ? held(n) : 0;
      int whole = Math.max(0, (n - library.least()) / horizon);
      int times = steps < horizon ? Math.min(steps, 1) : Math.min(whole, HELD);
      held = new int[times];
      for (int o = 0; o < times; o++) held[o] = n - (o == 0 ? steps : (o + 1) * horizon);
      origins = Math.min(whole, ORIGINS + (steps == horizon ? times : 0));
      chosen = chosen(steps);
      lengths =
          IntStream.concat(
                  IntStream.concat(Arrays.stream(held), IntStream.of(n)),
                  IntStream.rangeClosed(1, origins).map(o -> n - o * horizon))
              .sorted()
              .distinct()
              .toArray();
      int count = group.histories.size();
      evidence = rows(count);
      score = new float[count][library.size()];
      heldEvidence = new float[times][][];
      heldScore = new float[times][count][library.size()];
      density = new float[times][count][][];
      for (int o = 0; o < times; o++) {
        heldEvidence[o] = rows(count);
        for (int i = 0; i < count; i++) density[o][i] = rows(chosen.length);
      }
    }

    private float[][] rows(int count) {
      float[][] all = new float[count][library.size()];
      for (float[] row : all) Arrays.fill(row, Reading.NEVER);
      return all;
    }

    void add(int shape, Factor factor) {
      if (group.columns == 0 || group.length < 2) return;
      Group.Whitened white = group.whitened(factor);
      int n = group.length;
      int warps = library.warps().size();
      Group.Whitened.Origin[] all = white.at(lengths);
      Group.Whitened.Origin whole = all[all.length - 1];
      for (int c = 0; c < group.columns; c++)
        evidence[group.history[c]][shape * warps + group.warp[c]] = (float) whole.evidence(c);
      for (int o = 0; o < held.length; o++) {
        Group.Whitened.Origin before = all[Arrays.binarySearch(lengths, held[o])];
        double[][] logs = densities(before);
        for (int c = 0; c < group.columns; c++) {
          int i = group.history[c];
          int j = shape * warps + group.warp[c];
          heldEvidence[o][i][j] = (float) before.evidence(c);
          for (int k = 0; k < chosen.length; k++) density[o][i][k][j] = (float) logs[k][c];
        }
      }
      for (int o = 1; o <= origins; o++) {
        double[] sums = scores(all[Arrays.binarySearch(lengths, n - o * horizon)]);
        for (int c = 0; c < group.columns; c++) {
          int i = group.history[c];
          int j = shape * warps + group.warp[c];
          if (o <= ORIGINS) score[i][j] += (float) sums[c];
          // Held-out origin e is e + 1 horizons before the end; origins before it score.
          if (steps == horizon)
            for (int e = 0; e < held.length; e++)
              if (o > e + 1 && o <= e + 1 + ORIGINS) heldScore[e][i][j] += (float) sums[c];
        }
      }
    }

    /// The log densities of the chosen steps, by step and column, of values divided by their scale.
    private double[][] densities(Group.Whitened.Origin origin) {
      Group.Whitened.Errors ahead = origin.errors(steps);
      double[][] logs = new double[chosen.length][group.columns];
      int nu = origin.n - 1;
      double constant = StudentTable.logConstant(nu);
      for (int i = 0; i < chosen.length; i++) {
        int k = chosen[i];
        for (int c = 0; c < group.columns; c++) {
          History h = group.histories.get(group.history[c]);
          int w = group.warp[c];
          double width = ahead.variance(k, c) * origin.sum[c];
          double e = ahead.error()[k * group.columns + c];
          logs[i][c] =
              constant
                  - 0.5 * (nu + 1) * Math.log1p(e * e / width)
                  - 0.5 * Math.log(width / nu)
                  + h.logSlope[w][origin.n + k + 1]
                  - h.logSlope[w][origin.n + k];
        }
      }
      return logs;
    }

    /// The sums of the log densities of a horizon, by column. The logarithm is of products.
    private double[] scores(Group.Whitened.Origin origin) {
      Group.Whitened.Errors ahead = origin.errors(horizon);
      int columns = group.columns;
      double[] sums = new double[columns];
      int nu = origin.n - 1;
      double[] widths = new double[ahead.blocks()];
      for (int i = 0; i < ahead.variance().length; i++)
        widths[i % widths.length] += Math.log(ahead.variance()[i]);
      double[] product = new double[columns];
      Arrays.fill(product, 1);
      for (int k = 0; k < horizon; k++) {
        for (int c = 0; c < columns; c++) {
          double e = ahead.error()[k * columns + c];
          product[c] *= 1 + e * e / (ahead.variance(k, c) * origin.sum[c]);
        }
        if (k % 4 == 3 || k == horizon - 1)
          for (int c = 0; c < columns; c++)
            if (product[c] > 1e60) {
              sums[c] += Math.log(product[c]);
              product[c] = 1;
            }
      }
      for (int c = 0; c < columns; c++) {
        History h = group.histories.get(group.history[c]);
        int w = group.warp[c];
        sums[c] =
            -0.5 * (nu + 1) * (sums[c] + Math.log(product[c]))
                - 0.5 * widths[ahead.block()[c]]
                - 0.5 * horizon * Math.log(origin.sum[c] / nu)
                + h.logSlope[w][origin.n + horizon]
                - h.logSlope[w][origin.n];
      }
      return sums;
    }

    void finish(Reading[] readings) {
      for (int i = 0; i < group.places.length; i++) {
        if (origins > 0) exclude(evidence[i], score[i]);
        relative(evidence[i]);
        relative(score[i]);
        List<Reading.Held> before = new ArrayList<>();
        for (int o = 0; o < held.length; o++) {
          if (steps == horizon && origins > o + 1) exclude(heldEvidence[o][i], heldScore[o][i]);
          relative(heldEvidence[o][i]);
          relative(heldScore[o][i]);
          double[] top = new double[chosen.length];
          for (int k = 0; k < chosen.length; k++) {
            float[] step = density[o][i][k];
            top[k] = relative(step) - Math.log(group.histories.get(i).scale);
            for (int j = 0; j < step.length; j++) step[j] = (float) Math.exp(step[j]);
          }
          before.add(
              new Reading.Held(held[o], heldEvidence[o][i], heldScore[o][i], density[o][i], top));
        }
        readings[group.places[i]] = new Reading(group.length, evidence[i], score[i], before);
      }
    }

    /// Excludes points that do not take the series.
    private static void exclude(float[] evidence, float[] score) {
      for (int j = 0; j < score.length; j++)
        if (evidence[j] <= Reading.NEVER) score[j] = Reading.NEVER;
    }

    /// Subtracts the largest, and returns it.
    private static float relative(float[] values) {
      float largest = Float.NEGATIVE_INFINITY;
      for (float value : values) largest = Math.max(largest, value);
      if (largest <= Reading.NEVER) {
        Arrays.fill(values, 0);
        return largest;
      }
      for (int j = 0; j < values.length; j++)
        values[j] = Math.max(values[j] - largest, Reading.NEVER);
      return largest;
    }
  }
}

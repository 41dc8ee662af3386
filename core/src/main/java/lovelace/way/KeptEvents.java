package lovelace.way;

import java.util.List;
import java.util.Locale;
import lovelace.data.Column;
import lovelace.data.Dataset;
import lovelace.laplace.Window;

/// The number of events in each cell of a window.
public final class KeptEvents implements Kept<KeptEvents> {
  private final Window window;
  private final double[] counts;
  private final List<Column> columns;
  private final Column target;
  private final long count;
  private final long fingerprint;

  KeptEvents(
      Window window,
      double[] counts,
      List<Column> columns,
      Column target,
      long count,
      long fingerprint) {
    this.window = window;
    this.counts = counts;
    this.columns = columns;
    this.target = target;
    this.count = count;
    this.fingerprint = fingerprint;
  }

  @Override
  public long count() {
    return count;
  }

  @Override
  public long fingerprint() {
    return fingerprint;
  }

  @Override
  public String name() {
    return "the model's observations";
  }

  @Override
  public double logJacobian() {
    return 0;
  }

  /// The cells as observations.
  public Dataset observations() {
    return window.counts(counts, columns, target);
  }

  @Override
  public KeptEvents plus(KeptEvents other) {
    double[] all = counts.clone();
    for (int i = 0; i < all.length; i++) all[i] += other.counts[i];
    return with(all, count + other.count, fingerprint + other.fingerprint);
  }

  @Override
  public KeptEvents minus(KeptEvents other) {
    double[] left = counts.clone();
    for (int i = 0; i < left.length; i++) {
      left[i] -= other.counts[i];
      if (left[i] < 0)
        throw new IllegalArgumentException(
            String.format(
                Locale.ROOT,
                "%,.0f events are to be forgotten in a cell of the window that has %,.0f; forget only events that were added",
                other.counts[i],
                counts[i]));
    }
    Kept.requireSome(count - other.count, other.count, "events");
    return with(left, count - other.count, fingerprint - other.fingerprint);
  }

  @Override
  public KeptEvents shifted(double[] by, KeptEvents like, Pair names) {
    if (!window.isMoved(like.window, by))
      throw names.unlike("windows", like.window.text(like.columns), window.text(columns));
    return new KeptEvents(like.window, counts, like.columns, like.target, count, fingerprint);
  }

  private KeptEvents with(double[] other, long number, long print) {
    return new KeptEvents(window, other, columns, target, number, print);
  }
}

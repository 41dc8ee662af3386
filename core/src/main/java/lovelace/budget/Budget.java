package lovelace.budget;

import java.time.Duration;
import java.util.Locale;
import java.util.function.Function;
import java.util.function.LongSupplier;

/// A deadline and a limit of memory for one computation. The clock starts when the budget is made.
///
/// Work that runs in the scope of a budget ([#run]) keeps to it: loops ask [#check], which throws
/// [TimeUpException] once the time is up, and large arrays are asked for with [#require] before
/// they are made. Work outside any scope has no limits. Parallel loops carry the scope to their
/// threads.
public final class Budget {

  /// No deadline, and as much memory as the Java heap can have.
  public static final Budget UNLIMITED =
      new Budget(() -> 0, 0, Long.MAX_VALUE, Long.MAX_VALUE, Runtime.getRuntime().maxMemory());

  /// The longest array there is.
  private static final int LONGEST = Integer.MAX_VALUE - 8;

  private static final ScopedValue<Budget> CURRENT = ScopedValue.newInstance();

  private final LongSupplier clock; // nanoseconds
  private final long start;
  private final long nanos;
  private final long whole; // of the budget that this is a share of
  private final long memory;

  private Budget(LongSupplier clock, long start, long nanos, long whole, long memory) {
    this.whole = whole;
    this.clock = clock;
    this.start = start;
    this.nanos = nanos;
    this.memory = memory;
  }

  /// A budget from now on, by a clock in nanoseconds.
  public static Budget of(Duration time, long memory, LongSupplier clock) {
    if (time.isNegative() || time.isZero())
      throw new IllegalArgumentException("time must be > 0, got " + time);
    if (memory <= 0) throw new IllegalArgumentException("memory must be > 0 bytes, got " + memory);
    long nanos = time.compareTo(Duration.ofDays(36500)) > 0 ? Long.MAX_VALUE : time.toNanos();
    return new Budget(clock, clock.getAsLong(), nanos, nanos, memory);
  }

  /// The budget that the calling code runs in, [#UNLIMITED] where there is none.
  public static Budget current() {
    return CURRENT.orElse(UNLIMITED);
  }

  /// This budget, or what is left of the one that the calling code runs in, whichever is less.
  public Budget withinCurrent() {
    if (!CURRENT.isBound()) return this;
    Budget outer = CURRENT.get();
    return outer.limited() && outer.left() < left()
        ? new Budget(
            outer.clock, outer.start, outer.nanos, outer.whole, Math.min(memory, outer.memory))
        : new Budget(clock, start, nanos, whole, Math.min(memory, outer.memory));
  }

  /// A budget of a share of the time that is left, with the same memory.
  public Budget share(double fraction) {
    if (!limited()) return this;
    return new Budget(
        clock, clock.getAsLong(), Math.max(0, (long) (fraction * left())), whole, memory);
  }

  /// Does work in the scope of this budget.
  public <R, X extends Throwable> R call(ScopedValue.CallableOp<? extends R, X> work) throws X {
    return ScopedValue.where(CURRENT, this).call(work);
  }

  /// Does work in the scope of this budget.
  public void run(Runnable work) {
    ScopedValue.where(CURRENT, this).run(work);
  }

  /// Whether there is a deadline.
  public boolean limited() {
    return nanos != Long.MAX_VALUE;
  }

  private long left() {
    return limited() ? nanos - (clock.getAsLong() - start) : Long.MAX_VALUE;
  }

  /// Whether the time is up.
  public boolean over() {
    return left() <= 0;
  }

  /// The seconds of the whole budget, of which this may be a share.
  public double seconds() {
    return whole * 1e-9;
  }

  /// The bytes allowed.
  public long memory() {
    return memory;
  }

  /// Throws where the time of the budget in whose scope this runs is up.
  public static void check() {
    Budget budget = current();
    if (budget.over())
      throw new TimeUpException(
          new String[] {
            String.format(Locale.ROOT, "no result within %.3g s; ", budget.seconds()),
            ", fewer rows or inputs, or a smaller grid"
          },
          Remedy.MORE_TIME);
  }

  /// Throws where `bytes` for `what` are more than the budget in whose scope this runs allows; the
  /// advice says what to do.
  public static void require(long bytes, String what, String advice) {
    if (bytes > current().memory)
      throw new MemoryLimitException(
          new String[] {needs(bytes, what) + advice + " or ", ""}, Remedy.MORE_MEMORY);
  }

  /// As [#require(long, String, String)] with a remedy as advice.
  public static void require(long bytes, String what, Remedy remedy) {
    if (bytes > current().memory)
      throw new MemoryLimitException(
          new String[] {needs(bytes, what), " or ", ""}, remedy, Remedy.MORE_MEMORY);
  }

  private static String needs(long bytes, String what) {
    return "%s needs %s of memory, the limit is %s; "
        .formatted(what, text(bytes), text(current().memory));
  }

  /// The length of an array of `rows × columns` numbers for `what`. Throws where no array is that
  /// long, or where it takes more memory than the budget in whose scope this runs allows; the
  /// advice says what to do.
  public static int numbers(long rows, long columns, String what, String advice) {
    if (rows > 0 && columns > LONGEST / rows)
      throw new MemoryLimitException(
          new String[] {
            String.format(
                Locale.ROOT,
                "%s takes %,d x %,d numbers, more than the %,d of one array; %s",
                what,
                rows,
                columns,
                LONGEST,
                advice)
          });
    require(8 * rows * columns, what, advice + ",");
    return (int) (rows * columns);
  }

  /// The numbers of a covariance matrix between two sets of points.
  public static int covariance(long rows, long columns) {
    return numbers(rows, columns, "a covariance matrix", "ask for fewer points at once");
  }

  /// The numbers of joint draws at some points.
  public static int draws(long count, long points) {
    return numbers(count, points, "draws at points", "ask for fewer draws or points at once");
  }

  /// Bytes as text.
  public static String text(long bytes) {
    return bytes < 1L << 30
        ? String.format(Locale.ROOT, "%.0f MB", bytes / 1e6)
        : String.format(Locale.ROOT, "%.1f GB", bytes / 1e9);
  }

  /// What lets a computation stay within its limits. A message has it in words; a program with
  /// options of its own adds which one does it.
  public enum Remedy {
    MORE_TIME("give more time"),
    MORE_MEMORY("allow more memory"),
    FEWER_GRID_POINTS("give fewer grid points");

    private final String words;

    Remedy(String words) {
      this.words = words;
    }

    /// In words, for a sentence.
    @Override
    public String toString() {
      return words;
    }

    /// Texts with remedies between them, each with how it is done in brackets unless that is empty.
    static String text(String[] texts, Remedy[] remedies, Function<Remedy, String> how) {
      StringBuilder all = new StringBuilder(texts[0]);
      for (int i = 0; i < remedies.length; i++) {
        String done = how.apply(remedies[i]);
        all.append(remedies[i])
            .append(done.isEmpty() ? "" : " (" + done + ")")
            .append(texts[i + 1]);
      }
      return all.toString();
    }
  }

  /// A computation would need more memory than its [Budget] allows.
  public static final class MemoryLimitException extends IllegalArgumentException {

    private static final long serialVersionUID = 1;

    private final String[] texts; // with the remedies between them
    private final Remedy[] remedies;

    MemoryLimitException(String[] texts, Remedy... remedies) {
      super(Remedy.text(texts, remedies, remedy -> ""));
      this.texts = texts.clone();
      this.remedies = remedies.clone();
    }

    /// As a thread pool hands it on.
    public MemoryLimitException(Throwable cause) {
      super(cause.getMessage(), cause);
      boolean same = cause instanceof MemoryLimitException;
      texts =
          same
              ? ((MemoryLimitException) cause).texts
              : new String[] {String.valueOf(cause.getMessage())};
      remedies = same ? ((MemoryLimitException) cause).remedies : new Remedy[0];
    }

    /// The message with how each remedy is done in brackets after it, `--memory` say; nothing is
    /// added where that is empty.
    public String message(Function<Remedy, String> how) {
      return Remedy.text(texts, remedies, how);
    }
  }

  /// The time of a [Budget] is up, and what was computed by then cannot be used.
  public static final class TimeUpException extends RuntimeException {

    private static final long serialVersionUID = 1;

    private final String[] texts; // with the remedies between them
    private final Remedy[] remedies;

    public TimeUpException(String message) {
      this(new String[] {message});
    }

    TimeUpException(String[] texts, Remedy... remedies) {
      super(Remedy.text(texts, remedies, remedy -> ""));
      this.texts = texts.clone();
      this.remedies = remedies.clone();
    }

    /// As a thread pool hands it on.
    public TimeUpException(Throwable cause) {
      super(cause.getMessage(), cause);
      boolean same = cause instanceof TimeUpException;
      texts =
          same
              ? ((TimeUpException) cause).texts
              : new String[] {String.valueOf(cause.getMessage())};
      remedies = same ? ((TimeUpException) cause).remedies : new Remedy[0];
    }

    /// The message with how each remedy is done in brackets after it, `--time` say; nothing is
    /// added where that is empty.
    public String message(Function<Remedy, String> how) {
      return Remedy.text(texts, remedies, how);
    }
  }
}

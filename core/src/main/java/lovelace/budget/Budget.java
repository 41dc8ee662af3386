package lovelace.budget;

import java.time.Duration;
import java.util.Locale;
import java.util.function.Function;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/// A deadline and a memory limit for one computation. The clock starts when the budget is made.
///
/// Work that runs in the scope of a budget ([#run]) keeps to it. Loops call [#check], which throws
/// [TimeUpException] once the time is up. Large arrays are announced with [#require] before they
/// are made. Work outside any scope has no limits. Parallel loops carry the scope to their threads.
///
/// A lenient budget ([#lenient]) does not stop work at its end. Only its shares ([#share]) do: they
/// are for work that can be cut short.
public final class Budget {

  /// No deadline, and as much memory as the Java heap allows.
  public static final Budget UNLIMITED =
      new Budget(
          () -> 0,
          0,
          Long.MAX_VALUE,
          Long.MAX_VALUE,
          Runtime.getRuntime().maxMemory(),
          false,
          null);

  /// The length of the longest possible array.
  private static final int LONGEST = Integer.MAX_VALUE - 8;

  private static final ScopedValue<Budget> CURRENT = ScopedValue.newInstance();

  private final LongSupplier clock; // nanoseconds
  private final long start;
  private final long nanos;
  private final long whole; // nanoseconds of the budget that this one was cut from
  private final long memory;
  private final boolean lenient;
  private final @Nullable Budget outer; // over when this outer budget is

  private Budget(
      LongSupplier clock,
      long start,
      long nanos,
      long whole,
      long memory,
      boolean lenient,
      @Nullable Budget outer) {
    this.lenient = lenient;
    this.outer = outer;
    this.whole = whole;
    this.clock = clock;
    this.start = start;
    this.nanos = nanos;
    this.memory = memory;
  }

  /// Makes a budget that starts now, with a clock in nanoseconds.
  public static Budget of(Duration time, long memory, LongSupplier clock) {
    if (time.isNegative() || time.isZero())
      throw new IllegalArgumentException("time must be > 0, got " + time);
    if (memory <= 0) throw new IllegalArgumentException("memory must be > 0 bytes, got " + memory);
    long nanos = time.compareTo(Duration.ofDays(36500)) > 0 ? Long.MAX_VALUE : time.toNanos();
    return new Budget(clock, clock.getAsLong(), nanos, nanos, memory, false, null);
  }

  /// The budget that the calling code runs in; [#UNLIMITED] if there is none.
  public static Budget current() {
    return CURRENT.orElse(UNLIMITED);
  }

  /// Returns this budget, or the rest of the one that the calling code runs in, whichever is less.
  /// It is over when the other one is.
  public Budget withinCurrent() {
    if (!CURRENT.isBound()) return this;
    Budget outer = CURRENT.get();
    return outer.limited() && outer.left() < left()
        ? new Budget(
            outer.clock,
            outer.start,
            outer.nanos,
            outer.whole,
            Math.min(memory, outer.memory),
            lenient,
            outer)
        : new Budget(clock, start, nanos, whole, Math.min(memory, outer.memory), lenient, outer);
  }

  /// Returns a budget with a fraction of the time that is left, and the same memory. Its end stops
  /// work, whether this one is lenient or not.
  public Budget share(double fraction) {
    if (!limited()) return this;
    long part = Math.max(0, (long) (fraction * left()));
    return new Budget(clock, clock.getAsLong(), part, whole, memory, false, outer);
  }

  /// Returns the same budget, whose end does not stop work.
  public Budget lenient() {
    return new Budget(clock, start, nanos, whole, memory, true, outer);
  }

  /// Runs work in the scope of this budget and returns its result.
  public <R, X extends Throwable> R call(ScopedValue.CallableOp<? extends R, X> work) throws X {
    return ScopedValue.where(CURRENT, this).call(work);
  }

  /// Runs work in the scope of this budget.
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
    return left() <= 0 || (outer != null && outer.over());
  }

  /// Whether work must stop.
  private boolean stops() {
    return (!lenient && left() <= 0) || (outer != null && outer.stops());
  }

  /// The length of the whole budget in seconds. This one may be a share of it.
  public double seconds() {
    return whole * 1e-9;
  }

  /// The number of bytes allowed.
  public long memory() {
    return memory;
  }

  /// Throws if the time of the current budget is up, unless it is lenient.
  public static void check() {
    Budget budget = current();
    if (budget.stops())
      throw new TimeUpException(
          new String[] {
            String.format(Locale.ROOT, "no result within %.3g s; ", budget.seconds()),
            ", fewer rows or inputs, or a smaller grid"
          },
          Remedy.MORE_TIME);
  }

  /// Throws if `what` needs more `bytes` than the current budget allows. The advice says what to
  /// do.
  public static void require(long bytes, String what, String advice) {
    if (bytes > current().memory)
      throw new MemoryLimitException(
          new String[] {needs(bytes, what) + advice + " or ", ""}, Remedy.MORE_MEMORY);
  }

  /// As [#require(long, String, String)], with a remedy as the advice.
  public static void require(long bytes, String what, Remedy remedy) {
    if (bytes > current().memory)
      throw new MemoryLimitException(
          new String[] {needs(bytes, what), " or ", ""}, remedy, Remedy.MORE_MEMORY);
  }

  private static String needs(long bytes, String what) {
    return "%s needs %s of memory, the limit is %s; "
        .formatted(what, text(bytes), text(current().memory));
  }

  /// Returns the length of an array of `rows × columns` numbers for `what`. Throws if no array can
  /// be that long, or if it needs more memory than the current budget allows. The advice says what
  /// to do.
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

  /// Returns the length of a covariance matrix between two sets of points; see [#numbers].
  public static int covariance(long rows, long columns) {
    return numbers(rows, columns, "a covariance matrix", "ask for fewer points at once");
  }

  /// Returns the length of an array of joint draws at some points; see [#numbers].
  public static int draws(long count, long points) {
    return numbers(count, points, "draws at points", "ask for fewer draws or points at once");
  }

  /// Formats a number of bytes as text.
  public static String text(long bytes) {
    return bytes < 1L << 30
        ? String.format(Locale.ROOT, "%.0f MB", bytes / 1e6)
        : String.format(Locale.ROOT, "%.1f GB", bytes / 1e9);
  }

  /// A way to keep a computation within its limits. A message describes it in words; a program that
  /// has options can add the name of the option.
  public enum Remedy {
    MORE_TIME("give more time"),
    MORE_MEMORY("allow more memory"),
    FEWER_GRID_POINTS("give fewer grid points");

    private final String words;

    Remedy(String words) {
      this.words = words;
    }

    /// The remedy in words, as part of a sentence.
    @Override
    public String toString() {
      return words;
    }

    /// Joins texts with remedies between them. What `how` says about a remedy follows it in
    /// brackets, unless it is empty.
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

  /// Thrown if a computation needs more memory than its [Budget] allows.
  public static final class MemoryLimitException extends IllegalArgumentException {

    private static final long serialVersionUID = 1;

    private final String[] texts; // with the remedies between them
    private final Remedy[] remedies;

    MemoryLimitException(String[] texts, Remedy... remedies) {
      super(Remedy.text(texts, remedies, remedy -> ""));
      this.texts = texts.clone();
      this.remedies = remedies.clone();
    }

    /// Wraps an exception that a thread pool passes on.
    public MemoryLimitException(Throwable cause) {
      super(cause.getMessage(), cause);
      boolean same = cause instanceof MemoryLimitException;
      texts =
          same
              ? ((MemoryLimitException) cause).texts
              : new String[] {String.valueOf(cause.getMessage())};
      remedies = same ? ((MemoryLimitException) cause).remedies : new Remedy[0];
    }

    /// Returns the message. What `how` says about a remedy, such as `--memory`, follows it in
    /// brackets, unless it is empty.
    public String message(Function<Remedy, String> how) {
      return Remedy.text(texts, remedies, how);
    }
  }

  /// Thrown if the time of a [Budget] is up and the results so far cannot be used.
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

    /// Wraps an exception that a thread pool passes on.
    public TimeUpException(Throwable cause) {
      super(cause.getMessage(), cause);
      boolean same = cause instanceof TimeUpException;
      texts =
          same
              ? ((TimeUpException) cause).texts
              : new String[] {String.valueOf(cause.getMessage())};
      remedies = same ? ((TimeUpException) cause).remedies : new Remedy[0];
    }

    /// Returns the message. What `how` says about a remedy, such as `--time`, follows it in
    /// brackets, unless it is empty.
    public String message(Function<Remedy, String> how) {
      return Remedy.text(texts, remedies, how);
    }
  }
}

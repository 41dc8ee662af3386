package lovelace.linear.internal;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_DOUBLE;
import static java.lang.foreign.ValueLayout.JAVA_INT;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SymbolLookup;
import java.lang.invoke.MethodHandle;
import java.util.Arrays;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/// The routines of OpenBLAS through java.lang.foreign, with one thread per call. Calls work
/// directly on heap arrays (`Linker.Option.critical`), which blocks garbage collection while they
/// run; [Tiled] keeps each call to milliseconds. [#eigen] can take long, so it works on a copy
/// outside the heap.
public final class OpenBlas implements Routines {

  private static final int ROW_MAJOR = 101;
  private static final int COLUMN_MAJOR = 102;
  private static final int NO_TRANS = 111;
  private static final int TRANS = 112;
  private static final int LOWER = 122;
  private static final int NON_UNIT = 131;
  private static final int LEFT = 141;
  private static final int RIGHT = 142;

  /// For a larger problem an int cannot count the elements of the work space.
  private static final int MOST_EIGEN = 32_766;

  private final Call gemm;
  private final Call gemv;
  private final Call syrk;
  private final Call trsm;
  private final Call trmm;
  private final Call potrf;
  private final Call syevd;
  private final Call threads;

  private OpenBlas(SymbolLookup library) {
    MemoryLayout i = JAVA_INT;
    MemoryLayout d = JAVA_DOUBLE;
    MemoryLayout p = ADDRESS;
    gemm = bind(library, "cblas_dgemm", true, i, i, i, i, i, i, d, p, i, p, i, d, p, i);
    gemv = bind(library, "cblas_dgemv", true, i, i, i, i, d, p, i, p, i, d, p, i);
    syrk = bind(library, "cblas_dsyrk", true, i, i, i, i, i, d, p, i, d, p, i);
    trsm = bind(library, "cblas_dtrsm", true, i, i, i, i, i, i, i, d, p, i, p, i);
    trmm = bind(library, "cblas_dtrmm", true, i, i, i, i, i, i, i, d, p, i, p, i);
    MemoryLayout c = JAVA_BYTE;
    potrf = function(library, "LAPACKE_dpotrf_work", true, i, c, i, p, i);
    syevd = function(library, "LAPACKE_dsyevd_work", false, i, c, c, i, p, i, p, p, i, p, i);
    threads = bind(library, "openblas_set_num_threads", false, i);
    setThreads(1);
  }

  /// Loads the library. Throws if this platform has none, or if it may not be loaded.
  public static OpenBlas load() throws IOException {
    return new OpenBlas(NativeLibrary.load());
  }

  /// A routine of the library. Its handle is made at the first call, because each takes about 8 ms
  /// and a short command needs few of them.
  private static final class Call {

    private final MemorySegment symbol;
    private final FunctionDescriptor descriptor;
    private final boolean critical;
    private @Nullable MethodHandle handle; // racing threads make equal ones

    Call(MemorySegment symbol, FunctionDescriptor descriptor, boolean critical) {
      this.symbol = symbol;
      this.descriptor = descriptor;
      this.critical = critical;
    }

    MethodHandle handle() {
      MethodHandle made = handle;
      if (made != null) return made;
      Linker linker = Linker.nativeLinker();
      made =
          critical
              ? linker.downcallHandle(symbol, descriptor, Linker.Option.critical(true))
              : linker.downcallHandle(symbol, descriptor);
      handle = made;
      return made;
    }
  }

  private static Call bind(
      SymbolLookup library, String name, boolean critical, MemoryLayout... arguments) {
    return bind(library, name, critical, FunctionDescriptor.ofVoid(arguments));
  }

  /// A routine that returns an `int`.
  private static Call function(
      SymbolLookup library, String name, boolean critical, MemoryLayout... arguments) {
    return bind(library, name, critical, FunctionDescriptor.of(JAVA_INT, arguments));
  }

  private static Call bind(
      SymbolLookup library, String name, boolean critical, FunctionDescriptor descriptor) {
    return new Call(library.findOrThrow(name), descriptor, critical);
  }

  /// Lets a benchmark compare OpenBLAS's own threads with ours. Nothing else sets more than one.
  void setThreads(int count) {
    try {
      threads.handle().invokeExact(count);
    } catch (Throwable e) {
      throw failed(e);
    }
  }

  @Override
  public String name() {
    return "openblas";
  }

  @Override
  public void gemm(
      boolean transA,
      boolean transB,
      int m,
      int n,
      int k,
      double alpha,
      double[] a,
      int ao,
      int lda,
      double[] b,
      int bo,
      int ldb,
      double beta,
      double[] c,
      int co,
      int ldc) {
    if (JavaRoutines.isTiny(m, n, k)) {
      JavaRoutines.tiny(transA, transB, m, n, k, alpha, a, ao, lda, b, bo, ldb, beta, c, co, ldc);
      return;
    }
    try {
      gemm.handle()
          .invokeExact(
              ROW_MAJOR,
              op(transA),
              op(transB),
              m,
              n,
              k,
              alpha,
              at(a, ao),
              lda,
              at(b, bo),
              ldb,
              beta,
              at(c, co),
              ldc);
    } catch (Throwable e) {
      throw failed(e);
    }
  }

  @Override
  public void gemv(
      boolean trans,
      int m,
      int n,
      double alpha,
      double[] a,
      int ao,
      int lda,
      double[] x,
      int xo,
      double beta,
      double[] y,
      int yo) {
    if ((long) m * n <= 256) { // plain loops are faster than the call
      JavaRoutines.vector(trans, m, n, alpha, a, ao, lda, x, xo, beta, y, yo);
      return;
    }
    // OpenBLAS lets NaN through β = 0
    if (beta == 0) Arrays.fill(y, yo, yo + (trans ? n : m), 0);
    double keep = beta == 0 ? 1 : beta;
    try {
      gemv.handle()
          .invokeExact(
              ROW_MAJOR, op(trans), m, n, alpha, at(a, ao), lda, at(x, xo), 1, keep, at(y, yo), 1);
    } catch (Throwable e) {
      throw failed(e);
    }
  }

  @Override
  public void syrk(
      boolean trans,
      int n,
      int k,
      double alpha,
      double[] a,
      int ao,
      int lda,
      double beta,
      double[] c,
      int co,
      int ldc) {
    try {
      syrk.handle()
          .invokeExact(
              ROW_MAJOR, LOWER, op(trans), n, k, alpha, at(a, ao), lda, beta, at(c, co), ldc);
    } catch (Throwable e) {
      throw failed(e);
    }
  }

  @Override
  public void trsm(
      boolean right,
      boolean trans,
      int m,
      int n,
      double alpha,
      double[] l,
      int lo,
      int ldl,
      double[] b,
      int bo,
      int ldb) {
    triangular(trsm.handle(), right, trans, m, n, alpha, l, lo, ldl, b, bo, ldb);
  }

  @Override
  public void trmm(
      boolean right,
      boolean trans,
      int m,
      int n,
      double alpha,
      double[] l,
      int lo,
      int ldl,
      double[] b,
      int bo,
      int ldb) {
    triangular(trmm.handle(), right, trans, m, n, alpha, l, lo, ldl, b, bo, ldb);
  }

  private static void triangular(
      MethodHandle routine,
      boolean right,
      boolean trans,
      int m,
      int n,
      double alpha,
      double[] l,
      int lo,
      int ldl,
      double[] b,
      int bo,
      int ldb) {
    int side = right ? RIGHT : LEFT;
    try {
      routine.invokeExact(
          ROW_MAJOR, side, LOWER, op(trans), NON_UNIT, m, n, alpha, at(l, lo), ldl, at(b, bo), ldb);
    } catch (Throwable e) {
      throw failed(e);
    }
  }

  /// LAPACK is column-major, so our lower triangle is its upper one.
  @Override
  public int potrf(int n, double[] a, int ao, int lda) {
    int info;
    try {
      info = (int) potrf.handle().invokeExact(COLUMN_MAJOR, (byte) 'U', n, at(a, ao), lda);
    } catch (Throwable e) {
      throw failed(e);
    }
    if (info != 0) return info;
    for (int i = 0; i < n; i++)
      if (!(a[ao + i * lda + i] > 0)) return i + 1; // NaN passes as positive
    return 0;
  }

  @Override
  public void eigen(int n, double[] a, double[] values) {
    if (n > MOST_EIGEN)
      throw new IllegalArgumentException(
          String.format(
              Locale.ROOT,
              "eigenvalues of at most %,d rows can be computed, got %,d",
              MOST_EIGEN,
              n));
    int work = 1 + 6 * n + 2 * n * n;
    int integers = 3 + 5 * n;
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment matrix = arena.allocateFrom(JAVA_DOUBLE, a);
      MemorySegment w = arena.allocate(JAVA_DOUBLE, n);
      int info =
          (int)
              syevd
                  .handle()
                  .invokeExact(
                      COLUMN_MAJOR,
                      (byte) 'V',
                      (byte) 'U',
                      n,
                      matrix,
                      n,
                      w,
                      arena.allocate(JAVA_DOUBLE, work),
                      work,
                      arena.allocate(JAVA_INT, integers),
                      integers);
      if (info != 0) throw new ArithmeticException("eigenvalues did not converge: " + info);
      MemorySegment.copy(matrix, JAVA_DOUBLE, 0, a, 0, n * n);
      MemorySegment.copy(w, JAVA_DOUBLE, 0, values, 0, n);
    } catch (Throwable e) {
      throw failed(e);
    }
  }

  private static int op(boolean trans) {
    return trans ? TRANS : NO_TRANS;
  }

  private static MemorySegment at(double[] a, int offset) {
    return MemorySegment.ofArray(a).asSlice(8L * offset);
  }

  private static RuntimeException failed(Throwable e) {
    if (e instanceof RuntimeException known) return known;
    if (e instanceof Error error) throw error;
    return new IllegalStateException(e);
  }
}

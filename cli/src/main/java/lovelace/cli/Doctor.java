package lovelace.cli;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SymbolLookup;
import java.lang.foreign.ValueLayout;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.regex.Pattern;
import lovelace.budget.Budget;
import lovelace.linear.Blas;
import lovelace.linear.internal.JavaRoutines;
import lovelace.linear.internal.OpenBlas;
import org.jspecify.annotations.Nullable;

/// Examines what Lovelace runs on, tries every native library, and collects problems.
final class Doctor {

  /// A problem and its remedy.
  record Problem(String what, String remedy) {
    @Override
    public String toString() {
      return what + ". " + remedy + ".";
    }
  }

  static final int JAVA = 25; // the oldest version that can run Lovelace
  private static final long LEAST_HEAP = 512L << 20;
  private static final long LEAST_SPACE = 1L << 30;
  private static final int SIZE = 64; // of the test matrices

  private final Surroundings here;
  private final Map<String, Map<String, @Nullable Object>> facts = new LinkedHashMap<>();
  private final List<Problem> problems = new ArrayList<>();

  private Doctor(Surroundings here) {
    this.here = here;
  }

  /// Runs all checks.
  static Doctor examine(Surroundings here) {
    Doctor doctor = new Doctor(here);
    doctor.lovelace();
    doctor.java();
    doctor.blas();
    doctor.tables();
    doctor.networks();
    doctor.threads();
    doctor.memory();
    doctor.startUp();
    doctor.temporary();
    doctor.text();
    return doctor;
  }

  /// All facts, by name.
  Map<String, Map<String, @Nullable Object>> facts() {
    return facts;
  }

  List<Problem> problems() {
    return problems;
  }

  private Map<String, @Nullable Object> about(String name) {
    return facts.computeIfAbsent(name, key -> new LinkedHashMap<>());
  }

  private void wrong(String what, String remedy) {
    problems.add(new Problem(what, remedy));
  }

  private void lovelace() {
    Map<String, @Nullable Object> all = about("lovelace");
    all.put("version", Version.number());
    all.put("launcher", here.property("lovelace.launcher"));
    all.put("system", here.property("os.name") + " " + here.property("os.arch"));
  }

  private void java() {
    Map<String, @Nullable Object> all = about("java");
    all.put("version", Runtime.version().toString());
    all.put("vendor", here.property("java.vendor"));
    all.put("home", here.property("java.home"));
    String home = here.variable("JAVA_HOME");
    if (home == null || home.isBlank()) return;
    all.put("JAVA_HOME", home);
    int version = version(Path.of(home));
    if (version == 0)
      wrong(
          "JAVA_HOME is '%s', where there is no Java; '%s' is used instead"
              .formatted(home, here.property("java.home")),
          "Set JAVA_HOME to a JDK " + JAVA + " or newer, or unset it");
    else if (version < JAVA)
      wrong(
          "JAVA_HOME is '%s', a Java %s, and Lovelace needs %s or newer; '%s' is used instead"
              .formatted(home, version, JAVA, here.property("java.home")),
          "Set JAVA_HOME to a JDK " + JAVA + " or newer, or unset it");
  }

  /// The version of the Java in a folder; 0 if there is none.
  private static int version(Path home) {
    Path release = home.resolve("release");
    if (!Files.isExecutable(home.resolve("bin/java"))) return 0;
    try {
      return Pattern.compile("^JAVA_VERSION=\"?(\\d+)", Pattern.MULTILINE)
          .matcher(Files.readString(release))
          .results()
          .findFirst()
          .map(found -> Integer.parseInt(found.group(1)))
          .orElse(0);
    } catch (IOException e) {
      return 0;
    }
  }

  private void blas() {
    Map<String, @Nullable Object> all = about("blas");
    String provider = Blas.provider();
    all.put("provider", provider);
    if (provider.equals("openblas")) {
      Path file = here.loaded("libopenblas");
      all.put("library", file);
      if (file != null) {
        all.put("build", text(file, "openblas_get_config"));
        all.put("kernels", text(file, "openblas_get_corename"));
      }
    } else plainJava(all);
    double error = productError();
    all.put("product_error", error);
    if (!(error <= 1e-12))
      wrong(
          String.format(
              Locale.ROOT,
              "A matrix product by %s differs from plain Java by %.1e",
              provider,
              error),
          "Set LOVELACE_JAVA_OPTS=-Dlovelace.blas=java to use plain Java, and report this machine");
  }

  /// Adds why the algebra runs in plain Java.
  private void plainJava(Map<String, @Nullable Object> all) {
    if ("java".equals(here.property("lovelace.blas"))) {
      all.put("why", "lovelace.blas=java asks for it");
      return;
    }
    try {
      OpenBlas.load();
      all.put("why", "OpenBLAS loads now, and did not before");
    } catch (Exception | LinkageError e) {
      all.put("why", String.valueOf(e.getMessage()));
      if (here.hasNatives())
        wrong(
            "OpenBLAS does not load, so plain Java does the algebra, several times slower: "
                + e.getMessage(),
            "Put org.bytedeco:openblas for this platform on the class path, pass"
                + " --enable-native-access=ALL-UNNAMED, and name a folder for libraries with"
                + " -Dlovelace.native=DIR in LOVELACE_JAVA_OPTS if the home folder has none");
    }
  }

  /// The largest difference between a product by the library and one by plain Java.
  private static double productError() {
    var random = new SplittableRandom(1);
    double[] a = random.doubles((long) SIZE * SIZE).toArray();
    double[] b = random.doubles((long) SIZE * SIZE).toArray();
    double[] c = new double[SIZE * SIZE];
    double[] d = new double[SIZE * SIZE];
    Blas.gemm(false, true, SIZE, SIZE, SIZE, 1.0 / SIZE, a, 0, SIZE, b, 0, SIZE, 0, c, 0, SIZE);
    new JavaRoutines()
        .gemm(false, true, SIZE, SIZE, SIZE, 1.0 / SIZE, a, 0, SIZE, b, 0, SIZE, 0, d, 0, SIZE);
    double error = 0;
    for (int i = 0; i < c.length; i++) error = Math.max(error, Math.abs(c[i] - d[i]));
    return error;
  }

  /// Calls a function of a library that has no arguments, and returns its text; null if the library
  /// lacks it.
  private static @Nullable String text(Path library, String function) {
    try (Arena arena = Arena.ofConfined()) {
      var symbol = SymbolLookup.libraryLookup(library, arena).find(function).orElse(null);
      if (symbol == null) return null;
      var handle =
          Linker.nativeLinker().downcallHandle(symbol, FunctionDescriptor.of(ValueLayout.ADDRESS));
      return ((MemorySegment) handle.invokeExact()).reinterpret(1024).getString(0);
    } catch (Throwable e) { // a library that cannot be queried is not a failure of Lovelace
      return null;
    }
  }

  private void tables() {
    Map<String, @Nullable Object> all = about("duckdb");
    try (Database database = Database.open()) {
      List<String> answer =
          database.strings("select version(), sum(x * x) from range(1, 1001) r(x)");
      all.put("version", answer.get(0));
      all.put("library", here.loaded("libduckdb"));
      if (!answer.get(1).equals("333833500"))
        wrong(
            "DuckDB sums the squares of 1 to 1000 to %s, not to 333833500".formatted(answer.get(1)),
            "Install Lovelace again, and report this machine if that does not help");
    } catch (SQLException | LinkageError | RuntimeException e) {
      all.put("failure", e.toString());
      wrong(
          "DuckDB, which reads and writes tables, does not work: " + e.getMessage(),
          "Check that '%s' can hold libraries, or install Lovelace again"
              .formatted(here.property("java.io.tmpdir")));
    }
  }

  private void networks() {
    Map<String, @Nullable Object> all = about("networks");
    all.put("installed", here.hasNetworks());
    if (!here.hasNetworks()) return;
    try {
      all.put("version", here.network());
      all.put("library", here.loaded("libtorch_cpu"));
    } catch (RuntimeException | LinkageError e) {
      all.put("failure", e.toString());
      wrong(
          "PyTorch, which runs networks, does not work: " + e.getMessage(),
          "Install the networks again for this platform; everything but --deep works without");
    }
  }

  private void threads() {
    about("threads").put("cores", here.cores());
  }

  private void memory() {
    Map<String, @Nullable Object> all = about("memory");
    all.put("heap_limit_bytes", here.heap());
    all.put("machine_bytes", here.machineMemory());
    all.put("container_limit_bytes", here.containerMemory());
    long there = here.containerMemory() == null ? here.machineMemory() : here.containerMemory();
    if (here.heap() < LEAST_HEAP)
      wrong(
          "The Java heap is limited to %s; fits of a few thousand rows need %s"
              .formatted(Budget.text(here.heap()), Budget.text(LEAST_HEAP)),
          "Set LOVELACE_JAVA_OPTS=-Xmx2g, or give the machine or container more memory");
    if (there > 0 && here.heap() > there)
      wrong(
          "The heap may hold %s, and there are %s of memory"
              .formatted(Budget.text(here.heap()), Budget.text(there)),
          "Lower -Xmx in LOVELACE_JAVA_OPTS, or leave it out: the default is 60 % of the memory");
  }

  private void startUp() {
    Map<String, @Nullable Object> all = about("start_up");
    String cache = here.option("AOTCache");
    all.put("cache", cache.isEmpty() ? null : cache);
    all.put("cache_used", !cache.isEmpty() && here.loaded(Path.of(cache)));
  }

  private void temporary() {
    Map<String, @Nullable Object> all = about("temporary");
    Path folder = Path.of(String.valueOf(here.property("java.io.tmpdir")));
    all.put("folder", folder);
    String remedy =
        "Free space there, or set LOVELACE_JAVA_OPTS=-Djava.io.tmpdir=DIR to another folder";
    try {
      Path probe = Files.createTempFile(folder, "lovelace", null);
      Files.delete(probe);
      all.put("writable", true);
      long free = Files.getFileStore(folder).getUsableSpace();
      all.put("free_bytes", free);
      if (free < LEAST_SPACE)
        wrong(
            "The temporary folder '%s' has %s left; large tables are sorted there"
                .formatted(folder, Budget.text(free)),
            remedy);
    } catch (IOException e) {
      all.put("writable", false);
      wrong("The temporary folder '%s' cannot be written".formatted(folder), remedy);
    }
  }

  private void text() {
    Map<String, @Nullable Object> all = about("text");
    String names = String.valueOf(here.property("sun.jnu.encoding"));
    all.put("locale", here.locale());
    all.put("file_names", names);
    if (!names.equalsIgnoreCase("UTF-8"))
      wrong(
          "File names are read as %s, so characters outside that encoding are lost"
              .formatted(names),
          "Set LC_ALL=C.UTF-8");
  }
}

package lovelace.testing;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// Sets of npm packages that tests need. A set is a folder `npm/NAME` beside this class: a
/// `package.json`, and a `package-lock.json` that pins the version and the SHA-512 of each package.
/// `npm ci` installs the set once for all modules, into `testing/target/npm/NAME`. It reads the
/// user's npm settings, and uses the packages in npm's cache. Scripts of packages do not run.
///
/// To make or change a set, edit its `package.json` and run this in its folder: `npm install
/// --package-lock-only --ignore-scripts --omit-lockfile-registry-resolved`.
public final class NpmPackages {

  /// The sets of the tests of this project. Tests run in the folder of their module.
  public static final NpmPackages INSTALLED =
      new NpmPackages(Programs.INSTALLED, Path.of("..", "testing", "target", "npm"));

  private static final String PACKAGE = "package.json";
  private static final String LOCK = "package-lock.json";
  private static final long PATIENCE = 300; // seconds that npm may take

  /// Errors of npm that neither waiting nor a network can repair: the files of the set are wrong,
  /// or a package is not the one that was pinned.
  private static final Set<String> FAULTS = Set.of("EINTEGRITY", "EUSAGE", "ETARGET", "EJSONPARSE");

  private static final Pattern CODE = Pattern.compile("\"code\": *\"(\\w+)\"");

  private final Programs programs;
  private final Path folder;
  private final Map<String, Optional<String>> missing = new ConcurrentHashMap<>();

  NpmPackages(Programs programs, Path folder) {
    this.programs = programs;
    this.folder = folder;
  }

  /// The packages of a set that are missing on this machine; empty if it can be used. Installs the
  /// set first if needed.
  ///
  /// @throws AssertionError if npm refuses the files of the set, or a package is not the one pinned
  public Optional<String> missing(String set) {
    return missing.computeIfAbsent(set, this::prepare);
  }

  private Optional<String> prepare(String set) {
    if (programs.find("node").isEmpty()) return Optional.of("node");
    Path target = folder.resolve(set);
    Path stamp = target.resolve("installed");
    try {
      String wanted = text(set, PACKAGE) + text(set, LOCK);
      Files.createDirectories(target);
      try (FileChannel channel =
          FileChannel.open(
              target.resolve("lock"), StandardOpenOption.CREATE, StandardOpenOption.WRITE)) {
        channel.lock(); // tests of another module may need the same set
        if (Files.exists(stamp) && Files.readString(stamp).equals(wanted)) return Optional.empty();
        Files.deleteIfExists(stamp);
        Optional<Path> npm = programs.find("npm");
        if (npm.isEmpty()) return Optional.of("npm");
        Optional<String> lack = install(npm.get(), set, target);
        if (lack.isEmpty()) Files.writeString(stamp, wanted);
        return lack;
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /// The folder of a set that a test [Needs]. It holds `node_modules`.
  public Path require(String set) {
    missing(set)
        .ifPresent(
            reason -> {
              throw new AssertionError(
                  "this test needs the npm packages '%s' (for want of %s); annotate it with @Needs(packages = \"%s\")"
                      .formatted(set, reason, set));
            });
    return folder.resolve(set).toAbsolutePath().normalize();
  }

  private static Optional<String> install(Path npm, String set, Path target) throws IOException {
    Files.writeString(target.resolve(PACKAGE), text(set, PACKAGE));
    Files.writeString(target.resolve(LOCK), text(set, LOCK));
    Path log = target.resolve("npm.log");
    Process process =
        new ProcessBuilder(
                npm.toString(),
                "ci",
                "--json",
                "--ignore-scripts",
                "--prefer-offline",
                "--no-audit",
                "--no-fund",
                "--no-update-notifier",
                "--fetch-retries=1",
                "--fetch-retry-mintimeout=1000")
            .directory(target.toFile())
            .redirectErrorStream(true)
            .redirectOutput(log.toFile())
            .start();
    process.getOutputStream().close();
    try {
      if (!process.waitFor(PATIENCE, TimeUnit.SECONDS)) {
        return Optional.of(
            "the npm packages '%s', which took npm longer than %s s".formatted(set, PATIENCE));
      }
    } catch (InterruptedException e) {
      throw new AssertionError("interrupted while npm installs '%s'".formatted(set), e);
    } finally {
      process.destroyForcibly();
    }
    return process.exitValue() == 0
        ? Optional.empty()
        : Optional.of(refusal(set, Files.readString(log)));
  }

  private static String refusal(String set, String said) {
    Matcher matcher = CODE.matcher(said);
    String code = matcher.find() ? matcher.group(1) : "no code";
    if (FAULTS.contains(code)) {
      throw new AssertionError("npm ci refuses the packages '%s':\n%s".formatted(set, said));
    }
    return "the npm packages '%s', which npm could not fetch (%s)".formatted(set, code);
  }

  private static String text(String set, String file) throws IOException {
    String name = "npm/" + set + "/" + file;
    try (InputStream in = NpmPackages.class.getResourceAsStream(name)) {
      if (in == null) {
        throw new IllegalArgumentException(
            "'%s' is no set of npm packages: there is no %s beside NpmPackages"
                .formatted(set, name));
      }
      return new String(in.readAllBytes(), UTF_8);
    }
  }
}

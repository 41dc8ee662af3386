package lovelace.server;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;
import java.util.stream.Stream;
import lovelace.Fit;
import lovelace.Model;
import lovelace.data.Trust;
import lovelace.server.Served.Stamp;
import org.jspecify.annotations.Nullable;

/// The models that are served. A file `NAME.lvl`, given or found in the folder, is version 1 of
/// model NAME; a file `NAME/V.lvl` in the folder is its version V. Without a version the highest is
/// asked. Names come from files at start and reload only: what a client sends is looked up, never
/// opened.
final class Repository {

  static final String EXTENSION = ".lvl";

  /// Versions in order: by number, texts after numbers.
  private static final Comparator<String> ORDER =
      Comparator.comparingInt((String version) -> version.matches("\\d{1,18}") ? 0 : 1)
          .thenComparingLong(v -> v.matches("\\d{1,18}") ? Long.parseLong(v) : 0)
          .thenComparing(Comparator.naturalOrder());

  /// Reads a model file.
  interface Loader {
    Model load(Path file, Trust trust) throws IOException;
  }

  private record Found(String name, String version, Path file) {}

  private final List<Path> files;
  private final @Nullable Path folder;
  private final boolean updates;
  private final Trust trust;
  private final int pending;
  private final Fit.Maker maker;
  private final Log log;
  private final Loader loader;
  private final Object writing = new Object(); // held while a file and its stamp differ
  private final Map<Path, Stamp> tried = new HashMap<>(); // files that did not load
  private volatile Map<String, NavigableMap<String, Served>> models = Map.of();
  private volatile int broken = 0;

  Repository(ServerOptions options, Log log, Loader loader) {
    files = options.files();
    folder = options.folder();
    updates = options.updates();
    trust = options.trust();
    pending = options.limits().pending();
    maker = new Fit.Maker(options.version(), "lovelace serve");
    this.log = log;
    this.loader = loader;
  }

  /// Loads everything; a file that is no model fails the start.
  void load() throws IOException {
    if (folder != null && !Files.isDirectory(folder))
      throw new IllegalArgumentException("there is no folder '" + folder + "'");
    scan(true);
  }

  /// Loads what is new or changed and lets go of what is gone; a file that is no model is logged
  /// and the one before it stays.
  void reload() {
    try {
      scan(false);
    } catch (IOException | RuntimeException e) {
      log.error("reload failed", "error", e.getMessage());
    }
  }

  private synchronized void scan(boolean strict) throws IOException {
    Map<String, NavigableMap<String, Served>> next = new LinkedHashMap<>();
    int failures = 0;
    boolean changed = false;
    for (Found found : find()) {
      NavigableMap<String, Served> versions =
          next.computeIfAbsent(found.name, n -> new TreeMap<>(ORDER));
      if (versions.containsKey(found.version)) {
        if (strict)
          throw new IllegalArgumentException(
              "'%s' and '%s' are both version %s of model '%s'; rename one"
                  .formatted(
                      versions.get(found.version).file(), found.file, found.version, found.name));
        continue;
      }
      Served old = served(found.name, found.version);
      if (old != null && !old.file().equals(found.file)) old = null;
      try {
        Stamp stamp = stamp(found.file);
        if (old != null && stamp.equals(old.stamp())) {
          versions.put(found.version, old);
          tried.remove(found.file);
          continue;
        }
        if (stamp.equals(tried.put(found.file, stamp))) {
          if (old != null) versions.put(found.version, old);
          else failures++;
          continue;
        }
        Model model = loader.load(found.file, trust);
        tried.remove(found.file);
        if (old != null && old.updates() != null) old.updates().abandon();
        Served served = new Served(found.name, found.version, found.file, stamp, model);
        if (updates)
          served.updates(new Updates(served, pending, maker, this::write, log, Journal.Disk.REAL));
        versions.put(found.version, served);
        changed = true;
        log.info(
            old == null ? "model loaded" : "model reloaded",
            "model",
            found.name,
            "version",
            found.version,
            "rows",
            model.count(),
            "file",
            found.file);
      } catch (IOException | RuntimeException e) {
        if (strict) {
          if (e instanceof NoSuchFileException)
            throw new IllegalArgumentException("there is no model '" + found.file + "'", e);
          throw e;
        }
        if (e instanceof NoSuchFileException) continue; // gone between look and read
        failures++;
        if (old != null) versions.put(found.version, old);
        log.error(
            "model not loaded",
            "model",
            found.name,
            "version",
            found.version,
            "error",
            e.getMessage(),
            "kept",
            old != null);
      }
    }
    next.values().removeIf(Map::isEmpty);
    for (Map.Entry<String, NavigableMap<String, Served>> entry : models.entrySet())
      for (Map.Entry<String, Served> version : entry.getValue().entrySet())
        if (!next.getOrDefault(entry.getKey(), new TreeMap<>()).containsKey(version.getKey())) {
          changed = true;
          forget(version.getValue());
          log.info("model gone", "model", entry.getKey(), "version", version.getKey());
        }
    broken = failures;
    if (changed) models = next;
  }

  private Stamp stamp(Path file) throws IOException {
    synchronized (writing) {
      return Stamp.of(file);
    }
  }

  private void forget(Served served) {
    tried.remove(served.file());
    if (served.updates() != null) served.updates().abandon();
  }

  /// Writes a model's file, unless somebody else has put another one there, before or meanwhile.
  private void write(Served served, Model model) throws IOException {
    Path file = served.file();
    Path next = file.resolveSibling("." + file.getFileName() + ".next");
    synchronized (writing) {
      try {
        requireOwn(served);
        model.save(next);
        requireOwn(served);
        Files.move(next, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
        served.stamp(Stamp.of(file));
      } finally {
        Files.deleteIfExists(next);
      }
    }
  }

  private static void requireOwn(Served served) throws IOException {
    if (!Stamp.of(served.file()).equals(served.stamp()))
      throw new IOException("'%s' was replaced by somebody else".formatted(served.file()));
  }

  /// Ends all taking of observations; journals go into the model files.
  void close() {
    for (NavigableMap<String, Served> versions : models.values())
      for (Served served : versions.values())
        if (served.updates() != null) served.updates().close();
  }

  private List<Found> find() throws IOException {
    List<Found> all = new ArrayList<>();
    for (Path file : files) all.add(new Found(stem(file), "1", file));
    if (folder == null) return all;
    for (Path entry : list(folder)) {
      if (Files.isDirectory(entry)) {
        for (Path version : list(entry))
          if (isModel(version))
            all.add(new Found(entry.getFileName().toString(), stem(version), version));
      } else if (isModel(entry)) {
        all.add(new Found(stem(entry), "1", entry));
      }
    }
    return all;
  }

  private static List<Path> list(Path folder) throws IOException {
    try (Stream<Path> entries = Files.list(folder)) {
      return entries
          .filter(entry -> !entry.getFileName().toString().startsWith("."))
          .sorted()
          .toList();
    }
  }

  private static boolean isModel(Path file) {
    return file.getFileName().toString().endsWith(EXTENSION) && Files.isRegularFile(file);
  }

  static String stem(Path file) {
    String name = file.getFileName().toString();
    int dot = name.lastIndexOf('.');
    return dot > 0 ? name.substring(0, dot) : name;
  }

  /// The names of all models.
  List<String> names() {
    return List.copyOf(models.keySet());
  }

  /// All versions of a model, the lowest first; none if there is no such model.
  List<Served> versions(String name) {
    NavigableMap<String, Served> versions = models.get(name);
    return versions == null ? List.of() : List.copyOf(versions.values());
  }

  private @Nullable Served served(String name, @Nullable String version) {
    NavigableMap<String, Served> versions = models.get(name);
    if (versions == null) return null;
    return version == null ? versions.lastEntry().getValue() : versions.get(version);
  }

  /// A model, in its highest version unless one is given; refuses with 404 if there is none.
  Served require(String name, @Nullable String version) {
    Served served = served(name, version);
    if (served != null) return served;
    throw new Refusal(
        404,
        version == null || !models.containsKey(name)
            ? "there is no model '%s'; there are %s".formatted(shown(name), names())
            : "there is no version '%s' of model '%s'; there are %s"
                .formatted(
                    shown(version), name, versions(name).stream().map(Served::number).toList()));
  }

  private static String shown(String text) {
    return text.length() <= 100 ? text : text.substring(0, 100) + "…";
  }

  /// Whether there is a model and every file that should be one is.
  boolean ready() {
    return broken == 0;
  }
}

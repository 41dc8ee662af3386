package lovelace.server;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import lovelace.Model;
import lovelace.data.Trust;
import lovelace.io.AtomicFile;
import lovelace.io.Stamp;
import lovelace.options.Options;
import lovelace.server.Updates.ReplacedException;
import org.jspecify.annotations.Nullable;

/// The models that are served, and forecasts of series, which are models too here. A file
/// `NAME.lvl` or `NAME.lvf`, given or found in the folder, is version 1 of model NAME. A file
/// `NAME/V.lvl` in the folder is its version V. Requests without a version get the highest. Names
/// come only from files, at start and at reload: a name from a client is looked up, and never
/// opened as a file.
final class Repository {

  static final String EXTENSION = ".lvl";

  /// Of files of forecasts.
  static final String FORECASTS = ".lvf";

  /// Orders versions: by number, then texts.
  private static final Comparator<String> ORDER =
      Comparator.comparingInt((String version) -> version.matches("\\d{1,18}") ? 0 : 1)
          .thenComparingLong(v -> v.matches("\\d{1,18}") ? Long.parseLong(v) : 0)
          .thenComparing(Comparator.naturalOrder());

  /// Reads a model file.
  interface Loader {
    Model load(Path file, Trust trust) throws IOException;
  }

  /// @param named whether the file was given by name, not found in the folder
  private record Found(String name, String version, Path file, boolean named) {}

  /// A file that should be a model and cannot be served.
  ///
  /// @param stamp of the file that was tried; null if it could not be read
  /// @param tried when, in nanoseconds
  record Broken(String name, String version, @Nullable Stamp stamp, String error, long tried) {}

  /// A broken file is tried again after this time, because memory or a library may have been
  /// missing.
  private static final long RETRY = 60_000_000_000L;

  /// How often a file that other processes write is read again at most.
  private static final int TRIES = 10;

  /// How long a starting server waits for a command that is writing a model.
  private static final Duration PATIENCE = Duration.ofSeconds(60);

  /// How long one round of checks waits for files that are being read.
  private static final Duration READING = Duration.ofSeconds(5);

  private final List<Path> files;
  private final @Nullable Path folder;
  private final boolean updates;
  private final Trust trust;
  private final int pending;
  private final Options.Maker maker;
  private final Log log;
  private final Loader loader;
  private final Loads loads;
  private final Duration patience; // limits how long reading delays the other files
  private final Object writing = new Object(); // held while a file and its stamp differ
  private final Set<Served> observing = new LinkedHashSet<>(); // models whose journals are open
  private boolean closed = false; // guarded by observing
  private volatile Map<String, NavigableMap<String, Served>> models = Map.of();
  private volatile Map<Path, Broken> broken = Map.of();

  Repository(ServerOptions options, Log log, Loader loader) {
    files = options.files();
    folder = options.folder();
    updates = options.updates();
    trust = options.trust();
    pending = options.limits().pending();
    maker = new Options.Maker(options.version(), "lovelace serve");
    this.log = log;
    this.loader = loader;
    loads = new Loads(this::read);
    Duration timeout = options.limits().timeout();
    patience = timeout.compareTo(READING) < 0 ? timeout : READING;
  }

  /// Loads all models. A file given by name that is not a model makes the start fail; a file of the
  /// folder does not.
  void load() throws IOException {
    if (folder != null && !Files.isDirectory(folder))
      throw new IllegalArgumentException("there is no folder '" + folder + "'");
    scan(true);
    if (models.isEmpty()) log.warn("no models", "folder", folder, "files", broken.size());
  }

  /// Loads new and changed files, and drops models whose files are gone. If a file cannot be
  /// loaded, this is logged and its previous model stays. No failure here is thrown.
  void reload() {
    try {
      scan(false);
    } catch (IOException | RuntimeException | Error e) {
      log.error("reload failed", "error", Log.message(e));
    }
  }

  private synchronized void scan(boolean start) throws IOException {
    Map<String, NavigableMap<String, Served>> next = new LinkedHashMap<>();
    Map<Path, Broken> failed = new LinkedHashMap<>();
    try {
      List<Found> all = find();
      loads.keep(all.stream().map(Found::file).collect(Collectors.toSet()));
      long until = System.nanoTime() + patience.toNanos();
      for (Found found : all)
        follow(
            found,
            start,
            until,
            next.computeIfAbsent(found.name, n -> new TreeMap<>(ORDER)),
            failed);
    } catch (IOException | RuntimeException | Error e) {
      if (start) next.values().forEach(versions -> versions.values().forEach(this::abandon));
      throw e;
    }
    next.values().removeIf(Map::isEmpty);
    for (Map.Entry<String, NavigableMap<String, Served>> entry : models.entrySet())
      for (Map.Entry<String, Served> version : entry.getValue().entrySet())
        if (!next.getOrDefault(entry.getKey(), new TreeMap<>()).containsKey(version.getKey())) {
          abandon(version.getValue());
          log.info("model gone", "model", entry.getKey(), "version", version.getKey());
        }
    broken = failed;
    models = next;
  }

  /// Adds the model for a file to the versions. This is the file's content, or the previous model
  /// if the file is broken or not read in time.
  private void follow(
      Found found,
      boolean start,
      long until,
      NavigableMap<String, Served> versions,
      Map<Path, Broken> failed)
      throws IOException {
    Served other = versions.get(found.version);
    Served old = served(found.name, found.version);
    if (old != null && (other != null || !old.file().equals(found.file))) old = null;
    Broken before = broken.get(found.file);
    Stamp stamp = null;
    try {
      if (other != null)
        throw new IllegalArgumentException(
            "'%s' and '%s' are both version %s of model '%s'; rename one"
                .formatted(other.file(), found.file, found.version, found.name));
      stamp = stamp(found.file);
      if (old != null && stamp.equals(old.stamp())) {
        if (updates && old.updates() == null) observe(old, false);
        versions.put(found.version, old);
      } else if (before != null
          && stamp.equals(before.stamp)
          && System.nanoTime() - before.tried < RETRY) {
        failed.put(found.file, before);
        if (old != null) versions.put(found.version, old);
      } else {
        Content content = start ? read(found.file) : loads.content(found.file, stamp, until);
        if (content != null) {
          versions.put(found.version, load(found, stamp, content, old, start && found.named));
        } else { // still being read
          if (old != null) versions.put(found.version, old);
          if (before != null) failed.put(found.file, before);
        }
      }
    } catch (IOException | RuntimeException | Error e) {
      if (e instanceof NoSuchFileException && Files.notExists(found.file)) {
        if (start && found.named)
          throw new IllegalArgumentException("there is no model '" + found.file + "'", e);
        return; // deleted after the folder was listed
      }
      if (start && found.named) {
        if (e instanceof Error)
          throw new IOException(
              "'%s' cannot be loaded: %s".formatted(found.file, Log.message(e)), e);
        throw e;
      }
      if (old != null) versions.put(found.version, old);
      Broken now = new Broken(found.name, found.version, stamp, Log.message(e), System.nanoTime());
      failed.put(found.file, now);
      if (before != null && now.error.equals(before.error) && Objects.equals(stamp, before.stamp))
        return; // already logged
      log.error(
          "model not loaded",
          "model",
          found.name,
          "version",
          found.version,
          "file",
          found.file,
          "error",
          now.error,
          "kept",
          old != null);
    }
  }

  private Served load(
      Found found, Stamp stamp, Content content, @Nullable Served old, boolean strict)
      throws IOException {
    Served served = new Served(found.name, found.version, found.file, stamp, content);
    if (old != null) abandon(old);
    for (int i = 1; updates && !observe(served, strict) && i < TRIES; i++) {
      try {
        Stamp now = stamp(found.file);
        served = new Served(found.name, found.version, found.file, now, read(found.file));
      } catch (IOException | RuntimeException e) {
        break; // the next round logs the reason
      }
    }
    log.info(
        old == null ? "model loaded" : "model reloaded",
        "model",
        found.name,
        "version",
        found.version,
        "rows",
        served.content().count(),
        "file",
        found.file);
    return served;
  }

  /// Reads a file. It includes the observations of its journal unless `Updates` will take that
  /// over.
  private Content read(Path file) throws IOException {
    if (updates) return content(file);
    KeptContent kept = KeptContent.read(file, this::content, maker);
    kept.remark()
        .ifPresent(
            text -> log.warn("journal read", "file", file, "rows", kept.rows(), "why", text));
    return kept.content();
  }

  private Content content(Path file) throws IOException {
    return isForecasts(file)
        ? ForecastContent.load(file)
        : new ModelContent(loader.load(file, trust));
  }

  /// Lets a model take observations. If its journal cannot be opened, it is served without, and the
  /// next round tries again. Returns false if the file has changed since it was read.
  private boolean observe(Served served, boolean strict) throws IOException {
    try {
      Duration wait = strict ? PATIENCE : Duration.ZERO; // later, the next round tries again
      synchronized (observing) {
        if (closed) return true; // closed while the file was read
        served.updates(
            new Updates(served, pending, maker, this::write, log, Journal.Disk.REAL, wait));
        observing.add(served);
      }
    } catch (ReplacedException e) {
      return false;
    } catch (IOException | RuntimeException | Error e) {
      if (strict) throw e;
      if (served.stop(Log.message(e)))
        log.error("observations refused", "model", served.name(), "error", Log.message(e));
    }
    return true;
  }

  private void abandon(Served served) {
    synchronized (observing) {
      if (observing.remove(served) && served.updates() != null) served.updates().abandon();
    }
  }

  private Stamp stamp(Path file) throws IOException {
    synchronized (writing) {
      return Stamp.of(file);
    }
  }

  /// Writes a model's file, unless another process has replaced it before or meanwhile.
  private void write(Served served, Content content) throws IOException {
    synchronized (writing) {
      requireOwn(served);
      AtomicFile.write(
          served.file(),
          next -> {
            content.save(next, true);
            requireOwn(served);
          });
      served.stamp(Stamp.of(served.file()));
    }
  }

  private static void requireOwn(Served served) throws IOException {
    if (!Stamp.of(served.file()).equals(served.stamp()))
      throw new IOException("'%s' was replaced by somebody else".formatted(served.file()));
  }

  /// Stops taking observations. Journals go into the model files. No journal is opened afterwards,
  /// not even for a file that is being read.
  void close() {
    synchronized (observing) {
      closed = true;
      for (Served served : observing) if (served.updates() != null) served.updates().close();
      observing.clear();
    }
  }

  private List<Found> find() throws IOException {
    List<Found> all = new ArrayList<>();
    for (Path file : files) all.add(new Found(stem(file), "1", file, true));
    if (folder == null) return all;
    for (Path entry : list(folder)) {
      if (Files.isDirectory(entry)) {
        for (Path version : list(entry))
          if (isModel(version))
            all.add(new Found(entry.getFileName().toString(), stem(version), version, false));
      } else if (isModel(entry)) {
        all.add(new Found(stem(entry), "1", entry, false));
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
    return (file.getFileName().toString().endsWith(EXTENSION) || isForecasts(file))
        && Files.isRegularFile(file);
  }

  /// Whether a file should hold forecasts.
  static boolean isForecasts(Path file) {
    return file.getFileName().toString().endsWith(FORECASTS);
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

  /// All versions of a model, the lowest first; empty if there is no such model.
  List<Served> versions(String name) {
    NavigableMap<String, Served> versions = models.get(name);
    return versions == null ? List.of() : List.copyOf(versions.values());
  }

  /// A model in the given version, or in its highest if that is null. Null if there is none.
  @Nullable Served served(String name, @Nullable String version) {
    NavigableMap<String, Served> versions = models.get(name);
    if (versions == null) return null;
    return version == null ? versions.lastEntry().getValue() : versions.get(version);
  }

  /// A model in the given version, or in its highest if that is null. Refuses with 404 if there is
  /// none, and with 503 if its file is broken.
  Served require(String name, @Nullable String version) {
    Served served = served(name, version);
    if (served != null) return served;
    List<Broken> files = broken(name, version);
    if (!files.isEmpty())
      throw new Refusal(
          503,
          "version %s of model '%s' cannot be served: %s; repair, replace or remove its file"
              .formatted(files.getFirst().version, name, files.getFirst().error));
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

  /// All files that should be models and cannot be served.
  List<Broken> broken() {
    return List.copyOf(broken.values());
  }

  /// The broken files of a model; only those of `version` if it is given.
  List<Broken> broken(String name, @Nullable String version) {
    return broken.values().stream()
        .filter(one -> one.name.equals(name) && (version == null || one.version.equals(version)))
        .toList();
  }

  /// Whether any model can be served, or there are none at all.
  boolean ready() {
    return !models.isEmpty() || broken.isEmpty();
  }
}

package lovelace.server;

import java.nio.file.Path;
import lovelace.Model;
import lovelace.io.Stamp;
import org.jspecify.annotations.Nullable;

/// One version of one model that is served: its file, and what is answered from now.
final class Served {

  private final String name;
  private final String number;
  private final Path file;
  private volatile Model model;
  private volatile Stamp stamp;
  private volatile @Nullable Updates updates;
  private volatile @Nullable String stopped;

  /// What one request sees from its start to its end.
  record Version(String name, String number, Model model) {}

  /// The stamp is that of the file before the model was read from it.
  Served(String name, String number, Path file, Stamp stamp, Model model) {
    this.name = name;
    this.number = number;
    this.file = file;
    this.stamp = stamp;
    this.model = model;
  }

  String name() {
    return name;
  }

  String number() {
    return number;
  }

  Path file() {
    return file;
  }

  /// The file that the model was read from or written to last; any other is somebody else's.
  Stamp stamp() {
    return stamp;
  }

  void stamp(Stamp value) {
    stamp = value;
  }

  Model model() {
    return model;
  }

  Version version() {
    return new Version(name, number, model);
  }

  /// What takes observations; null where none are taken.
  @Nullable Updates updates() {
    return updates;
  }

  void updates(Updates value) {
    updates = value;
    stopped = null;
  }

  /// Keeps why no observations can be taken. Returns whether that is news.
  boolean stop(String why) {
    boolean news = !why.equals(stopped);
    stopped = why;
    return news;
  }

  /// Why no observations are taken that should be; null where they are, or should not be.
  @Nullable String refusal() {
    Updates now = updates;
    if (now != null) return now.refusal();
    return stopped == null ? null : "the observations cannot be kept: " + stopped;
  }

  /// Every request that comes from now on sees the new model; those under way keep the old one.
  void swap(Model next) {
    model = next;
  }
}

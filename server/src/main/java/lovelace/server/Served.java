package lovelace.server;

import java.nio.file.Path;
import lovelace.Model;
import lovelace.io.Stamp;
import org.jspecify.annotations.Nullable;

/// One served version of one model: its file, and the model for new requests.
final class Served {

  private final String name;
  private final String number;
  private final Path file;
  private volatile Model model;
  private volatile Stamp stamp;
  private volatile @Nullable Updates updates;
  private volatile @Nullable String stopped;

  /// The state that one request uses from start to end.
  record Version(String name, String number, Model model) {}

  /// @param stamp of the file before the model was read from it
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

  /// The stamp of the file that the model was read from or written to last. A file with another
  /// stamp was written by another process.
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

  /// Takes observations; null if none are taken.
  @Nullable Updates updates() {
    return updates;
  }

  void updates(Updates value) {
    updates = value;
    stopped = null;
  }

  /// Stores why no observations can be taken. Returns whether the reason is new.
  boolean stop(String why) {
    boolean news = !why.equals(stopped);
    stopped = why;
    return news;
  }

  /// Why observations are not taken although they should be; otherwise null.
  @Nullable String refusal() {
    Updates now = updates;
    if (now != null) return now.refusal();
    return stopped == null ? null : "the observations cannot be kept: " + stopped;
  }

  /// Replaces the model. New requests see the new one; running requests keep the old one.
  void swap(Model next) {
    model = next;
  }
}

package lovelace.server;

import java.nio.file.Path;
import lovelace.Model;
import lovelace.io.Stamp;
import org.jspecify.annotations.Nullable;

/// One served version of one model: its file, and the content for new requests.
final class Served {

  private final String name;
  private final String number;
  private final Path file;
  private volatile Content content;
  private volatile Stamp stamp;
  private volatile @Nullable Updates updates;
  private volatile @Nullable String stopped;

  /// The state that one request uses from start to end.
  record Version(String name, String number, Content content) {
    /// The model. Refuses if the file holds something else.
    Model model() {
      return modelOf(name, content);
    }
  }

  /// @param stamp of the file before the content was read from it
  Served(String name, String number, Path file, Stamp stamp, Content content) {
    this.name = name;
    this.number = number;
    this.file = file;
    this.stamp = stamp;
    this.content = content;
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

  /// The stamp of the file that the content was read from or written to last. A file with another
  /// stamp was written by another process.
  Stamp stamp() {
    return stamp;
  }

  void stamp(Stamp value) {
    stamp = value;
  }

  Content content() {
    return content;
  }

  /// The model. Refuses if the file holds something else.
  Model model() {
    return modelOf(name, content);
  }

  private static Model modelOf(String name, Content content) {
    return switch (content) {
      case ModelContent(Model model) -> model;
      case ForecastContent forecasts ->
          throw Refusal.wrong(
              "'%s' holds forecasts of %,d series, not a model of columns; ask /v2/models/%s/forecast",
              name, forecasts.size(), name);
    };
  }

  Version version() {
    return new Version(name, number, content);
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

  /// Replaces the content. New requests see the new one; running requests keep the old one.
  void swap(Content next) {
    content = next;
  }
}

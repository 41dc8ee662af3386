package lovelace.server;

import java.nio.file.Path;
import lovelace.Model;
import org.jspecify.annotations.Nullable;

/// One version of one model that is served: its file, and what is answered from now.
final class Served {

  private final String name;
  private final String number;
  private final Path file;
  private volatile Model model;
  private volatile @Nullable Updates updates;

  /// What one request sees from its start to its end.
  record Version(String name, String number, Model model) {}

  Served(String name, String number, Path file, Model model) {
    this.name = name;
    this.number = number;
    this.file = file;
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
  }

  /// Every request that comes from now on sees the new model; those under way keep the old one.
  void swap(Model next) {
    model = next;
  }
}

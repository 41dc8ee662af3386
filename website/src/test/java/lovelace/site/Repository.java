package lovelace.site;

import java.nio.file.Path;

/// Where the repository is. Tests run in a folder of their own.
final class Repository {

  static final Path ROOT =
      Path.of(System.getProperty("basedir"), "..").toAbsolutePath().normalize();

  private Repository() {}
}

package lovelace.linear.internal;

import java.io.IOException;
import java.io.InputStream;
import java.lang.foreign.Arena;
import java.lang.foreign.SymbolLookup;
import java.net.JarURLConnection;
import java.net.URL;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFileAttributes;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.nio.file.attribute.UserPrincipal;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.zip.CRC32;
import org.jspecify.annotations.Nullable;

/// Loads OpenBLAS from the class path. Copies the shared libraries once into a folder that only
/// this user can write to: `~/.cache/lovelace`, `~/Library/Caches/lovelace`, or else one in the
/// temporary folder. `-Dlovelace.native=DIR` names another. Their names contain their checksum.
/// Before each load, size and checksum are compared with the class path.
final class NativeLibrary {

  private static final Set<PosixFilePermission> OTHERS_WRITE =
      Set.of(PosixFilePermission.GROUP_WRITE, PosixFilePermission.OTHERS_WRITE);

  private NativeLibrary() {}

  private record Resource(String name, URL url, long size, long crc) {}

  private record Content(long size, long crc) {}

  /// Loads OpenBLAS with the libraries that it needs. If one is missing, the exception names it.
  static SymbolLookup load() throws IOException {
    List<Resource> resources = resources();
    Resource main = resources.getLast();
    String key = "openblas-" + HexFormat.of().toHexDigits((int) main.crc) + "-" + main.size;
    IOException failure = null;
    for (Path base : folders()) {
      try {
        Path folder = privateFolder(base.resolve(key));
        for (Resource resource : resources) provide(resource, folder);
        SymbolLookup lookup = SymbolLookup.loaderLookup();
        for (Resource resource : resources)
          lookup = SymbolLookup.libraryLookup(folder.resolve(resource.name), Arena.global());
        return lookup;
      } catch (IOException | IllegalArgumentException e) {
        failure = new IOException(base + ": " + e.getMessage(), e);
      }
    }
    throw failure == null ? new IOException("no folder to put the library in") : failure;
  }

  /// The libraries of this platform on the class path. Each comes after those that it needs.
  private static List<Resource> resources() throws IOException {
    String os = System.getProperty("os.name", "").toLowerCase(Locale.ROOT);
    String arch = System.getProperty("os.arch", "");
    boolean mac = os.startsWith("mac");
    if (!mac && !os.startsWith("linux")) throw new IOException("no binding for " + os);
    String cpu =
        switch (arch) {
          case "aarch64", "arm64" -> "arm64";
          case "amd64", "x86_64" -> "x86_64";
          default -> throw new IOException("no binding for " + arch);
        };
    String path = "org/bytedeco/openblas/" + (mac ? "macosx-" : "linux-") + cpu + "/";
    List<String> names =
        mac
            ? List.of("libgcc_s.1.1.dylib", "libquadmath.0.dylib", "libgfortran.5.dylib")
            : List.of("libgcc_s.so.1", "libquadmath.so.0", "libgfortran.so.5");
    List<Resource> found = new ArrayList<>();
    for (String name : names) {
      URL url = resource(path + name);
      if (url != null) found.add(describe(name, url));
    }
    String main = mac ? "libopenblas.0.dylib" : "libopenblas.so.0";
    URL url = resource(path + main);
    if (url == null) throw new IOException(path + main + " is not on the class path");
    found.add(describe(main, url));
    return found;
  }

  private static @Nullable URL resource(String path) {
    ClassLoader loader = NativeLibrary.class.getClassLoader();
    return loader == null ? ClassLoader.getSystemResource(path) : loader.getResource(path);
  }

  private static Resource describe(String name, URL url) throws IOException {
    if (url.openConnection() instanceof JarURLConnection jar) {
      var entry = jar.getJarEntry();
      if (entry.getSize() >= 0 && entry.getCrc() >= 0)
        return new Resource(name, url, entry.getSize(), entry.getCrc());
    }
    Content content = checksum(url);
    return new Resource(name, url, content.size, content.crc);
  }

  private static Content checksum(URL url) throws IOException {
    try (InputStream in = url.openStream()) {
      CRC32 crc = new CRC32();
      long size = 0;
      byte[] buffer = new byte[1 << 16];
      for (int n = in.read(buffer); n >= 0; n = in.read(buffer)) {
        crc.update(buffer, 0, n);
        size += n;
      }
      return new Content(size, crc.getValue());
    }
  }

  private static List<Path> folders() {
    String chosen = System.getProperty("lovelace.native");
    if (chosen != null) return List.of(Path.of(chosen));
    List<Path> folders = new ArrayList<>();
    String home = System.getProperty("user.home", "");
    String cache = System.getenv("XDG_CACHE_HOME");
    boolean mac = System.getProperty("os.name", "").startsWith("Mac");
    if (cache != null && cache.startsWith("/")) folders.add(Path.of(cache, "lovelace"));
    else if (home.startsWith("/"))
      folders.add(Path.of(home, mac ? "Library/Caches" : ".cache", "lovelace"));
    String user = System.getProperty("user.name", "user").replaceAll("[^A-Za-z0-9_-]", "_");
    folders.add(Path.of(System.getProperty("java.io.tmpdir", "/tmp"), "lovelace-" + user));
    return folders;
  }

  /// Makes the folder if it is missing. Checks that no other user can change its contents.
  private static Path privateFolder(Path folder) throws IOException {
    Files.createDirectories(
        folder, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
    UserPrincipal user = user(folder);
    for (Path part = folder; part != null; part = part.equals(folder) ? folder.getParent() : null) {
      var is = Files.readAttributes(part, PosixFileAttributes.class, LinkOption.NOFOLLOW_LINKS);
      boolean root = Integer.valueOf(0).equals(Files.getAttribute(part, "unix:uid"));
      if (!is.isDirectory() || !(root || is.owner().equals(user)))
        throw new IOException(part + " is not a folder of this user; pass -Dlovelace.native=DIR");
      if (!Collections.disjoint(is.permissions(), OTHERS_WRITE))
        throw new IOException(part + " can be written by other users; run chmod go-w on it");
    }
    return folder;
  }

  /// The user, as the file system knows it; null if the folder is read-only.
  private static @Nullable UserPrincipal user(Path folder) throws IOException {
    if (!Files.isWritable(folder)) return null;
    Path probe = Files.createTempFile(folder, "probe", null);
    try {
      return Files.getOwner(probe);
    } finally {
      Files.delete(probe);
    }
  }

  /// Makes sure that the folder holds exactly the resource. A new file appears whole or not at all.
  private static void provide(Resource resource, Path folder) throws IOException {
    Path file = folder.resolve(resource.name);
    if (Files.isRegularFile(file, LinkOption.NOFOLLOW_LINKS)
        && Files.size(file) == resource.size
        && checksum(file.toUri().toURL()).crc == resource.crc) return;
    Path partial = Files.createTempFile(folder, resource.name, ".part");
    try {
      try (InputStream in = resource.url.openStream()) {
        Files.copy(in, partial, StandardCopyOption.REPLACE_EXISTING);
      }
      if (checksum(partial.toUri().toURL()).crc != resource.crc)
        throw new IOException("could not copy " + resource.name + " whole");
      Files.move(partial, file, StandardCopyOption.ATOMIC_MOVE);
    } finally {
      Files.deleteIfExists(partial);
    }
  }
}

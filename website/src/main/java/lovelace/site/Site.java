package lovelace.site;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// Builds the site from the Markdown of the repository: `Site ROOT OUT`. With `Site ROOT
/// --reference` it writes the reference of the command line into `docs/reference` instead.
public final class Site {

  private final Path root;
  private final Map<String, Page> pages;

  private Site(Path root, Map<String, Page> pages) {
    this.root = root;
    this.pages = pages;
  }

  /// Builds the site, or the reference.
  public static void main(String[] args) throws IOException {
    Path root = Path.of(args[0]).toAbsolutePath().normalize();
    if (args[1].equals("--reference")) {
      System.out.println(
          Reference.write(root.resolve("docs/reference")) + " pages in docs/reference");
      return;
    }
    Path out = Path.of(args[1]).toAbsolutePath().normalize();
    Site site = of(root);
    clear(out);
    Api.write(root, out.resolve("api"));
    site.write(out);
    List<String> problems = new LinkCheck(out).problems();
    if (!problems.isEmpty()) {
      problems.forEach(System.err::println);
      System.err.println(problems.size() + " links lead nowhere");
      System.exit(1);
    }
    System.out.println(site.pages.size() + " pages and javadoc: " + out.resolve("index.html"));
  }

  /// The pages of the repository: those at its root, and all below `docs`.
  static Site of(Path root) throws IOException {
    Map<String, Page> pages = new TreeMap<>();
    try (Stream<Path> top = Files.list(root);
        Stream<Path> docs = Files.walk(root.resolve("docs"))) {
      for (Path file :
          Stream.concat(top, docs).filter(each -> each.toString().endsWith(".md")).toList()) {
        String name = root.relativize(file).toString().replace('\\', '/');
        pages.put(name, Page.read(root, name));
      }
    }
    return new Site(root, pages);
  }

  Map<String, Page> pages() {
    return pages;
  }

  /// Writes everything except javadoc.
  void write(Path out) throws IOException {
    Navigation navigation = Navigation.of(pages);
    Renderer renderer = new Renderer(root, pages, navigation, Api.types(root));
    for (Page page : pages.values()) {
      Path file = out.resolve(page.file());
      Files.createDirectories(file.getParent());
      Files.writeString(file, renderer.html(page));
    }
    for (String asset : renderer.assets()) {
      Path file = out.resolve(asset);
      Files.createDirectories(file.getParent());
      Files.copy(root.resolve(asset), file, StandardCopyOption.REPLACE_EXISTING);
    }
    Files.createDirectories(out.resolve("assets"));
    Files.writeString(out.resolve("assets/index.js"), SearchIndex.of(pages.values(), navigation));
    for (String name : List.of("style.css", "script.js"))
      try (InputStream in = require(Site.class.getResourceAsStream(name), name)) {
        Files.copy(in, out.resolve("assets").resolve(name), StandardCopyOption.REPLACE_EXISTING);
      }
  }

  /// The path in the repository that a link of a page leads to, without its anchor. A link to a
  /// folder leads to its README.
  static String target(Map<String, Page> pages, String from, String link) {
    String file = link.replaceFirst("#.*", "");
    if (file.isEmpty()) return from;
    Path folder = Path.of(from).getParent();
    Path path = (folder == null ? Path.of(file) : folder.resolve(file)).normalize();
    String name = path.toString().replace('\\', '/');
    String readme = name.isEmpty() ? "README.md" : name + "/README.md";
    return pages.containsKey(readme) ? readme : name;
  }

  static <T> T require(@Nullable T value, String name) {
    if (value == null) throw new IllegalStateException("there is no " + name);
    return value;
  }

  private static void clear(Path folder) throws IOException {
    if (!Files.exists(folder)) return;
    List<Path> all = new ArrayList<>();
    try (Stream<Path> files = Files.walk(folder)) {
      files.sorted(Comparator.reverseOrder()).forEach(all::add);
    }
    for (Path each : all) Files.delete(each);
  }

  static String resource(String name) {
    try (InputStream in = require(Site.class.getResourceAsStream(name), name)) {
      return new String(in.readAllBytes(), java.nio.charset.StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}

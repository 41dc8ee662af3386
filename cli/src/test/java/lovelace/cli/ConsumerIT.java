package lovelace.cli;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.File;
import java.io.IOException;
import java.io.StringWriter;
import java.lang.module.Configuration;
import java.lang.module.ModuleFinder;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import javax.tools.JavaCompiler;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// The program in `consumer` compiles and runs with the jars of core alone, on the class path and
/// as a module, and the poms say what Maven Central asks for. At full length a real release is made
/// twice, and Maven builds the program with an empty repository of its own.
class ConsumerIT {

  private static final Path ROOT = Path.of("..").toAbsolutePath().normalize();
  private static final Path SOURCES = ROOT.resolve("consumer/src/main/java");

  @TempDir private Path folder;

  /// Core and what its pom names, from this build.
  private static List<Path> jars() throws IOException {
    List<Path> all = new ArrayList<>();
    for (String name :
        List.of("lovelace-core-*", "JTransforms-*", "JLargeArrays-*", "jspecify-*", "openblas-*"))
      try (var jars = Files.newDirectoryStream(Path.of("target/lib"), name + ".jar")) {
        jars.forEach(all::add);
      }
    assertTrue(all.size() >= 5, all::toString);
    return all;
  }

  private void compile(String... options) throws IOException {
    JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
    assertNotNull(compiler);
    StringWriter said = new StringWriter();
    try (var files = compiler.getStandardFileManager(null, null, UTF_8)) {
      List<Path> sources = new ArrayList<>(List.of(SOURCES.resolve("consumer/Consumer.java")));
      if (List.of(options).contains("-p")) sources.add(SOURCES.resolve("module-info.java"));
      List<String> all = new ArrayList<>(List.of("-d", folder.toString(), "--release", "25"));
      all.addAll(List.of(options));
      boolean done =
          compiler
              .getTask(said, files, null, all, null, files.getJavaFileObjectsFromPaths(sources))
              .call();
      assertTrue(done, said::toString);
    }
  }

  private static String path() throws IOException {
    return String.join(File.pathSeparator, jars().stream().map(Path::toString).toList());
  }

  private static void run(ClassLoader loader, boolean module) throws Exception {
    Class<?> consumer = loader.loadClass("consumer.Consumer");
    assertEquals(module, consumer.getModule().isNamed());
    consumer.getMethod("main", String[].class).invoke(null, (Object) new String[0]);
  }

  @Test
  void runsOnTheClassPath() throws Exception {
    compile("-cp", path());
    List<URL> urls = new ArrayList<>(List.of(folder.toUri().toURL()));
    for (Path jar : jars()) urls.add(jar.toUri().toURL());
    try (var loader =
        new URLClassLoader(urls.toArray(URL[]::new), ClassLoader.getPlatformClassLoader())) {
      run(loader, false);
    }
  }

  @Test
  void runsAsAModule() throws Exception {
    compile("-p", path());
    List<Path> all = new ArrayList<>(List.of(folder));
    all.addAll(jars());
    Configuration configuration =
        ModuleLayer.boot()
            .configuration()
            .resolve(
                ModuleFinder.of(all.toArray(Path[]::new)), ModuleFinder.of(), Set.of("consumer"));
    ModuleLayer.Controller defined =
        ModuleLayer.defineModulesWithOneLoader(
            configuration, List.of(ModuleLayer.boot()), ClassLoader.getPlatformClassLoader());
    ModuleLayer layer = defined.layer();
    Module consumer = layer.findModule("consumer").orElseThrow();
    defined.addExports(consumer, "consumer", getClass().getModule());
    run(layer.findLoader("consumer"), true);
  }

  @Test
  void pomsSayWhatMavenCentralAsksFor() throws IOException {
    String parent = Files.readString(ROOT.resolve("pom.xml"));
    String bom = Files.readString(ROOT.resolve("bom/pom.xml"));
    for (String tag :
        List.of("name", "description", "url", "licenses", "developers", "scm", "connection"))
      assertTrue(parent.contains("<" + tag) && parent.contains("</" + tag + ">"), tag);
    assertFalse(parent.contains("<dependencyManagement>"), "the BOM would hand it on");
    assertEquals(
        4, Pattern.compile("inherit.append.path=\"false\"").matcher(parent).results().count());
    Set<String> published = new TreeSet<>();
    for (String module : all(parent, "<module>(.*)</module>")) {
      String pom = Files.readString(ROOT.resolve(module).resolve("pom.xml"));
      assertTrue(pom.contains("<name>") && pom.contains("<description>"), module);
      if (!module.equals("bom") && !pom.contains("<maven.deploy.skip>true")) published.add(module);
    }
    assertEquals(published, Set.copyOf(all(bom, "<artifactId>lovelace-(?!bom)(.*)</artifactId>")));
  }

  private static List<String> all(String text, String pattern) {
    Matcher found = Pattern.compile(pattern).matcher(text);
    List<String> groups = new ArrayList<>();
    while (found.find()) groups.add(found.group(1));
    return groups;
  }

  /// Takes minutes, and downloads what the program needs from Maven Central.
  @Test
  void releasesAreTheSameTwiceAndServeAStranger() throws Exception {
    if (!Boolean.getBoolean("lovelace.long")) return;
    script("release", "--twice");
    Path repository = ROOT.resolve("target/repository");
    Path core;
    try (Stream<Path> versions = Files.list(repository.resolve("dev/lovelace/lovelace-core"))) {
      core = versions.findFirst().orElseThrow();
    }
    String base = "lovelace-core-" + core.getFileName();
    for (String end : List.of(".pom", ".jar", "-sources.jar", "-javadoc.jar", "-cyclonedx.json"))
      for (String sum : List.of("", ".md5", ".sha1", ".sha256", ".sha512"))
        assertTrue(Files.exists(core.resolve(base + end + sum)), base + end + sum);
    String said = script("consumer/run", repository.toString(), "--empty");
    assertTrue(said.contains("1.000 on the class path"), said);
    assertTrue(said.contains("1.000 as a module"), said);
  }

  private String script(String name, String... arguments) throws Exception {
    List<String> command = new ArrayList<>(List.of(ROOT.resolve(name).toString()));
    command.addAll(List.of(arguments));
    Path out = folder.resolve("out.txt");
    var builder = new ProcessBuilder(command).directory(ROOT.toFile());
    builder.environment().putAll(Map.of("JAVA_HOME", System.getProperty("java.home")));
    int code = builder.redirectErrorStream(true).redirectOutput(out.toFile()).start().waitFor();
    String said = Files.readString(out, UTF_8);
    assertEquals(0, code, said);
    return said;
  }
}

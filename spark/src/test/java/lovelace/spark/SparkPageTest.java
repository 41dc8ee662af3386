package lovelace.spark;

import static lovelace.spark.LocalSession.session;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.io.StringWriter;
import java.net.URI;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.tools.JavaCompiler;
import javax.tools.JavaFileObject;
import javax.tools.SimpleJavaFileObject;
import javax.tools.ToolProvider;
import org.apache.spark.deploy.SparkSubmitArguments;
import org.apache.spark.sql.SparkSession;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import scala.jdk.javaapi.CollectionConverters;

/// The blocks of docs/spark.md run as they stand.
class SparkPageTest {

  private static final Pattern BLOCK = Pattern.compile("(?ms)^```(\\w+)\\n(.*?)^```$");
  private static final Pattern WORD = Pattern.compile("\"([^\"]*)\"|(\\S+)");
  private static final Pattern VERSION = Pattern.compile("<version>(.*?)</version>");

  @TempDir Path folder;

  private static List<String> blocks(String language) throws IOException {
    List<String> found = new ArrayList<>();
    Matcher block = BLOCK.matcher(Files.readString(Path.of("../docs/spark.md")));
    while (block.find()) if (block.group(1).equals(language)) found.add(block.group(2));
    return found;
  }

  /// The version of this module as a release has it.
  private static String version() throws IOException {
    Matcher version = VERSION.matcher(Files.readString(Path.of("pom.xml")));
    assertTrue(version.find());
    return version.group(1).replace("-SNAPSHOT", "");
  }

  @Test
  void javaBlocksRunOneAfterAnother() throws Exception {
    StringBuilder imports = new StringBuilder();
    StringBuilder body = new StringBuilder();
    for (String block : blocks("java"))
      block
          .lines()
          .forEach(line -> (line.startsWith("import ") ? imports : body).append(line).append('\n'));
    String source =
        "%s\npublic class Page { public static void run(SparkSession spark, String folder) throws Exception {\n%s}}"
            .formatted(imports, body);
    JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
    StringWriter errors = new StringWriter();
    JavaFileObject file =
        new SimpleJavaFileObject(URI.create("string:///Page.java"), JavaFileObject.Kind.SOURCE) {
          @Override
          public CharSequence getCharContent(boolean ignore) {
            return source;
          }
        };
    boolean compiled =
        compiler
            .getTask(
                errors,
                null,
                null,
                List.of(
                    "-proc:none",
                    "-d",
                    folder.toString(),
                    "-cp",
                    System.getProperty("java.class.path")),
                null,
                List.of(file))
            .call();
    assertTrue(compiled, () -> errors + source);
    String printed;
    try (URLClassLoader loader =
        new URLClassLoader(
            new URL[] {folder.toUri().toURL()}, SparkPageTest.class.getClassLoader())) {
      printed =
          printed(
              () ->
                  loader
                      .loadClass("Page")
                      .getMethod("run", SparkSession.class, String.class)
                      .invoke(null, session(), folder.toString()));
    }
    assertTrue(printed.contains("|outside|"), printed);
    assertTrue(printed.contains("|   true|"), printed);
    assertTrue(printed.contains(" with matern32"), printed);
    assertTrue(printed.contains("1100 rows"), printed);
    Matcher promised = Pattern.compile("// \\.\\.\\. (.*)").matcher(body);
    while (promised.find()) assertTrue(printed.contains(promised.group(1)), printed);
  }

  /// The output meanwhile, of Spark too.
  private static String printed(org.junit.jupiter.api.function.Executable what) throws Exception {
    PrintStream before = System.out;
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    try (PrintStream stream = new PrintStream(out, true, StandardCharsets.UTF_8)) {
      System.setOut(stream);
      scala.Console.withOut(
          stream,
          () -> {
            try {
              what.execute();
            } catch (Throwable e) {
              throw new AssertionError(e);
            }
            return "";
          });
    } finally {
      System.setOut(before);
    }
    return out.toString(StandardCharsets.UTF_8);
  }

  @Test
  void theJobThatIsSubmittedRuns() throws Exception {
    List<String> commands = blocks("sh");
    assertEquals(1, commands.size());
    List<String> words = new ArrayList<>();
    Matcher word = WORD.matcher(commands.getFirst().replace("\\\n", " "));
    while (word.find()) words.add(word.group(1) != null ? word.group(1) : word.group(2));
    assertEquals("spark-submit", words.removeFirst());
    SparkSubmitArguments submitted =
        new SparkSubmitArguments(
            CollectionConverters.asScala(words).toSeq(),
            scala.collection.immutable.Map$.MODULE$.from(
                CollectionConverters.asScala(Map.<String, String>of())));
    assertEquals("dev.lovelace:lovelace-spark:" + version(), submitted.packages());
    assertEquals(SparkFit.class.getName(), submitted.mainClass());
    assertTrue(
        submitted.primaryResource().endsWith("/lovelace-spark-" + version() + ".jar"),
        submitted.primaryResource());
    List<String> arguments = new ArrayList<>(CollectionConverters.asJava(submitted.childArgs()));
    for (int i : new int[] {0, 3, 4}) arguments.set(i, folder.resolve(arguments.get(i)).toString());
    session()
        .range(80)
        .selectExpr("rand(1) as x", "rand(2) as y")
        .selectExpr("x", "y", "sin(5 * x) * y as z")
        .write()
        .parquet(arguments.getFirst());
    String said = SparkFit.run(session(), arguments.toArray(String[]::new));
    assertTrue(said.startsWith("80 rows, "), said);
    assertEquals(80, session().read().parquet(arguments.get(4)).filter("variance > 0").count());
    assertEquals(80, LovelaceModel.load(arguments.get(3)).model().count());
  }

  @Test
  void coordinatesAreThoseOfTheModule() throws IOException {
    List<String> dependencies = blocks("xml");
    assertEquals(1, dependencies.size());
    assertEquals(
        "<dependency><groupId>dev.lovelace</groupId><artifactId>lovelace-spark</artifactId><version>%s</version></dependency>"
            .formatted(version()),
        dependencies.getFirst().replaceAll("\\s", ""));
  }
}

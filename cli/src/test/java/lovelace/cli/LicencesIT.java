package lovelace.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.zip.ZipFile;
import org.junit.jupiter.api.Test;

/// Every library that the archives hold has a licence that is allowed, with its text. The build
/// lists the libraries and refuses licences that are not allowed; see `cli/pom.xml`.
class LicencesIT {

  private static final Path LICENCES = Path.of("../licenses");
  private static final Path TARGET = Path.of("target");

  /// The lines of a list, in columns.
  private static List<String[]> lines(Path file) throws IOException {
    return Files.readAllLines(file).stream()
        .filter(line -> !line.isBlank() && !line.startsWith("#"))
        .map(line -> line.split(" \\| ", -1))
        .toList();
  }

  /// The jars of others in both archives.
  private static List<Path> jars() throws IOException {
    List<Path> all = new ArrayList<>();
    for (String folder : List.of("lib", "deep"))
      try (var jars = Files.newDirectoryStream(TARGET.resolve(folder), "*.jar")) {
        for (Path jar : jars)
          if (!String.valueOf(jar.getFileName()).startsWith("lovelace-")) all.add(jar);
      }
    return all;
  }

  @Test
  void everyJarIsListedWithALicenceWhoseTextIsThere() throws IOException {
    Map<String, String> licences = new TreeMap<>();
    for (String[] line : lines(TARGET.resolve("THIRD-PARTY.txt"))) licences.put(line[0], line[1]);
    List<Path> jars = jars();
    assertTrue(jars.size() > 50, jars::toString);
    for (Path jar : jars) {
      String name = String.valueOf(jar.getFileName());
      List<String> found =
          licences.entrySet().stream()
              .filter(e -> name.equals(e.getKey() + ".jar") || name.startsWith(e.getKey() + "-"))
              .map(Map.Entry::getValue)
              .toList();
      assertEquals(1, found.size(), name);
      for (String licence : found.getFirst().split(", ", -1))
        assertTrue(
            Files.exists(LICENCES.resolve("texts").resolve(licence + ".txt")),
            () -> name + " has the licence '" + licence + "', whose text is missing in texts");
    }
  }

  @Test
  void everyNativeLibraryIsListedWithItsTexts() throws IOException {
    List<String[]> natives = lines(LICENCES.resolve("natives.txt"));
    for (String[] line : natives)
      for (String text : line[3].split(" ", -1))
        assertTrue(Files.exists(LICENCES.resolve("texts").resolve(text)), text);
    int count = 0;
    for (Path jar : jars())
      try (ZipFile zip = new ZipFile(jar.toFile())) {
        for (var entries = zip.entries(); entries.hasMoreElements(); ) {
          String name = entries.nextElement().getName();
          String file = name.substring(name.lastIndexOf('/') + 1);
          if (!file.matches(".*\\.(so|dylib|jnilib|dll|a)([._-].*)?")) continue;
          count++;
          assertTrue(
              natives.stream().anyMatch(line -> file.startsWith(line[0])),
              () -> jar.getFileName() + " holds " + name + ", which licenses/natives.txt lacks");
        }
      }
    assertTrue(count > 10, "only " + count + " native libraries were found");
  }

  @Test
  void theNoticeNamesOnlyTextsThatAreThere() throws IOException {
    String notice = Files.readString(Path.of("../NOTICE"));
    assertFalse(notice.isBlank());
    for (String word : notice.split("[\\s,;]+", -1))
      if (word.endsWith(".txt") && !word.endsWith("THIRD-PARTY.txt"))
        assertTrue(
            Files.exists(Path.of("..", word))
                || Files.exists(LICENCES.resolve("texts").resolve(word)),
            word);
  }
}

package lovelace.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.zip.ZipEntry;
import java.util.zip.ZipFile;
import org.junit.jupiter.api.Test;

/// Every library that the archives hold has a licence that is allowed, with its text. The build
/// lists the libraries and refuses licences that are not allowed; see `cli/pom.xml`.
class LicencesIT {

  private static final Path LICENCES = Path.of("../licenses");
  private static final Path TARGET = Path.of("target");

  /// Licences whose text names the copyright holder, so that each library has its own.
  private static final Set<String> WITH_HOLDER = Set.of("MIT", "BSD-2-Clause", "BSD-3-Clause");

  private static final Pattern HOLDER = Pattern.compile("Copyright (\\([cC]\\) )?[0-9]{4}");

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

  /// The licences of a jar, as the build lists them.
  private static List<String> licences(String jar) throws IOException {
    List<String> found =
        lines(TARGET.resolve("THIRD-PARTY.txt")).stream()
            .filter(line -> jar.equals(line[0] + ".jar") || jar.startsWith(line[0] + "-"))
            .map(line -> line[1])
            .toList();
    assertEquals(1, found.size(), jar);
    return List.of(found.getFirst().split(", ", -1));
  }

  /// Where a jar can name its copyright holder: the licences and notices inside it, and the first
  /// lines of the texts for it. A text is for the jars whose names begin with its name.
  private static List<String> notices(Path jar) throws IOException {
    List<String> notices = new ArrayList<>();
    try (ZipFile zip = new ZipFile(jar.toFile())) {
      for (var entries = zip.entries(); entries.hasMoreElements(); ) {
        ZipEntry entry = entries.nextElement();
        if (!entry.getName().matches("(?i)(META-INF/)?[^/]*(LICENSE|NOTICE)[^/]*")) continue;
        try (InputStream in = zip.getInputStream(entry)) {
          notices.add(new String(in.readAllBytes(), StandardCharsets.UTF_8));
        }
      }
    }
    String name = String.valueOf(jar.getFileName());
    try (var texts = Files.newDirectoryStream(LICENCES.resolve("texts"), "*.txt")) {
      for (Path text : texts) {
        String start = String.valueOf(text.getFileName()).replace(".txt", "");
        if (name.regionMatches(true, 0, start, 0, start.length()))
          notices.addAll(Files.readAllLines(text).stream().limit(5).toList());
      }
    }
    return notices;
  }

  @Test
  void everyJarIsListedWithALicenceWhoseTextIsThere() throws IOException {
    List<Path> jars = jars();
    assertTrue(jars.size() > 50, jars::toString);
    for (Path jar : jars) {
      String name = String.valueOf(jar.getFileName());
      for (String licence : licences(name))
        if (!WITH_HOLDER.contains(licence))
          assertTrue(
              Files.exists(LICENCES.resolve("texts").resolve(licence + ".txt")),
              () -> name + " has the licence '" + licence + "', whose text is missing in texts");
    }
  }

  @Test
  void everyJarUnderMitOrBsdNamesItsCopyrightHolder() throws IOException {
    int count = 0;
    for (Path jar : jars()) {
      String name = String.valueOf(jar.getFileName());
      if (Collections.disjoint(licences(name), WITH_HOLDER)) continue;
      count++;
      assertTrue(
          notices(jar).stream().anyMatch(notice -> HOLDER.matcher(notice).find()),
          () ->
              name
                  + " names no copyright holder; put its licence into licenses/texts, in a file"
                  + " whose name begins that of the jar");
    }
    assertTrue(count > 5, "only " + count + " jars are under MIT or BSD");
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

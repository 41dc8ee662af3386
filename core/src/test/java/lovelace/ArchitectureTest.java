package lovelace;

import static com.tngtech.archunit.core.domain.JavaAccess.Predicates.target;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.assignableTo;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideOutsideOfPackage;
import static com.tngtech.archunit.core.domain.properties.HasName.Predicates.name;
import static com.tngtech.archunit.core.domain.properties.HasOwner.Predicates.With.owner;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.domain.JavaModifier;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.lang.ArchRule;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import lovelace.data.FeatureMap;
import lovelace.engines.Engines;
import lovelace.io.ModelState;
import lovelace.way.Frame;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/// `ARCHITECTURE.md`, held to its word: its table of packages is read here, and no package imports
/// what its row does not name.
class ArchitectureTest {

  /// The most lines of a file, and the most types that the module offers to users.
  private static final int LINES = 450;

  private static final int EXPORTED = 62;

  private static final Path SOURCES = Path.of("src", "main", "java");

  private static final Pattern ROW =
      Pattern.compile("^\\| `lovelace(?:\\.(\\w+))?` \\|([^|]*)\\|([^|]*)\\|$", Pattern.MULTILINE);

  /// A package, and the packages that it may import, in the order of the table. All may import
  /// those whose row says so.
  private static final Map<String, List<String>> IMPORTS = new LinkedHashMap<>();

  /// The packages that the rows name one by one.
  private static final Map<String, List<String>> NAMED = new LinkedHashMap<>();

  static {
    readTable();
  }

  private static final JavaClasses CORE =
      new ClassFileImporter()
          .withImportOption(ImportOption.Predefined.DO_NOT_INCLUDE_TESTS)
          .importPackages("lovelace");

  private static void readTable() {
    String page;
    try {
      page = Files.readString(Path.of("..", "ARCHITECTURE.md"));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    Map<String, List<String>> rows = IMPORTS;
    List<String> everywhere = new ArrayList<>();
    ROW.matcher(page)
        .results()
        .forEach(
            row -> {
              String name = row.group(1) == null ? "" : row.group(1);
              List<String> allowed = new ArrayList<>();
              List<String> named = new ArrayList<>();
              for (String other : row.group(3).split(",", -1))
                switch (other.strip()) {
                  case "–" -> {}
                  case "all above" -> allowed.addAll(rows.keySet());
                  default -> named.add(other.strip());
                }
              allowed.addAll(named);
              for (String other : allowed)
                assertTrue(
                    rows.containsKey(other),
                    () -> name + " imports " + other + ", which has no row above it in the table");
              allowed.addAll(everywhere);
              rows.put(name, allowed);
              NAMED.put(name, named);
              if (row.group(2).contains("all may import it")) everywhere.add(name);
            });
    assertTrue(rows.size() > 10, () -> "no table of packages in ARCHITECTURE.md: " + rows);
  }

  private static void check(ArchRule rule) {
    rule.allowEmptyShould(true).check(CORE);
  }

  static Stream<String> packages() {
    return IMPORTS.keySet().stream();
  }

  @ParameterizedTest
  @MethodSource("packages")
  void packageImportsOnlyWhatTheTableAllows(String name) {
    List<String> allowed = new ArrayList<>(List.of(classesOf(name)));
    for (String other : IMPORTS.getOrDefault(name, List.of())) allowed.add(classesOf(other));
    check(
        classes()
            .that()
            .resideInAPackage(classesOf(name))
            .should()
            .onlyDependOnClassesThat(
                resideOutsideOfPackage("lovelace..")
                    .or(resideInAnyPackage(allowed.toArray(String[]::new)))));
  }

  /// A row names no package that the code does not import, but for those that stand for many.
  @Test
  void theTableNamesNothingThatIsNotImported() {
    List<String> idle = new ArrayList<>();
    for (Map.Entry<String, List<String>> row : NAMED.entrySet()) {
      Set<String> used =
          CORE.stream()
              .filter(type -> packageOf(type).equals(row.getKey()))
              .flatMap(type -> type.getDirectDependenciesFromSelf().stream())
              .map(d -> packageOf(d.getTargetClass()))
              .collect(Collectors.toSet());
      for (String other : row.getValue())
        if (!used.contains(other)) idle.add(row.getKey() + " does not import " + other);
    }
    assertEquals(List.of(), idle);
  }

  private static String packageOf(JavaClass type) {
    String name = type.getPackageName();
    return name.startsWith("lovelace")
        ? name.replaceFirst("^lovelace\\.?", "").replaceFirst("\\..*", "")
        : "another";
  }

  private static String classesOf(String name) {
    return name.isEmpty() ? "lovelace" : "lovelace." + name + "..";
  }

  @Test
  void everyPackageIsInTheTable() {
    assertFalse(CORE.isEmpty());
    Set<String> found = new HashSet<>();
    for (JavaClass type : CORE) {
      String name = packageOf(type);
      found.add(name);
      assertTrue(
          IMPORTS.containsKey(name),
          () -> type.getName() + ": give package lovelace." + name + " its row in the table");
    }
    assertEquals(found, IMPORTS.keySet(), "the table has rows of packages that are not there");
  }

  @Test
  void filesAreShort() throws IOException {
    Map<String, Integer> tooLong = new TreeMap<>();
    try (Stream<Path> all = Files.walk(SOURCES)) {
      for (Path file : all.filter(f -> f.toString().endsWith(".java")).toList()) {
        String name = file.getFileName().toString().replace(".java", "");
        int count = Files.readAllLines(file).size();
        if (count > LINES) tooLong.put(name, count);
      }
    }
    assertEquals(Map.of(), tooLong, "divide these");
  }

  @Test
  void theDoorIsSmall() throws IOException {
    List<String> exported = new ArrayList<>();
    Pattern.compile("^  exports ([\\w.]+);", Pattern.MULTILINE)
        .matcher(Files.readString(SOURCES.resolve("module-info.java")))
        .results()
        .forEach(
            line ->
                CORE.stream()
                    .filter(type -> type.getPackageName().equals(line.group(1)))
                    .filter(type -> type.isTopLevelClass())
                    .filter(type -> type.getModifiers().contains(JavaModifier.PUBLIC))
                    .forEach(type -> exported.add(type.getName())));
    assertTrue(exported.contains("lovelace.Fit"), exported::toString);
    assertTrue(exported.size() <= EXPORTED, () -> exported.size() + " exported types: " + exported);
  }

  @Test
  void packagesHaveNoCycles() {
    check(slices().matching("lovelace.(*)..").should().beFreeOfCycles());
  }

  @Test
  void thePlannerAloneChoosesEngines() {
    for (String choosing : List.of("choose", "expect", "confirm"))
      check(
          noClasses()
              .that()
              .resideOutsideOfPackages(
                  "lovelace.planning..", "lovelace.engines..", "lovelace.online..")
              .should()
              .callMethodWhere(
                  target(owner(assignableTo(Engines.class))).and(target(name(choosing)))));
  }

  @Test
  void onePlaceMakesTheStateOfAModel() {
    check(
        noClasses()
            .that()
            .resideOutsideOfPackage("lovelace.io..")
            .and()
            .doNotHaveFullyQualifiedName("lovelace.way.Assembly")
            .should()
            .callConstructorWhere(target(owner(assignableTo(ModelState.class)))));
  }

  @Test
  void aLeafKnowsNoWrapper() {
    check(
        noClasses()
            .that()
            .haveNameMatching("lovelace\\.way\\.\\w+Leaf(\\$.*)?")
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage("lovelace.drift..", "lovelace.likelihood..", "lovelace.features..")
            .orShould()
            .dependOnClassesThat()
            .areAssignableTo(FeatureMap.class)
            .orShould()
            .dependOnClassesThat()
            .areAssignableTo(Frame.class));
  }

  @Test
  void theSeamToNativeCodeIsUsedByLinearOnly() {
    check(
        noClasses()
            .that()
            .resideOutsideOfPackage("lovelace.linear..")
            .should()
            .dependOnClassesThat()
            .resideInAPackage("lovelace.linear.internal.."));
    check(
        noClasses()
            .that()
            .resideOutsideOfPackages("lovelace.linear..", "lovelace.io..")
            .should()
            .dependOnClassesThat()
            .resideInAPackage("java.lang.foreign.."));
  }

  @Test
  void coreIsFreeOfFrameworks() {
    check(
        classes()
            .should()
            .onlyDependOnClassesThat()
            .resideInAnyPackage(
                "lovelace..",
                "java.lang..",
                "java.io..",
                "java.math..",
                "java.net..",
                "java.nio..",
                "java.security..",
                "java.text..",
                "java.time..",
                "java.util..",
                "org.jspecify..",
                "org.jtransforms..",
                "org.visnow.jlargearrays..",
                ""));
  }

  @Test
  void coreNeverPrints() {
    check(noClasses().should().accessField(System.class, "out"));
    check(noClasses().should().accessField(System.class, "err"));
    check(noClasses().should().callMethod(Throwable.class, "printStackTrace"));
  }

  @Test
  void randomStreamsArePassedIn() {
    check(noClasses().should().callMethod(Math.class, "random"));
    check(noClasses().should().dependOnClassesThat().haveFullyQualifiedName("java.util.Random"));
    check(
        noClasses()
            .should()
            .dependOnClassesThat()
            .haveFullyQualifiedName("java.util.concurrent.ThreadLocalRandom"));
  }

  @Test
  void nothingIsSerializedByJava() throws IOException {
    String streams = "Object(Input|Output)Stream|XMLDecoder|XMLEncoder";
    check(
        noClasses()
            .should()
            .dependOnClassesThat()
            .haveNameMatching("java\\.(io|beans)\\.(" + streams + ").*"));
    Pattern inSource = Pattern.compile("\\b(" + streams + ")\\b");
    for (String module : List.of("deep", "plot", "maps", "experiments", "server", "spark", "cli"))
      try (Stream<Path> sources = Files.walk(Path.of("..", module, "src", "main", "java"))) {
        for (Path source : sources.filter(Files::isRegularFile).toList())
          assertFalse(inSource.matcher(Files.readString(source)).find(), source::toString);
      }
    // Spark hands statistics from machine to machine; they have a form of their own there
    assertEquals(
        Set.of("lovelace.statistics.GridStatistics", "lovelace.statistics.GridCodec$Form"),
        CORE.stream()
            .filter(
                type ->
                    type.getRawInterfaces().stream()
                        .anyMatch(i -> i.getName().matches("java\\.io\\.(Seri|Extern)alizable")))
            .map(JavaClass::getName)
            .collect(Collectors.toSet()));
  }
}

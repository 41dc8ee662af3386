package lovelace;

import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAPackage;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideOutsideOfPackage;
import static com.tngtech.archunit.core.domain.properties.HasName.Predicates.nameMatching;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.lang.ArchRule;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/// The package table of `ARCHITECTURE.md`, held to its word. A package that has no code yet passes.
class ArchitectureTest {

  private static final List<String> BELOW_INFERENCE =
      List.of("data", "kernel", "linear", "grid", "optimize", "krylov");
  private static final List<String> BELOW_POSTERIOR = with(BELOW_INFERENCE, "inference");
  private static final List<String> BELOW_IO = with(BELOW_POSTERIOR, "posterior");

  /// A package, and the packages of Lovelace that it may import.
  private static final Map<String, List<String>> IMPORTS =
      Map.ofEntries(
          Map.entry("budget", List.of()),
          Map.entry("plan", List.of()),
          Map.entry("data", List.of()),
          Map.entry("kernel", List.of()),
          Map.entry("linear", List.of()),
          Map.entry("grid", List.of("data", "kernel", "linear")),
          Map.entry("optimize", List.of()),
          Map.entry("krylov", List.of("linear")),
          Map.entry("inference", BELOW_INFERENCE),
          Map.entry("posterior", BELOW_POSTERIOR),
          Map.entry("baseline", List.of("data", "kernel", "linear", "optimize", "posterior")),
          Map.entry("markov", List.of("data", "kernel", "linear", "inference", "posterior")),
          Map.entry("bayesopt", with(with(BELOW_IO, "baseline"), "io")),
          Map.entry("model", BELOW_IO),
          Map.entry("io", with(with(with(BELOW_IO, "model"), "baseline"), "markov")));

  private static final JavaClasses CORE =
      new ClassFileImporter()
          .withImportOption(ImportOption.Predefined.DO_NOT_INCLUDE_TESTS)
          .importPackages("lovelace");

  private static List<String> with(List<String> packages, String another) {
    var all = new ArrayList<>(packages);
    all.add(another);
    return List.copyOf(all);
  }

  private static void check(ArchRule rule) {
    rule.allowEmptyShould(true).check(CORE);
  }

  static Stream<String> packages() {
    return IMPORTS.keySet().stream().sorted();
  }

  @ParameterizedTest
  @MethodSource("packages")
  void packageImportsOnlyWhatTheTableAllows(String name) {
    var allowed =
        new ArrayList<String>(
            List.of("lovelace." + name + "..", "lovelace.budget..", "lovelace.plan.."));
    IMPORTS.getOrDefault(name, List.of()).forEach(other -> allowed.add("lovelace." + other + ".."));
    check(
        classes()
            .that()
            .resideInAPackage("lovelace." + name + "..")
            .should()
            .onlyDependOnClassesThat(
                resideOutsideOfPackage("lovelace..")
                    .or(resideInAnyPackage(allowed.toArray(String[]::new)))));
  }

  @Test
  void everyPackageIsInTheTable() {
    assertFalse(CORE.isEmpty());
    for (JavaClass type : CORE) {
      String name =
          type.getPackageName().replaceFirst("^lovelace\\.?", "").replaceFirst("\\..*", "");
      assertTrue(
          name.isEmpty() || IMPORTS.containsKey(name),
          () -> type.getName() + ": give package lovelace." + name + " its row in the table");
    }
  }

  @Test
  void packagesHaveNoCycles() {
    check(slices().matching("lovelace.(*)..").should().beFreeOfCycles());
  }

  @Test
  void baselineKnowsThePosteriorOnlyAsAnInterface() {
    check(
        noClasses()
            .that()
            .resideInAPackage("lovelace.baseline..")
            .should()
            .dependOnClassesThat(
                resideInAPackage("lovelace.posterior..")
                    .and(
                        DescribedPredicate.not(
                            nameMatching(
                                "lovelace\\.posterior\\.(Posterior|RowPosterior|Prediction|JointNormal|Gaussian)(\\$.*)?")))));
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
    for (String module : List.of("deep", "plot", "experiments", "server", "spark", "cli"))
      try (Stream<Path> sources = Files.walk(Path.of("..", module, "src", "main", "java"))) {
        for (Path source : sources.filter(Files::isRegularFile).toList())
          assertFalse(inSource.matcher(Files.readString(source)).find(), source::toString);
      }
    // Spark hands statistics from machine to machine; they have a form of their own there
    assertEquals(
        Set.of("lovelace.grid.GridStatistics", "lovelace.grid.GridCodec$Form"),
        CORE.stream()
            .filter(
                type ->
                    type.getRawInterfaces().stream()
                        .anyMatch(i -> i.getName().matches("java\\.io\\.(Seri|Extern)alizable")))
            .map(JavaClass::getName)
            .collect(Collectors.toSet()));
  }
}

package lovelace.server;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;

import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import org.junit.jupiter.api.Test;

/// The row of `server` in the module table of `ARCHITECTURE.md`, held to its word.
class ServerArchitectureTest {

  @Test
  void serverNeedsCoreHelidonAndJacksonOnly() {
    classes()
        .that()
        .resideInAPackage("lovelace.server..")
        .should()
        .onlyDependOnClassesThat()
        .resideInAnyPackage(
            "lovelace..",
            "java..",
            "io.helidon.common..",
            "io.helidon.http..",
            "io.helidon.webserver..",
            "com.fasterxml.jackson..",
            "org.jspecify..",
            "")
        .check(
            new ClassFileImporter()
                .withImportOption(ImportOption.Predefined.DO_NOT_INCLUDE_TESTS)
                .importPackages("lovelace.server"));
  }
}

package lovelace.deep;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;

import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import org.junit.jupiter.api.Test;

/// The module's row in `ARCHITECTURE.md`.
class DeepArchitectureTest {

  @Test
  void deepDependsOnCoreAndDjlAlone() {
    classes()
        .should()
        .onlyDependOnClassesThat()
        .resideInAnyPackage("lovelace..", "ai.djl..", "java..", "org.jspecify..", "")
        .check(
            new ClassFileImporter()
                .withImportOption(ImportOption.Predefined.DO_NOT_INCLUDE_TESTS)
                .importPackages("lovelace.deep"));
  }
}

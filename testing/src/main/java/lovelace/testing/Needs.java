package lovelace.testing;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.extension.ConditionEvaluationResult;
import org.junit.jupiter.api.extension.ExecutionCondition;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.platform.commons.support.AnnotationSupport;

/// Names the programs and the npm packages that a test needs besides a JDK. If one is missing, the
/// test is not run and says what it needs. `./check` repeats that in its last lines, and fails if
/// `CI` is set.
@Target({ElementType.TYPE, ElementType.METHOD})
@Retention(RetentionPolicy.RUNTIME)
@ExtendWith(Needs.Condition.class)
public @interface Needs {

  /// Names in the list of [Programs].
  String[] value() default {};

  /// Names of sets of [NpmPackages]. Node and npm need not be named.
  String[] packages() default {};

  /// Decides whether a test can run.
  final class Condition implements ExecutionCondition {

    @Override
    public ConditionEvaluationResult evaluateExecutionCondition(ExtensionContext context) {
      List<String> missing =
          AnnotationSupport.findAnnotation(context.getElement(), Needs.class).stream()
              .flatMap(Condition::missing)
              .toList();
      return missing.isEmpty()
          ? ConditionEvaluationResult.enabled("nothing is missing")
          : ConditionEvaluationResult.disabled("for want of " + String.join(" and ", missing));
    }

    private static Stream<String> missing(Needs needs) {
      return Stream.concat(
          Arrays.stream(needs.value()).filter(name -> Programs.INSTALLED.find(name).isEmpty()),
          Arrays.stream(needs.packages())
              .flatMap(set -> NpmPackages.INSTALLED.missing(set).stream()));
    }
  }
}

package lovelace.kernel;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import lovelace.likelihood.Likelihood;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Kernels with many parts: what is too large is refused, and the rest takes time that is
/// proportional to it. Were it not, the kernels here would take minutes.
class KernelSizeTest {

  private static final int MOST = 10_000;

  private static String repeated(String part, String between, int count) {
    return String.join(between, Collections.nCopies(count, part));
  }

  @ParameterizedTest
  @ValueSource(strings = {"+", "*", "+2*"})
  void asManyBaseKernelsAsAreAllowedAreRead(String between) {
    Kernel kernel = Kernel.parse(repeated("rbf", between, MOST));
    assertEquals(kernel, Kernel.parse(kernel.toString()));
    assertEquals(kernel.hashCode(), Kernel.parse(kernel.toString()).hashCode());
    Kernel bound = kernel.bind(2);
    assertEquals(2, bound.dimensions());
    assertEquals(MOST, Structure.leaves(bound).size());
    assertEquals(bound, Kernel.parse(bound.toString()).attach(2));
    assertEquals(MOST, Structure.leaves(bound.withoutWhite()).size());
    assertEquals(MOST, Structure.leaves(bound.keeping(2, 0)).size());
  }

  @ParameterizedTest
  @ValueSource(strings = {"rbf", "1*rbf", "rbf*periodic", "white", "(rbf+linear)", "sm(5)"})
  void moreBaseKernelsAreRefusedWhereTheyBegin(String part) {
    for (String between : List.of("+", " * ")) {
      var e =
          assertThrows(
              IllegalArgumentException.class, () -> Kernel.parse(repeated(part, between, 250_000)));
      String message = String.valueOf(e.getMessage());
      assertTrue(message.contains("more than 10,000 base kernels"), message);
      assertTrue(message.startsWith("kernel, character "), message);
      assertTrue(message.length() < 600, () -> "length " + message.length());
    }
  }

  @Test
  void componentsOfMixturesCount() {
    Kernel.parse("sm(4000) + sm(6000)");
    var e =
        assertThrows(
            IllegalArgumentException.class, () -> Kernel.parse("sm(4000) + sm(6000) + rbf"));
    assertTrue(e.toString().contains("character 23: more than 10,000"), e.toString());
  }

  @Test
  void aMistakeInALongTextIsShownWithWhatStandsAroundIt() {
    String text = repeated("rbf", " + ", 5000) + " + rbff + " + repeated("rbf", " + ", 4000);
    var e = assertThrows(IllegalArgumentException.class, () -> Kernel.parse(text));
    List<String> lines = e.toString().lines().toList();
    assertTrue(lines.getFirst().contains("character 30001: no kernel is called 'rbff'"));
    assertTrue(lines.get(1).startsWith("  …"), lines.get(1));
    assertEquals("rbff", lines.get(1).substring(lines.get(2).indexOf('^')).substring(0, 4));
    assertTrue(lines.get(1).length() < 210, lines.get(1));
    var name = assertThrows(IllegalArgumentException.class, () -> Kernel.parse("r".repeat(99_999)));
    assertTrue(name.toString().length() < 500, name::toString);
  }

  @Test
  void parenthesesInsideEachOtherAreBounded() {
    var e =
        assertThrows(
            IllegalArgumentException.class,
            () -> Kernel.parse("(".repeat(250_000) + "rbf" + ")".repeat(250_000)));
    assertTrue(e.toString().contains("more than 100 parentheses inside each other"));
  }

  /// 2⁴⁰ terms.
  @Test
  void productsOfSumsAreMultipliedOutUpToABound() {
    Kernel kernel = Kernel.parse(repeated("(rbf + periodic)", "*", 40)).bind(1);
    var e = assertThrows(IllegalArgumentException.class, kernel::terms);
    assertTrue(e.toString().contains("more than 100,000 terms"), e.toString());
    assertEquals(1 << 10, Kernel.parse(repeated("(rbf + white)", "*", 10)).bind(1).terms().size());
  }

  /// The parameters of a model file are set all at once.
  @Test
  void manyParametersAreGivenValuesBoundsAndPriorsAtOnce() {
    Kernel kernel = Kernel.parse(repeated("2*rbf", "+", MOST)).bind(1);
    Hyperparameters h =
        Hyperparameters.of(kernel, Likelihood.gaussian().with(0.1), PriorMean.constant(0));
    List<Parameter> next = new ArrayList<>();
    for (Parameter p : h.parameters())
      next.add(p.withValues(0.5).withFixed(p.path().endsWith("0.lengthscale")));
    Hyperparameters told = h.with(next);
    assertEquals(next, told.parameters());
    assertEquals(told.kernel(), Kernel.parse(told.kernel().toString()).attach(1));
    assertEquals(MOST / 10, told.kernel().parameters().stream().filter(Parameter::fixed).count());
    Collections.swap(next, 0, 1);
    assertThrows(IllegalArgumentException.class, () -> h.with(next));
  }

  @Test
  void additiveKernelsOfManyColumnsAreWrittenOut() {
    assertEquals(5000, Structure.leaves(Kernel.parse("additive(rbf)").bind(5000)).size());
    int[] some = new int[4000];
    for (int i = 0; i < some.length; i++) some[i] = i + 500;
    assertEquals(
        4000,
        Structure.leaves(Kernel.parse("additive(rbf)").bind(5000).keeping(5000, some)).size());
  }
}

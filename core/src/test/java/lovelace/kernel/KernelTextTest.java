package lovelace.kernel;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class KernelTextTest {

  @ParameterizedTest
  @ValueSource(
      strings = {
        "rbf",
        "2.0*matern52(lengthscale=0.3)",
        "rbf(lengthscale=[0.5,0.4])",
        "rbf(lengthscale=[0.5,unset])",
        "periodic(period=1.0)*rbf + matern32",
        "sm(10)",
        "sm(2, weight=[1.0,2.0], frequency=0.5)",
        "unset*rq(alpha=1.0E-5) + white",
        "0.5*(rbf + linear(centre=-2.0))*cosine",
        "2.0*(rbf + constant)",
        "rbf(columns=[2,0], lengthscale=1.0)",
        "additive(2.0*rbf + matern12) + linear*linear"
      })
  void printsWhatItReads(String text) {
    assertEquals(text, Kernel.parse(text).toString());
    assertEquals(Kernel.parse(text), Kernel.parse(Kernel.parse(text).toString()));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "rbf + rbf*periodic(period=fixed(1)) | periodic.period",
        "fixed(2)*rbf + periodic | rbf.outputscale",
        "fixed(2)*fixed(3)*rbf | outputscale",
        "fixed(2.5)*rbf(lengthscale=fixed(0.5))*periodic | outputscale rbf.lengthscale",
        "2*rbf(lengthscale=0.5) | ''",
        "additive(rbf(lengthscale=fixed(3))) | rbf.lengthscale",
        "sm(2, frequency=fixed([0.5,1])) + white(variance=fixed(0.1)) | sm.frequency white.variance",
        "linear(centre=fixed(2)) | linear.centre",
      })
  void fixedValuesAreHeldAndPrinted(String text, String fixed) {
    Kernel kernel = Kernel.parse(text).bind(1);
    String held =
        kernel.parameters().stream()
            .filter(Parameter::fixed)
            .map(Parameter::path)
            .filter(p -> !p.equals("linear.centre") || fixed.contains(p))
            .collect(Collectors.joining(" "));
    assertEquals(fixed, held);
    assertEquals(kernel, Kernel.parse(kernel.toString()).bind(1), kernel::toString);
    assertEquals(Kernel.parse(text), Kernel.parse(Kernel.parse(text).toString()));
    // the flags stay where they are when values move
    double[] values = kernel.values();
    Arrays.fill(values, 0.5);
    assertEquals(
        kernel.parameters().stream().map(Parameter::fixed).toList(),
        kernel.with(values).parameters().stream().map(Parameter::fixed).toList());
  }

  @Test
  void aValueFixedByNameIsFixedInTheText() {
    Hyperparameters h =
        Hyperparameters.of(Kernel.parse("rbf + periodic").bind(1), 1, PriorMean.ZERO)
            .fix("period", 2);
    assertEquals("unset*rbf + unset*periodic(period=fixed(2.0))", h.kernel().toString());
    assertEquals("unset*rbf + unset*periodic(period=2.0)", h.free("period").kernel().toString());
    assertEquals("rbf(lengthscale=fixed(0.5))", Kernel.rbf(0.5).fix().toString(), "held by a verb");
    Kernel two = Kernel.parse("rbf(lengthscale=fixed([1,2]))");
    assertEquals(two.bind(2), Kernel.parse(two.bind(2).toString()).bind(2));
  }

  @Test
  void readsWhatVerbsMake() {
    assertEquals(
        Kernel.matern52(0.3).times(2.0).plus(Kernel.periodic().times(Kernel.rbf())),
        Kernel.parse(" 2*MATERN52( lengthscale = .3 )+periodic * rbf "));
    assertEquals(Kernel.parse("6*rbf*cosine"), Kernel.parse("2*rbf*(3*cosine)"));
    assertEquals(Kernel.spectralMixture(3), Kernel.parse("sm(3)"));
    assertEquals(Kernel.linear(), Kernel.parse("linear"));
  }

  @Test
  void printsRandomKernelsExactly() {
    SplittableRandom random = new SplittableRandom(4);
    for (String text : KernelTest.market())
      for (int d = 1; d <= 3; d++) {
        Kernel kernel = Kernel.parse(text).bind(d);
        assertEquals(kernel, Kernel.parse(kernel.toString()).bind(d));
        double[] values = kernel.values();
        for (int i = 0; i < values.length; i++) values[i] = Math.exp(10 * random.nextGaussian());
        kernel = kernel.with(values);
        assertEquals(kernel, Kernel.parse(kernel.toString()).bind(d), "seed 4");
      }
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "rbf(lengthscale=fixed(unset)) | 1 | rbf.lengthscale is fixed and needs a value",
        "fixed(unset)*rbf | 1 | a fixed output scale needs a value",
        "2*fixed(3)*rbf | 3 | a term has one coefficient, fixed or not",
        "fixed(3)*(2*rbf) | 10 | a term has one coefficient, fixed or not",
        "fixed*rbf | 6 | expected '(' and a number",
        "periodic(period=fixed(1) | 25 | expected ',' or ')'",
        "rbff | 1 | no kernel is called 'rbff'",
        "rbf + | 6 | expected a kernel",
        "rbf(lengthscale=0.5 | 20 | expected ',' or ')'",
        "rbf(length=0.5) | 5 | expected lengthscale or columns of rbf",
        "rbf(lengthscale=-1) | 1 | rbf.lengthscale must be > 0",
        "2 | 2 | expected '*' and a kernel",
        "rbf rbf | 5 | expected '+', '*' or the end",
        "0*rbf | 1 | must be > 0",
        "sm | 3 | expected '(' and the number",
        "sm(0) | 1 | at least 1 component",
        "rbf(lengthscale=1, lengthscale=2) | 20 | given twice",
        "constant(columns=1) | 10 | expected variance of constant"
      })
  void errorsPointAtTheCharacter(String text, int character, String what) {
    var e = assertThrows(IllegalArgumentException.class, () -> Kernel.parse(text));
    List<String> lines = e.toString().lines().toList();
    assertTrue(lines.getFirst().contains("character " + character + ":"), e.toString());
    assertTrue(lines.getFirst().contains(what), e.toString());
    assertEquals("  " + text, lines.get(1));
    assertEquals(character + 1, lines.get(2).indexOf('^'));
  }

  @Test
  void garbageIsRefusedAndNothingElseHappens() {
    String[] pieces = {
      "rbf",
      "matern32",
      "sm",
      "sm(",
      "(",
      ")",
      "[",
      "]",
      "*",
      "+",
      ",",
      "=",
      "1",
      "-",
      ".",
      "e",
      "lengthscale",
      "columns",
      "unset",
      "additive",
      " ",
      "9999999999",
      "1e999",
      "é",
      "\n",
      "\0",
      "😀",
      "linear",
      "white",
      "periodic(period=1)",
      "rbf(lengthscale=[1,2])",
      "\ud800"
    };
    SplittableRandom random = new SplittableRandom(5);
    int good = 0;
    for (int i = 0; i < 100_000; i++) {
      StringBuilder text = new StringBuilder();
      int length = random.nextInt(12);
      for (int j = 0; j < length; j++) text.append(pieces[random.nextInt(pieces.length)]);
      try {
        Kernel kernel = Kernel.parse(text.toString());
        assertEquals(kernel, Kernel.parse(kernel.toString()), "seed 5: " + text);
        good++;
      } catch (IllegalArgumentException e) {
        assertTrue(e.toString().contains("^"), "seed 5: " + text);
      }
    }
    assertTrue(good > 100);
    assertThrows(IllegalArgumentException.class, () -> Kernel.parse("(".repeat(100_000)));
    assertThrows(IllegalArgumentException.class, () -> Kernel.parse("additive(".repeat(100_000)));
  }
}

package lovelace.kernel;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.ServiceLoader;
import java.util.Set;
import java.util.function.Supplier;
import lovelace.kernel.KernelFunction.Slot;
import lovelace.kernel.KernelFunction.UnknownKernelException;
import org.jspecify.annotations.Nullable;

/// Reads the text form of kernels, which [KernelWriter] writes.
///
/// ```
/// sum     = product { "+" product }
/// product = factor { "*" factor }
/// factor  = number | "fixed" "(" number ")"
///         | "(" sum ")" | "additive" "(" sum ")" | kind [ "(" argument { "," argument } ")" ]
/// argument = components (of sm, first) | name "=" (values | "fixed" "(" values ")")
/// values  = number | "[" number { "," number } "]"
/// number  = decimal | "unset"
/// ```
///
/// Numbers in a product multiply to its output scale. `columns=[0,2]` restricts a base kernel,
/// `categories=[2]` says which columns of the table hold codes of words. A fit starts from the
/// values and leaves those that are fixed. A kind is one of the library's, or the name of a
/// [KernelFunction] that the reader passes or that is registered as a service.
final class KernelText {

  private static final int DEPTH = 100;
  private static final int MOST = 10_000; // base kernels; a component of sm counts as one
  private static final Map<String, List<Slot>> KINDS = new LinkedHashMap<>();

  static {
    for (Radial.Shape shape : Radial.Shape.values()) KINDS.put(shape.kind, shape.slots());
    KINDS.put("periodic", Periodic.SLOTS);
    KINDS.put("cosine", Cosine.SLOTS);
    KINDS.put("sm", SpectralMixture.SLOTS);
    KINDS.put("constant", Constant.SLOTS);
    KINDS.put("linear", Linear.SLOTS);
    KINDS.put("white", White.SLOTS);
  }

  private static final Set<String> WORDS =
      Set.of("additive", "categories", "columns", "fixed", "outputscale", "unset");

  private final KernelScanner in;
  private final List<KernelFunction> own;
  private int depth;
  private int count; // of base kernels so far

  private KernelText(String text, List<KernelFunction> own) {
    in = new KernelScanner(text);
    this.own = own;
  }

  /// Throws unless a word can name a kernel of one's own or a parameter of one.
  static void requireName(String what, String name) {
    if (!name.matches("[a-z][a-z0-9]*") || WORDS.contains(name) || KINDS.containsKey(name))
      throw new IllegalArgumentException(
          "%s is called '%s'; choose lower-case letters and digits, a letter first, and no name of the library"
              .formatted(what, name));
  }

  static Kernel parse(String text, List<KernelFunction> own) {
    KernelText reader = new KernelText(text, own);
    Kernel kernel = reader.sum();
    reader.in.requireEnd();
    return kernel;
  }

  private Kernel sum() {
    if (++depth > DEPTH)
      throw in.error(in.at(), "more than " + DEPTH + " parentheses inside each other");
    List<Kernel> terms = new ArrayList<>();
    do terms.add(product());
    while (in.take('+'));
    depth--;
    return Structure.sum(terms);
  }

  private Kernel product() {
    List<Kernel> factors = new ArrayList<>();
    double scale = 1;
    boolean scaled = false;
    boolean fixed = false;
    int start;
    do {
      in.space();
      start = in.at();
      boolean held = in.atFixed();
      if (held || in.atNumber()) {
        if (scaled && held != fixed)
          throw in.error(
              start, "a term has one coefficient, fixed or not; write the product of the two");
        if (held) in.expect('(', "'(' and a number");
        scale *= in.number();
        if (held) in.expect(')', "')'");
        if (held && Double.isNaN(scale))
          throw in.error(start, "a fixed output scale needs a value");
        scaled = true;
        fixed = held;
        if (scale <= 0 || Double.isInfinite(scale))
          throw in.error(start, "an output scale is a variance and must be > 0 and finite");
      } else {
        factors.add(factor());
      }
    } while (in.take('*'));
    if (factors.isEmpty())
      throw in.error(in.at(), "expected '*' and a kernel; a constant is constant(variance=…)");
    Kernel bare = built(start, () -> Structure.product(factors));
    double variance = scale;
    boolean hold = fixed;
    if (!scaled) return bare;
    return built(start, () -> hold ? fixed(bare, variance) : bare.times(variance));
  }

  private static Kernel fixed(Kernel kernel, double variance) {
    if (kernel instanceof Kernel.Scaled)
      throw new IllegalArgumentException(
          "a term has one coefficient, fixed or not; write the product of the two");
    return new Kernel.Scaled(variance, true, kernel);
  }

  private Kernel factor() {
    int start = in.at();
    if (in.take('(')) {
      Kernel inner = sum();
      in.expect(')', "'+', '*' or ')'");
      return inner;
    }
    String kind = in.word();
    if (kind.equals("additive")) {
      in.expect('(', "'(' and the kernel of one column");
      Kernel base = sum();
      in.expect(')', "'+', '*' or ')'");
      return built(start, () -> new Kernel.Additive(base));
    }
    List<Slot> slots = KINDS.get(kind);
    if (slots != null) return leaf(start, kind, slots, null);
    if (kind.isEmpty()) throw in.error(start, "expected a kernel; there are " + names(List.of()));
    List<KernelFunction> found = new ArrayList<>(own);
    if (found.stream().noneMatch(f -> f.name().equals(kind)))
      ServiceLoader.load(KernelFunction.class).forEach(found::add);
    for (KernelFunction function : found)
      if (function.name().equals(kind)) return leaf(start, kind, Custom.slots(function), function);
    throw new UnknownKernelException(
        kind,
        in.located(
            start,
            "no kernel is called '%s'%s are %s. One of your own must be registered: pass its"
                    .formatted(kind, meant(kind), names(found))
                + " KernelFunction to the reader, or make it a service on the class path"));
  }

  /// The kernel whose name differs in one letter, as a question, and how the list after it begins.
  private static String meant(String kind) {
    for (String name : KINDS.keySet()) {
      int first = 0;
      int shorter = Math.min(name.length(), kind.length());
      while (first < shorter && name.charAt(first) == kind.charAt(first)) first++;
      String rest = kind.substring(first);
      String own = name.substring(first);
      boolean changed =
          !rest.isEmpty() && !own.isEmpty() && rest.substring(1).equals(own.substring(1));
      boolean added = !rest.isEmpty() && rest.substring(1).equals(own);
      boolean lost = !own.isEmpty() && own.substring(1).equals(rest);
      if (changed || added || lost) return ", did you mean '" + name + "'? There";
    }
    return "; there";
  }

  private static String names(List<KernelFunction> own) {
    List<String> names = new ArrayList<>(KINDS.keySet());
    names.add("additive");
    for (KernelFunction function : own) names.add(function.name());
    return String.join(", ", names);
  }

  private Kernel leaf(int start, String kind, List<Slot> slots, @Nullable KernelFunction function) {
    Map<String, double[]> given = new HashMap<>();
    Set<String> fixed = new HashSet<>();
    int components = 1;
    boolean sm = kind.equals("sm");
    boolean open = in.take('(');
    if (sm) {
      in.space();
      if (!open) throw in.error(in.at(), "expected '(' and the number of components, as in sm(10)");
      components = in.whole(MOST);
      open = in.take(',');
      if (!open) in.expect(')', "',' or ')'");
    }
    boolean columns = function != null || slots.stream().anyMatch(Slot::isPerColumn);
    if (open) {
      do {
        in.space();
        int at = in.at();
        String name = in.word();
        boolean places = (name.equals("columns") || name.equals("categories")) && columns;
        boolean known = places || slots.stream().anyMatch(s -> s.name().equals(name));
        if (!known) throw in.error(at, "expected %s of %s".formatted(words(slots, columns), kind));
        in.expect('=', "'=' and a value");
        boolean held = !places && in.atFixed();
        if (held) {
          fixed.add(name);
          in.expect('(', "'(' and a value");
        }
        if (given.put(name, places ? wholes() : values()) != null)
          throw in.error(at, name + " is given twice");
        if (held) in.expect(')', "')'");
      } while (in.take(','));
      in.expect(')', "',' or ')'");
    }
    int several = components;
    count += Math.max(1, several);
    if (count > MOST)
      throw in.error(
          start,
          String.format(
              Locale.ROOT,
              "more than %,d base kernels (a component of sm counts as one); use fewer",
              MOST));
    return built(start, () -> make(kind, slots, function, several, given, fixed));
  }

  private static String words(List<Slot> slots, boolean columns) {
    String names = String.join(", ", slots.stream().map(Slot::name).toList());
    if (!columns) return names;
    return names.isEmpty() ? "columns" : names + " or columns";
  }

  private static Kernel make(
      String kind,
      List<Slot> slots,
      @Nullable KernelFunction function,
      int components,
      Map<String, double[]> given,
      Set<String> fixed) {
    double[][] each = new double[slots.size()][];
    boolean[] held = new boolean[each.length];
    for (int s = 0; s < each.length; s++) {
      Slot slot = slots.get(s);
      each[s] = given.getOrDefault(slot.name(), new double[] {slot.fallback()});
      held[s] = fixed.contains(slot.name()) && !slot.isHeld();
    }
    Leaf.Values values = new Leaf.Values(each, held, new int[0]);
    Kernel leaf =
        function != null ? Custom.of(function, slots, values) : made(kind, components, values);
    double[] columns = given.get("columns");
    if (columns != null) leaf = leaf.on(places(columns));
    double[] categories = given.get("categories");
    if (categories == null) return leaf;
    Kernel coded = leaf.withCategories(places(categories));
    if (coded.categories().length < categories.length)
      throw new IllegalArgumentException(
          "%s: categories must be among the columns that the kernel reads, counted from 0; name each once"
              .formatted(kind));
    return coded;
  }

  private static int[] places(double[] given) {
    return Arrays.stream(given).mapToInt(c -> (int) c).toArray();
  }

  private static Kernel made(String kind, int components, Leaf.Values values) {
    return switch (kind) {
      case "periodic" -> new Periodic(0, null, values);
      case "cosine" -> new Cosine(0, null, values);
      case "sm" -> new SpectralMixture(components, 0, null, values);
      case "constant" -> new Constant(0, values);
      case "linear" -> new Linear(0, null, values);
      case "white" -> new White(0, values);
      default -> {
        for (Radial.Shape shape : Radial.Shape.values())
          if (shape.kind.equals(kind)) yield new Radial(shape, 0, null, values);
        throw new IllegalArgumentException("no kernel is called " + kind);
      }
    };
  }

  /// Points at the place where a kernel with impossible parameters was written.
  private Kernel built(int start, Supplier<Kernel> kernel) {
    try {
      return kernel.get();
    } catch (IllegalArgumentException e) {
      throw in.error(start, e.getMessage() == null ? "not a kernel" : e.getMessage());
    }
  }

  private double[] values() {
    return in.bracketed(in::number);
  }

  private double[] wholes() {
    return in.bracketed(() -> (double) in.whole(Integer.MAX_VALUE));
  }
}

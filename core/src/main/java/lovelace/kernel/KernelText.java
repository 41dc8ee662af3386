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
import java.util.function.IntFunction;
import java.util.function.Supplier;
import lovelace.kernel.KernelFunction.Slot;
import lovelace.kernel.KernelFunction.UnknownKernelException;
import org.jspecify.annotations.Nullable;

/// The text form of kernels, both ways.
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
  private static final int AROUND = 100; // characters shown to both sides of a mistake
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

  private final String text;
  private final List<KernelFunction> own;
  private int at;
  private int depth;
  private int count; // of base kernels so far

  private KernelText(String text, List<KernelFunction> own) {
    this.text = text;
    this.own = own;
  }

  /// Throws unless a word can name a kernel of one's own or a parameter of one.
  static void requireName(String what, String name) {
    if (!name.matches("[a-z][a-z0-9]*") || WORDS.contains(name) || KINDS.containsKey(name))
      throw new IllegalArgumentException(
          "%s is called '%s'; choose lower-case letters and digits, a letter first, and no name of the library"
              .formatted(what, name));
  }

  // ---- writing ----

  static String print(Kernel kernel) {
    return switch (kernel) {
      case Leaf leaf -> leaf(leaf);
      case Kernel.Scaled(double variance, boolean fixed, Kernel inner) ->
          held(fixed, number(variance))
              + "*"
              + (inner instanceof Kernel.Sum ? "(" + print(inner) + ")" : print(inner));
      case Kernel.Sum(var terms) ->
          String.join(" + ", terms.stream().map(KernelText::print).toList());
      case Kernel.Product(var factors) ->
          String.join(
              "*",
              factors.stream()
                  .map(k -> k instanceof Kernel.Sum ? "(" + print(k) + ")" : print(k))
                  .toList());
      case Kernel.Additive(Kernel base) -> "additive(" + print(base) + ")";
    };
  }

  private static String leaf(Leaf leaf) {
    List<String> arguments = new ArrayList<>();
    if (leaf instanceof SpectralMixture) arguments.add(Integer.toString(leaf.components()));
    if (leaf.restricted())
      arguments.add("columns=" + list(leaf.cols().length, i -> "" + leaf.cols()[i]));
    int[] categories = leaf.categories();
    if (categories.length > 0)
      arguments.add("categories=" + list(categories.length, i -> "" + categories[i]));
    for (int s = 0; s < leaf.slots().size(); s++) {
      Slot slot = leaf.slots().get(s);
      double[] values = leaf.slot(s);
      boolean silent = true;
      for (double v : values) silent &= Double.compare(v, slot.fallback()) == 0;
      if (!silent || leaf.fixed(s))
        arguments.add(
            slot.name() + "=" + held(leaf.fixed(s), list(values.length, i -> number(values[i]))));
    }
    return arguments.isEmpty()
        ? leaf.kind()
        : leaf.kind() + "(" + String.join(", ", arguments) + ")";
  }

  private static String list(int size, IntFunction<String> entry) {
    if (size == 1) return entry.apply(0);
    StringBuilder text = new StringBuilder("[");
    for (int i = 0; i < size; i++) text.append(i == 0 ? "" : ",").append(entry.apply(i));
    return text.append("]").toString();
  }

  private static String held(boolean fixed, String value) {
    return fixed ? "fixed(" + value + ")" : value;
  }

  private static String number(double value) {
    return Double.isNaN(value) ? "unset" : Double.toString(value);
  }

  // ---- reading ----

  static Kernel parse(String text, List<KernelFunction> own) {
    KernelText reader = new KernelText(text, own);
    Kernel kernel = reader.sum();
    reader.space();
    if (reader.at < text.length()) throw reader.error(reader.at, "expected '+', '*' or the end");
    return kernel;
  }

  private Kernel sum() {
    if (++depth > DEPTH) throw error(at, "more than " + DEPTH + " parentheses inside each other");
    List<Kernel> terms = new ArrayList<>();
    do terms.add(product());
    while (take('+'));
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
      space();
      start = at;
      boolean held = atFixed();
      if (held || atNumber()) {
        if (scaled && held != fixed)
          throw error(
              start, "a term has one coefficient, fixed or not; write the product of the two");
        if (held) expect('(', "'(' and a number");
        scale *= number();
        if (held) expect(')', "')'");
        if (held && Double.isNaN(scale)) throw error(start, "a fixed output scale needs a value");
        scaled = true;
        fixed = held;
        if (scale <= 0 || Double.isInfinite(scale))
          throw error(start, "an output scale is a variance and must be > 0 and finite");
      } else {
        factors.add(factor());
      }
    } while (take('*'));
    if (factors.isEmpty())
      throw error(at, "expected '*' and a kernel; a constant is constant(variance=…)");
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
    int start = at;
    if (take('(')) {
      Kernel inner = sum();
      expect(')', "'+', '*' or ')'");
      return inner;
    }
    String kind = word();
    if (kind.equals("additive")) {
      expect('(', "'(' and the kernel of one column");
      Kernel base = sum();
      expect(')', "'+', '*' or ')'");
      return built(start, () -> new Kernel.Additive(base));
    }
    List<Slot> slots = KINDS.get(kind);
    if (slots != null) return leaf(start, kind, slots, null);
    if (kind.isEmpty()) throw error(start, "expected a kernel; there are " + names(List.of()));
    List<KernelFunction> found = new ArrayList<>(own);
    if (found.stream().noneMatch(f -> f.name().equals(kind)))
      ServiceLoader.load(KernelFunction.class).forEach(found::add);
    for (KernelFunction function : found)
      if (function.name().equals(kind)) return leaf(start, kind, Custom.slots(function), function);
    throw new UnknownKernelException(
        kind,
        located(
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
    boolean open = take('(');
    if (sm) {
      space();
      if (!open) throw error(at, "expected '(' and the number of components, as in sm(10)");
      components = whole(MOST);
      open = take(',');
      if (!open) expect(')', "',' or ')'");
    }
    boolean columns = function != null || slots.stream().anyMatch(Slot::isPerColumn);
    if (open) {
      do {
        space();
        int at = this.at;
        String name = word();
        boolean places = (name.equals("columns") || name.equals("categories")) && columns;
        boolean known = places || slots.stream().anyMatch(s -> s.name().equals(name));
        if (!known) throw error(at, "expected %s of %s".formatted(words(slots, columns), kind));
        expect('=', "'=' and a value");
        boolean held = !places && atFixed();
        if (held) {
          fixed.add(name);
          expect('(', "'(' and a value");
        }
        if (given.put(name, places ? wholes() : values()) != null)
          throw error(at, name + " is given twice");
        if (held) expect(')', "')'");
      } while (take(','));
      expect(')', "',' or ')'");
    }
    int several = components;
    count += Math.max(1, several);
    if (count > MOST)
      throw error(
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
      throw error(start, e.getMessage() == null ? "not a kernel" : e.getMessage());
    }
  }

  private double[] values() {
    return bracketed(this::number);
  }

  private double[] wholes() {
    return bracketed(() -> (double) whole(Integer.MAX_VALUE));
  }

  private double[] bracketed(Supplier<Double> entry) {
    if (!take('[')) return new double[] {entry.get()};
    List<Double> values = new ArrayList<>();
    do values.add(entry.get());
    while (take(','));
    expect(']', "',' or ']'");
    return values.stream().mapToDouble(v -> v).toArray();
  }

  private int whole(int most) {
    space();
    int start = at;
    while (at < text.length() && digit(text.charAt(at))) at++;
    try {
      int value = Integer.parseInt(text.substring(start, at));
      if (value <= most) return value;
    } catch (NumberFormatException e) {
      // told below, as for a number that is too large
    }
    throw error(start, "expected a whole number up to " + most);
  }

  /// Takes `fixed` if it is next.
  private boolean atFixed() {
    space();
    if (!atWord("fixed")) return false;
    at += "fixed".length();
    return true;
  }

  /// Whether this word is next, and not the beginning of a longer one.
  private boolean atWord(String word) {
    int end = at + word.length();
    return text.startsWith(word, at)
        && (end == text.length() || !Character.isLetterOrDigit(text.charAt(end)));
  }

  private boolean atNumber() {
    if (at >= text.length()) return false;
    char c = text.charAt(at);
    return digit(c) || c == '.' || c == '-' || atWord("unset");
  }

  private double number() {
    space();
    int start = at;
    if (atWord("unset")) {
      at += "unset".length();
      return Double.NaN;
    }
    if (at < text.length() && text.charAt(at) == '-') at++;
    while (at < text.length() && (digit(text.charAt(at)) || text.charAt(at) == '.')) at++;
    if (at < text.length() && (text.charAt(at) == 'e' || text.charAt(at) == 'E')) {
      at++;
      if (at < text.length() && (text.charAt(at) == '-' || text.charAt(at) == '+')) at++;
      while (at < text.length() && digit(text.charAt(at))) at++;
    }
    try {
      double value = Double.parseDouble(text.substring(start, at));
      if (Math.abs(value) < Double.POSITIVE_INFINITY) return value;
    } catch (NumberFormatException e) {
      // told below, as for a number that is too large
    }
    throw error(start, "expected a number");
  }

  private static boolean digit(char c) {
    return c >= '0' && c <= '9';
  }

  private String word() {
    space();
    int start = at;
    while (at < text.length() && Character.isLetterOrDigit(text.charAt(at))) at++;
    if (at - start > AROUND) throw error(start, "no name is so long");
    return text.substring(start, at).toLowerCase(Locale.ROOT);
  }

  private boolean take(char c) {
    space();
    if (at >= text.length() || text.charAt(at) != c) return false;
    at++;
    return true;
  }

  private void expect(char c, String what) {
    if (!take(c)) throw error(at, "expected " + what);
  }

  private void space() {
    while (at < text.length() && Character.isWhitespace(text.charAt(at))) at++;
  }

  private IllegalArgumentException error(int place, String what) {
    return new IllegalArgumentException(located(place, what));
  }

  /// What is wrong and where, with the text around the place.
  private String located(int place, String what) {
    int from = Math.max(0, place - AROUND);
    int to = Math.min(text.length(), place + AROUND);
    String line = text.substring(from, to).replaceAll("\\p{Cntrl}", " ");
    return String.format(
        Locale.ROOT,
        "kernel, character %d: %s\n  %s%s%s\n  %s^",
        place + 1,
        what,
        from > 0 ? "…" : "",
        line,
        to < text.length() ? "…" : "",
        " ".repeat(place - from + (from > 0 ? 1 : 0)));
  }
}

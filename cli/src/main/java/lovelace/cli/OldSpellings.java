package lovelace.cli;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Model.OptionSpec;

/// Options that were spelled differently in version 0.1. They work until 0.2, with a remark.
///
/// Arguments are rewritten before they are parsed, so commands only know the new spellings.
final class OldSpellings {

  /// Rewrites an old option.
  private interface Rule {
    /// The new words; null if the spelling is already new.
    ///
    /// @param value the text after the option; `null` if there is none
    @Nullable Renewed of(@Nullable String value);
  }

  /// New words, and whether they include the text after the old option.
  private record Renewed(List<String> words, boolean tookValue) {}

  private static final Rule NOISE = value -> new Renewed(List.of("--of", "observation"), false);

  /// `--json FILE` and `--json -`. Any other word after it belongs to the command.
  private static final Rule JSON =
      value ->
          value == null
              ? null
              : value.equals("-")
                  ? new Renewed(List.of("--json"), true)
                  : value.endsWith(".json") ? new Renewed(List.of("--out", value), true) : null;

  private static final Map<String, Map<String, Rule>> RULES =
      Map.ofEntries(
          Map.entry("predict", Map.of("--noise", NOISE)),
          Map.entry("sample", Map.of("--noise", NOISE)),
          Map.entry("plot", Map.of("--noise", NOISE)),
          Map.entry("map", Map.of("--noise", NOISE)),
          Map.entry("export", Map.of("--noise", NOISE)),
          Map.entry("update", Map.of("--out", named("--model"))),
          Map.entry("merge", Map.of("--out", named("--model"))),
          Map.entry("optimize", Map.of("--noise", named("--noise-sd"), "--json", JSON)),
          Map.entry("bench cases", Map.of("--json", JSON)),
          Map.entry("bench map", Map.of("--json", JSON)),
          Map.entry("bench kriging", Map.of("--json", JSON)),
          Map.entry("bench tables", Map.of("--json", JSON, "--model", named("--method"))),
          Map.entry("bench likelihoods", Map.of("--json", JSON)),
          Map.entry("bench sparse", Map.of("--json", JSON)),
          Map.entry("bench box", Map.of("--json", JSON)),
          Map.entry("bench billion", Map.of("--json", JSON)));

  private OldSpellings() {}

  /// A rule that renames an option.
  private static Rule named(String name) {
    return value ->
        value == null ? new Renewed(List.of(name), false) : new Renewed(List.of(name, value), true);
  }

  /// Rewrites arguments in the current spelling.
  ///
  /// @param root the command that contains all others
  /// @param remark receives a remark for every old spelling
  static String[] renew(CommandLine root, String[] args, Consumer<String> remark) {
    List<String> all = new ArrayList<>();
    CommandLine command = root;
    String path = "";
    for (int i = 0; i < args.length; i++) {
      String arg = args[i];
      if (arg.equals("--")) {
        all.addAll(List.of(args).subList(i, args.length));
        break;
      }
      if (!arg.startsWith("-")) {
        CommandLine below = command.getSubcommands().get(arg);
        if (below != null) {
          command = below;
          path = path.isEmpty() ? arg : path + " " + arg;
        }
        all.add(arg);
        continue;
      }
      int equals = arg.indexOf('=');
      String name = equals < 0 ? arg : arg.substring(0, equals);
      String next = i + 1 < args.length ? args[i + 1] : null;
      String value = equals < 0 ? next : arg.substring(equals + 1);
      Rule rule = RULES.getOrDefault(path, Map.of()).get(name);
      Renewed renewed = rule == null ? null : rule.of(value);
      if (renewed != null) {
        all.addAll(renewed.words);
        if (renewed.tookValue && equals < 0) i++;
        remark.accept(
            "%s is now spelled %s; version 0.2 will not know the old spelling"
                .formatted(
                    renewed.tookValue ? name + " " + value : name,
                    String.join(" ", renewed.words)));
        continue;
      }
      all.add(arg);
      OptionSpec option = command.getCommandSpec().findOption(name);
      if (equals < 0 && next != null && option != null && option.arity().min() > 0) {
        all.add(next); // the option's value, whatever it looks like
        i++;
      }
    }
    return all.toArray(String[]::new);
  }
}

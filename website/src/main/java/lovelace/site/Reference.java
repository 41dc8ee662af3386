package lovelace.site;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import lovelace.cli.Main;
import picocli.CommandLine;
import picocli.CommandLine.Model.ArgSpec;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Model.PositionalParamSpec;

/// Makes the reference of the command line from picocli's descriptions, a page for each command.
final class Reference {

  private static final Pattern DEFAULT =
      Pattern.compile("\\s*\\(default: ((?:[^()]|\\([^()]*\\))*)\\)");
  private static final Pattern OPTION = Pattern.compile("(?<![\\w`'-])--[a-z][a-z-]*");
  private static final Pattern SENTENCE = Pattern.compile("(?<=\\.) (?=[A-Z])");
  private static final Pattern DOCUMENT = Pattern.compile("docs/([a-z-]+)\\.md");

  private Reference() {}

  /// Every page by its file name.
  static Map<String, String> pages() {
    CommandSpec root = Main.all().getCommandSpec();
    Map<String, String> pages = new LinkedHashMap<>();
    List<CommandSpec> commands = commands(root);
    pages.put("README.md", index(root, commands));
    for (CommandSpec command : commands) pages.put(file(command), page(command));
    return pages;
  }

  /// Writes the pages into a folder, and removes files that are not pages any more.
  ///
  /// @return the number of pages
  static int write(Path folder) throws IOException {
    Map<String, String> pages = pages();
    Files.createDirectories(folder);
    try (Stream<Path> files = Files.list(folder)) {
      files
          .filter(each -> !pages.containsKey(each.getFileName().toString()))
          .forEach(
              each -> {
                try {
                  Files.delete(each);
                } catch (IOException e) {
                  throw new UncheckedIOException(e);
                }
              });
    }
    for (Map.Entry<String, String> page : pages.entrySet())
      Files.writeString(folder.resolve(page.getKey()), page.getValue());
    return pages.size();
  }

  private static List<CommandSpec> commands(CommandSpec above) {
    List<CommandSpec> all = new ArrayList<>();
    for (CommandLine each : above.subcommands().values()) {
      CommandSpec command = each.getCommandSpec();
      if (command.usageMessage().hidden() || all.contains(command)) continue;
      all.add(command);
      all.addAll(commands(command));
    }
    return all;
  }

  /// The name of a subcommand with its parent, such as `bench map`.
  private static String name(CommandSpec command) {
    return command.qualifiedName(" ").replaceFirst("^lovelace ", "");
  }

  private static String file(CommandSpec command) {
    return name(command).replace(' ', '-') + ".md";
  }

  private static String index(CommandSpec root, List<CommandSpec> commands) {
    StringBuilder page = new StringBuilder("# Commands\n\n");
    page.append(
        """
        These pages are made from the command itself, as `lovelace COMMAND --help` is. [The command line](../cli.md) says what
        holds for all commands: tables, results, parameters.

        """);
    for (CommandSpec command : commands)
      page.append(
          "- [%s](%s): %s\n".formatted(name(command), file(command), prose(summary(command))));
    page.append("\n## Options of every command\n\n");
    options(page, root.options());
    exitCodes(page, root);
    return page.toString();
  }

  private static String summary(CommandSpec command) {
    List<String> lines = new ArrayList<>();
    for (String line : command.usageMessage().description()) {
      if (line.isBlank()) break;
      lines.add(format(line));
    }
    String all = String.join(" ", lines);
    return SENTENCE.split(all, 2)[0];
  }

  private static String page(CommandSpec command) {
    StringBuilder page = new StringBuilder("# lovelace " + name(command) + "\n\n");
    description(page, command, false);
    page.append("```text\n").append(synopsis(command)).append("```\n\n");
    if (!command.subcommands().isEmpty()) {
      page.append("## Commands\n\n");
      for (CommandLine each : command.subcommands().values())
        page.append(
            "- [%s](%s): %s\n"
                .formatted(
                    name(each.getCommandSpec()),
                    file(each.getCommandSpec()),
                    prose(summary(each.getCommandSpec()))));
      page.append('\n');
    }
    List<PositionalParamSpec> parameters =
        command.positionalParameters().stream().filter(each -> !each.hidden()).toList();
    if (!parameters.isEmpty()) {
      page.append("## Parameters\n\n| parameter | default | |\n|---|---|---|\n");
      for (PositionalParamSpec each : parameters) row(page, each.paramLabel(), each);
      page.append('\n');
    }
    List<OptionSpec> own = own(command);
    if (!own.isEmpty()) {
      page.append("## Options\n\n");
      options(page, own);
    }
    page.append(
        "There are [options of every command](README.md#options-of-every-command) besides, and"
            + " [exit codes](README.md#exit-codes).\n");
    description(page, command, true);
    return page.toString();
  }

  /// The description up to its examples, or the examples.
  private static void description(StringBuilder page, CommandSpec command, boolean examples) {
    List<String> lines =
        Arrays.stream(command.usageMessage().description()).map(Reference::format).toList();
    int from = lines.indexOf("Examples:");
    if (examples) {
      if (from < 0) return;
      page.append("\n## Examples\n\n```sh\n");
      for (String line : lines.subList(from + 1, lines.size()))
        if (!line.isBlank()) page.append(line.replaceFirst("^  ", "")).append('\n');
      page.append("```\n");
      return;
    }
    StringBuilder paragraph = new StringBuilder();
    for (String line : from < 0 ? lines : lines.subList(0, from)) {
      if (line.isBlank()) {
        if (!paragraph.isEmpty()) page.append(prose(paragraph.toString().strip())).append("\n\n");
        paragraph.setLength(0);
      } else paragraph.append(line).append(' ');
    }
    if (!paragraph.isEmpty()) page.append(prose(paragraph.toString().strip())).append("\n\n");
  }

  private static String synopsis(CommandSpec command) {
    StringBuilder text = new StringBuilder("lovelace " + name(command));
    for (PositionalParamSpec each : command.positionalParameters())
      if (!each.hidden()) {
        String label = each.paramLabel() + (each.arity().max() > 1 ? "…" : "");
        text.append(each.arity().min() == 0 ? " [" + label + "]" : " " + label);
      }
    for (OptionSpec each : command.options())
      if (each.required()) text.append(' ').append(label(each));
    if (own(command).stream().anyMatch(each -> !each.required())) text.append(" [OPTIONS]");
    if (!command.subcommands().isEmpty()) text.append(" COMMAND");
    return text.append('\n').toString();
  }

  /// The options that belong to this command and not to all.
  private static List<OptionSpec> own(CommandSpec command) {
    return command.options().stream()
        .filter(each -> !each.inherited() && !each.usageHelp() && !each.versionHelp())
        .toList();
  }

  private static void options(StringBuilder page, Collection<OptionSpec> options) {
    page.append("| option | default | |\n|---|---|---|\n");
    for (OptionSpec each : options) if (!each.hidden()) row(page, label(each), each);
    page.append('\n');
  }

  private static String label(OptionSpec option) {
    String names = String.join(", ", option.names());
    if (option.arity().max() == 0) return names;
    return names + " " + option.paramLabel();
  }

  private static void row(StringBuilder page, String label, ArgSpec argument) {
    String text =
        String.join(" ", Arrays.stream(argument.description()).map(Reference::format).toList())
            .replaceAll("\\s+", " ")
            .strip();
    String value = "";
    Matcher said = DEFAULT.matcher(text);
    if (said.find()) {
      value = said.group(1);
      text = said.replaceFirst("");
    } else value = initial(argument);
    boolean required = argument.required() && argument instanceof OptionSpec;
    page.append(
        "| `%s` | %s | %s |\n"
            .formatted(
                label.replace("|", "\\|"), required ? "required" : prose(value), prose(text)));
  }

  /// The initial value of an option, if it is worth showing.
  private static String initial(ArgSpec argument) {
    if (argument.arity().max() == 0 || argument.isMultiValue() || argument.required()) return "";
    Object value = argument.initialValue();
    return switch (value) {
      case Number number when number.doubleValue() != 0 ->
          number.toString().replaceFirst("\\.0$", "");
      case String text -> text;
      case Enum<?> one -> one.toString().toLowerCase(java.util.Locale.ROOT);
      case null, default -> "";
    };
  }

  private static void exitCodes(StringBuilder page, CommandSpec root) {
    page.append("## Exit codes\n\n| code | means |\n|---|---|\n");
    root.usageMessage()
        .exitCodeList()
        .forEach((code, meaning) -> page.append("| %s | %s |\n".formatted(code, prose(meaning))));
  }

  /// The text that picocli prints for a line: `%%` becomes a percent sign.
  private static String format(String line) {
    return line.replace("%%", "%");
  }

  /// Plain text as Markdown: options as code, names of pages as links.
  private static String prose(String text) {
    String escaped =
        text.replace("\\", "\\\\")
            .replace("|", "\\|")
            .replace("*", "\\*")
            .replace("_", "\\_")
            .replace("<", "&lt;");
    return DOCUMENT
        .matcher(OPTION.matcher(escaped).replaceAll("`$0`"))
        .replaceAll("[$1](../$1.md)");
  }
}

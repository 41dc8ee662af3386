package lovelace.cli;

import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.NoSuchFileException;
import java.util.Arrays;
import java.util.Locale;
import java.util.concurrent.CancellationException;
import java.util.function.BooleanSupplier;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import lovelace.budget.Budget.MemoryLimitException;
import lovelace.budget.Budget.Remedy;
import lovelace.budget.Budget.TimeUpException;
import lovelace.data.Trust.UntrustedCodeException;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.IExecutionExceptionHandler;
import picocli.CommandLine.IParameterExceptionHandler;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.ParseResult;
import picocli.CommandLine.UnmatchedArgumentException;

/// How a command fails: what is printed, and the exit code.
///
/// Wrong use and bad input ([IllegalArgumentException], a file that is not there) print their
/// message and nothing else, exit code 2. Anything else prints its message and how to see the stack
/// trace, exit code 1. `--stacktrace` prints it in both cases.
final class Errors implements IParameterExceptionHandler, IExecutionExceptionHandler {

  static final int FAILURE = 1;
  static final int WRONG_USE = 2;
  static final int INTERRUPTED = 130;

  /// What picocli says of a word that is not among those it knows, and of a number it cannot read.
  private static final Pattern CHOICE =
      Pattern.compile(
          "Invalid value for option '([^']+)'[^:]*: expected one of \\[(.+)] \\(case-insensitive\\) but was '(.*)'");

  private static final Pattern NUMBER =
      Pattern.compile("Invalid value for option '([^']+)'[^:]*: '(.*)' is not an? (\\w+)");

  private final BooleanSupplier stacktrace;

  Errors(BooleanSupplier stacktrace) {
    this.stacktrace = stacktrace;
  }

  @Override
  public int handleParseException(ParameterException e, String[] args) {
    var commandLine = e.getCommandLine();
    var err = commandLine.getErr();
    err.println("lovelace: " + message(e));
    var hint = e instanceof UnmatchedArgumentException unmatched ? nearest(unmatched) : null;
    if (hint != null) {
      err.println("Did you mean '" + hint + "'?");
    }
    err.println(
        "Try '" + commandLine.getCommandSpec().qualifiedName() + " --help' for what there is.");
    if (stacktrace.getAsBoolean()) {
      e.printStackTrace(err);
    }
    return WRONG_USE;
  }

  @Override
  public int handleExecutionException(
      Exception e, CommandLine commandLine, @Nullable ParseResult parsed) {
    return report(e, commandLine);
  }

  /// Prints what went wrong and returns the exit code for it.
  int report(Throwable e, CommandLine commandLine) {
    var err = commandLine.getErr();
    if (e instanceof CancellationException || e instanceof InterruptedException) {
      err.println("lovelace: interrupted");
      return INTERRUPTED;
    }
    err.println("lovelace: " + describe(e, commandLine));
    boolean input =
        e instanceof IllegalArgumentException
            || e instanceof TimeUpException
            || e instanceof NoSuchFileException
            || e instanceof AccessDeniedException;
    if (stacktrace.getAsBoolean()) {
      e.printStackTrace(err);
    } else if (!input) {
      err.println("Run it again with --stacktrace to see where it happened.");
    }
    return input ? WRONG_USE : FAILURE;
  }

  private static String describe(Throwable e, CommandLine commandLine) {
    return switch (e) {
      case NoSuchFileException f -> "there is no file '" + f.getFile() + "'";
      case AccessDeniedException f -> "no permission for '" + f.getFile() + "'";
      case FileAlreadyExistsException f -> "'" + f.getFile() + "' exists already";
      case FileSystemException f -> String.valueOf(f.getMessage());
      case OutOfMemoryError m ->
          "out of memory (" + m.getMessage() + "); LOVELACE_JAVA_OPTS=-Xmx8g gives it 8 GB";
      case TimeUpException t -> t.message(remedy -> option(remedy, commandLine));
      case MemoryLimitException m -> m.message(remedy -> option(remedy, commandLine));
      case IllegalArgumentException a when a.getCause() instanceof UntrustedCodeException ->
          a.getMessage() + " (option --trust-code)";
      case IllegalArgumentException a when a.getMessage() != null -> a.getMessage();
      case IOException io when io.getMessage() != null -> io.getMessage();
      case ArithmeticException a when a.getMessage() != null -> a.getMessage();
      case RuntimeException r
          when r.getMessage() != null && r.getClass() != NullPointerException.class ->
          r.getMessage();
      default -> e.toString();
    };
  }

  /// How a remedy is done here.
  private static String option(Remedy remedy, CommandLine commandLine) {
    return switch (remedy) {
      case MORE_TIME -> "--time";
      case MORE_MEMORY -> memory(commandLine);
      case FEWER_GRID_POINTS -> "--grid";
    };
  }

  /// What gives a command more memory: its own option, or a larger heap.
  private static String memory(CommandLine commandLine) {
    boolean own = commandLine.getCommandSpec().findOption("--memory") != null;
    return own ? "--memory" : "LOVELACE_JAVA_OPTS=-Xmx8g gives 8 GB";
  }

  private static String message(ParameterException e) {
    if (e instanceof UnmatchedArgumentException unmatched && !unmatched.getUnmatched().isEmpty()) {
      String argument = unmatched.getUnmatched().getFirst();
      boolean root = unmatched.getCommandLine().getParent() == null;
      return argument.startsWith("-")
          ? "unknown option '" + argument + "'"
          : root ? "unknown command '" + argument + "'" : "unexpected argument '" + argument + "'";
    }
    String message = String.valueOf(e.getMessage());
    Matcher choice = CHOICE.matcher(message);
    if (choice.matches())
      return "%s must be one of %s, got '%s'"
          .formatted(choice.group(1), words(choice.group(2)), choice.group(3));
    Matcher number = NUMBER.matcher(message);
    if (number.matches())
      return "%s must be a %s, got '%s'"
          .formatted(
              number.group(1),
              number.group(3).equals("double") ? "number" : "whole number",
              number.group(2));
    return message;
  }

  /// The words of a choice as help shows them; picocli lists `AS_IS` beside `as-is`.
  private static String words(String listed) {
    return Arrays.stream(listed.toLowerCase(Locale.ROOT).split(", "))
        .filter(word -> word.indexOf('_') < 0)
        .collect(Collectors.joining(", "));
  }

  private static @Nullable String nearest(UnmatchedArgumentException e) {
    if (e.getUnmatched().isEmpty()) {
      return null;
    }
    String argument = e.getUnmatched().getFirst();
    CommandSpec spec = e.getCommandLine().getCommandSpec();
    Stream<String> names =
        argument.startsWith("-")
            ? spec.options().stream().flatMap(option -> Stream.of(option.names()))
            : spec.subcommands().keySet().stream();
    return Nearest.of(argument.replaceFirst("=.*", ""), names.toList());
  }
}

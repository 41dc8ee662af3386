package lovelace.cli;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.UncheckedIOException;
import java.lang.reflect.InvocationTargetException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import java.util.function.BooleanSupplier;
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
import picocli.CommandLine.MaxValuesExceededException;
import picocli.CommandLine.MissingParameterException;
import picocli.CommandLine.Model.ArgSpec;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.OverwrittenOptionException;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.ParseResult;
import picocli.CommandLine.TypeConversionException;
import picocli.CommandLine.UnmatchedArgumentException;

/// Reports how a command failed: prints a message and chooses the exit code.
///
/// Wrong use and bad input ([IllegalArgumentException], a missing file) print only their message,
/// exit code 2. Anything else prints its message and how to see the stack trace, exit code 1.
/// `--stacktrace` prints it in both cases.
final class Errors implements IParameterExceptionHandler, IExecutionExceptionHandler {

  static final int FAILURE = 1;
  static final int WRONG_USE = 2;
  static final int INTERRUPTED = 130;

  private final PrintWriter err;
  private final BooleanSupplier stacktrace;

  /// @param err where errors are printed, also with `--quiet`
  Errors(PrintWriter err, BooleanSupplier stacktrace) {
    this.err = err;
    this.stacktrace = stacktrace;
  }

  @Override
  public int handleParseException(ParameterException e, String[] args) {
    var commandLine = e.getCommandLine();
    List<String> unknown =
        e instanceof UnmatchedArgumentException || e instanceof MissingParameterException
            ? unmatched(e)
            : List.of();
    String hint = unknown.isEmpty() ? null : nearest(unknown.getFirst(), commandLine);
    err.println("lovelace: " + message(e, unknown, hint, args));
    if (hint != null) {
      err.println("Did you mean '" + hint + "'?");
    }
    err.println(
        "Try '" + commandLine.getCommandSpec().qualifiedName() + " --help' for all options.");
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

  /// Prints an error and returns its exit code.
  int report(Throwable thrown, CommandLine commandLine) {
    Throwable e = bare(thrown);
    if (e instanceof CancellationException || e instanceof InterruptedException) {
      err.println("lovelace: interrupted");
      return INTERRUPTED;
    }
    err.println("lovelace: " + describe(e, commandLine));
    boolean input =
        e instanceof IllegalArgumentException
            || e instanceof TimeUpException
            || (e instanceof FileSystemException && !(e instanceof FileAlreadyExistsException));
    if (stacktrace.getAsBoolean()) {
      e.printStackTrace(err);
    } else if (!input) {
      err.println("Run it again with --stacktrace to see where it happened.");
    }
    return input ? WRONG_USE : FAILURE;
  }

  private static String describe(Throwable e, CommandLine commandLine) {
    return switch (e) {
      case FileAlreadyExistsException f -> "'" + f.getFile() + "' exists already";
      case FileSystemException f -> FileFault.text(f);
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
      case StackOverflowError s ->
          "the stack of a thread is too small; LOVELACE_JAVA_OPTS=-Xss16m gives it 16 MB";
      case Error error when error.getMessage() != null ->
          "%s: %s".formatted(kind(error), error.getMessage());
      default -> "a fault of Lovelace itself (%s); please report it".formatted(kind(e));
    };
  }

  /// The failure itself, without exceptions that only carry it out of a function or a thread.
  private static Throwable bare(Throwable e) {
    Throwable cause = e.getCause();
    boolean carries =
        e instanceof UncheckedIOException
            || e instanceof ExecutionException
            || e instanceof CompletionException
            || e instanceof InvocationTargetException
            || e.getClass() == RuntimeException.class;
    return carries && cause != null ? bare(cause) : e;
  }

  /// The kind of failure in words: `null pointer`, `unknown host`.
  static String kind(Throwable e) {
    return e.getClass()
        .getSimpleName()
        .replaceFirst("(Exception|Error)$", "")
        .replaceAll("([a-z])([A-Z])", "$1 $2")
        .toLowerCase(Locale.ROOT);
  }

  /// How to apply a remedy on the command line.
  private static String option(Remedy remedy, CommandLine commandLine) {
    return switch (remedy) {
      case MORE_TIME -> "--time";
      case MORE_MEMORY -> memory(commandLine);
      case FEWER_GRID_POINTS -> "--grid";
    };
  }

  /// How to give a command more memory: by its own option, or by a larger heap.
  private static String memory(CommandLine commandLine) {
    boolean own = commandLine.getCommandSpec().findOption("--memory") != null;
    return own ? "--memory" : "LOVELACE_JAVA_OPTS=-Xmx8g gives 8 GB";
  }

  /// The arguments that the command does not know. Picocli would report missing ones first.
  private static List<String> unmatched(ParameterException e) {
    return e instanceof UnmatchedArgumentException unmatched
        ? unmatched.getUnmatched()
        : e.getCommandLine().getUnmatchedArguments();
  }

  /// Says what is wrong with the arguments, from the type of the exception and its fields.
  ///
  /// @param unknown arguments that the command does not know
  /// @param hint the probable meaning of the first of them
  private static String message(
      ParameterException e, List<String> unknown, @Nullable String hint, String[] args) {
    ArgSpec arg = e.getArgSpec();
    return switch (e) {
      case UnmatchedArgumentException unmatched when !unknown.isEmpty() ->
          unmatched(unknown.getFirst(), unmatched.getCommandLine());
      case MissingParameterException missing when !missing.getMissing().isEmpty() -> {
        String told = missing(missing.getMissing(), List.of(args));
        if (unknown.isEmpty()) yield told;
        String first = unmatched(unknown.getFirst(), missing.getCommandLine());
        boolean meant = missing.getMissing().stream().anyMatch(each -> name(each).equals(hint));
        yield meant ? first : first + ", and " + told;
      }
      case OverwrittenOptionException twice ->
          "%s is given more than once; give it once".formatted(name(twice.getOverwritten()));
      case MaxValuesExceededException more -> flag(more.getCommandLine(), args, e);
      default ->
          arg == null
              ? String.valueOf(e.getMessage()) // our own message
              : e.getCause() instanceof TypeConversionException wrong
                  ? name(arg) + " " + wrong.getMessage() + usual(arg)
                  : "%s must be %s, got '%s'".formatted(name(arg), arg.paramLabel(), e.getValue());
    };
  }

  private static String unmatched(String argument, CommandLine commandLine) {
    boolean root = commandLine.getParent() == null;
    return argument.startsWith("-")
        ? "unknown option '" + argument + "'"
        : root ? "unknown command '" + argument + "'" : "unexpected argument '" + argument + "'";
  }

  /// Says which options and files are missing, or which option lacks its value.
  private static String missing(List<ArgSpec> missing, List<String> args) {
    for (ArgSpec arg : missing)
      if (arg instanceof OptionSpec option
          && Arrays.stream(option.names()).anyMatch(args::contains))
        return "%s needs a value; write %s".formatted(name(arg), shown(arg));
    String all = missing.stream().map(Errors::shown).collect(Collectors.joining(" and "));
    return missing.size() == 1 ? all + " is missing; add it" : all + " are missing; add them";
  }

  /// Says that a value was given to an option that takes none.
  private static String flag(CommandLine command, String[] args, ParameterException e) {
    for (String arg : args) {
      int equals = arg.indexOf('=');
      if (equals < 0) continue;
      OptionSpec option = command.getCommandSpec().findOption(arg.substring(0, equals));
      if (option != null && option.arity().max() == 0)
        return "%s takes no value, got '%s'; write %s"
            .formatted(name(option), arg.substring(equals + 1), name(option));
    }
    return String.valueOf(e.getMessage());
  }

  private static String name(ArgSpec arg) {
    return arg instanceof OptionSpec option ? option.longestName() : arg.paramLabel();
  }

  /// An option with its value's label.
  private static String shown(ArgSpec arg) {
    return arg instanceof OptionSpec option && option.arity().max() > 0
        ? option.longestName() + " " + option.paramLabel()
        : name(arg);
  }

  /// The default of an option that is a number, as text.
  private static String usual(ArgSpec arg) {
    return !arg.required() && arg.initialValue() instanceof Number number
        ? "; the default is " + number
        : "";
  }

  private static @Nullable String nearest(String argument, CommandLine commandLine) {
    CommandSpec spec = commandLine.getCommandSpec();
    Stream<String> names =
        argument.startsWith("-")
            ? spec.options().stream().flatMap(option -> Stream.of(option.names()))
            : spec.subcommands().keySet().stream();
    return Nearest.of(argument.replaceFirst("=.*", ""), names.toList());
  }
}

package lovelace.cli;

import java.util.List;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;

/// Refuses options that cannot be combined.
final class Together {

  private Together() {}

  /// Whether an option was given.
  static boolean given(CommandSpec spec, String option) {
    OptionSpec known = spec.findOption(option);
    return known != null && spec.commandLine().getParseResult().hasMatchedOption(known);
  }

  /// Refuses options beside another.
  ///
  /// @param reason why they do not go together
  static void refuse(CommandSpec spec, String beside, List<String> options, String reason) {
    for (String option : options)
      if (given(spec, option))
        throw new IllegalArgumentException(
            "%s and %s do not go together, because %s; leave out one of the two"
                .formatted(beside, option, reason));
  }
}

package lovelace.cli;

import java.util.concurrent.Callable;
import picocli.AutoComplete;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/// `lovelace completion`: a script that lets a shell complete commands and options.
@Command(
    name = "completion",
    customSynopsis = {"lovelace completion"},
    description = {
      "Print a script that lets bash and zsh complete commands and options with the Tab " + "key.",
      "",
      "Examples:",
      "  source <(lovelace completion)",
      "  lovelace completion > ~/.local/share/bash-completion/completions/lovelace"
    })
final class CompletionCommand implements Callable<Integer> {

  @Spec
  @SuppressWarnings("NullAway.Init") // picocli sets it before call()
  private CommandSpec spec;

  @Override
  public Integer call() {
    var root = Main.all();
    spec.commandLine().getOut().print(AutoComplete.bash(root.getCommandName(), root));
    spec.commandLine().getOut().flush();
    return 0;
  }
}

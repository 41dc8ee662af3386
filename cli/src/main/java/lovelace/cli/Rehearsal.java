package lovelace.cli;

import java.io.PrintWriter;
import java.io.Writer;

/// Runs the commands once so that the JVM can keep what it loaded: the launcher calls it after a
/// build with `-XX:AOTCacheOutput` (see `docs/decisions`). Its output goes nowhere.
final class Rehearsal {

  private Rehearsal() {}

  public static void main(String[] args) {
    var nowhere = new PrintWriter(Writer.nullWriter());
    for (String[] command : new String[][] {{"--version"}, {"--help"}, {"--hepl"}}) {
      Main.run(nowhere, nowhere, command);
    }
  }
}

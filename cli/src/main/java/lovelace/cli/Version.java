package lovelace.cli;

import lovelace.linear.Blas;
import lovelace.options.Options;
import picocli.CommandLine.IVersionProvider;

/// The version of the build, and of its runtime.
final class Version implements IVersionProvider {

  @Override
  public String[] getVersion() {
    return new String[] {
      "lovelace " + number(),
      "java     " + Runtime.version() + ", " + System.getProperty("java.vm.vendor"),
      "blas     " + Blas.provider(),
      "system   " + System.getProperty("os.name") + " " + System.getProperty("os.arch"),
    };
  }

  /// The version that the build recorded, such as `0.1.0`.
  static String number() {
    return Options.Maker.LIBRARY.version();
  }
}

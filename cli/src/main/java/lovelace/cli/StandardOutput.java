package lovelace.cli;

import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.function.IntConsumer;

/// The standard output of the process, which does not lose output: if a write fails, the process
/// ends. If the reader of a pipe has gone, as `head` does, it ends without a message and with the
/// exit code of a process that a closed pipe ended. If a disk is full or the output closed, it ends
/// with a message and as a failure.
final class StandardOutput extends OutputStream {

  static final int READER_GONE = 141; // 128 + SIGPIPE

  private static final int KIND = 0xf000;
  private static final int PIPE = 0x1000;
  private static final int SOCKET = 0xc000;

  private final OutputStream out = new FileOutputStream(FileDescriptor.out);
  private final PrintWriter err;
  private final IntConsumer end;

  /// Reports on `err` what went wrong, and then ends the process by `end`.
  StandardOutput(PrintWriter err, IntConsumer end) {
    this.err = err;
    this.end = end;
  }

  @Override
  public void write(int b) {
    write(new byte[] {(byte) b}, 0, 1);
  }

  @Override
  public void write(byte[] bytes, int from, int count) {
    try {
      out.write(bytes, from, count);
    } catch (IOException e) {
      if (isPipe()) end.accept(READER_GONE);
      err.println("lovelace: standard output cannot be written: " + e.getMessage());
      end.accept(Errors.FAILURE);
    }
  }

  /// Whether the output is a pipe or a socket. A write to these fails only if nobody reads any
  /// more.
  private static boolean isPipe() {
    try {
      int mode = (int) Files.getAttribute(Path.of("/dev/fd/1"), "unix:mode");
      return (mode & KIND) == PIPE || (mode & KIND) == SOCKET;
    } catch (IOException | UnsupportedOperationException | IllegalArgumentException e) {
      return false; // closed, or not Unix
    }
  }
}

package lovelace.cli;

import java.io.OutputStream;
import java.io.PrintWriter;
import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.CharsetDecoder;
import java.nio.charset.CodingErrorAction;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.stream.Collectors;
import lovelace.Model;
import lovelace.data.Column;
import lovelace.options.Options;
import picocli.CommandLine.Model.CommandSpec;

/// Code shared by commands that use a model on a table.
final class Models {

  private Models() {}

  /// The columns that a model reads. The table must have them.
  static List<Column> inputs(Model model, Table table) {
    for (Column column : model.columns()) {
      Table.Field field = table.field(column.name());
      if (column.time().isPresent() && field.kind() == Table.Kind.NUMBER)
        throw new IllegalArgumentException(
            "column '%s' of '%s' holds numbers, the model learned from dates; give dates"
                .formatted(column.name(), table.name()));
    }
    return model.columns();
  }

  /// The maker of a model: this version and the command as it was typed, quoted for a shell.
  static Options.Maker maker(CommandSpec spec) {
    return new Options.Maker(
        Version.number(),
        "lovelace "
            + spec.root().commandLine().getParseResult().originalArgs().stream()
                .map(a -> a.matches("[\\w@%+=:,./-]+") ? a : "'" + a.replace("'", "'\\''") + "'")
                .collect(Collectors.joining(" ")));
  }

  /// Remarks beside the output on values that were replaced.
  static void remark(CommandSpec spec, Reading reading) {
    PrintWriter err = spec.commandLine().getErr();
    for (String note : reading.remarks()) err.println("lovelace: " + note);
  }

  /// Turns columns into rows. Values that are not finite, as in skipped rows, become 0.
  static double[] points(int count, double[][] columns, int d) {
    double[] points = new double[count * d];
    for (int j = 0; j < d; j++)
      for (int i = 0; i < count; i++)
        points[i * d + j] = Double.isFinite(columns[j][i]) ? columns[j][i] : 0;
    return points;
  }

  /// A stream of UTF-8 that goes to a writer.
  static OutputStream stream(PrintWriter writer) {
    return new OutputStream() {
      private final CharsetDecoder decoder =
          StandardCharsets.UTF_8.newDecoder().onMalformedInput(CodingErrorAction.REPLACE);
      private final CharBuffer chars = CharBuffer.allocate(8192);
      private byte[] rest = new byte[0];

      @Override
      public void write(int b) {
        write(new byte[] {(byte) b}, 0, 1);
      }

      @Override
      public void write(byte[] bytes, int from, int count) {
        ByteBuffer in = ByteBuffer.allocate(rest.length + count);
        in.put(rest).put(bytes, from, count).flip();
        while (true) {
          boolean more = decoder.decode(in, chars, false).isOverflow();
          writer.write(chars.array(), 0, chars.position());
          chars.clear();
          if (!more) break;
        }
        rest = new byte[in.remaining()];
        in.get(rest);
      }

      @Override
      public void flush() {
        writer.flush();
      }
    };
  }
}

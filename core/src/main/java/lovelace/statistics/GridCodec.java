package lovelace.statistics;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInput;
import java.io.DataInputStream;
import java.io.DataOutput;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.Serializable;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.util.Locale;
import lovelace.grid.Axis;
import lovelace.grid.Grid;

/// Writes and reads the statistics of a part of the data, so that another process can add them up.
/// The bytes are not a file format: both processes must have the same version.
///
/// ```
/// byte      2
/// byte      number of axes; of each: f64 origin, f64 step, int32 points
/// byte      1 if the grid moves rows near a node onto it
/// f64       origin of the target;  varint  observations left out;  byte  1 if a weight is not one
/// varint    occupied cells; of each: varint steps from the cell before, varint observations
/// f64       the sums of each, without Σ log w where all weights are one
/// ```
final class GridCodec {

  private static final byte VERSION = 2;

  private GridCodec() {}

  static void write(GridStatistics s, DataOutput out) throws IOException {
    out.writeByte(VERSION);
    Grid grid = s.grid();
    out.writeByte(grid.dimensions());
    for (Axis axis : grid.axes()) {
      out.writeDouble(axis.origin());
      out.writeDouble(axis.step());
      out.writeInt(axis.points());
    }
    out.writeBoolean(grid.snaps());
    out.writeDouble(s.origin());
    writeNumber(s.skipped(), out);
    int cells = s.occupiedCells();
    int width = GridStatistics.momentCount(grid.dimensions());
    boolean weighted = false;
    for (int c = 0; c < cells; c++) weighted |= s.occupiedMoments(c)[width - 1] != 0;
    out.writeBoolean(weighted);
    writeNumber(cells, out);
    for (int c = 0, before = 0; c < cells; before = s.occupiedCell(c++)) {
      writeNumber(s.occupiedCell(c) - before, out);
      writeNumber(s.occupiedCount(c), out);
    }
    int kept = weighted ? width : width - 1;
    byte[] bytes = new byte[8 * kept];
    for (int c = 0; c < cells; c++) {
      ByteBuffer.wrap(bytes).asDoubleBuffer().put(s.occupiedMoments(c), 0, kept);
      out.write(bytes);
    }
  }

  static GridStatistics read(DataInput in) throws IOException {
    int version = in.readByte();
    if (version != VERSION)
      throw new IOException(
          String.format(
              Locale.ROOT,
              "statistics are of version %d, this is %d; use one version of Lovelace everywhere",
              version,
              VERSION));
    Axis[] axes = new Axis[in.readByte()];
    for (int a = 0; a < axes.length; a++)
      axes[a] = new Axis(in.readDouble(), in.readDouble(), in.readInt());
    Grid plain = Grid.of(axes);
    Grid grid = in.readBoolean() ? plain.snapping() : plain;
    double origin = in.readDouble();
    long skipped = readNumber(in);
    boolean weighted = in.readBoolean();
    int[] cells = new int[Math.toIntExact(Math.min(readNumber(in), grid.cells()))];
    long[] counts = new long[cells.length];
    for (int c = 0, before = 0; c < cells.length; before = cells[c++]) {
      cells[c] = Math.toIntExact(before + readNumber(in));
      counts[c] = readNumber(in);
    }
    int width = GridStatistics.momentCount(axes.length);
    int kept = weighted ? width : width - 1;
    byte[] bytes = new byte[8 * kept];
    double[][] rows = new double[cells.length][width];
    for (double[] row : rows) {
      in.readFully(bytes);
      ByteBuffer.wrap(bytes).asDoubleBuffer().get(row, 0, kept);
    }
    return GridStatistics.assemble(grid, origin, cells, counts, rows, skipped);
  }

  private static void writeNumber(long value, DataOutput out) throws IOException {
    long rest = value;
    for (; (rest & ~0x7fL) != 0; rest >>>= 7) out.writeByte((int) ((rest & 0x7f) | 0x80));
    out.writeByte((int) rest);
  }

  private static long readNumber(DataInput in) throws IOException {
    long value = 0;
    for (int shift = 0; shift < 64; shift += 7) {
      long b = in.readByte();
      value |= (b & 0x7f) << shift;
      if (b >= 0) return value;
    }
    throw new IOException("statistics are damaged: a number does not end");
  }

  /// The serialised form that replaces statistics in Java's serialisation.
  static final class Form implements Serializable {
    private static final long serialVersionUID = 1;
    private final byte[] bytes;

    Form(GridStatistics s) {
      var out = new ByteArrayOutputStream();
      try {
        write(s, new DataOutputStream(out));
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
      bytes = out.toByteArray();
    }

    private Object readResolve() {
      try {
        return read(new DataInputStream(new ByteArrayInputStream(bytes)));
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }
  }
}

package lovelace.deep;

import java.io.BufferedInputStream;
import java.io.BufferedOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.UTFDataFormatException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.zip.CRC32C;
import java.util.zip.CheckedInputStream;
import java.util.zip.CheckedOutputStream;
import lovelace.io.AtomicFile;
import lovelace.io.Fingerprint;
import org.jspecify.annotations.Nullable;

/// The file in which training keeps its state. It is complete or absent, and only training of the
/// same rows with the same settings reads it again.
final class Checkpoint {

  private static final long MAGIC = 0x4c4f_5645_4445_4550L; // LOVEDEEP

  private final Path file;
  private final long fingerprint;

  Checkpoint(Path file, long fingerprint) {
    if (Files.isDirectory(file))
      throw new IllegalArgumentException(
          "the checkpoint '%s' is a folder; name a file in it".formatted(file));
    this.file = file;
    this.fingerprint = fingerprint;
  }

  /// The state from which training continues as if it had not stopped.
  record State(
      Step.Phase phase,
      int step,
      int misses,
      int bestStep,
      List<Double> scores,
      List<float[]> parameters,
      List<float[]> best,
      int adamSteps,
      List<float[]> moments,
      List<Double> process) {}

  /// A fingerprint of the rows and all settings except the schedule, which has no name.
  static long fingerprint(DeepKernel kernel, Rows rows) {
    Settings s = kernel.settings();
    Fingerprint print = new Fingerprint();
    print.add(rows.seen);
    if (rows.held() > 0) print.add(rows.out());
    List<Object> settings =
        List.of(
            kernel.network().toString(),
            kernel.fit().kernel().toString(),
            kernel.fit().mean(),
            kernel.fit().transform().toString(),
            kernel.fit().shape().toString(),
            kernel.fit().given().toString(),
            s.warmUp(),
            s.batch(),
            s.warmUpRate(),
            s.steps(),
            s.networkRate(),
            s.processRate(),
            s.weightDecay(),
            s.clip(),
            s.patience(),
            s.scoring(),
            s.seed());
    return print.value() * 31 + settings.hashCode();
  }

  void write(State state) throws IOException {
    AtomicFile.write(file, temporary -> write(state, temporary));
  }

  private void write(State state, Path temporary) throws IOException {
    CRC32C sum = new CRC32C();
    try (DataOutputStream out =
        new DataOutputStream(
            new CheckedOutputStream(
                new BufferedOutputStream(Files.newOutputStream(temporary)), sum))) {
      out.writeLong(MAGIC);
      out.writeLong(fingerprint);
      out.writeUTF(state.phase.name());
      out.writeInt(state.step);
      out.writeInt(state.misses);
      out.writeInt(state.bestStep);
      for (double value : state.scores) out.writeDouble(value);
      floats(out, state.parameters);
      floats(out, state.best);
      out.writeInt(state.adamSteps);
      floats(out, state.moments);
      out.writeInt(state.process.size());
      for (double value : state.process) out.writeDouble(value);
      out.writeLong(sum.getValue());
    }
  }

  private static void floats(DataOutputStream out, List<float[]> arrays) throws IOException {
    out.writeInt(arrays.size());
    for (float[] array : arrays) {
      out.writeInt(array.length);
      for (float value : array) out.writeFloat(value);
    }
  }

  /// The stored state, or null if there is none.
  @Nullable State read() throws IOException {
    if (!Files.exists(file)) return null;
    CRC32C sum = new CRC32C();
    try (DataInputStream in =
        new DataInputStream(
            new CheckedInputStream(new BufferedInputStream(Files.newInputStream(file)), sum))) {
      if (in.readLong() != MAGIC) throw new IOException(said("is not a checkpoint"));
      if (in.readLong() != fingerprint)
        throw new IllegalArgumentException(said("belongs to other rows or other settings"));
      Step.Phase phase = Step.Phase.valueOf(in.readUTF());
      int step = in.readInt();
      int misses = in.readInt();
      int bestStep = in.readInt();
      List<Double> scores = List.of(in.readDouble(), in.readDouble(), in.readDouble());
      List<float[]> parameters = floats(in);
      List<float[]> best = floats(in);
      int adamSteps = in.readInt();
      List<float[]> moments = floats(in);
      List<Double> process = new ArrayList<>();
      for (int i = in.readInt(); i > 0; i--) process.add(in.readDouble());
      long expected = sum.getValue();
      if (in.readLong() != expected) throw new IOException(said("is damaged"));
      return new State(
          phase, step, misses, bestStep, scores, parameters, best, adamSteps, moments, process);
    } catch (EOFException | UTFDataFormatException e) {
      throw new IOException(said("is damaged"), e);
    }
  }

  private List<float[]> floats(DataInputStream in) throws IOException {
    int count = in.readInt();
    List<float[]> arrays = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      int length = in.readInt();
      // a length is not trusted before it fits the file
      if (length < 0 || length > Files.size(file) / Float.BYTES) throw new EOFException();
      float[] array = new float[length];
      for (int j = 0; j < array.length; j++) array[j] = in.readFloat();
      arrays.add(array);
    }
    return arrays;
  }

  private String said(String what) {
    return "the checkpoint '%s' %s; remove it to start again".formatted(file, what);
  }

  void remove() throws IOException {
    Files.deleteIfExists(file);
  }
}

package lovelace.onnx;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.BufferedInputStream;
import java.io.ByteArrayInputStream;
import java.io.EOFException;
import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Collections;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.SequencedMap;
import org.jspecify.annotations.Nullable;

/// An ONNX file that [OnnxExport] wrote, read without an ONNX runtime: the description of its
/// model. A hash covers the whole file, so a file that was cut or altered is refused.
public final class OnnxFile {

  private static final int LONGEST_TEXT = 1 << 26;

  private final long bytes;
  private final SequencedMap<String, String> metadata;

  private OnnxFile(long bytes, SequencedMap<String, String> metadata) {
    this.bytes = bytes;
    this.metadata = Collections.unmodifiableSequencedMap(metadata);
  }

  /// Its length in bytes.
  public long bytes() {
    return bytes;
  }

  /// The description of its model, by name, in the order of the file.
  public SequencedMap<String, String> metadata() {
    return metadata;
  }

  /// The same by names without `lovelace.`, with lists as lists and numbers as numbers. A column is
  /// a map with `name`, and with `unit`, `time`, `words` and `missing` if it has them.
  public SequencedMap<String, Object> facts() {
    SequencedMap<String, Object> all = new LinkedHashMap<>();
    metadata.forEach(
        (key, value) -> {
          String name =
              key.startsWith(Metadata.PREFIX) ? key.substring(Metadata.PREFIX.length()) : key;
          all.put(name, Metadata.PARSED.contains(name) ? Metadata.parse(value) : value);
        });
    return all;
  }

  /// Reads a file and checks its hash.
  ///
  /// @throws IllegalArgumentException if it is not such a file, or was cut or altered
  public static OnnxFile read(Path file) throws IOException {
    try (Counted in = new Counted(new BufferedInputStream(Files.newInputStream(file), 1 << 16))) {
      return read(file, in);
    } catch (EOFException e) {
      throw wrong(file, "ends too early: it was cut, or it is not an ONNX file", e);
    }
  }

  private static OnnxFile read(Path file, Counted in) throws IOException {
    SequencedMap<String, String> metadata = new LinkedHashMap<>();
    boolean first = true;
    String hash = "";
    while (true) {
      String before = in.hash();
      long key = in.varint(true);
      if (key < 0) break;
      if (!hash.isEmpty()) throw wrong(file, "was altered: something follows its hash", null);
      if (first && key != 1 << 3) throw wrong(file, "is not an ONNX file", null);
      first = false;
      switch ((int) (key & 7)) {
        case 0 -> in.varint(false);
        case 2 -> {
          long length = in.varint(false);
          if (length < 0) throw wrong(file, "is not an ONNX file", null);
          if (key >> 3 != 14) {
            in.pass(length);
            continue;
          }
          if (length > LONGEST_TEXT) throw wrong(file, "was altered: a text is too long", null);
          String[] entry = entry(file, in.take((int) length));
          if (entry[0].equals(OnnxExport.HASH)) {
            hash = entry[1];
            if (!hash.equals(before))
              throw wrong(
                  file,
                  "was altered after it was written: its hash does not match; export the model again",
                  null);
          } else metadata.put(entry[0], entry[1]);
        }
        default -> throw wrong(file, "is not an ONNX file", null);
      }
    }
    if (hash.isEmpty())
      throw wrong(
          file,
          "has no Lovelace hash: it is incomplete, or 'lovelace export' did not write it; export the model again",
          null);
    metadata.put(OnnxExport.HASH, hash);
    return new OnnxFile(in.count, metadata);
  }

  /// Key and value of a message of two texts.
  private static String[] entry(Path file, byte[] bytes) throws IOException {
    Counted in = new Counted(new ByteArrayInputStream(bytes));
    String[] both = {"", ""};
    for (long key = in.varint(true); key >= 0; key = in.varint(true)) {
      long length = in.varint(false);
      if ((key != 10 && key != 18) || length < 0 || length > bytes.length)
        throw wrong(file, "was altered: its metadata cannot be read", null);
      both[key == 10 ? 0 : 1] = new String(in.take((int) length), UTF_8);
    }
    return both;
  }

  private static IllegalArgumentException wrong(Path file, String what, @Nullable Throwable cause) {
    return new IllegalArgumentException("'" + file + "' " + what, cause);
  }

  static MessageDigest sha256() {
    try {
      return MessageDigest.getInstance("SHA-256");
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException(e); // every Java has this algorithm
    }
  }

  /// A stream that counts its bytes and hashes them.
  private static final class Counted extends FilterInputStream {
    private MessageDigest digest = sha256();
    private long count;

    Counted(InputStream in) {
      super(in);
    }

    String hash() throws IOException {
      try {
        return HexFormat.of().formatHex(((MessageDigest) digest.clone()).digest());
      } catch (CloneNotSupportedException e) {
        throw new IOException(e);
      }
    }

    /// A whole number. At the end of the stream it is −1 if `mayEnd`.
    long varint(boolean mayEnd) throws IOException {
      long value = 0;
      for (int shift = 0; shift < 64; shift += 7) {
        int b = in.read();
        if (b < 0 && shift == 0 && mayEnd) return -1;
        if (b < 0) throw new EOFException();
        count++;
        digest.update((byte) b);
        value |= (b & 127L) << shift;
        if (b < 128) return value;
      }
      throw new EOFException();
    }

    byte[] take(int length) throws IOException {
      byte[] bytes = in.readNBytes(length);
      if (bytes.length < length) throw new EOFException();
      count += length;
      digest.update(bytes);
      return bytes;
    }

    void pass(long length) throws IOException {
      byte[] piece = new byte[1 << 16];
      for (long left = length; left > 0; ) {
        int got = in.read(piece, 0, (int) Math.min(piece.length, left));
        if (got < 0) throw new EOFException();
        digest.update(piece, 0, got);
        count += got;
        left -= got;
      }
    }
  }
}

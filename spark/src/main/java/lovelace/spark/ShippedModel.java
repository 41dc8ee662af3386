package lovelace.spark;

import java.io.IOException;
import java.io.Serializable;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import lovelace.Model;
import lovelace.data.Trust;
import lovelace.data.Trust.UntrustedCodeException;
import lovelace.io.ModelFormatException;
import org.jspecify.annotations.Nullable;

/// A model as the bytes of its file. It is read where it arrives, and only once there.
final class ShippedModel implements Serializable {

  private static final long serialVersionUID = 1;
  private final byte[] bytes;
  private final Trust trust;
  private transient volatile @Nullable Model model;

  private ShippedModel(byte[] bytes, Trust trust, @Nullable Model model) {
    this.bytes = bytes;
    this.trust = trust;
    this.model = model;
  }

  /// Ships a model of this program, whose code already runs here.
  static ShippedModel of(Model model) {
    Path file = null;
    try {
      file = Files.createTempFile("lovelace", ".model");
      model.save(file);
      return new ShippedModel(Files.readAllBytes(file), Trust.CODE, model);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } finally {
      delete(file);
    }
  }

  /// Ships the bytes of a model file. They are checked when first read.
  static ShippedModel of(byte[] bytes, Trust trust) {
    return new ShippedModel(bytes.clone(), trust, null);
  }

  byte[] bytes() {
    return bytes.clone();
  }

  Model model() {
    Model known = model;
    if (known != null) return known;
    synchronized (this) {
      known = model;
      if (known == null) model = known = load();
      return known;
    }
  }

  private Model load() {
    Path file = null;
    try {
      file = Files.createTempFile("lovelace", ".model");
      Files.write(file, bytes);
      return Model.load(file, trust);
    } catch (ModelFormatException e) {
      if (!(e.getCause() instanceof UntrustedCodeException)) throw e;
      throw new IllegalArgumentException(
          "%s (in Spark: %s=true)".formatted(e.getMessage(), ModelStore.TRUST), e);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } finally {
      delete(file);
    }
  }

  private static void delete(@Nullable Path file) {
    try {
      if (file != null) Files.deleteIfExists(file);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}

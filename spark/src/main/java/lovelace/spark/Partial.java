package lovelace.spark;

import com.esotericsoftware.kryo.Kryo;
import com.esotericsoftware.kryo.KryoSerializable;
import com.esotericsoftware.kryo.io.Input;
import com.esotericsoftware.kryo.io.Output;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.Externalizable;
import java.io.IOException;
import java.io.ObjectInput;
import java.io.ObjectOutput;
import java.io.UncheckedIOException;
import lovelace.grid.Grid;
import lovelace.source.Sums;
import org.jspecify.annotations.Nullable;

/// The sums of some partitions during transport. They take the same few bytes with Java's and with
/// Kryo's serialisation.
public final class Partial implements Externalizable, KryoSerializable {

  private @Nullable Sums sums;

  /// Used by serialisation.
  public Partial() {}

  Partial(Sums sums) {
    this.sums = sums;
  }

  Sums sums() {
    if (sums == null) throw new IllegalStateException("not read yet");
    return sums;
  }

  Grid grid() {
    return sums().statistics().grid();
  }

  Partial plus(Partial other) {
    return new Partial(sums().plus(other.sums()));
  }

  @Override
  public void writeExternal(ObjectOutput out) throws IOException {
    sums().write(out);
  }

  @Override
  public void readExternal(ObjectInput in) throws IOException {
    sums = Sums.read(in);
  }

  @Override
  public void write(Kryo kryo, Output out) {
    try {
      var data = new DataOutputStream(out);
      sums().write(data);
      data.flush();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Override
  public void read(Kryo kryo, Input in) {
    try {
      sums = Sums.read(new DataInputStream(in));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}

package lovelace.bayesopt;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.MappedByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.ReadableByteChannel;
import java.nio.channels.WritableByteChannel;

/// A file that fails on request: it is full after some more bytes, does not sync, or cannot be cut.
final class FaultyChannel extends FileChannel {

  long room = Long.MAX_VALUE;
  boolean sync = true;
  boolean cut = true;
  private final FileChannel real;

  FaultyChannel(FileChannel real) {
    this.real = real;
  }

  @Override
  public int write(ByteBuffer bytes) throws IOException {
    if (room <= 0) throw new IOException("No space left on device");
    int some = (int) Math.min(room, bytes.remaining());
    room -= some;
    int written = real.write(bytes.slice(bytes.position(), some));
    bytes.position(bytes.position() + written);
    return written;
  }

  @Override
  public void force(boolean metaData) throws IOException {
    if (!sync) throw new IOException("Input/output error");
    real.force(metaData);
  }

  @Override
  public FileChannel truncate(long size) throws IOException {
    if (!cut) throw new IOException("cannot cut");
    real.truncate(size);
    return this;
  }

  @Override
  public long position() throws IOException {
    return real.position();
  }

  @Override
  public FileChannel position(long position) throws IOException {
    real.position(position);
    return this;
  }

  @Override
  public long size() throws IOException {
    return real.size();
  }

  @Override
  protected void implCloseChannel() throws IOException {
    real.close();
  }

  @Override
  public int read(ByteBuffer to) {
    throw new UnsupportedOperationException("no journal calls this");
  }

  @Override
  public long read(ByteBuffer[] to, int offset, int length) {
    throw new UnsupportedOperationException("no journal calls this");
  }

  @Override
  public int read(ByteBuffer to, long position) {
    throw new UnsupportedOperationException("no journal calls this");
  }

  @Override
  public long write(ByteBuffer[] from, int offset, int length) {
    throw new UnsupportedOperationException("no journal calls this");
  }

  @Override
  public int write(ByteBuffer from, long position) {
    throw new UnsupportedOperationException("no journal calls this");
  }

  @Override
  public long transferTo(long position, long count, WritableByteChannel to) {
    throw new UnsupportedOperationException("no journal calls this");
  }

  @Override
  public long transferFrom(ReadableByteChannel from, long position, long count) {
    throw new UnsupportedOperationException("no journal calls this");
  }

  @Override
  public MappedByteBuffer map(MapMode mode, long position, long size) {
    throw new UnsupportedOperationException("no journal calls this");
  }

  @Override
  public FileLock lock(long position, long size, boolean shared) {
    throw new UnsupportedOperationException("no journal calls this");
  }

  @Override
  public FileLock tryLock(long position, long size, boolean shared) {
    throw new UnsupportedOperationException("no journal calls this");
  }
}

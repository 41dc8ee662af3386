package lovelace.server;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.MappedByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.ReadableByteChannel;
import java.nio.channels.WritableByteChannel;
import java.nio.file.Files;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;

/// A disk that fails on request: it is full after some more bytes, does not sync, or cannot cut a
/// file.
final class FaultyDisk implements Journal.Disk {

  final AtomicLong room = new AtomicLong(Long.MAX_VALUE);
  volatile boolean sync = true;
  volatile boolean syncFolders = true;
  volatile boolean syncNames = true; // folders, and files that are opened for nothing else
  volatile boolean cut = true;

  void repair() {
    room.set(Long.MAX_VALUE);
    sync = true;
    syncFolders = true;
    syncNames = true;
    cut = true;
  }

  @Override
  public FileChannel open(Path file, OpenOption... options) throws IOException {
    boolean reads = List.of(options).equals(List.of(StandardOpenOption.READ));
    return new Channel(FileChannel.open(file, options), Files.isDirectory(file), reads);
  }

  private final class Channel extends FileChannel {
    private final FileChannel real;
    private final boolean folder;
    private final boolean reads;

    Channel(FileChannel real, boolean folder, boolean reads) {
      this.real = real;
      this.folder = folder;
      this.reads = reads;
    }

    @Override
    public int write(ByteBuffer bytes) throws IOException {
      if (room.get() <= 0) throw new IOException("No space left on device");
      int some = (int) Math.min(room.get(), bytes.remaining());
      room.addAndGet(-some);
      int written = real.write(bytes.slice(bytes.position(), some));
      bytes.position(bytes.position() + written);
      return written;
    }

    @Override
    public void force(boolean metaData) throws IOException {
      if ((reads && !syncNames) || (folder ? !syncFolders : !sync))
        throw new IOException("Input/output error");
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
      throw new UnsupportedOperationException();
    }

    @Override
    public long read(ByteBuffer[] to, int offset, int length) {
      throw new UnsupportedOperationException();
    }

    @Override
    public int read(ByteBuffer to, long position) {
      throw new UnsupportedOperationException();
    }

    @Override
    public long write(ByteBuffer[] from, int offset, int length) {
      throw new UnsupportedOperationException();
    }

    @Override
    public int write(ByteBuffer from, long position) {
      throw new UnsupportedOperationException();
    }

    @Override
    public long transferTo(long position, long count, WritableByteChannel to) {
      throw new UnsupportedOperationException();
    }

    @Override
    public long transferFrom(ReadableByteChannel from, long position, long count) {
      throw new UnsupportedOperationException();
    }

    @Override
    public MappedByteBuffer map(MapMode mode, long position, long size) {
      throw new UnsupportedOperationException();
    }

    @Override
    public FileLock lock(long position, long size, boolean shared) {
      throw new UnsupportedOperationException();
    }

    @Override
    public FileLock tryLock(long position, long size, boolean shared) {
      throw new UnsupportedOperationException();
    }
  }
}

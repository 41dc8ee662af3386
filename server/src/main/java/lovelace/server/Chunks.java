package lovelace.server;

import io.helidon.common.buffers.BufferData;
import io.helidon.common.buffers.DataListener;
import io.helidon.common.buffers.DataReader;
import io.helidon.common.buffers.DataWriter;
import io.helidon.common.buffers.LazyString;
import io.helidon.common.socket.HelidonSocket;
import io.helidon.common.socket.PeerInfo;
import io.helidon.webserver.ConnectionContext;
import io.helidon.webserver.ListenerContext;
import io.helidon.webserver.ProxyProtocolData;
import io.helidon.webserver.Router;
import java.nio.charset.Charset;
import java.util.Optional;
import java.util.concurrent.ExecutorService;
import org.jspecify.annotations.Nullable;

/// What a connection receives. The web server reads a chunk of a body whole before anybody can look
/// at it. So its length is reserved first, for the request that reads the body.
final class Chunks extends DataReader {

  private final DataReader in;
  private Gate.@Nullable Pass pass; // of the request whose chunked body is read
  private long held = 0;

  /// DataReader is a class, so this has to call a constructor of it; the reader made by it is never
  /// used.
  @SuppressWarnings("removal")
  Chunks(DataReader in) {
    super(() -> null);
    this.in = in;
  }

  /// From now on each chunk is reserved, in place of the one before.
  void begin(Gate.Pass reader) {
    pass = reader;
  }

  /// Hands back what the last chunk took; further ones are not reserved.
  void end() {
    if (pass != null) pass.release(held);
    pass = null;
    held = 0;
  }

  @Override
  public BufferData readBuffer(int length) {
    Gate.Pass reader = pass;
    if (reader != null) {
      reader.release(held);
      held = 0;
      reader.reserve(length);
      held = length;
    }
    return in.readBuffer(length);
  }

  /// A connection with this in place of its own reader.
  ConnectionContext of(ConnectionContext context) {
    return new Context(context, this);
  }

  private record Context(ConnectionContext of, Chunks chunks) implements ConnectionContext {
    @Override
    public DataReader dataReader() {
      return chunks;
    }

    @Override
    public ListenerContext listenerContext() {
      return of.listenerContext();
    }

    @Override
    public ExecutorService executor() {
      return of.executor();
    }

    @Override
    public DataWriter dataWriter() {
      return of.dataWriter();
    }

    @Override
    public Router router() {
      return of.router();
    }

    @Override
    public Optional<ProxyProtocolData> proxyProtocolData() {
      return of.proxyProtocolData();
    }

    @Override
    public HelidonSocket serverSocket() {
      return of.serverSocket();
    }

    @Override
    public PeerInfo remotePeer() {
      return of.remotePeer();
    }

    @Override
    public PeerInfo localPeer() {
      return of.localPeer();
    }

    @Override
    public boolean isSecure() {
      return of.isSecure();
    }

    @Override
    public String socketId() {
      return of.socketId();
    }

    @Override
    public String childSocketId() {
      return of.childSocketId();
    }
  }

  @Override
  public int available() {
    return in.available();
  }

  @Override
  public void pullData() {
    in.pullData();
  }

  @Override
  public void skip(int length) {
    in.skip(length);
  }

  @Override
  public void ensureAvailable() {
    in.ensureAvailable();
  }

  @Override
  public byte read() {
    return in.read();
  }

  @Override
  public byte lookup() {
    return in.lookup();
  }

  @Override
  public boolean startsWithNewLine() {
    return in.startsWithNewLine();
  }

  @Override
  public boolean startsWith(byte[] prefix) {
    return in.startsWith(prefix);
  }

  @Override
  public BufferData readBuffer() {
    return in.readBuffer();
  }

  @Override
  public BufferData getBuffer(int length) {
    return in.getBuffer(length);
  }

  @Override
  public LazyString readLazyString(Charset charset, int length) {
    return in.readLazyString(charset, length);
  }

  @Override
  public String readAsciiString(int length) {
    return in.readAsciiString(length);
  }

  @Override
  public byte[] readBytes(int length) {
    return in.readBytes(length);
  }

  @Override
  public String readLine() throws IncorrectNewLineException {
    return in.readLine();
  }

  @Override
  public int findOrNewLine(byte wanted, int most) throws IncorrectNewLineException {
    return in.findOrNewLine(wanted, most);
  }

  @Override
  public int findNewLine(int most) throws IncorrectNewLineException {
    return in.findNewLine(most);
  }

  @Override
  public String debugDataHex() {
    return in.debugDataHex();
  }

  @Override
  public <T> void listener(DataListener<T> listener, T context) {
    in.listener(listener, context);
  }
}

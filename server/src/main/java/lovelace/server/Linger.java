package lovelace.server;

import io.helidon.common.buffers.BufferData;
import io.helidon.common.buffers.DataReader;
import io.helidon.common.buffers.DataWriter;
import io.helidon.common.concurrency.limits.Limit;
import io.helidon.common.socket.HelidonSocket;
import io.helidon.common.socket.PeerInfo;
import io.helidon.common.task.InterruptableTask;
import io.helidon.webserver.CloseConnectionException;
import io.helidon.webserver.ConnectionContext;
import io.helidon.webserver.ListenerContext;
import io.helidon.webserver.ProxyProtocolData;
import io.helidon.webserver.Router;
import io.helidon.webserver.http1.Http1Config;
import io.helidon.webserver.http1.Http1ConnectionSelector;
import io.helidon.webserver.spi.ServerConnection;
import io.helidon.webserver.spi.ServerConnectionSelector;
import java.time.Duration;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ExecutorService;
import java.util.function.Consumer;

/// Keeps HTTP/1.1 connections open until the client has read the last answer.
///
/// If a socket is closed while bytes of the client are unread, it sends a reset, and the client's
/// machine drops an answer that it has not read yet. So the answer to a request that is refused
/// before its body was read would sometimes be lost. After such an answer, which says `Connection:
/// close`, further bytes are read and dropped until the client has closed its side or a time has
/// passed (RFC 9112, section 9.6). Clients that do not read their answer are disconnected.
final class Linger implements ServerConnectionSelector {

  private static final ScopedValue<Connection> CURRENT = ScopedValue.newInstance();

  /// How long the last answer to a client that was too slow may take to arrive.
  private static final long SHORT = 1_000_000_000;

  private final Http1ConnectionSelector http;
  private final long most;
  private final ServerOptions.Limits limits;
  private final Duration patience;
  private final Deadlines deadlines;
  private final Consumer<Refusal> unread;

  /// Lingers for `most`. A request may take `patience`, until its answer has been read.
  ///
  /// @param unread receives refusals of heads that arrive too slowly
  Linger(
      Http1Config config,
      ServerOptions.Limits limits,
      Duration most,
      Duration patience,
      Deadlines deadlines,
      Consumer<Refusal> unread) {
    http = Http1ConnectionSelector.builder().config(config).build();
    this.most = most.toNanos();
    this.limits = limits;
    this.patience = patience;
    this.deadlines = deadlines;
    this.unread = unread;
  }

  /// Makes the connection of this thread's request linger when it is closed.
  static void ask() {
    if (CURRENT.isBound()) CURRENT.get().lingering = true;
  }

  /// The input of the connection of this thread's request.
  static Wire received() {
    return CURRENT.get().in;
  }

  @Override
  public int bytesToIdentifyConnection() {
    return http.bytesToIdentifyConnection();
  }

  /// Accepts any bytes: if they are not a request, the client gets an answer that says so.
  @Override
  public Support supports(BufferData data) {
    return Support.SUPPORTED;
  }

  @Override
  public Set<String> supportedApplicationProtocols() {
    return http.supportedApplicationProtocols();
  }

  @Override
  public ServerConnection connection(ConnectionContext context) {
    Wire in =
        new Wire(
            context.dataReader(),
            bytes -> context.dataWriter().writeNow(BufferData.create(bytes)),
            unread,
            limits.timeout(),
            limits.body());
    return new Connection(http.connection(new Checked(context, DataReader.create(in))), in);
  }

  /// A connection with another reader in place of its own.
  private record Checked(ConnectionContext of, DataReader dataReader) implements ConnectionContext {
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

  private final class Connection implements ServerConnection, InterruptableTask<Void> {
    private final ServerConnection inner;
    private final Wire in;
    private boolean lingering = false; // used only by the thread that handles the connection
    private volatile boolean discarding = false;
    private volatile boolean closed = false;

    Connection(ServerConnection inner, Wire in) {
      this.inner = inner;
      this.in = in;
    }

    @Override
    public void handle(Limit limit) throws InterruptedException {
      deadlines.add(in);
      try {
        ScopedValue.where(CURRENT, this)
            .<Object, InterruptedException>call(
                () -> {
                  inner.handle(limit);
                  return this;
                });
        linger(most); // it ended with an answer to bytes that were not a request
      } catch (Wire.Late e) {
        linger(SHORT);
        throw e;
      } catch (CloseConnectionException e) {
        if (lingering) linger(most);
        throw e;
      } finally {
        deadlines.remove(in);
      }
    }

    private void linger(long time) {
      discarding = true;
      if (!closed) in.discard(System.nanoTime() + Math.min(time, most));
    }

    @Override
    public Duration idleTime() {
      return inner.idleTime();
    }

    /// Called with `interrupt` false after a long time without activity: then the answer to a
    /// request is not being read.
    @Override
    public void close(boolean interrupt) {
      closed = true;
      inner.close(interrupt || discarding || idleTime().compareTo(patience) > 0);
    }

    @Override
    public boolean canInterrupt() {
      return inner instanceof InterruptableTask<?> task && task.canInterrupt();
    }

    @Override
    public void run() {
      throw new UnsupportedOperationException("a connection is handled, not run");
    }
  }
}

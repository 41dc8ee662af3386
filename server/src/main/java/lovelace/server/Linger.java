package lovelace.server;

import io.helidon.common.buffers.BufferData;
import io.helidon.common.buffers.DataReader;
import io.helidon.common.concurrency.limits.Limit;
import io.helidon.common.task.InterruptableTask;
import io.helidon.webserver.CloseConnectionException;
import io.helidon.webserver.ConnectionContext;
import io.helidon.webserver.http1.Http1Config;
import io.helidon.webserver.http1.Http1ConnectionSelector;
import io.helidon.webserver.spi.ServerConnection;
import io.helidon.webserver.spi.ServerConnectionSelector;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.Set;

/// HTTP/1.1 connections that are closed only after the client has read the last answer.
///
/// A socket that is closed while bytes of the client are unread sends a reset, and the reset makes
/// the client's machine throw away an answer it has not read yet. A request refused before its body
/// was read would so be lost, now and then. After such an answer, which says `Connection: close`,
/// what still comes is read and thrown away until the client has closed its side or a time has
/// passed (RFC 9112, section 9.6). Clients that do not read their answer are given up.
final class Linger implements ServerConnectionSelector {

  private static final ScopedValue<Connection> CURRENT = ScopedValue.newInstance();

  private final Http1ConnectionSelector http;
  private final long most;
  private final Duration patience;

  /// Lingers for `most`, and has patience with a request for so long, its answer read.
  Linger(Http1Config config, Duration most, Duration patience) {
    http = Http1ConnectionSelector.builder().config(config).build();
    this.most = most.toNanos();
    this.patience = patience;
  }

  /// Lets the connection of the request that this thread works on linger when it is closed.
  static void ask() {
    if (CURRENT.isBound()) CURRENT.get().lingering = true;
  }

  /// What the connection of the request that this thread works on receives.
  static Chunks received() {
    return CURRENT.get().in;
  }

  @Override
  public int bytesToIdentifyConnection() {
    return http.bytesToIdentifyConnection();
  }

  @Override
  public Support supports(BufferData data) {
    return http.supports(data);
  }

  @Override
  public Set<String> supportedApplicationProtocols() {
    return http.supportedApplicationProtocols();
  }

  @Override
  public ServerConnection connection(ConnectionContext context) {
    Chunks in = new Chunks(context.dataReader());
    return new Connection(http.connection(in.of(context)), in);
  }

  private final class Connection implements ServerConnection, InterruptableTask<Void> {
    private final ServerConnection inner;
    private final Chunks in;
    private boolean lingering = false; // of the one thread that handles the connection
    private volatile boolean closed = false;

    Connection(ServerConnection inner, Chunks in) {
      this.inner = inner;
      this.in = in;
    }

    @Override
    public void handle(Limit limit) throws InterruptedException {
      try {
        ScopedValue.where(CURRENT, this)
            .<Object, InterruptedException>call(
                () -> {
                  inner.handle(limit);
                  return this;
                });
        linger(); // it ended with an answer to something that was no request
      } catch (CloseConnectionException e) {
        if (lingering) linger();
        throw e;
      }
    }

    private void linger() {
      long end = System.nanoTime() + most;
      try {
        while (!closed && System.nanoTime() < end) {
          in.skip(in.available());
          in.ensureAvailable();
        }
      } catch (DataReader.InsufficientDataAvailableException | UncheckedIOException e) {
        // the client is gone, as it should be
      }
    }

    @Override
    public Duration idleTime() {
      return inner.idleTime();
    }

    /// Called without interrupt where nothing has happened for long: then a request is under way
    /// whose answer is not read.
    @Override
    public void close(boolean interrupt) {
      closed = true;
      inner.close(interrupt || idleTime().compareTo(patience) > 0);
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

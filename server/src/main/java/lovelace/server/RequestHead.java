package lovelace.server;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import io.helidon.http.DirectHandler;
import io.helidon.http.RequestException;
import io.helidon.http.Status;
import java.util.Arrays;
import java.util.Locale;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/// The head of a request: its first line and its fields (RFC 9112, sections 3 and 5). It is checked
/// and written again in one form, so that the web server only ever sees that form. A request in
/// HTTP/1.0 becomes one in HTTP/1.1 that closes the connection.
final class RequestHead {

  /// The length of a body that comes in chunks.
  static final long CHUNKED = -1;

  private static final int MOST_METHOD = 32;
  private static final Pattern PROTOCOL = Pattern.compile("HTTP/1\\.\\d");
  private static final Pattern LENGTHS = Pattern.compile("\\d{1,18}");
  private static final Pattern HOSTS =
      Pattern.compile("([\\w.~!$&'()*+,;=%-]+|\\[[\\w.:%-]+])(:\\d{0,5})?");
  private static final String[] OURS = {"Host", "Content-Length", "Transfer-Encoding", "Expect"};
  private static final int HOST = 0;
  private static final int LENGTH = 1;
  private static final int CODING = 2;
  private static final int EXPECT = 3;

  private final byte[] text;
  private final byte[] out;
  private int size = 0;
  private boolean old = false;
  private @Nullable String authority; // from an absolute target
  private final @Nullable String[] values = new @Nullable String[OURS.length];

  private RequestHead(byte[] text, int length) {
    this.text = text;
    out = new byte[length + 64];
  }

  /// A checked head in the form for the web server.
  ///
  /// @param length of the body, 0 if there is none
  /// @param old whether the client speaks HTTP/1.0
  @SuppressWarnings("ArrayRecordComponent") // handed over, not kept
  record Checked(byte[] bytes, long length, boolean old) {}

  /// Checks the first bytes of `text`: a head that ends with its empty line, and whose lines all
  /// end with CR LF.
  static Checked check(byte[] text, int length) {
    return new RequestHead(text, length).all();
  }

  private Checked all() {
    int end = lineEnd(0);
    first(end);
    for (int at = end + 2; ; at = end + 2) {
      end = lineEnd(at);
      if (end == at) break;
      field(at, end);
    }
    long length = bodyLength();
    if (old) line("Connection", "close");
    // This is the last field: the web server searches long names beyond the end of short lines.
    line("Host", host());
    put("\r\n");
    return new Checked(Arrays.copyOf(out, size), length, old);
  }

  private int lineEnd(int at) {
    int end = at;
    while (text[end] != '\n') end++;
    return end - 1;
  }

  // ---- the first line ----

  private void first(int end) {
    int target = after(0, end) + 1;
    int version = target == 0 ? 0 : after(target, end) + 1;
    if (version == 0)
      throw wrong("the first line must be METHOD ADDRESS HTTP/1.1 with one space between each");
    if (target - 1 > MOST_METHOD || !isToken(0, target - 1))
      throw wrong("the method must be a word such as GET or POST");
    String protocol = string(version, end);
    if (!PROTOCOL.matcher(protocol).matches())
      throw wrong("the server speaks HTTP/1.1 and HTTP/1.0; the request is in another protocol");
    old = protocol.endsWith("0");
    String method = string(0, target - 1);
    if (method.equals("CONNECT"))
      throw refusal(405, "the server is no proxy; ask with GET or POST");
    put(0, target);
    if (method.equals("OPTIONS") && string(target, version - 1).equals("*")) put("*");
    else target(target, version - 1);
    put(" HTTP/1.1\r\n");
  }

  private int after(int from, int end) {
    for (int i = from; i < end; i++) if (text[i] == ' ') return i > from ? i : -1;
    return -1;
  }

  /// Writes the path and the query of an address. If other text precedes them, it contains the
  /// host.
  private void target(int from, int end) {
    int at = from;
    String scheme = string(from, Math.min(end, from + 8)).toLowerCase(Locale.ROOT);
    int skipped = scheme.startsWith("http://") ? 7 : scheme.startsWith("https://") ? 8 : 0;
    if (skipped > 0) {
      at += skipped;
      int host = at;
      while (at < end && text[at] != '/' && text[at] != '?') at++;
      authority = string(host, at);
      if (at == end || text[at] == '?') put("/");
    } else if (text[at] != '/') {
      throw wrong("the address must begin with /");
    }
    for (int i = at; i < end; i++) {
      boolean escaped = text[i] == '%';
      if (escaped ? !(isHex(i + 1, end) && isHex(i + 2, end)) : !isOfAddress(text[i]))
        throw wrong(
            escaped
                ? "the address has a % without two hexadecimal digits; write %25 for the sign itself"
                : "the address has a character that an address cannot have; write it as % and two hexadecimal digits");
    }
    put(at, end);
  }

  private boolean isHex(int at, int end) {
    return at < end && Character.digit(text[at], 16) >= 0;
  }

  private static boolean isOfAddress(byte b) {
    return isLetter(b) || "-._~!$&'()*+,;=:@/?".indexOf(b) >= 0;
  }

  private static boolean isLetter(byte b) {
    return (b >= 'a' && b <= 'z') || (b >= 'A' && b <= 'Z') || (b >= '0' && b <= '9');
  }

  // ---- fields ----

  private void field(int from, int end) {
    int colon = from;
    while (colon < end && text[colon] != ':') colon++;
    if (colon == end || !isToken(from, colon))
      throw wrong("a line of the head must be NAME: VALUE, with no space before the colon");
    int first = colon + 1;
    int last = end;
    while (first < last && isSpace(text[first])) first++;
    while (last > first && isSpace(text[last - 1])) last--;
    for (int i = first; i < last; i++)
      if ((text[i] >= 0 && text[i] < ' ' && text[i] != '\t') || text[i] == 127)
        throw wrong("field '%s' has a control character; leave it out", shown(string(from, colon)));
    String name = string(from, colon);
    for (int k = 0; k < OURS.length; k++)
      if (OURS[k].equalsIgnoreCase(name)) {
        if (values[k] != null) throw wrong("field '%s' is given twice; give it once", OURS[k]);
        values[k] = string(first, last);
        return;
      }
    if (old && name.equalsIgnoreCase("Connection")) return;
    put(from, colon);
    put(": ");
    put(first, last);
    put("\r\n");
  }

  private static boolean isSpace(byte b) {
    return b == ' ' || b == '\t';
  }

  private boolean isToken(int from, int end) {
    for (int i = from; i < end; i++)
      if (!isLetter(text[i]) && "!#$%&'*+-.^_`|~".indexOf(text[i]) < 0) return false;
    return end > from;
  }

  /// The length of the body. The fields must state it in one way only (RFC 9112, section 6.3).
  private long bodyLength() {
    String coding = values[CODING];
    String length = values[LENGTH];
    String expect = values[EXPECT];
    if (coding != null && length != null)
      throw wrong("Transfer-Encoding and Content-Length exclude each other; give one of them");
    if (coding != null && (old || !coding.equalsIgnoreCase("chunked")))
      throw wrong(
          "the only Transfer-Encoding is chunked, in HTTP/1.1; send the body so, or with Content-Length");
    if (length != null && !LENGTHS.matcher(length).matches())
      throw wrong("Content-Length must be a whole number of bytes, got '%s'", shown(length));
    if (expect != null && !old) {
      if (!expect.equalsIgnoreCase("100-continue"))
        throw refusal(417, "the only Expect is 100-continue; leave the field out");
      line("Expect", "100-continue");
    }
    if (coding != null) line("Transfer-Encoding", "chunked");
    if (length != null) line("Content-Length", Long.toString(Long.parseLong(length)));
    return coding != null ? CHUNKED : length != null ? Long.parseLong(length) : 0;
  }

  /// The host that the client asks. Only HTTP/1.0 may omit it, which browsers do not speak.
  private String host() {
    String host = values[HOST];
    if (host == null && !old) throw wrong("field 'Host' is missing; send it");
    if (authority != null) host = authority;
    if (host == null) return "localhost";
    if (!HOSTS.matcher(host).matches())
      throw wrong("field 'Host' must be a name or an address and a port, got '%s'", shown(host));
    return host.endsWith(":") ? host.substring(0, host.length() - 1) : host;
  }

  // ---- texts ----

  private String string(int from, int end) {
    return new String(text, from, end - from, ISO_8859_1);
  }

  private void put(int from, int end) {
    System.arraycopy(text, from, out, size, end - from);
    size += end - from;
  }

  private void put(String more) {
    byte[] bytes = more.getBytes(ISO_8859_1);
    System.arraycopy(bytes, 0, out, size, bytes.length);
    size += bytes.length;
  }

  private void line(String name, String value) {
    put(name + ": " + value + "\r\n");
  }

  private static String shown(String text) {
    return text.length() <= 100 ? text : text.substring(0, 100) + "…";
  }

  @SuppressWarnings("AnnotateFormatMethod") // the annotation would be one more dependency
  private static RequestException wrong(String message, Object... arguments) {
    return refusal(
        400, arguments.length == 0 ? message : String.format(Locale.ROOT, message, arguments));
  }

  /// The refusal of input that cannot be routed as a request.
  static RequestException refusal(int status, String message) {
    return RequestException.builder()
        .type(DirectHandler.EventType.BAD_REQUEST)
        .status(Status.create(status))
        .message(message)
        .safeMessage(true)
        .setKeepAlive(false)
        .build();
  }
}

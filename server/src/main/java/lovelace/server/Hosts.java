package lovelace.server;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/// The names under which a server answers. A web page can point its own name to any address (DNS
/// rebinding), and its requests then look as if they came from there. The name that it sends
/// reveals it. It cannot send a numeric address unless it was loaded from there.
final class Hosts {

  private static final Pattern NAME = Pattern.compile("[a-z0-9_]([a-z0-9._-]*[a-z0-9_])?");
  private static final Pattern IPV4 = Pattern.compile("[0-9]{1,3}(\\.[0-9]{1,3}){3}");
  private static final Pattern IPV6 = Pattern.compile("\\[[0-9a-f.]*:[0-9a-f.]*:[0-9a-f:.]*]");

  private final boolean loopback;
  private final Set<String> names = new HashSet<>(Set.of("localhost", "127.0.0.1", "[::1]"));

  /// Names of a server that listens on an address and is reached under further names.
  Hosts(String bound, List<String> allowed) {
    loopback = isLoopback(bound);
    names.add(plain(bracketed(bound)));
    for (String name : allowed) names.add(checked(name));
  }

  /// Whether an address can be reached only from this machine.
  static boolean isLoopback(String bound) {
    try {
      return InetAddress.getByName(bound).isLoopbackAddress();
    } catch (UnknownHostException e) {
      throw new IllegalArgumentException(
          "--host '%s' is not an address of this machine; give one such as 127.0.0.1 or 0.0.0.0"
              .formatted(bound),
          e);
    }
  }

  /// Checks an allowed name and returns it in the form that is looked up.
  static String checked(String name) {
    String plain = plain(bracketed(name));
    if (!NAME.matcher(plain).matches() && !isLiteral(plain))
      throw new IllegalArgumentException(
          "--allowed-host '%s' is not a host name; give a name or an address without scheme, port and path, such as models.example.org"
              .formatted(name));
    return plain;
  }

  /// Whether a request with this header is meant for this server. A request without one does not
  /// come from a browser.
  boolean admit(@Nullable String header) {
    if (header == null) return true;
    String name = name(header);
    return names.contains(name) || (!loopback && isLiteral(name));
  }

  /// The name in a header `Host`, without the port.
  static String name(String header) {
    int end = header.endsWith("]") ? -1 : header.lastIndexOf(':');
    return plain(end < 0 ? header : header.substring(0, end));
  }

  private static boolean isLiteral(String name) {
    return IPV4.matcher(name).matches() || IPV6.matcher(name).matches();
  }

  private static String bracketed(String address) {
    return address.indexOf(':') >= 0 && !address.startsWith("[") ? "[" + address + "]" : address;
  }

  private static String plain(String name) {
    String lower = name.strip().toLowerCase(Locale.ROOT);
    return lower.endsWith(".") ? lower.substring(0, lower.length() - 1) : lower;
  }
}

package lovelace.site;

import java.io.IOException;
import java.net.URI;
import java.net.URISyntaxException;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/// Checks whether the links of a folder of HTML pages lead to a file of the folder and to an anchor
/// in it. Links to other sites are only read, not visited.
final class LinkCheck {

  private static final Pattern LINK = Pattern.compile("\\s(?:href|src)=\"([^\"]*)\"");
  private static final Pattern ANCHOR = Pattern.compile("\\s(?:id|name)=\"([^\"]*)\"");

  private final Path folder;
  private final Map<Path, Set<String>> anchors = new HashMap<>();

  LinkCheck(Path folder) {
    this.folder = folder;
  }

  /// The problems with the links of our pages. Links on pages made by javadoc are not checked.
  List<String> problems() throws IOException {
    List<String> problems = new ArrayList<>();
    Path api = folder.resolve("api");
    List<Path> pages;
    try (Stream<Path> files = Files.walk(folder)) {
      pages =
          files.filter(each -> each.toString().endsWith(".html") && !each.startsWith(api)).toList();
    }
    for (Path page : pages) {
      for (String link :
          LINK.matcher(Files.readString(page)).results().map(found -> found.group(1)).toList()) {
        String wrong = wrong(page, link.replace("&amp;", "&"));
        if (!wrong.isEmpty())
          problems.add("%s: %s: %s".formatted(folder.relativize(page), link, wrong));
      }
    }
    return problems;
  }

  private String wrong(Path page, String link) throws IOException {
    if (link.matches("(?i)[a-z][a-z0-9+.-]*:.*")) return address(link);
    int hash = link.indexOf('#');
    String file = hash < 0 ? link : link.substring(0, hash);
    Path target =
        file.isEmpty()
            ? page
            : page.resolveSibling(URLDecoder.decode(file, StandardCharsets.UTF_8)).normalize();
    if (!Files.isRegularFile(target)) return "there is no such file";
    if (hash < 0) return "";
    String anchor = URLDecoder.decode(link.substring(hash + 1), StandardCharsets.UTF_8);
    if (!target.toString().endsWith(".html") || anchors(target).contains(anchor)) return "";
    return "the page has no heading with this anchor";
  }

  private Set<String> anchors(Path file) throws IOException {
    Set<String> known = anchors.get(file);
    if (known == null) {
      known = new HashSet<>();
      var matcher = ANCHOR.matcher(Files.readString(file));
      while (matcher.find()) known.add(matcher.group(1));
      anchors.put(file, known);
    }
    return known;
  }

  /// The problem with the form of an address; empty if it is well formed.
  static String address(String link) {
    try {
      URI address = new URI(link);
      return switch (address.getScheme()) {
        case "https", "http" ->
            address.getHost() != null
                    && (address.getHost().contains(".") || address.getHost().equals("localhost"))
                ? ""
                : "the address names no host";
        case "mailto" -> address.getSchemeSpecificPart().contains("@") ? "" : "no address of mail";
        default -> "only https, http and mailto are used";
      };
    } catch (URISyntaxException e) {
      return "not an address: " + e.getReason();
    }
  }
}

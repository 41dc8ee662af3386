package lovelace.site;

import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/// Colours for code: comments, strings, numbers, keywords and options, found by one pattern for
/// each language. All other text stays plain.
final class Highlighter {

  private static final String STRING = "\"(?:\\\\.|[^\"\\\\\\n])*\"|'(?:\\\\.|[^'\\\\\\n])*'";
  private static final String NUMBER = "(?<![\\w.])\\d[\\d_]*(?:\\.\\d+)?(?:[eE][-+]?\\d+)?\\b";

  private static final String JAVA =
      "abstract|boolean|break|byte|case|catch|char|class|default|do|double|else|enum|extends|final|"
          + "finally|float|for|if|implements|import|int|interface|long|new|null|package|private|"
          + "protected|public|record|return|sealed|static|super|switch|this|throw|throws|true|false|"
          + "try|var|void|while|yield|using|string|async|await|function|const|let|export";
  private static final String PYTHON =
      "and|as|assert|async|await|class|def|elif|else|except|False|finally|for|from|global|if|import|"
          + "in|is|lambda|None|not|or|pass|raise|return|True|try|while|with|yield";
  private static final String R = "function|if|else|for|in|while|TRUE|FALSE|NULL|NA|library";
  private static final String SHELL = "for|do|done|if|then|else|fi|while|case|esac|in|export|cd";

  private static final Map<String, Pattern> LANGUAGES =
      Map.ofEntries(
          entry("java", "//[^\\n]*|/\\*[\\s\\S]*?\\*/", JAVA, "(?!)"),
          entry("csharp", "//[^\\n]*|/\\*[\\s\\S]*?\\*/", JAVA, "(?!)"),
          entry("js", "//[^\\n]*|/\\*[\\s\\S]*?\\*/", JAVA + "|from|of|in", "(?!)"),
          entry("python", "#[^\\n]*", PYTHON, "(?!)"),
          entry("r", "#[^\\n]*", R, "(?!)"),
          entry("sh", "(?<![^\\s])#[^\\n]*", SHELL, "(?<![\\w-])--?[a-zA-Z][\\w-]*"),
          entry("yaml", "(?<![^\\s])#[^\\n]*", "true|false|null", "(?m)^[ -]*[\\w.-]+(?=:)"),
          entry("json", "(?!)", "true|false|null", "\"(?:\\\\.|[^\"\\\\])*\"(?=\\s*:)"),
          entry("xml", "<!--[\\s\\S]*?-->", "(?!)", "</?[\\w.:-]+|/?>"),
          entry("html", "<!--[\\s\\S]*?-->", "(?!)", "</?[\\w.:-]+|/?>"));

  private Highlighter() {}

  private static Map.Entry<String, Pattern> entry(
      String language, String comment, String keywords, String option) {
    List<String> groups =
        List.of(
            "(?<comment>" + comment + ")",
            "(?<option>" + option + ")",
            "(?<string>" + STRING + ")",
            "(?<keyword>(?<![\\w-])(?:" + keywords + ")(?![\\w-]))",
            "(?<number>" + NUMBER + ")");
    return Map.entry(language, Pattern.compile(groups.stream().collect(Collectors.joining("|"))));
  }

  /// The code as HTML.
  static String html(String language, String code) {
    Pattern pattern = LANGUAGES.get(language);
    if (pattern == null) return escape(code);
    StringBuilder html = new StringBuilder();
    Matcher matcher = pattern.matcher(code);
    int at = 0;
    while (matcher.find()) {
      html.append(escape(code.substring(at, matcher.start())));
      String kind =
          List.of("comment", "option", "string", "keyword", "number").stream()
              .filter(each -> matcher.group(each) != null)
              .findFirst()
              .orElseThrow();
      html.append("<span class=\"%s\">%s</span>".formatted(kind, escape(matcher.group())));
      at = matcher.end();
    }
    return html.append(escape(code.substring(at))).toString();
  }

  static String escape(String text) {
    return text.replace("&", "&amp;")
        .replace("<", "&lt;")
        .replace(">", "&gt;")
        .replace("\"", "&quot;");
  }
}

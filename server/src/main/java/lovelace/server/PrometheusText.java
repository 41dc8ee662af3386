package lovelace.server;

/// Writes metrics in the text format of Prometheus, version 0.0.4: families, each followed by its
/// samples.
final class PrometheusText {

  private final StringBuilder out = new StringBuilder();

  /// Begins a family.
  ///
  /// @param type `counter`, `gauge`, `histogram` or `summary`
  PrometheusText family(String name, String type, String help) {
    out.append("# HELP ").append(name).append(' ').append(help).append('\n');
    out.append("# TYPE ").append(name).append(' ').append(type).append('\n');
    return this;
  }

  /// Adds a sample to the family; labels are names and values in turn.
  PrometheusText sample(String name, Number value, String... labels) {
    out.append(name);
    for (int i = 0; i < labels.length; i += 2) {
      out.append(i == 0 ? '{' : ',').append(labels[i]).append("=\"");
      escape(labels[i + 1]);
      out.append('"');
    }
    if (labels.length > 0) out.append('}');
    out.append(' ').append(value).append('\n');
    return this;
  }

  private void escape(String label) {
    for (int i = 0; i < label.length(); i++)
      switch (label.charAt(i)) {
        case '\\' -> out.append("\\\\");
        case '"' -> out.append("\\\"");
        case '\n' -> out.append("\\n");
        default -> out.append(label.charAt(i));
      }
  }

  @Override
  public String toString() {
    return out.toString();
  }
}

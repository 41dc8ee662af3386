package lovelace.site;

import java.util.List;
import java.util.stream.Collectors;
import jdk.jshell.DeclarationSnippet;
import jdk.jshell.JShell;
import jdk.jshell.Snippet;
import jdk.jshell.SnippetEvent;
import jdk.jshell.SourceCodeAnalysis;

/// Runs the Java of a page in this JVM. A page's later blocks see what earlier ones defined.
final class JavaRun implements AutoCloseable {

  private final JShell shell;

  /// @param imports packages whose types a page uses without saying so
  JavaRun(List<String> imports) {
    shell =
        JShell.builder()
            .executionEngine("local")
            .compilerOptions("-classpath", System.getProperty("java.class.path"))
            .build();
    for (String name : imports) shell.eval("import " + name + ".*;");
  }

  /// Runs a block, and its `main` where it has one.
  ///
  /// @return what went wrong
  String run(String block) {
    SourceCodeAnalysis analysis = shell.sourceCodeAnalysis();
    String rest = block;
    while (!rest.isBlank()) {
      SourceCodeAnalysis.CompletionInfo next = analysis.analyzeCompletion(rest);
      String source = next.source();
      if (!next.completeness().isComplete() || source == null) return "not complete:\n" + rest;
      for (SnippetEvent event : shell.eval(source)) {
        String wrong = wrong(event);
        if (!wrong.isEmpty()) return source + "\n" + wrong;
      }
      rest = next.remaining();
    }
    if (block.contains("void main()"))
      for (SnippetEvent event : shell.eval("main()")) {
        String wrong = wrong(event);
        if (!wrong.isEmpty()) return wrong;
      }
    return "";
  }

  /// Compiles statements without running them.
  ///
  /// @return what went wrong
  String compile(String block) {
    return run("void compiled() throws Exception {\n" + block + "}\n");
  }

  private String wrong(SnippetEvent event) {
    if (event.causeSnippet() != null) return ""; // an earlier snippet that this one changes
    if (event.exception() != null) return event.exception().toString();
    if (event.status() == Snippet.Status.VALID) return "";
    String said =
        shell
            .diagnostics(event.snippet())
            .map(each -> each.getMessage(null))
            .collect(Collectors.joining("\n"));
    String open =
        event.snippet() instanceof DeclarationSnippet declaration
            ? shell.unresolvedDependencies(declaration).collect(Collectors.joining(", "))
            : "";
    return event.status() + " " + said + (open.isEmpty() ? "" : " needs " + open);
  }

  @Override
  public void close() {
    shell.close();
  }
}

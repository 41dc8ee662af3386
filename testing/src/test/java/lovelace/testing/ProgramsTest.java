package lovelace.testing;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// `testing/programs` and [Programs] on paths that hold nothing but what a test puts there.
final class ProgramsTest {

  @TempDir Path folder;

  @Test
  void missingProgramsAreNamedWhereNothingCanBeInstalled() throws Exception {
    tools();
    assertEquals(
        List.of("chromium", "python3", "gdal", "rasterio", "Rscript", "node", "npm", "onnx"),
        script());
  }

  @Test
  void missingProgramsAreInstalled() throws Exception {
    tools();
    command("id", "echo 0");
    // installs a program by writing its command into the folder
    command(
        "apt-get",
        """
        echo "$@" >>log
        case "$*" in
          *install*)
            for name in chromium python3 gdal rasterio r-base nodejs npm; do
              case "$*" in *$name*)
                [ $name != gdal ] || name=gdalinfo
                [ $name != r-base ] || name=Rscript
                printf '#!/bin/sh\\n' >$name
                case "$*" in *onnx*) ;; *) printf '[ $1 = --version ]\\n' >>$name ;; esac
                chmod +x $name ;;
              esac
            done ;;
        esac
        """);
    assertEquals(List.of(), script());
    assertEquals(
        List.of(
            "-qq update",
            "-qq -y --no-install-recommends install chromium",
            "-qq -y --no-install-recommends install python3-minimal libpython3-stdlib",
            "-qq -y --no-install-recommends install gdal-bin",
            "-qq -y --no-install-recommends install rasterio python3-setuptools",
            "-qq -y --no-install-recommends install r-base-core r-cran-gstat",
            "-qq -y --no-install-recommends install nodejs",
            "-qq -y --no-install-recommends install npm",
            "-qq -y --no-install-recommends install python3-onnx"),
        Files.readAllLines(folder.resolve("log")));
  }

  @Test
  void aPackageThatCannotBeHadLeavesItsProgramMissing() throws Exception {
    tools();
    command("id", "echo 0");
    command("apt-get", "exit 100");
    command("python3", "[ $1 = --version ]");
    assertEquals(
        List.of("chromium", "gdal", "rasterio", "Rscript", "node", "npm", "onnx"), script());
  }

  @Test
  void scriptAndTestsFindTheSamePrograms() throws Exception {
    tools();
    command("chromium", "exit 1"); // is there, and does not run
    command("google-chrome", "exit 0");
    command("gdalinfo", "exit 0");
    command("rasterio", "exit 0");
    command("Rscript", "exit 0");
    command("nodejs", "exit 0");
    command("npm", "exit 0");
    assertEquals(List.of("python3", "onnx"), script());
    Programs programs = new Programs("/nowhere:" + folder);
    assertEquals(Optional.of(folder.resolve("google-chrome")), programs.find("chromium"));
    assertEquals(Optional.empty(), programs.find("python3"));
  }

  @Test
  void aModuleIsFoundInTheFirstPythonThatHasIt() throws Exception {
    tools();
    Path other = Files.createDirectory(folder.resolve("other"));
    for (String name : List.of("chromium", "gdalinfo", "rasterio", "Rscript", "node", "npm"))
      command(name, "exit 0");
    command("python3", "[ $1 = --version ]"); // has no modules
    command("other/python3", "[ \"$*\" = '-c import onnx.checker' ]");
    assertEquals(List.of("onnx"), script());
    assertEquals(List.of(), script(folder + ":" + other));
    Programs programs = new Programs(folder + ":" + other);
    assertEquals(Optional.of(folder.resolve("python3")), programs.find("python3"));
    assertEquals(Optional.of(other.resolve("python3")), programs.find("onnx"));
    assertEquals(Optional.empty(), new Programs(folder.toString()).find("onnx"));
  }

  @Test
  void aProgramThatIsNotListedIsAnError() {
    var e =
        assertThrows(IllegalArgumentException.class, () -> Programs.INSTALLED.find("fortran77"));
    assertTrue(e.toString().contains("programs.txt"), e.toString());
  }

  /// The programs that the script itself uses.
  private void tools() throws IOException {
    command("id", "echo 1000");
    for (String name : List.of("dirname", "cat", "chmod")) {
      String tool = (Files.exists(Path.of("/usr/bin", name)) ? "/usr/bin/" : "/bin/") + name;
      command(name, "exec " + tool + " \"$@\"");
    }
  }

  private void command(String name, String body) throws IOException {
    Path file = folder.resolve(name);
    Files.deleteIfExists(file);
    Files.writeString(file, "#!/bin/sh\n" + body + "\n");
    Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rwxr-xr-x"));
  }

  private List<String> script() throws Exception {
    return script(folder.toString());
  }

  private List<String> script(String path) throws Exception {
    ProcessBuilder builder =
        new ProcessBuilder("/bin/sh", Path.of("programs").toAbsolutePath().toString())
            .directory(folder.toFile())
            .redirectError(
                ProcessBuilder.Redirect.DISCARD); // its words would look like those of ./check
    builder.environment().put("PATH", path);
    Process process = builder.start();
    String said = new String(process.getInputStream().readAllBytes(), UTF_8);
    assertEquals(0, process.waitFor());
    return said.lines().toList();
  }
}

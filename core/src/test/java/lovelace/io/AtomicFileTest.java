package lovelace.io;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.FileSystemLoopException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeSet;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

class AtomicFileTest {

  @TempDir private Path folder;

  private List<String> names() throws IOException {
    try (Stream<Path> files = Files.list(folder)) {
      return files.map(file -> file.getFileName().toString()).sorted().toList();
    }
  }

  @Test
  void aWriteWithinAnUnfinishedWriteIsDeletedWithIt() throws IOException {
    AtomicFile outer = AtomicFile.begin(folder.resolve("a.txt"));
    AtomicFile inner = AtomicFile.begin(outer.temporary());
    Files.writeString(inner.temporary(), "half");
    outer.close(); // as when the process is interrupted
    assertEquals(List.of(), names());
    inner.close();
  }

  @Test
  void replacesAFileAndLeavesNothingElse() throws IOException {
    Path file = folder.resolve("a.txt");
    AtomicFile.write(file, "one".getBytes(UTF_8));
    assertEquals("one", Files.readString(file));
    AtomicFile.write(file, "two".getBytes(UTF_8));
    assertEquals("two", Files.readString(file));
    assertEquals(List.of("a.txt"), names());
  }

  @Test
  void writesTheLongestNameAFolderTakes() throws IOException {
    String name = "n".repeat(255);
    AtomicFile.write(folder.resolve(name), new byte[1]);
    assertEquals(List.of(name), names());
  }

  @Test
  void aFailureLeavesTheOldFileAndNothingElse() throws IOException {
    Path file = folder.resolve("a.txt");
    Files.writeString(file, "before");
    var failure =
        assertThrows(
            IOException.class,
            () ->
                AtomicFile.write(
                    file,
                    temporary -> {
                      Files.writeString(temporary, "half");
                      throw new IOException("the disk is full");
                    }));
    assertEquals(
        "'%s' cannot be written: the disk is full; no part of it is left, and the file that was there before is unchanged"
            .formatted(file),
        failure.getMessage());
    assertEquals("before", Files.readString(file));
    assertEquals(List.of("a.txt"), names());
    assertThrows(
        InterruptedException.class,
        () ->
            AtomicFile.write(
                file,
                temporary -> {
                  Files.writeString(temporary, "half");
                  throw new InterruptedException();
                }));
    assertEquals(List.of("a.txt"), names());
  }

  @Test
  void namesTheFolderThatIsMissingAndRefusesAFolder() {
    Path none = folder.resolve("no");
    Path missing = none.resolve("a.txt");
    var failure =
        assertThrows(NoSuchFileException.class, () -> AtomicFile.write(missing, new byte[1]));
    assertEquals(none.toString(), failure.getFile());
    var refusal = assertThrows(IOException.class, () -> AtomicFile.write(folder, new byte[1]));
    assertTrue(String.valueOf(refusal.getMessage()).contains("is a folder; name a file"));
  }

  @Test
  @EnabledOnOs({OS.LINUX, OS.MAC})
  void anExistingFileKeepsItsPermissionsAndItsContentStaysPrivate() throws IOException {
    Path file = folder.resolve("a.txt");
    Files.writeString(file, "secret");
    for (String mode : List.of("rw-------", "rw-rw-rw-", "r--r--r--")) {
      Files.setPosixFilePermissions(file, PosixFilePermissions.fromString(mode));
      AtomicFile.write(
          file,
          temporary -> {
            Files.writeString(temporary, "next");
            assertEquals(
                "rwx------",
                PosixFilePermissions.toString(
                    Files.getPosixFilePermissions(temporary.getParent())));
          });
      assertEquals(mode, PosixFilePermissions.toString(Files.getPosixFilePermissions(file)));
    }
    Path other = folder.resolve("b.txt");
    Path plain = Files.writeString(folder.resolve("c.txt"), "");
    AtomicFile.write(other, new byte[1]);
    assertEquals(Files.getPosixFilePermissions(plain), Files.getPosixFilePermissions(other));
  }

  @Test
  @EnabledOnOs({OS.LINUX, OS.MAC})
  void aLinkStaysAndTheFileItNamesIsReplaced() throws IOException {
    Path inner = Files.createDirectory(folder.resolve("inner"));
    Path file = Files.writeString(inner.resolve("a.txt"), "before");
    Path link = Files.createSymbolicLink(folder.resolve("link"), Path.of("inner/a.txt"));
    Path twice = Files.createSymbolicLink(folder.resolve("twice"), link);
    AtomicFile.write(twice, "after".getBytes(UTF_8));
    assertTrue(Files.isSymbolicLink(twice) && Files.isSymbolicLink(link));
    assertEquals("after", Files.readString(file));
    Path dangling = Files.createSymbolicLink(folder.resolve("new"), Path.of("inner/new.txt"));
    AtomicFile.write(dangling, "made".getBytes(UTF_8));
    assertEquals("made", Files.readString(inner.resolve("new.txt")));
    Path round = Files.createSymbolicLink(folder.resolve("round"), Path.of("round"));
    assertThrows(FileSystemLoopException.class, () -> AtomicFile.write(round, new byte[1]));
    assertEquals(List.of("inner", "link", "new", "round", "twice"), names());
  }

  @Test
  @EnabledOnOs(OS.LINUX)
  void pipesDevicesAndOpenFilesGetTheBytes() throws Exception {
    AtomicFile.write(Path.of("/dev/null"), new byte[9]);
    assertFalse(Files.isRegularFile(Path.of("/dev/null")));
    Path pipe = folder.resolve("pipe");
    assertEquals(0, new ProcessBuilder("mkfifo", pipe.toString()).start().waitFor());
    byte[] bytes = "through the pipe".repeat(10_000).getBytes(UTF_8);
    try (var pool = Executors.newSingleThreadExecutor()) {
      Future<byte[]> read = pool.submit(() -> Files.readAllBytes(pipe));
      AtomicFile.write(pipe, bytes);
      assertArrayEquals(bytes, read.get());
    }
    assertEquals(List.of("pipe"), names());
  }

  @Test
  @EnabledOnOs(OS.LINUX)
  void theStandardStreamOfAProcessGetsTheBytesAfterWhatItHolds() throws Exception {
    Path out = folder.resolve("out");
    Process process =
        new ProcessBuilder(
                ProcessHandle.current().info().command().orElseThrow(),
                "-cp",
                System.getProperty("java.class.path"),
                ToStandardOutput.class.getName())
            .redirectOutput(out.toFile())
            .redirectError(ProcessBuilder.Redirect.INHERIT)
            .start();
    assertEquals(0, process.waitFor());
    assertEquals("printed\nwritten\n", Files.readString(out));
    assertEquals(List.of("out"), names());
  }

  /// Prints a line and writes one to `/dev/stdout`.
  static final class ToStandardOutput {
    public static void main(String[] arguments) throws IOException {
      System.out.println("printed");
      AtomicFile.write(Path.of("/dev/stdout"), "written\n".getBytes(UTF_8));
    }
  }

  /// Ends the process while a file is half written.
  static final class EndsWhileWriting {
    public static void main(String[] arguments) throws IOException {
      AtomicFile.write(
          Path.of(arguments[0]),
          temporary -> {
            Files.writeString(temporary, "half");
            System.exit(3);
          });
    }
  }

  @Test
  void aProcessThatEndsWhileItWritesLeavesTheOldFileAndNothingElse() throws Exception {
    Path file = Files.writeString(folder.resolve("a.txt"), "before");
    Process process =
        new ProcessBuilder(
                ProcessHandle.current().info().command().orElseThrow(),
                "-cp",
                System.getProperty("java.class.path"),
                EndsWhileWriting.class.getName(),
                file.toString())
            .redirectError(ProcessBuilder.Redirect.INHERIT)
            .start();
    assertEquals(3, process.waitFor());
    assertEquals("before", Files.readString(file));
    assertEquals(List.of("a.txt"), names());
  }

  @Test
  void onlyThisTypeRenamesResults() throws IOException {
    // others rename what is no result: unpacked libraries, a temporary table, a journal set aside
    List<String> known =
        List.of("AtomicFile", "OwnFolder", "NativeLibrary", "StreamSpool", "Journal");
    var found = new TreeSet<String>();
    Path root = Path.of("..").toAbsolutePath().normalize();
    for (String module :
        List.of("core", "deep", "plot", "maps", "experiments", "server", "spark", "cli"))
      try (Stream<Path> sources = Files.walk(root.resolve(module).resolve("src/main/java"))) {
        for (Path source : sources.filter(Files::isRegularFile).toList())
          if (Files.readString(source).contains("Files.move("))
            found.add(source.getFileName().toString().replace(".java", ""));
      }
    assertEquals(new TreeSet<>(known), found, "write results by AtomicFile");
  }

  /// Windows opens no folder, and some network file systems sync none; a broken disk syncs nothing.
  @Test
  void aNameIsSyncedByItsFileWhereFoldersAreNot() throws IOException {
    Path written = Files.writeString(folder.resolve("synced"), "some");
    List<Path> opened = new ArrayList<>();
    AtomicFile.syncName(
        written,
        (file, options) -> {
          opened.add(file);
          if (Files.isDirectory(file)) throw new IOException("Invalid argument");
          return FileChannel.open(file, options);
        });
    assertEquals(List.of(folder.toAbsolutePath(), written), opened);
    IOException broken =
        assertThrows(
            IOException.class,
            () ->
                AtomicFile.syncName(
                    written,
                    (file, options) -> {
                      throw new IOException("Input/output error");
                    }));
    assertEquals("Input/output error", broken.getMessage());
    assertEquals("some", Files.readString(written));
  }
}

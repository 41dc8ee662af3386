package lovelace.io;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

class OwnFolderTest {

  @TempDir private Path parent;

  /// Makes a folder with a file in it, says where it is, and waits until it is killed.
  public static final class Owner {

    private Owner() {}

    public static void main(String[] args) throws Exception {
      OwnFolder own = OwnFolder.make(Path.of(args[0]));
      Files.writeString(own.path().resolve("half.csv"), "x,y\n1,");
      System.out.println(own.path());
      Thread.sleep(Long.MAX_VALUE);
    }
  }

  private List<String> hidden() throws IOException {
    try (var files = Files.list(parent)) {
      return files.map(f -> f.getFileName().toString()).filter(f -> f.startsWith(".")).toList();
    }
  }

  @Test
  void closedFolderIsGone() throws IOException {
    try (OwnFolder own = OwnFolder.make(parent)) {
      Files.writeString(own.path().resolve("a"), "text");
      assertEquals(1, hidden().size());
    }
    assertEquals(List.of(), hidden());
  }

  @Test
  void foldersOfThisProcessStay() throws IOException {
    try (OwnFolder one = OwnFolder.make(parent);
        OwnFolder two = OwnFolder.make(parent)) {
      two.sweep(parent);
      one.sweep(parent);
      assertTrue(Files.isDirectory(one.path()));
      assertTrue(Files.isDirectory(two.path()));
    }
  }

  /// Nobody knows whether a folder without a lock has an owner.
  @Test
  void whatHasNoOwnersLockStays() throws IOException {
    Path other = Files.createDirectory(parent.resolve(".lovelace-other"));
    Files.writeString(parent.resolve(".lovelace-file"), "no folder");
    try (OwnFolder own = OwnFolder.make(parent)) {
      own.sweep(parent);
    }
    assertTrue(Files.isDirectory(other));
    assertTrue(Files.exists(parent.resolve(".lovelace-file")));
  }

  @Test
  @EnabledOnOs(OS.LINUX)
  void folderOfAKilledProcessIsRemovedAndOneOfALivingProcessStays() throws Exception {
    Process process =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-cp",
                System.getProperty("java.class.path"),
                Owner.class.getName(),
                parent.toString())
            .redirectError(ProcessBuilder.Redirect.INHERIT)
            .start();
    try {
      Path left = Path.of(process.inputReader().readLine());
      try (OwnFolder own = OwnFolder.make(parent)) {
        own.sweep(parent);
        assertTrue(Files.exists(left.resolve("half.csv")), "its owner lives");
        process.destroyForcibly().waitFor();
        assertTrue(Files.exists(left.resolve("half.csv")), "a killed process leaves it");
        own.sweep(parent);
        assertFalse(Files.exists(left));
      }
    } finally {
      process.destroyForcibly();
    }
  }
}

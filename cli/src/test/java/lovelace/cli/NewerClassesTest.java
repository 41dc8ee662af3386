package lovelace.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.DataInputStream;
import java.lang.reflect.Method;
import java.net.URI;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collections;
import java.util.zip.ZipEntry;
import java.util.zip.ZipFile;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

/// picocli in newer class files is still picocli.
class NewerClassesTest {

  @TempDir private Path folder;

  @Test
  void everyClassIsNewerAndPassesTheVerifier() throws Exception {
    URI picocli = CommandLine.class.getProtectionDomain().getCodeSource().getLocation().toURI();
    Path jar = Files.copy(Path.of(picocli), folder.resolve("picocli.jar"));
    assertTrue(oldClasses(jar, false) > 100, "nothing to rewrite: NewerClasses can go");
    NewerClasses.main(new String[] {jar.toString()});
    assertEquals(0, oldClasses(jar, false));
    assertTrue(oldClasses(jar, true) > 100); // all load, and none fails to verify
  }

  @Test
  void aRewrittenPicocliReadsOptions() throws Exception {
    URI picocli = CommandLine.class.getProtectionDomain().getCodeSource().getLocation().toURI();
    Path jar = Files.copy(Path.of(picocli), folder.resolve("picocli.jar"));
    NewerClasses.main(new String[] {jar.toString()});
    try (var loader = loader(jar)) {
      Class<?> ansi = loader.loadClass("picocli.CommandLine$Help$Ansi");
      Method text = ansi.getMethod("string", String.class);
      assertEquals("plain", text.invoke(ansi.getField("OFF").get(null), "@|bold plain|@"));
    }
  }

  /// The classes of a jar below version 50, or all those that can be loaded and initialized.
  private static int oldClasses(Path jar, boolean load) throws Exception {
    int count = 0;
    try (var zip = new ZipFile(jar.toFile());
        var loader = loader(jar)) {
      for (ZipEntry entry : Collections.list(zip.entries())) {
        String name = entry.getName();
        if (!name.startsWith("picocli/") || !name.endsWith(".class")) continue;
        try (var in = new DataInputStream(zip.getInputStream(entry))) {
          in.readInt();
          in.readUnsignedShort();
          if (load) {
            Class.forName(name.replace('/', '.').replace(".class", ""), true, loader);
            count++;
          } else if (in.readUnsignedShort() < 50) count++;
        }
      }
    }
    return count;
  }

  private static URLClassLoader loader(Path jar) throws Exception {
    return new URLClassLoader(
        new URL[] {jar.toUri().toURL()}, ClassLoader.getPlatformClassLoader());
  }
}

package lovelace.testing;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.sun.net.httpserver.HttpServer;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// [NpmPackages] with the npm of this machine and a registry of one package in this process. All
/// sets ask for that package: `hello` pins it, `altered` pins another file, and the lock file of
/// `unlocked` does not know it.
final class NpmPackagesTest {

  @TempDir Path folder;

  private final AtomicInteger requests = new AtomicInteger();
  private HttpServer registry;

  @BeforeEach
  void startRegistry() throws Exception {
    byte[] tarball;
    try (InputStream in = getClass().getResourceAsStream("npm/hello/lovelace-hello-1.0.0.tgz")) {
      tarball = Objects.requireNonNull(in).readAllBytes();
    }
    registry = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    registry.createContext(
        "/lovelace-hello",
        exchange -> {
          requests.incrementAndGet();
          byte[] answer =
              exchange.getRequestURI().getPath().endsWith(".tgz")
                  ? tarball
                  : """
                    {"name": "lovelace-hello", "dist-tags": {"latest": "1.0.0"}, "versions": {"1.0.0":
                    {"name": "lovelace-hello", "version": "1.0.0",
                    "dist": {"tarball": "%s/lovelace-hello/-/lovelace-hello-1.0.0.tgz"}}}}
                    """
                      .formatted(address())
                      .getBytes(UTF_8);
          exchange.sendResponseHeaders(200, answer.length);
          exchange.getResponseBody().write(answer);
          exchange.close();
        });
    registry.start();
  }

  @AfterEach
  void stopRegistry() {
    registry.stop(0);
  }

  @Test
  @Needs({"node", "npm"})
  void aSetIsInstalledOnceAndItsScriptsDoNotRun() throws Exception {
    NpmPackages packages = packages("hello");
    assertEquals(Optional.empty(), packages.missing("hello"));
    Path index = packages.require("hello").resolve("node_modules/lovelace-hello/index.js");
    assertEquals("module.exports = \"hello\";\n", Files.readString(index));

    int before = requests.get();
    assertTrue(before > 0);
    Path mark = Files.createFile(index.resolveSibling("mark"));
    assertEquals(Optional.empty(), new NpmPackages(Programs.INSTALLED, folder).missing("hello"));
    assertEquals(before, requests.get());
    assertTrue(Files.exists(mark));

    // of another lock file, which is what a change of version leaves
    Path stamp = folder.resolve("hello/installed");
    Files.writeString(stamp, Files.readString(stamp) + " ");
    assertEquals(Optional.empty(), new NpmPackages(Programs.INSTALLED, folder).missing("hello"));
    assertFalse(Files.exists(mark));
  }

  @Test
  @Needs({"node", "npm"})
  void aPackageThatIsNotThePinnedOneIsAFault() throws Exception {
    NpmPackages packages = packages("altered");
    var e = assertThrows(AssertionError.class, () -> packages.missing("altered"));
    assertTrue(e.toString().contains("EINTEGRITY"), e.toString());
    assertFalse(Files.exists(folder.resolve("altered/installed")));
  }

  @Test
  @Needs({"node", "npm"})
  void aLockFileThatDoesNotFitIsAFault() throws Exception {
    NpmPackages packages = packages("unlocked");
    var e = assertThrows(AssertionError.class, () -> packages.missing("unlocked"));
    assertTrue(e.toString().contains("EUSAGE"), e.toString());
  }

  @Test
  @Needs({"node", "npm"})
  void withoutNetworkThePackagesAreMissing() throws Exception {
    NpmPackages packages = packages("hello");
    registry.stop(0);
    assertEquals(
        Optional.of("the npm packages 'hello', which npm could not fetch (ECONNREFUSED)"),
        packages.missing("hello"));
    var e = assertThrows(AssertionError.class, () -> packages.require("hello"));
    assertTrue(e.toString().contains("@Needs(packages = \"hello\")"), e.toString());
  }

  @Test
  void withoutNodeThePackagesAreMissing() {
    NpmPackages packages = new NpmPackages(new Programs("/nowhere"), folder);
    assertEquals(Optional.of("node"), packages.missing("hello"));
  }

  @Test
  void aSetThatIsNotThereIsAnError() throws Exception {
    Path node = Files.writeString(folder.resolve("node"), "#!/bin/sh\n");
    assertTrue(node.toFile().setExecutable(true));
    NpmPackages packages = new NpmPackages(new Programs(folder.toString()), folder);
    var e = assertThrows(IllegalArgumentException.class, () -> packages.missing("hallo"));
    assertTrue(e.toString().contains("npm/hallo/package.json"), e.toString());
  }

  /// Sets that come from the registry of this test, through a cache of its own.
  private NpmPackages packages(String set) throws Exception {
    Files.createDirectories(folder.resolve(set));
    Files.writeString(
        folder.resolve(set).resolve(".npmrc"),
        "registry=%s/\ncache=%s\n".formatted(address(), folder.resolve("cache")));
    return new NpmPackages(Programs.INSTALLED, folder);
  }

  private String address() {
    return "http://127.0.0.1:" + registry.getAddress().getPort();
  }
}

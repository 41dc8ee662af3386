package lovelace.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import lovelace.linear.Blas;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

/// A machine on which nothing is wrong, and one thing after another going wrong on it.
class DoctorCommandTest {

  @TempDir private Path folder;

  private final StringWriter out = new StringWriter();

  /// This machine without what only its user can know, and without networks, which take seconds.
  private class Healthy extends Surroundings {
    @Override
    @Nullable String property(String name) {
      return switch (name) {
        case "java.io.tmpdir" -> folder.toString();
        case "sun.jnu.encoding" -> "UTF-8";
        default -> super.property(name);
      };
    }

    @Override
    @Nullable String variable(String name) {
      return null;
    }

    @Override
    boolean hasNetworks() {
      return false;
    }

    @Override
    long heap() {
      return 2L << 30;
    }

    @Override
    long machineMemory() {
      return 8L << 30;
    }

    @Override
    @Nullable Long containerMemory() {
      return null;
    }
  }

  private int run(Surroundings here, String... args) {
    out.getBuffer().setLength(0);
    return new CommandLine(new DoctorCommand(here))
        .setOut(new PrintWriter(out, true))
        .execute(args);
  }

  private String problem(Surroundings here) {
    List<Doctor.Problem> all = Doctor.examine(here).problems();
    assertEquals(1, all.size(), all::toString);
    assertEquals(Errors.FAILURE, run(here));
    assertTrue(out.toString().contains("Wrong: " + all.getFirst()), out::toString);
    return all.getFirst().toString();
  }

  @Test
  void healthyMachineShowsWhatItRunsOnAndEndsWithZero() {
    assertEquals(0, run(new Healthy()), out::toString);
    String said = out.toString();
    assertTrue(said.contains(Version.number()), said);
    assertTrue(said.contains(Runtime.version().toString()), said);
    assertTrue(said.contains(System.getProperty("java.home")), said);
    assertTrue(said.contains("not installed; only --deep needs them"), said);
    assertTrue(said.endsWith("Nothing is wrong." + System.lineSeparator()), said);
  }

  @Test
  void jsonHoldsTheSameAndNothingElseIsPrinted() throws IOException {
    assertEquals(0, run(new Healthy(), "--json"));
    JsonNode all = new ObjectMapper().readTree(out.toString());
    assertEquals(Blas.provider(), all.get("blas").get("provider").asText());
    assertTrue(all.get("blas").get("product_error").asDouble() < 1e-12);
    assertTrue(all.get("duckdb").get("version").asText().startsWith("v"), all::toString);
    assertFalse(all.get("networks").get("installed").asBoolean());
    assertEquals(2L << 30, all.get("memory").get("heap_limit_bytes").asLong());
    assertEquals(0, all.get("problems").size());
  }

  @Test
  void oldOrMissingJavaHomeIsWrong() throws IOException {
    Path home = folder.resolve("jdk17");
    Surroundings old =
        new Healthy() {
          @Override
          @Nullable String variable(String name) {
            return name.equals("JAVA_HOME") ? home.toString() : null;
          }
        };
    assertTrue(problem(old).contains("where there is no Java"));
    Path java = Files.createDirectories(home.resolve("bin")).resolve("java");
    Files.writeString(java, "#!/bin/sh\n");
    assertTrue(java.toFile().setExecutable(true));
    Files.writeString(home.resolve("release"), "IMPLEMENTOR=\"X\"\nJAVA_VERSION=\"17.0.15\"\n");
    String said = problem(old);
    assertTrue(said.contains("a Java 17, and Lovelace needs 25"), said);
    assertTrue(said.contains("Set JAVA_HOME to a JDK 25 or newer, or unset it."), said);
    Files.writeString(home.resolve("release"), "JAVA_VERSION=\"25.0.1\"\n");
    assertEquals(0, run(old), out::toString);
  }

  @Test
  void heapThatIsTooSmallOrLargerThanTheMachineIsWrong() {
    String small =
        problem(
            new Healthy() {
              @Override
              long heap() {
                return 200L << 20;
              }
            });
    assertTrue(
        small.contains("The Java heap is limited to 210 MB;") && small.contains("-Xmx2g"), small);
    String large =
        problem(
            new Healthy() {
              @Override
              @Nullable Long containerMemory() {
                return 1L << 30;
              }
            });
    assertTrue(large.contains("The heap may hold 2.1 GB, and there are 1.1 GB"), large);
  }

  @Test
  void namesOfFilesThatLoseLettersAreWrong() {
    String said =
        problem(
            new Healthy() {
              @Override
              @Nullable String property(String name) {
                return name.equals("sun.jnu.encoding") ? "ANSI_X3.4-1968" : super.property(name);
              }
            });
    assertTrue(said.contains("ANSI_X3.4-1968") && said.contains("LC_ALL=C.UTF-8"), said);
  }

  @Test
  void temporaryFolderThatIsNotThereIsWrong() {
    String said =
        problem(
            new Healthy() {
              @Override
              @Nullable String property(String name) {
                return name.equals("java.io.tmpdir")
                    ? folder.resolve("none").toString()
                    : super.property(name);
              }
            });
    assertTrue(said.contains("cannot be written") && said.contains("-Djava.io.tmpdir=DIR"), said);
  }

  @Test
  void networkIsTriedWhereItIsInstalled() {
    Surroundings broken =
        new Healthy() {
          @Override
          boolean hasNetworks() {
            return true;
          }

          @Override
          String network() {
            throw new UnsatisfiedLinkError("libtorch is for another machine");
          }
        };
    String said = problem(broken);
    assertTrue(said.contains("libtorch is for another machine"), said);
    Map<String, @Nullable Object> found =
        Doctor.examine(
                new Healthy() {
                  @Override
                  boolean hasNetworks() {
                    return true;
                  }

                  @Override
                  String network() {
                    return "2.7.1";
                  }
                })
            .facts()
            .getOrDefault("networks", Map.of());
    assertEquals("2.7.1", found.get("version"));
  }

  /// The real one: what is installed here works.
  @Test
  void networkOfThisMachineMultiplies() {
    Surroundings here = new Surroundings();
    assertTrue(here.hasNetworks());
    assertFalse(here.network().isEmpty());
  }
}

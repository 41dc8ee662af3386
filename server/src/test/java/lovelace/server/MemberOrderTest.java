package lovelace.server;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

/// JSON objects have no order: a request means the same in whatever order its members come.
class MemberOrderTest {

  private static String object(List<String> members, Random random) {
    List<String> all = new ArrayList<>(members);
    Collections.shuffle(all, random);
    return "{" + String.join(",", all) + "}";
  }

  @Test
  void aRequestMeansTheSameInAnyOrderOfItsMembers() throws Exception {
    for (long seed = 0; seed < 300; seed++) {
      Random random = new Random(seed); // shuffle takes no other
      String at = "seed " + seed;
      boolean bytes = seed % 2 == 0;
      List<String> numbers =
          new ArrayList<>(List.of("\"name\":\"a\"", "\"datatype\":\"FP32\"", "\"shape\":[3]"));
      if (bytes) numbers.add("\"parameters\":{\"other\":[{}],\"binary_data_size\":12}");
      else numbers.addAll(List.of("\"data\":[1.5,2.5,-3]", "\"parameters\":{}"));
      List<String> words =
          List.of(
              "\"name\":\"b\"",
              "\"datatype\":\"BYTES\"",
              "\"shape\":[3,1]",
              "\"parameters\":{}",
              "\"data\":[null,\"x\",\"y\"]");
      List<String> parameters =
          List.of("\"interval\":0.5", "\"seed\":7", "\"draws\":3", "\"binary_data_output\":true");
      List<String> output = List.of("\"name\":\"mean\"", "\"parameters\":{\"binary_data\":false}");
      List<String> all =
          List.of(
              "\"id\":\"7\"",
              "\"inputs\":[" + object(numbers, random) + "," + object(words, random) + "]",
              "\"outputs\":[" + object(output, random) + "]",
              "\"parameters\":" + object(parameters, random),
              "\"model_name\":{\"inputs\":[1]}");
      byte[] head = object(all, random).getBytes(UTF_8);
      ByteBuffer body =
          ByteBuffer.allocate(head.length + (bytes ? 12 : 0)).order(ByteOrder.LITTLE_ENDIAN);
      body.put(head);
      if (bytes) body.putFloat(1.5f).putFloat(2.5f).putFloat(-3);
      Gate gate = new Gate(1, 1 << 20);
      try (Gate.Pass pass = gate.enter()) {
        InferRequest read = InferRequest.read(body.array(), head.length, Room.of(pass, 10, 2));
        assertEquals("7", read.id, at);
        assertEquals(0.5, read.interval, at);
        assertEquals(7, read.seed, at);
        assertEquals(3, read.draws, at);
        assertEquals(List.of(new InferRequest.Output("mean", false)), read.outputs, at);
        Tensor a = read.inputs.getFirst();
        assertEquals("a", a.name, at);
        assertArrayEquals(new double[] {1.5, 2.5, -3}, Arrays.copyOf(a.values(), a.size()), 0, at);
        Tensor b = read.inputs.getLast();
        assertEquals("b", b.name, at);
        assertEquals(List.of("", "x", "y"), b.texts(), at);
        assertTrue(b.isAbsent(0), at);
      }
    }
  }
}

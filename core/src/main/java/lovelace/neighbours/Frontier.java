package lovelace.neighbours;

import java.util.Arrays;

/// Boxes that wait to be visited, the nearest first. Of two at the same distance, the one with the
/// row of lowest rank comes first.
final class Frontier {

  private final int[] earliest; // the lowest rank in each box
  private double[] distances = new double[64]; // a heap
  private int[] boxes = new int[64];
  private int size;

  Frontier(int[] earliest) {
    this.earliest = earliest;
  }

  void clear() {
    size = 0;
  }

  void push(double distance, int box) {
    if (size == boxes.length) {
      distances = Arrays.copyOf(distances, 2 * size);
      boxes = Arrays.copyOf(boxes, 2 * size);
    }
    int i = size++;
    for (int parent = (i - 1) >>> 1;
        i > 0 && before(distance, box, parent);
        parent = (i - 1) >>> 1) {
      distances[i] = distances[parent];
      boxes[i] = boxes[parent];
      i = parent;
    }
    distances[i] = distance;
    boxes[i] = box;
  }

  /// The distance of the nearest; infinite if there is none.
  double least() {
    return size > 0 ? distances[0] : Double.POSITIVE_INFINITY;
  }

  /// Removes the nearest and returns it; −1 if there is none.
  int pull() {
    if (size == 0) return -1;
    int first = boxes[0];
    double distance = distances[--size];
    int box = boxes[size];
    int i = 0;
    for (int child = 1; child < size; child = 2 * i + 1) {
      if (child + 1 < size && before(distances[child + 1], boxes[child + 1], child)) child++;
      if (before(distance, box, child)) break;
      distances[i] = distances[child];
      boxes[i] = boxes[child];
      i = child;
    }
    distances[i] = distance;
    boxes[i] = box;
    return first;
  }

  private boolean before(double distance, int box, int other) {
    return distance < distances[other]
        || (distance == distances[other] && earliest[box] < earliest[boxes[other]]);
  }
}

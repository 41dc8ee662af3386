package lovelace.neighbours;

/// The k nearest of the rows that are added: by distance, and by rank if distances are equal. It
/// collects up to half of k more before it drops the farthest, which is cheaper than keeping an
/// order.
final class Nearest {

  private final int k;
  private final int[] ranks; // of positions
  private final double[] distances;
  private final int[] positions;
  private int size;
  private double worst;
  private int worstRank;

  Nearest(int k, int[] ranks) {
    this.k = k;
    this.ranks = ranks;
    int room = k + Math.max(8, k / 2);
    this.distances = new double[room];
    this.positions = new int[room];
    clear();
  }

  void clear() {
    size = 0;
    worst = Double.POSITIVE_INFINITY;
    worstRank = Integer.MAX_VALUE;
  }

  /// No row farther than this is among the nearest. It decreases as rows are added.
  double worst() {
    return worst;
  }

  /// Whether a row of this distance and rank may be among the nearest.
  boolean admits(double distance, int rank) {
    return distance < worst || (distance == worst && rank < worstRank);
  }

  /// Adds a row. Returns whether [#worst] has changed.
  boolean add(double distance, int position) {
    if (!admits(distance, ranks[position])) return false;
    distances[size] = distance;
    positions[size++] = position;
    if (size < distances.length) return false;
    drop();
    return true;
  }

  private void drop() {
    select(k - 1);
    size = k;
    worst = distances[k - 1];
    worstRank = ranks[positions[k - 1]];
  }

  /// Writes the rows at the positions, nearest first, and −1 if there are fewer than k.
  void write(int[] rows, int[] found, int offset) {
    if (size > k) drop();
    sort(0, size - 1);
    for (int j = 0; j < k; j++) found[offset + j] = j < size ? rows[positions[j]] : -1;
  }

  /// Moves entries so that none before the one at `place` is farther, and none after it is nearer.
  private void select(int place) {
    int from = 0;
    int to = size - 1;
    while (from < to) {
      int middle = part(from, to);
      if (place <= middle) to = middle;
      else from = middle + 1;
    }
  }

  private void sort(int from, int to) {
    while (to - from > 12) {
      int middle = part(from, to);
      sort(middle + 1, to);
      to = middle;
    }
    for (int i = from + 1; i <= to; i++) {
      double distance = distances[i];
      int position = positions[i];
      int j = i;
      for (; j > from && before(distance, position, j - 1); j--) move(j - 1, j);
      distances[j] = distance;
      positions[j] = position;
    }
  }

  /// Divides the entries into `[from, m]` and `[m + 1, to]`, where none of the second part is
  /// nearer than one of the first. Returns m (Hoare).
  private int part(int from, int to) {
    int middle = (from + to) >>> 1;
    if (before(distances[middle], positions[middle], from)) swap(middle, from);
    if (before(distances[to], positions[to], from)) swap(to, from);
    if (before(distances[to], positions[to], middle)) swap(to, middle);
    double pivot = distances[middle];
    int pivotAt = positions[middle];
    int i = from;
    int j = to;
    while (true) {
      while (after(pivot, pivotAt, i)) i++;
      while (before(pivot, pivotAt, j)) j--;
      if (i >= j) return j;
      swap(i++, j--);
    }
  }

  private boolean before(double distance, int position, int other) {
    return distance < distances[other]
        || (distance == distances[other] && ranks[position] < ranks[positions[other]]);
  }

  private boolean after(double distance, int position, int other) {
    return distance > distances[other]
        || (distance == distances[other] && ranks[position] > ranks[positions[other]]);
  }

  private void move(int from, int to) {
    distances[to] = distances[from];
    positions[to] = positions[from];
  }

  private void swap(int i, int j) {
    double distance = distances[i];
    int position = positions[i];
    move(j, i);
    distances[j] = distance;
    positions[j] = position;
  }
}

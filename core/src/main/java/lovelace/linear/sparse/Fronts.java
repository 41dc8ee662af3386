package lovelace.linear.sparse;

import java.util.Arrays;
import java.util.function.IntConsumer;
import lovelace.budget.Budget;
import lovelace.linear.Parallel;

/// The tree of fronts of a multifrontal factorisation (Duff, Reid 1983; Liu 1992). It depends on
/// the pattern of a matrix and an order of its points, and serves every matrix of that pattern.
///
/// Front b eliminates the columns of one block of the order. Its rows are those columns, and then
/// the later ones that they are coupled with, directly or through eliminated columns. All are
/// counted by their positions in the order. A front is dense. Its parent is the front that
/// eliminates the first of its later rows; all of these are among the rows of the parent.
/// Immutable.
public final class Fronts {

  /// Subtrees with less work than this many multiplications run in one thread.
  private static final double SMALL = 1e6;

  /// The products of a front with more rows than this keep all threads busy.
  private static final int LARGE = 4000;

  /// The number of rows of a front that one thread copies at a time.
  static final int ROWS = 64;

  private final SparsePattern pattern;
  private final NestedDissection order;
  private final int[][] rows;
  private final int[][] inParent;
  private final int[][] children;
  private final int[] roots;
  private final double[] work;

  /// Block b assembles the entries of the pattern from `entries[starts[b]]` on, at `places` of its
  /// panel.
  private final int[] starts;

  private final int[] entries;
  private final int[] places;

  private Fronts(SparsePattern pattern, NestedDissection order) {
    this.pattern = pattern;
    this.order = order;
    int n = pattern.size();
    int count = order.blocks();
    int[] place = new int[n];
    int[] block = new int[n];
    for (int b = 0; b < count; b++)
      for (int p = order.start(b); p < order.start(b + 1); p++) {
        place[order.point(p)] = p;
        block[p] = b;
      }
    starts = new int[count + 1];
    entries = new int[pattern.entries()];
    places = new int[pattern.entries()];
    distribute(place, block);
    rows = new int[count][];
    inParent = new int[count][];
    children = new int[count][];
    work = new double[count];
    int[] parent = new int[count];
    int[] family = new int[count]; // number of children
    int[] first = new int[count]; // chains of children
    int[] next = new int[count];
    Arrays.fill(first, -1);
    int[] local = new int[n];
    int[] seen = new int[n];
    Arrays.fill(seen, -1);
    int[] found = new int[n];
    for (int b = 0; b < count; b++) {
      int from = order.start(b);
      int to = order.start(b + 1);
      int size = 0;
      for (int e = starts[b]; e < starts[b + 1]; e++) {
        int r = places[e];
        if (r >= to && seen[r] != b) {
          seen[r] = b;
          found[size++] = r;
        }
      }
      children[b] = new int[family[b]];
      for (int c = first[b], k = family[b]; c >= 0; c = next[c]) {
        children[b][--k] = c;
        for (int r : rows[c])
          if (r >= to && seen[r] != b) {
            seen[r] = b;
            found[size++] = r;
          }
      }
      int[] own = Arrays.copyOf(found, size);
      Arrays.sort(own);
      rows[b] = own;
      inParent[b] = new int[size];
      int width = to - from;
      Budget.numbers(
          (long) width + size,
          Math.max(width, size),
          "a front of the sparse factorisation",
          "use fewer grid points");
      for (int i = 0; i < width; i++) local[from + i] = i;
      for (int i = 0; i < size; i++) local[own[i]] = width + i;
      for (int c : children[b])
        for (int i = 0; i < rows[c].length; i++) inParent[c][i] = local[rows[c][i]];
      locate(b, from, width, place, local);
      work[b] += (double) width * (width + size) * (width + size);
      parent[b] = size == 0 ? -1 : block[own[0]];
      if (size == 0) continue;
      family[parent[b]]++;
      next[b] = first[parent[b]];
      first[parent[b]] = b;
      work[parent[b]] += work[b];
    }
    int total = 0;
    for (int p : parent) if (p < 0) total++;
    roots = new int[total];
    for (int b = count - 1; b >= 0; b--) if (parent[b] < 0) roots[--total] = b;
  }

  /// The fronts of a pattern in a given order.
  public static Fronts of(SparsePattern pattern, NestedDissection order) {
    if (pattern.size() != order.size())
      throw new IllegalArgumentException(
          "the order has " + order.size() + " points, the pattern " + pattern.size());
    return new Fronts(pattern, order);
  }

  /// Sorts the entries by the block that eliminates them, with the position of the row in `places`.
  private void distribute(int[] place, int[] block) {
    for (int i = 0; i < pattern.size(); i++)
      for (int e = pattern.start(i); e < pattern.start(i + 1); e++)
        starts[block[Math.min(place[i], place[pattern.column(e)])] + 1]++;
    for (int b = 0; b + 1 < starts.length; b++) starts[b + 1] += starts[b];
    int[] next = starts.clone();
    for (int i = 0; i < pattern.size(); i++)
      for (int e = pattern.start(i); e < pattern.start(i + 1); e++) {
        int p = place[i];
        int q = place[pattern.column(e)];
        int at = next[block[Math.min(p, q)]]++;
        entries[at] = e;
        places[at] = Math.max(p, q);
      }
  }

  /// Finds the positions of the entries of a block in its panel.
  private void locate(int b, int from, int width, int[] place, int[] local) {
    int row = -1;
    for (int e = starts[b]; e < starts[b + 1]; e++) {
      int entry = entries[e];
      // entries of one block come row by row of the pattern
      if (row < 0 || entry >= pattern.start(row + 1)) row = rowOf(entry, row + 1);
      int column = Math.min(place[row], place[pattern.column(entry)]) - from;
      places[e] = local[places[e]] * width + column;
    }
  }

  private int rowOf(int entry, int least) {
    int low = least;
    int high = pattern.size() - 1;
    while (low < high) {
      int middle = (low + high + 1) >>> 1;
      if (pattern.start(middle) <= entry) low = middle;
      else high = middle - 1;
    }
    return low;
  }

  public SparsePattern pattern() {
    return pattern;
  }

  public NestedDissection order() {
    return order;
  }

  /// The number of fronts.
  public int count() {
    return rows.length;
  }

  /// The number of columns that front b eliminates.
  public int width(int b) {
    return order.start(b + 1) - order.start(b);
  }

  /// The number of later rows of front b.
  public int height(int b) {
    return rows[b].length;
  }

  /// The count of numbers in the factor, including zeros above the diagonal of a panel.
  public long numbers() {
    long sum = 0;
    for (int b = 0; b < count(); b++) sum += (long) width(b) * (width(b) + height(b));
    return sum;
  }

  /// The multiplications of a factorisation, to the leading order: `w³/6 + w²h/2 + wh²/2` for a
  /// front of width w and height h.
  public double multiplications() {
    double sum = 0;
    for (int b = 0; b < count(); b++) {
      double w = width(b);
      double h = height(b);
      sum += w * w * w / 6 + w * w * h / 2 + w * h * h / 2;
    }
    return sum;
  }

  /// The number of rows of the largest front.
  public int largest() {
    int most = 0;
    for (int b = 0; b < count(); b++) most = Math.max(most, width(b) + height(b));
    return most;
  }

  /// The later rows of front b, by their positions in the order. Not a copy.
  int[] rows(int b) {
    return rows[b];
  }

  /// The same rows, counted in the front of the parent. Not a copy.
  int[] inParent(int b) {
    return inParent[b];
  }

  /// The children of front b, ascending. Not a copy.
  int[] children(int b) {
    return children[b];
  }

  /// The number of the later rows of a front that its parent, which has the given width,
  /// eliminates.
  int eliminatedByParent(int b, int width) {
    int at = Arrays.binarySearch(inParent[b], width);
    return at < 0 ? -at - 1 : at;
  }

  /// The front that eliminates a position of the order.
  int frontOf(int place) {
    int low = 0;
    int high = count() - 1;
    while (low < high) {
      int middle = (low + high + 1) >>> 1;
      if (order.start(middle) <= place) low = middle;
      else high = middle - 1;
    }
    return low;
  }

  /// Copies the values of a matrix to their positions in the panel of front b.
  void toPanel(int b, double[] values, double[] panel) {
    for (int e = starts[b]; e < starts[b + 1]; e++) panel[places[e]] = values[entries[e]];
  }

  /// Copies them back from the panel.
  void fromPanel(int b, double[] panel, double[] values) {
    for (int e = starts[b]; e < starts[b + 1]; e++) values[entries[e]] = panel[places[e]];
  }

  /// Runs `body` for the roots, which are independent of each other.
  void forRoots(IntConsumer body) {
    Parallel.forEach(roots.length, i -> body.accept(roots[i]));
  }

  /// Runs `body` for 0, 1, … up to the number of children of front b, in threads if there is enough
  /// work. Large children run one after another: each keeps all threads busy by itself, and in
  /// parallel they would hold their matrices at the same time.
  void forChildren(int b, IntConsumer body) {
    int count = children[b].length;
    boolean large = false;
    for (int child : children[b]) large |= width(child) + height(child) > LARGE;
    if (work[b] > SMALL && !large) Parallel.forEach(count, body);
    else for (int i = 0; i < count; i++) body.accept(i);
  }
}

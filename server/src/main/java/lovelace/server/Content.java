package lovelace.server;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import lovelace.options.Options;

/// The content of a served file: a model, or forecasts. Immutable: with more rows it is another
/// one. Journals keep rows as bytes, and only the content knows their form.
sealed interface Content permits ModelContent, ForecastContent {

  /// The number of rows that it has learned from.
  long count();

  /// The fingerprint of these rows. Those of parts add up.
  long fingerprint();

  /// Tells the rows of one kind of content from those of another, in the head of a journal.
  int form();

  /// The end of the row that starts at a byte, or −1 if none ends before `end`.
  int rowEnd(ByteBuffer in, int at, int end);

  /// Whether rows may take this many bytes together.
  boolean fits(int bytes);

  /// The content with more rows.
  ///
  /// @param maker the maker of the result
  Content with(List<byte[]> rows, Options.Maker maker) throws IOException;

  /// Whether rows that are added in parts give the same bits as rows that are added in one step.
  boolean addsInParts();

  /// Writes a file, and returns its length.
  ///
  /// @param covariance whether variances are stored too, if there is a choice
  long save(Path file, boolean covariance) throws IOException;

  /// Whether the bytes between two places are whole rows.
  default boolean areRows(ByteBuffer in, int from, int to) {
    int at = from;
    while (at >= 0 && at < to) at = rowEnd(in, at, to);
    return at == to;
  }

  /// The rows between two places.
  default List<byte[]> rows(ByteBuffer in, int from, int to) {
    List<byte[]> rows = new ArrayList<>();
    for (int at = from; at < to; ) {
      int end = rowEnd(in, at, to);
      byte[] row = new byte[end - at];
      in.get(at, row);
      rows.add(row);
      at = end;
    }
    return rows;
  }
}

/// Reads CSV texts: [lovelace.csv.CsvRows].
@NullMarked
package lovelace.csv;

import org.jspecify.annotations.NullMarked;

/// Rows that can be read more than once, and their sums.
@org.jspecify.annotations.NullMarked
package lovelace.source;

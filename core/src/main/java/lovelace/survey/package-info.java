/// The first reading of a table: its columns, their ranges, and some rows.
@org.jspecify.annotations.NullMarked
package lovelace.survey;

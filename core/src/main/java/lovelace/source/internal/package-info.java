/// The pass over the rows. Rows are not seen again after it.
@org.jspecify.annotations.NullMarked
package lovelace.source.internal;

/// The values of all options.
@org.jspecify.annotations.NullMarked
package lovelace.options.internal;

/// The options of a fit: [lovelace.options.Options], and the request for a grid.
@org.jspecify.annotations.NullMarked
package lovelace.options;

/// The documentation as a site. Entry type: [lovelace.site.Site], which renders the Markdown of the
/// repository, javadoc of the packages that core exports, and the reference of the command line.
@NullMarked
package lovelace.site;

import org.jspecify.annotations.NullMarked;

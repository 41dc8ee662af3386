/// Serves models over HTTP: the Open Inference Protocol, online updates, metrics, and the studio.
/// The studio is the page at `/`. Its scripts are plain modules under `pages`, and its requests go
/// to [lovelace.server.Studio].
///
/// Entry type: [lovelace.server.Server]. All routes are registered in [lovelace.server.Routes].
/// Imports core, Helidon SE and Jackson.
@NullMarked
package lovelace.server;

import org.jspecify.annotations.NullMarked;

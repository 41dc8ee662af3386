/// Models behind HTTP: the Open Inference Protocol, online updates, metrics, and the studio: the
/// page at `/`, whose scripts are plain modules under `pages` and whose requests go to
/// [lovelace.server.Studio].
///
/// Entry type: [lovelace.server.Server]. All routes are registered in [lovelace.server.Routes].
/// Imports core, Helidon SE and Jackson.
@NullMarked
package lovelace.server;

import org.jspecify.annotations.NullMarked;

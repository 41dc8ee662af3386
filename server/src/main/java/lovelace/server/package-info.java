/// Models behind HTTP: the Open Inference Protocol, online updates, metrics and pages.
///
/// Entry type: [lovelace.server.Server]. All routes are registered in [lovelace.server.Routes].
/// Imports core, Helidon SE and Jackson.
@NullMarked
package lovelace.server;

import org.jspecify.annotations.NullMarked;

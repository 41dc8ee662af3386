/// The posterior of scattered rows under a rough kernel: the nodes of a grid and the places of the
/// rows are regressed on their neighbours, which makes the precision a sparse matrix. Start at
/// [lovelace.sites.SiteGp]. [lovelace.sites.Sites] are the places, [lovelace.sites.SiteSets] the
/// sets on which they are regressed, and [lovelace.sites.SitePrior] is the prior of nodes and sites
/// under one kernel.
@NullMarked
package lovelace.sites;

import org.jspecify.annotations.NullMarked;

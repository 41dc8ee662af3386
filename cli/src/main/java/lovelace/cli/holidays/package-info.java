/// Public holidays, by country or from a file, and the columns that a forecast makes of them. Entry
/// type: [lovelace.cli.holidays.Holidays].
@NullMarked
package lovelace.cli.holidays;

import org.jspecify.annotations.NullMarked;

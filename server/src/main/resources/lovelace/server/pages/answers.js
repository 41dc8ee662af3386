// What the server sends: types only. The compiler reads this file, a browser never does.

/**
 * @typedef {object} Column An input of a model.
 * @property {string} name
 * @property {string} label The name with its unit.
 * @property {string} unit Of a time column: years, days, hours, minutes or seconds.
 * @property {string} [origin] Where a time column counts from.
 * @property {string[]} [words] The values of a text column; its numbers are places in this list.
 * @property {number} low
 * @property {number} high
 * @property {number} middle
 */

/**
 * @typedef {object} Parameter Positive numbers that a slider moves.
 * @property {string} path
 * @property {number[]} values
 * @property {[number, number][]} ranges One for each value.
 */

/**
 * @typedef {object} Law The likelihood of the observations.
 * @property {string} name
 * @property {boolean} gaussian
 * @property {"classes" | "counts" | "numbers"} values What an observation can be.
 * @property {Record<string, number>} parameters
 * @property {number} [steps] Newton steps of Laplace's approximation.
 * @property {number} [residual] The length of the last one, in standard deviations.
 */

/**
 * @typedef {object} State A page's copy of a model.
 * @property {string} id
 * @property {string} name
 * @property {Column[]} columns
 * @property {{ name: string, label: string }} target
 * @property {string} shown What is drawn, with its unit.
 * @property {Law} law
 * @property {string} transform From the numbers of a view to what is drawn.
 * @property {string} kernel
 * @property {Parameter[]} parameters
 * @property {number} noise The variance of the noise.
 * @property {number} observations
 * @property {number[][]} added Rows added on the page: the inputs, then the target.
 * @property {number | "unknown"} likelihood
 * @property {string} engine
 * @property {string} variances Empty without a lattice.
 * @property {string} grid Empty without a lattice.
 * @property {number} rows
 * @property {string} advice
 */

/**
 * @typedef {object} Rows What the model has learned from: rows, or cells that count them.
 * @property {"rows" | "cells" | "averages" | "none"} kind
 * @property {number} count
 * @property {number[]} [x]
 * @property {number[]} [y] On a map.
 * @property {number[]} [target]
 * @property {number[]} [counts]
 * @property {boolean} [plain] Whether the target is in the units of the table.
 */

/**
 * @typedef {object} Line A posterior along one column, in the units of the modelled target.
 * @property {number} [x] The column.
 * @property {number} from
 * @property {number} to
 * @property {number} points
 * @property {number[]} mean
 * @property {number[]} sd
 * @property {{ low: number[], high: number[] }} [observed] 95 % of observations, in the table's units.
 * @property {number[][]} [draws]
 * @property {Rows} [data]
 */

/** @typedef {{ view: Line }} Drawn The answer to a wish for more draws. */

/**
 * @typedef {object} Frame A regular grid over two columns.
 * @property {number} nx
 * @property {number} ny
 * @property {number} from
 * @property {number} to
 * @property {number} low
 * @property {number} high
 */

/**
 * @typedef {Frame & { x: number, y: number, mean: number[], sd: number[], slices?: Line[], data?: Rows }} Plane
 *   A posterior over two columns, row by row from below.
 */

/**
 * @typedef {object} Changed The answer to every change of a copy.
 * @property {State} state
 * @property {Line | Plane} [view]
 * @property {number} [milliseconds]
 */

/**
 * @typedef {object} Step A line of a job while it runs.
 * @property {string} [job]
 * @property {number} [iteration]
 * @property {number} [likelihood]
 * @property {string} [error]
 * @property {boolean} [cancelled]
 */

/** @typedef {Changed & { milliseconds: number, "left out"?: number }} Fitted The last line of a job. */

/**
 * @typedef {object} About
 * @property {string} version
 * @property {{ name: string, drawn: boolean }[]} models
 * @property {Forecasts[]} forecasts
 */

/**
 * @typedef {object} Forecasts What a file of forecasts holds, or those of a table.
 * @property {string} name
 * @property {string} [id] Of those of a table.
 * @property {number} series
 * @property {number} horizon
 * @property {string} frequency
 * @property {number} observations
 */

/** @typedef {{ forecasts: Forecasts, milliseconds: number }} Learned The last line of a job. */

/** @typedef {{ ids: string[], count: number, all: number }} Found The series that a search finds. */

/**
 * @typedef {object} Series A series with its forecast. A null is a gap.
 * @property {string} id
 * @property {"library" | "long" | "short" | "constant" | "one" | "none"} kind
 * @property {number} horizon The most steps that can be asked for.
 * @property {string} frequency
 * @property {number[]} seasons
 * @property {number} count
 * @property {number} gaps
 * @property {{ label: string, unit: string, origin?: string }} time
 * @property {string} target
 * @property {number[]} past
 * @property {(number | null)[]} values
 * @property {number[]} ahead
 * @property {string[]} times The times ahead as the table writes them.
 * @property {Record<string, number[]>} bands By name: median, mean, lo-50, hi-50 and so on; empty
 *   without a forecast.
 */

/**
 * @typedef {object} Tested Scores of earlier forecasts. A null is a step that nothing was scored at.
 * @property {number | "unknown"} mase
 * @property {number | "unknown"} smape
 * @property {number | "unknown"} inside80
 * @property {number | "unknown"} inside95
 * @property {(number | null)[]} mases
 * @property {(number | null)[]} insides80
 * @property {(number | null)[]} insides95
 */

/**
 * @typedef {object} Backtested
 * @property {number} forecasts
 * @property {number} series
 * @property {number} season
 * @property {Tested} ours
 * @property {Tested} naive
 */

/**
 * @typedef {object} Table A table that was uploaded.
 * @property {string} id
 * @property {number} rows
 * @property {{ name: string, kind: "number" | "time" | "text", missing: number }[]} columns
 * @property {string[][]} preview
 */

/**
 * @typedef {object} Scores Predictions of rows that were left out. Classes have no residuals.
 * @property {"rows" | "averages"} kind
 * @property {string} transform
 * @property {number} count
 * @property {number} nlpd
 * @property {number[]} [bins]
 * @property {[number, number][]} [coverage]
 * @property {number[]} [mean]
 * @property {number[]} [residual]
 * @property {number} [rmse]
 * @property {number} [mae]
 * @property {number} [crps]
 * @property {number} [spread]
 * @property {[number, number][]} [shares]
 * @property {number} [brier]
 * @property {number} [area]
 */

/** @typedef {Scores & { "error rate"?: number }} Checked */

/**
 * @typedef {object} Searched A search for the lowest value of Eggholder.
 * @property {string} id
 * @property {number} initial
 * @property {number} side
 * @property {number} optimum
 * @property {[number, number, number][]} history
 * @property {number[]} next
 * @property {number} best The number of the best evaluation, from 1.
 * @property {string} model
 * @property {number[]} [mean]
 * @property {number[]} [sd]
 * @property {number[]} [merit]
 * @property {number[]} [truth]
 */

export {};

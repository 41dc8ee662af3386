// What a posterior says between the points where the server has computed it.

/** @import { Frame, Line } from "./answers.js" */

/** @typedef {[number, number]} Interval */
/** @typedef {(value: number) => number} Back From the modelled target to what is drawn. */

/**
 * @typedef {object} Prediction
 * @property {number} median
 * @property {number} m The mean of the modelled target.
 * @property {number} s Its standard deviation.
 * @property {number} total That of an observation.
 * @property {Interval} half
 * @property {Interval} nearly
 * @property {Interval | null} observed 95 % of observations.
 */

export const HALF = 0.6744898; // half the width of the 50 % interval, in standard deviations
export const NEARLY = 1.959964; // half the width of the 95 % interval

/** @param {number} value @param {number} low @param {number} high */
export const clamp = (value, low, high) => Math.min(Math.max(value, low), high);

/**
 * A prediction from a normal distribution of the modelled target.
 *
 * @param {number} m
 * @param {number} s
 * @param {number} noise The variance of the noise.
 * @param {Back} back
 * @returns {Prediction & { observed: Interval }}
 */
export function prediction(m, s, noise, back) {
  const total = Math.sqrt(s * s + noise);
  /** @type {(half: number, d: number) => Interval} */
  const interval = (half, d) => [back(m - half * d), back(m + half * d)];
  return {
    median: back(m),
    m,
    s,
    total,
    half: interval(HALF, s),
    nearly: interval(NEARLY, s),
    observed: interval(NEARLY, total),
  };
}

/**
 * The prediction at x. Beyond the ends of the line it is that at the end.
 *
 * @param {Line} line
 * @param {number} x
 * @param {number} noise
 * @param {Back} back
 * @returns {Prediction & { x: number, observed: Interval }}
 */
export function alongLine(line, x, noise, back) {
  const { from, to, points, mean, sd, observed } = line;
  const u = clamp(((x - from) / (to - from)) * (points - 1), 0, points - 1);
  const i = Math.min(Math.floor(u), points - 2);
  /** @param {number[]} list */
  const mix = (list) => list[i] + (u - i) * (list[i + 1] - list[i]);
  const here = { x, ...prediction(mix(mean), mix(sd), noise, back) };
  if (observed) here.observed = [observed.low[Math.round(u)], observed.high[Math.round(u)]];
  return here;
}

/**
 * A value between the places of a grid, by bilinear interpolation.
 *
 * @param {Frame} frame
 * @param {number[]} values Row by row from below.
 * @param {number} x
 * @param {number} y
 */
export function onGrid({ nx, ny, from, to, low, high }, values, x, y) {
  const u = clamp(((x - from) / (to - from)) * (nx - 1), 0, nx - 1);
  const v = clamp(((y - low) / (high - low)) * (ny - 1), 0, ny - 1);
  const i = Math.min(Math.floor(u), nx - 2);
  const j = Math.min(Math.floor(v), ny - 2);
  /** @param {number} di @param {number} dj */
  const get = (di, dj) => values[(j + dj) * nx + i + di];
  const [a, b] = [u - i, v - j];
  return (
    (1 - a) * (1 - b) * get(0, 0) +
    a * (1 - b) * get(1, 0) +
    (1 - a) * b * get(0, 1) +
    a * b * get(1, 1)
  );
}

/**
 * The lines across and up that meet at a place of a map.
 *
 * @param {Frame & { mean: number[], sd: number[] }} map
 * @param {number} x
 * @param {number} y
 * @returns {[Line, Line]}
 */
export function slices(map, x, y) {
  /** @type {(from: number, to: number, points: number, at: (v: number) => [number, number]) => Line} */
  const line = (from, to, points, at) => {
    const places = Array.from({ length: points }, (_, i) =>
      at(from + ((to - from) * i) / (points - 1)),
    );
    return {
      from,
      to,
      points,
      mean: places.map(([px, py]) => onGrid(map, map.mean, px, py)),
      sd: places.map(([px, py]) => onGrid(map, map.sd, px, py)),
    };
  };
  return [
    line(map.from, map.to, map.nx, (v) => [v, y]),
    line(map.low, map.high, map.ny, (v) => [x, v]),
  ];
}

/**
 * A range that holds the 95 % intervals of all given posteriors, and a little more.
 *
 * @param {{ mean: number[], sd: number[] }[]} parts
 * @param {Back} back
 * @returns {Interval}
 */
export function reach(parts, back) {
  let low = Infinity;
  let high = -Infinity;
  for (const { mean, sd } of parts)
    mean.forEach((m, i) => {
      low = Math.min(low, back(m - NEARLY * sd[i]));
      high = Math.max(high, back(m + NEARLY * sd[i]));
    });
  const margin = 0.05 * (high - low);
  return [low - margin, high + margin];
}

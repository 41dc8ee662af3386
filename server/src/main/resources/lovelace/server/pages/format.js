// Numbers as people write them, and transforms of them.

/**
 * A number with about so many digits.
 *
 * @param {number} value
 */
export function number(value, digits = 4) {
  if (!Number.isFinite(value)) return "–";
  if (value === 0) return "0";
  const size = Math.abs(value);
  if (size >= 1e6 || size < 1e-4)
    return value
      .toExponential(Math.max(0, digits - 2))
      .replace("-", "−")
      .replace("e+", "e");
  const places = Math.max(0, digits - 1 - Math.floor(Math.log10(size)));
  const text = value.toLocaleString("en", {
    maximumFractionDigits: Math.min(places, 8),
    useGrouping: size >= 10000,
  });
  return text.replace("-", "−");
}

/**
 * The value of a piecewise linear function at v, with its end slopes beyond its points.
 *
 * @param {number} v
 * @param {number[]} from
 * @param {number[]} to
 */
function along(v, from, to) {
  let i = 0;
  while (i < from.length - 2 && v >= from[i + 1]) i++;
  return to[i] + ((v - from[i]) * (to[i + 1] - to[i])) / (from[i + 1] - from[i]);
}

/**
 * The share of a standard normal distribution below v, to 1e-7: Abramowitz and Stegun 26.2.17.
 *
 * @param {number} v
 */
function normalShare(v) {
  const t = 1 / (1 + 0.2316419 * Math.abs(v));
  const tail =
    0.3989422804 *
    Math.exp((-v * v) / 2) *
    t *
    (0.31938153 + t * (-0.356563782 + t * (1.781477937 + t * (-1.821255978 + t * 1.330274429))));
  return v > 0 ? 1 - tail : tail;
}

/**
 * Takes numbers of the modelled target to those of the table, or the function to a rate or a
 * probability.
 *
 * @param {string} transform As the server writes it: none, log, logit, probit or ranks(y:z, …).
 * @returns {(value: number) => number}
 */
export function undo(transform) {
  if (transform === "log") return Math.exp;
  if (transform === "logit") return (v) => 1 / (1 + Math.exp(-v));
  if (transform === "probit") return normalShare;
  if (!transform.startsWith("ranks(")) return (v) => v;
  const points = transform
    .slice("ranks(".length, -1)
    .split(",")
    .map((point) => point.split(":").map(Number));
  const [y, z] = [points.map((p) => p[0]), points.map((p) => p[1])];
  return (v) => along(v, z, y);
}

/** @param {number} value */
export const whole = (value) => value.toLocaleString("en");

/**
 * A duration, in seconds if it is long.
 *
 * @param {number} value
 */
export function milliseconds(value) {
  if (value < 10) return value.toFixed(1) + " ms";
  return value < 10000 ? Math.round(value) + " ms" : (value / 1000).toFixed(1) + " s";
}

/**
 * Round places between low and high, about `count` of them.
 *
 * @param {number} low
 * @param {number} high
 * @param {number} count
 */
export function ticks(low, high, count) {
  const span = high - low;
  if (!(span > 0)) return [low];
  const rough = span / Math.max(1, count);
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = ([1, 2, 5].find((s) => s * power >= rough * 0.999) ?? 10) * power;
  const list = [];
  for (let i = Math.ceil(low / step - 1e-9); i * step <= high + 1e-9 * step; i++)
    list.push(i === 0 ? 0 : i * step); // never −0
  return list;
}

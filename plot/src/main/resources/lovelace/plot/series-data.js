// What a page of series computes: numbers, sorting, searching, and the part of a chart that is seen.

/**
 * A series with its numbers.
 *
 * @typedef {object} Line
 * @property {string} id
 * @property {Float64Array} x The places of its steps, to the end of the last forecast.
 * @property {Float64Array} y Its values; NaN is a gap.
 * @property {Fan[]} fans
 * @property {number} shown How many values a chart begins with.
 */

/**
 * The forecast from one time.
 *
 * @typedef {object} Fan
 * @property {number} from The place of its first step in `x`.
 * @property {Float64Array[]} q By level, then step: 2.5, 10, 25, 50, 75, 90 and 97.5 %.
 */

/** @typedef {{ low: number, high: number }} Range */

export const LEVELS = 7;
export const MEDIAN = 3;

/** @param {string} base64 */
function bytes(base64) {
  const text = atob(base64);
  const all = new Uint8Array(text.length);
  for (let i = 0; i < text.length; i++) all[i] = text.charCodeAt(i);
  return all.buffer;
}

/** @param {string} base64 */
export const floats = (base64) => new Float32Array(bytes(base64));

/** @param {string} base64 */
export const doubles = (base64) => new Float64Array(bytes(base64));

/** How many numbers of the data belong to a series. @param {PackedSeries} s */
export const size = (s) => s.fans.reduce((sum, [, steps]) => sum + LEVELS * steps, s.count);

/**
 * Unpacks a series.
 *
 * @param {string} id
 * @param {PackedSeries} s
 * @param {Float32Array} data Of this series alone.
 * @param {(step: number) => number} place
 * @returns {Line}
 */
export function unpacked(id, s, data, place) {
  const level = Number(s.level);
  const scale = Number(s.size);
  /** @param {number} i */
  const at = (i) => level + scale * data[i];
  const y = Float64Array.from({ length: s.count }, (_, i) => at(i));
  let next = s.count;
  const fans = s.fans.map(([from, steps]) => {
    const start = next;
    next += LEVELS * steps;
    const q = Array.from({ length: LEVELS }, (_, l) =>
      Float64Array.from({ length: steps }, (_step, k) => at(start + LEVELS * k + l)),
    );
    return { from: from - s.first, q };
  });
  const end = fans.reduce((last, f) => Math.max(last, f.from + f.q[0].length), s.count);
  const x = Float64Array.from({ length: end }, (_, i) => place(s.first + i));
  return { id, x, y, fans, shown: s.shown };
}

/**
 * A number with five digits, without needless zeros.
 *
 * @param {number} v
 */
export function amount(v) {
  if (!Number.isFinite(v)) return "–";
  const a = Math.abs(v);
  if (a !== 0 && (a >= 1e15 || a < 1e-4)) return v.toExponential(3).replaceAll("-", "−");
  const digits = a >= 1e5 ? 0 : Math.max(0, 4 - Math.floor(Math.log10(a || 1)));
  return v
    .toLocaleString("en-US", { maximumFractionDigits: Math.min(8, digits) })
    .replaceAll("-", "−");
}

/**
 * A fact as text.
 *
 * @param {number | null} v
 * @param {string} unit `plain`, `percent`, or `change` for percent with a sign.
 */
export function factText(v, unit) {
  if (v === null || !Number.isFinite(v)) return "–";
  if (unit === "plain") return amount(Number(v.toPrecision(3)));
  const percent = 100 * v;
  const whole = Math.abs(percent) >= 1e5 ? amount(percent) : percent.toFixed(0);
  const text = whole.replace("-", "−").replace(/^−0$/, "0");
  return `${unit === "change" && percent >= 0.5 ? "+" : ""}${text} %`;
}

/**
 * The numbers of the series whose ids have all words of a text, in any case.
 *
 * @param {string[]} ids
 * @param {string} text
 */
export function found(ids, text) {
  const words = text.toLowerCase().split(/\s+/).filter(Boolean);
  return ids.flatMap((id, i) => {
    const low = id.toLowerCase();
    return words.every((word) => low.includes(word)) ? [i] : [];
  });
}

/**
 * Series in the order of a fact, the largest first and those without it last; by id if there is
 * none. Digits in ids count as numbers.
 *
 * @param {number[]} some
 * @param {string[]} ids
 * @param {((i: number) => number | null) | null} fact
 * @param {boolean} turned
 */
export function sorted(some, ids, fact, turned) {
  const names = new Intl.Collator("en", { numeric: true });
  const sign = turned ? -1 : 1;
  /** @param {number} i @param {number} j */
  const byId = (i, j) => names.compare(ids[i], ids[j]) || i - j;
  if (!fact) return [...some].sort((i, j) => sign * byId(i, j));
  return [...some].sort((i, j) => {
    const [a, b] = [fact(i), fact(j)];
    if (a === null || b === null) return (a === null ? 1 : 0) - (b === null ? 1 : 0) || byId(i, j);
    return sign * (b - a) || byId(i, j);
  });
}

/**
 * The range of values, with a margin. Zero is in it if that costs little room.
 *
 * @param {number} low
 * @param {number} high
 * @returns {Range}
 */
export function roomy(low, high) {
  if (!(low <= high)) return { low: 0, high: 1 };
  const large = Math.max(Math.abs(low), Math.abs(high));
  if (!(high - low > 1e-12 * large)) {
    const pad = large === 0 ? 0.5 : 0.05 * large;
    return { low: low - pad, high: high + pad };
  }
  const pad = 0.05 * (high - low);
  return {
    low: low >= 0 && low < 0.35 * high ? 0 : low - pad,
    high: high <= 0 && high > 0.35 * low ? 0 : high + pad,
  };
}

/**
 * The index of the number nearest to v among ascending ones.
 *
 * @param {ArrayLike<number>} x
 * @param {number} v
 */
export function nearestStep(x, v) {
  let low = 0;
  let high = x.length - 1;
  while (high - low > 1) {
    const middle = (low + high) >> 1;
    if (x[middle] <= v) low = middle;
    else high = middle;
  }
  return high >= 0 && Math.abs(x[high] - v) < Math.abs(x[low] - v) ? high : low;
}

/**
 * A view after zooming about a place, within what there is, and at least three steps wide.
 *
 * @param {Range} view
 * @param {number} factor Above 1 shows less.
 * @param {number} about
 * @param {Range} all
 * @param {number} least
 * @returns {Range}
 */
export function zoomed(view, factor, about, all, least) {
  const most = all.high - all.low;
  const width = Math.min(most, Math.max(least, (view.high - view.low) / factor));
  const share = (about - view.low) / (view.high - view.low);
  return moved({ low: about - share * width, high: about + (1 - share) * width }, 0, all);
}

/**
 * A view after a shift, within what there is.
 *
 * @param {Range} view
 * @param {number} by
 * @param {Range} all
 * @returns {Range}
 */
export function moved(view, by, all) {
  const width = view.high - view.low;
  const low = Math.max(all.low, Math.min(all.high - width, view.low + by));
  return { low, high: low + width };
}

/**
 * What is seen in a view: the places of its first and last step, and the range of values.
 *
 * @param {Line} line
 * @param {Range} view
 */
export function seen({ x, y, fans }, view) {
  const from = Math.max(0, nearestStep(x, view.low) - 1);
  const to = Math.min(x.length, nearestStep(x, view.high) + 2);
  let low = Infinity;
  let high = -Infinity;
  /** @param {number} v */
  const take = (v) => {
    if (v < low) low = v;
    if (v > high) high = v;
  };
  for (let i = from; i < Math.min(to, y.length); i++) take(y[i]);
  for (const fan of fans)
    for (let k = Math.max(0, from - fan.from); k < fan.q[0].length && fan.from + k < to; k++) {
      take(fan.q[0][k]);
      take(fan.q[LEVELS - 1][k]);
    }
  return { from, to, range: roomy(low, high) };
}

/**
 * The forecast of a step: the fan and the step in it.
 *
 * @param {Line} line
 * @param {number} i
 */
export function forecastAt({ fans }, i) {
  const fan = fans.find((f) => i >= f.from && i < f.from + f.q[0].length);
  return fan && { fan, k: i - fan.from };
}

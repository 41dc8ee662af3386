// What the numbers of a column mean.

import { number, ticks } from "./format.js";

/** @typedef {[number, string]} Tick A place and its text. */

/** @type {Record<string, number>} */
const SECONDS = { seconds: 1, minutes: 60, hours: 3600, days: 86400 };
const DAY = 86400;
const YEAR = 31557600;
const STEPS = [
  1, 2, 5, 10, 30, 60, 120, 300, 600, 1800, 3600, 7200, 21600, 43200, 86400, 172800, 604800,
  1209600,
];
const MONTHS = [1, 3, 6, 12, 24, 60, 120, 240, 600, 1200];

/**
 * The first month of a quarter such as 2020Q1, 2020-Q1, Q1 2020 or 1Q2020; null for other texts.
 *
 * @param {string} text
 */
function quarter(text) {
  const found = text.match(/^(?:(\d{4})[- ]?q([1-4])|q([1-4])[- ]?(\d{4})|([1-4])q[- ]?(\d{4}))$/i);
  if (!found) return null;
  const [year, part] = [found[1] ?? found[4] ?? found[6], found[2] ?? found[3] ?? found[5]];
  return { year: Number(year), month: 3 * Number(part) - 2 };
}

/**
 * The numbers of a column are plain, places in a list of words, calendar years, or a count of days,
 * hours, minutes or seconds since an origin.
 */
export class Scale {
  /** @param {{ label: string, unit: string, words?: string[], origin?: string }} column */
  constructor(column) {
    this.label = column.label;
    this.unit = column.unit;
    this.words = column.words ?? null;
    this.isTime = column.origin !== undefined;
    /** Milliseconds since 1970. */
    this.origin = column.origin === undefined ? 0 : Date.parse(column.origin + "Z");
  }

  /**
   * A value as it is read and typed.
   *
   * @param {number} value
   */
  text(value) {
    if (this.words) return this.words[Math.round(value)] ?? "–";
    if (!this.isTime) return number(value);
    if (this.unit === "years") {
      const months = Math.floor(value * 12 + 1e-6);
      return `${Math.floor(months / 12)}-${String((months % 12) + 1).padStart(2, "0")}`;
    }
    const iso = new Date(this.origin + value * SECONDS[this.unit] * 1000).toISOString();
    const length = this.unit === "days" ? 10 : this.unit === "seconds" ? 19 : 16;
    return iso.slice(0, length).replace("T", " ");
  }

  /**
   * The number behind a text; NaN if there is none.
   *
   * @param {string} text
   */
  value(text) {
    const trimmed = text.trim().replace("−", "-");
    if (trimmed === "") return NaN;
    if (this.words) return this.words.includes(trimmed) ? this.words.indexOf(trimmed) : NaN;
    if (!this.isTime) return Number(trimmed.replace(/(\d),(?=\d{3}\b)/g, "$1"));
    const start = quarter(trimmed);
    if (this.unit === "years") {
      if (start) return start.year + (start.month - 1) / 12;
      const found = trimmed.match(/^(\d{4})(?:-(\d\d?))?(?:-(\d\d?))?$/);
      if (!found) return NaN;
      const [year, month, day] = [found[1], found[2] ?? 1, found[3] ?? 1].map(Number);
      return year + (month - 1 + (day - 1) / 30.44) / 12;
    }
    const parsed = start
      ? Date.UTC(start.year, start.month - 1)
      : Date.parse(trimmed.replace(" ", "T") + (trimmed.length > 10 ? "Z" : ""));
    return (parsed - this.origin) / 1000 / SECONDS[this.unit];
  }

  /**
   * About `count` ticks between two values.
   *
   * @param {number} low
   * @param {number} high
   * @param {number} count
   * @returns {Tick[]}
   */
  ticks(low, high, count) {
    if (this.words) return this.#wordTicks(this.words, low, high, count);
    if (this.isTime && this.unit !== "years") return this.#timeTicks(low, high, count);
    return ticks(low, high, count).map((at) => {
      if (!this.isTime) return [at, number(at)];
      return [at, Number.isInteger(at) ? String(at) : this.text(at)];
    });
  }

  /**
   * @param {string[]} words
   * @param {number} low
   * @param {number} high
   * @param {number} count
   * @returns {Tick[]}
   */
  #wordTicks(words, low, high, count) {
    const every = Math.max(1, Math.ceil(words.length / Math.max(1, count)));
    return words.flatMap((word, at) =>
      at % every === 0 && at >= low && at <= high ? [/** @type {Tick} */ ([at, word])] : [],
    );
  }

  /**
   * @param {number} low
   * @param {number} high
   * @param {number} count
   * @returns {Tick[]}
   */
  #timeTicks(low, high, count) {
    const unit = SECONDS[this.unit];
    const origin = this.origin / 1000;
    const span = (high - low) * unit;
    const rough = span / Math.max(1, count);
    const step = STEPS.find((s) => s >= rough);
    if (!step) return this.#monthTicks(low, high, rough / (YEAR / 12));
    /** @param {string} iso */
    const label = (iso) => {
      if (step >= DAY) return iso.slice(0, 10);
      if (step < 60) return iso.slice(11, 19);
      return span > DAY ? iso.slice(5, 16).replace("T", " ") : iso.slice(11, 16);
    };
    /** @type {Tick[]} */
    const list = [];
    const first = Math.ceil((origin + low * unit) / step) * step;
    for (let t = first; t <= origin + high * unit; t += step)
      list.push([(t - origin) / unit, label(new Date(t * 1000).toISOString())]);
    return list;
  }

  /**
   * Ticks on first days of months.
   *
   * @param {number} low
   * @param {number} high
   * @param {number} rough The least number of months between two.
   * @returns {Tick[]}
   */
  #monthTicks(low, high, rough) {
    const unit = SECONDS[this.unit] * 1000;
    const every = MONTHS.find((m) => m >= rough) ?? 1200 * Math.ceil(rough / 1200);
    const first = new Date(this.origin + low * unit);
    const months = 12 * first.getUTCFullYear() + first.getUTCMonth();
    /** @type {Tick[]} */
    const list = [];
    for (let m = Math.ceil(months / every) * every; ; m += every) {
      const time = Date.UTC(Math.floor(m / 12), m % 12);
      const at = (time - this.origin) / unit;
      if (!(at <= high)) return list;
      if (at >= low) list.push([at, new Date(time).toISOString().slice(0, every % 12 ? 7 : 4)]);
    }
  }
}

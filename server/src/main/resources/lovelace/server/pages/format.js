// Numbers and times as people write them, and the ticks of axes.

export function number(value, digits = 4) {
  if (!Number.isFinite(value)) return "–";
  if (value === 0) return "0";
  const size = Math.abs(value);
  if (size >= 1e6 || size < 1e-4) return value.toExponential(Math.max(0, digits - 2)).replace("-", "−").replace("e+", "e");
  const places = Math.max(0, digits - 1 - Math.floor(Math.log10(size)));
  const text = value.toLocaleString("en", { maximumFractionDigits: Math.min(places, 8), useGrouping: size >= 10000 });
  return text.replace("-", "−");
}

/** The value of a piecewise linear function at v, with its end slopes beyond its points. */
function along(v, from, to) {
  let i = 0;
  while (i < from.length - 2 && v >= from[i + 1]) i++;
  return to[i] + ((v - from[i]) * (to[i + 1] - to[i])) / (from[i + 1] - from[i]);
}

/** The share of a standard normal distribution below v, to 1e-7: Abramowitz and Stegun 26.2.17. */
function normalShare(v) {
  const t = 1 / (1 + 0.2316419 * Math.abs(v));
  const tail = 0.3989422804 * Math.exp(-v * v / 2) * t * (0.31938153 + t * (-0.356563782 + t * (1.781477937 + t * (-1.821255978 + t * 1.330274429))));
  return v > 0 ? 1 - tail : tail;
}

/** What takes numbers of the modelled target to those of the table, by the text of the transform, or of the function to a rate or a probability, by the link; `inverse` goes the other way. */
export function undo(transform, inverse = false) {
  if (transform === "log") return inverse ? Math.log : Math.exp;
  if (transform === "logit") return inverse ? (p) => Math.log(p / (1 - p)) : (v) => 1 / (1 + Math.exp(-v));
  if (transform === "probit" && !inverse) return normalShare;
  if (!transform.startsWith("ranks(")) return (v) => v;
  const points = transform.slice("ranks(".length, -1).split(",").map((point) => point.split(":").map(Number));
  const [y, z] = [points.map((p) => p[0]), points.map((p) => p[1])];
  return inverse ? (v) => along(v, y, z) : (v) => along(v, z, y);
}

export const whole = (value) => value.toLocaleString("en");

export function milliseconds(value) {
  return value < 10 ? value.toFixed(1) + " ms" : value < 10000 ? Math.round(value) + " ms" : (value / 1000).toFixed(1) + " s";
}

/** Round places between low and high, about `count` of them. */
export function ticks(low, high, count) {
  const span = high - low;
  if (!(span > 0)) return [low];
  const rough = span / Math.max(1, count);
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = [1, 2, 5, 10].find((s) => s * power >= rough * 0.999) * power;
  const list = [];
  for (let i = Math.ceil(low / step - 1e-9); i * step <= high + 1e-9 * step; i++) list.push(i * step);
  return list;
}

const SECONDS = { seconds: 1, minutes: 60, hours: 3600, days: 86400 };
const STEPS = [1, 2, 5, 10, 30, 60, 120, 300, 600, 1800, 3600, 7200, 21600, 43200, 86400, 172800, 604800, 1209600, 2592000, 7776000, 15552000];

/** What a column's numbers mean: plain numbers, words by their place in a list, calendar years, or a count of seconds, hours or days. */
export class Scale {
  constructor(column) {
    this.label = column.label;
    this.unit = column.unit;
    this.words = column.words ?? null;
    this.origin = column.origin ? Date.parse(column.origin + "Z") : null;
  }

  get isTime() {
    return this.origin !== null;
  }

  #date(value) {
    return new Date(this.origin + value * SECONDS[this.unit] * 1000);
  }

  text(value) {
    if (this.words) return this.words[Math.round(value)] ?? "–";
    if (!this.isTime) return number(value);
    if (this.unit === "years") {
      const months = Math.floor(value * 12 + 1e-6);
      return `${Math.floor(months / 12)}-${String((months % 12) + 1).padStart(2, "0")}`;
    }
    const iso = this.#date(value).toISOString();
    return this.unit === "days" ? iso.slice(0, 10) : this.unit === "seconds" ? iso.slice(0, 19).replace("T", " ") : iso.slice(0, 16).replace("T", " ");
  }

  /** The number behind a text; NaN where there is none. */
  value(text) {
    const trimmed = text.trim().replace("−", "-");
    if (trimmed === "") return NaN;
    if (this.words) return this.words.includes(trimmed) ? this.words.indexOf(trimmed) : NaN;
    if (!this.isTime) return Number(trimmed.replace(/(\d),(?=\d{3}\b)/g, "$1"));
    if (this.unit === "years") {
      const [, year, month, day] = trimmed.match(/^(\d{4})(?:-(\d\d?))?(?:-(\d\d?))?$/) ?? [];
      return year === undefined ? NaN : Number(year) + ((month ?? 1) - 1 + ((day ?? 1) - 1) / 30.44) / 12;
    }
    const parsed = Date.parse(trimmed.replace(" ", "T") + (trimmed.length > 10 ? "Z" : ""));
    return (parsed - this.origin) / 1000 / SECONDS[this.unit];
  }

  /** Places and texts of ticks. */
  ticks(low, high, count) {
    if (this.words) {
      const every = Math.max(1, Math.ceil(this.words.length / Math.max(1, count)));
      return this.words.map((word, at) => [at, word]).filter(([at]) => at % every === 0 && at >= low && at <= high);
    }
    if (!this.isTime || this.unit === "years") {
      const list = ticks(low, high, count);
      const plain = this.unit === "years" && this.isTime;
      return list.map((at) => [at, plain && Number.isInteger(at) ? String(at) : plain ? this.text(at) : number(at)]);
    }
    const unit = SECONDS[this.unit];
    const span = (high - low) * unit;
    const rough = span / Math.max(1, count);
    const step = STEPS.find((s) => s >= rough) ?? 31557600 * Math.ceil(rough / 31557600);
    const list = [];
    const first = Math.ceil((this.origin / 1000 + low * unit) / step) * step;
    for (let t = first; t <= this.origin / 1000 + high * unit; t += step) {
      const iso = new Date(t * 1000).toISOString();
      const text = step >= 86400 ? iso.slice(0, 10) : step >= 60 ? (span > 86400 ? iso.slice(5, 16).replace("T", " ") : iso.slice(11, 16)) : iso.slice(11, 19);
      list.push([(t - this.origin / 1000) / unit, text]);
    }
    return list;
  }
}

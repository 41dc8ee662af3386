// Moments of series: what clocks show, texts, and ticks of an axis.

/** @type {Map<string, Intl.DateTimeFormat>} */
const clocks = new Map();

/**
 * How many milliseconds clocks of a zone are ahead of Greenwich.
 *
 * @param {string} zone A region, minutes, or nothing.
 * @param {number} moment
 */
export function ahead(zone, moment) {
  if (zone === "") return 0;
  if (/^-?\d+$/.test(zone)) return 60_000 * Number(zone);
  let clock = clocks.get(zone);
  if (!clock) {
    clock = new Intl.DateTimeFormat("en-US", {
      timeZone: zone,
      hourCycle: "h23",
      year: "numeric",
      month: "numeric",
      day: "numeric",
      hour: "numeric",
      minute: "numeric",
      second: "numeric",
    });
    clocks.set(zone, clock);
  }
  /** @type {Record<string, number>} */
  const part = {};
  for (const { type, value } of clock.formatToParts(moment)) part[type] = Number(value);
  const shown = Date.UTC(part.year, part.month - 1, part.day, part.hour, part.minute, part.second);
  return shown - 1000 * Math.floor(moment / 1000);
}

/**
 * The moment at which clocks of a zone show a time.
 *
 * @param {string} zone
 * @param {number} shown
 */
export function momentOf(zone, shown) {
  const guess = shown - ahead(zone, shown);
  return shown - ahead(zone, guess);
}

/** @param {number} n */
const two = (n) => String(n).padStart(2, "0");

/**
 * A moment as the table writes it.
 *
 * @param {string} form
 * @param {string} zone
 * @param {number} moment
 */
export function momentText(form, zone, moment) {
  if (form === "number") return String(Number(moment.toPrecision(12))).replaceAll("-", "−");
  const t = new Date(moment + ahead(zone, moment));
  if (Number.isNaN(t.getTime())) return "";
  const year = String(t.getUTCFullYear()).padStart(4, "0");
  const month = t.getUTCMonth();
  if (form === "year") return year;
  if (form === "quarter") return `${year}Q${1 + Math.floor(month / 3)}`;
  if (form === "month") return `${year}-${two(month + 1)}`;
  const day = `${year}-${two(month + 1)}-${two(t.getUTCDate())}`;
  if (form === "date") return day;
  const seconds = t.getUTCSeconds();
  return `${day} ${two(t.getUTCHours())}:${two(t.getUTCMinutes())}${seconds ? ":" + two(seconds) : ""}`;
}

const SECOND = 1000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
const MONTH = 30.436875 * DAY;

/** The distances of ticks: unit, number, and length. @type {[string, number, number][]} */
const STRIDES = [
  ...[1, 2, 5, 15, 30].map((c) => /** @type {[string, number, number]} */ (["s", c, c * SECOND])),
  ...[1, 2, 5, 15, 30].map(
    (c) => /** @type {[string, number, number]} */ (["s", 60 * c, c * MINUTE]),
  ),
  ...[1, 2, 3, 6, 12].map(
    (c) => /** @type {[string, number, number]} */ (["s", 3600 * c, c * HOUR]),
  ),
  ...[1, 2, 7, 14].map((c) => /** @type {[string, number, number]} */ (["d", c, c * DAY])),
  ...[1, 2, 3, 6].map((c) => /** @type {[string, number, number]} */ (["m", c, c * MONTH])),
  ...[0, 1, 2, 3, 4, 5].flatMap((ten) =>
    [1, 2, 5].map(
      (c) =>
        /** @type {[string, number, number]} */ ([
          "m",
          12 * c * 10 ** ten,
          12 * c * 10 ** ten * MONTH,
        ]),
    ),
  ),
];

/** The shortest distance of ticks of each form. @type {Record<string, number>} */
const LEAST = { year: 11.9 * MONTH, quarter: 2.9 * MONTH, month: 0.9 * MONTH, date: DAY };

/**
 * Ticks of an axis of times, about `count` of them, with texts.
 *
 * @param {string} form
 * @param {string} zone
 * @param {{ low: number, high: number }} view
 * @param {number} count
 */
export function momentTicks(form, zone, view, count) {
  const least = Math.max(LEAST[form] ?? 0, (view.high - view.low) / Math.max(1, count));
  const [unit, number, length] =
    STRIDES.find(([, , l]) => l >= least) ?? STRIDES[STRIDES.length - 1];
  const begin = new Date(view.low + ahead(zone, view.low));
  const all = [];
  let at = first(begin, unit, number);
  for (let k = 0; k < 1000; k++) {
    const moment = momentOf(zone, at);
    if (moment > view.high || Number.isNaN(at)) break;
    if (moment >= view.low) all.push({ at: moment, text: label(form, unit, number, at) });
    at = next(at, unit, number, length);
  }
  return all;
}

/** @param {Date} t @param {string} unit @param {number} number */
function first(t, unit, number) {
  if (unit === "m") {
    const months = 12 * t.getUTCFullYear() + t.getUTCMonth();
    return monthStart(Math.floor(months / number) * number);
  }
  const step = unit === "d" ? number * DAY : number * SECOND;
  const monday = unit === "d" ? 3 * DAY : 0; // 1970 began on a Thursday
  return Math.floor((t.getTime() + monday) / step) * step - monday;
}

/** @param {number} at @param {string} unit @param {number} number @param {number} length */
function next(at, unit, number, length) {
  if (unit !== "m") return at + Math.round(length);
  const t = new Date(at);
  return monthStart(12 * t.getUTCFullYear() + t.getUTCMonth() + number);
}

/** @param {number} months Since the year 0. */
function monthStart(months) {
  const t = new Date(0);
  t.setUTCFullYear(Math.floor(months / 12), ((months % 12) + 12) % 12, 1);
  return t.getTime();
}

/** @param {string} form @param {string} unit @param {number} number @param {number} at */
function label(form, unit, number, at) {
  if (unit === "m" && number % 12 === 0) return momentText("year", "", at);
  if (unit === "m") return momentText(form === "quarter" ? "quarter" : "month", "", at);
  const text = momentText("time", "", at);
  if (unit === "d" || text.endsWith(" 00:00")) return text.slice(0, 10);
  return text.slice(11);
}

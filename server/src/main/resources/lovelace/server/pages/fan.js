// A series: its history, its forecast as a fan, and a cursor.

/** @import { Series } from "./answers.js" */
/** @import { Pen } from "./figure.js" */

import { listen } from "./cursor.js";
import { drawLabel } from "./distribution.js";
import { Figure, colour } from "./figure.js";
import { number, ticks } from "./format.js";
import { Scale } from "./scale.js";

/** @type {[string, number][]} The level of each band, and how dark it is. */
const BANDS = [
  ["95", 0.14],
  ["80", 0.16],
  ["50", 0.2],
];

const LEAST = 4; // the fewest steps of the history that are shown

/**
 * The number of the last steps of a history that a slider from 0 to 100 shows. Each unit is the
 * same factor.
 *
 * @param {number} place
 * @param {number} count
 */
export function stepsShown(place, count) {
  if (count <= LEAST) return count;
  return Math.round(LEAST * (count / LEAST) ** (place / 100));
}

/**
 * The place of the slider that shows some steps.
 *
 * @param {number} steps
 * @param {number} count
 */
export function placeOf(steps, count) {
  if (count <= LEAST) return 100;
  const share = Math.log(Math.max(LEAST, steps) / LEAST) / Math.log(count / LEAST);
  return Math.min(100, Math.round(100 * share));
}

/**
 * The value at a step in words: one of the history, or the forecast.
 *
 * @param {Series} series
 * @param {number} step From the first value that is sent.
 */
export function words({ past, values, bands }, step) {
  if (step < past.length) {
    const value = values[step];
    return value === null ? "no value" : number(value);
  }
  const k = step - past.length;
  if (!bands.median) return "no forecast";
  return `${number(bands.median[k])}, 95 % ${number(bands["lo-95"][k])} to ${number(bands["hi-95"][k])}`;
}

export class Fan extends Figure {
  /** @type {Series | null} */
  series = null;
  /** How many steps of the history are shown. */
  steps = 0;
  /** @type {number | null} A step, counted from the first value that was sent. */
  cursor = null;
  scale = new Scale({ label: "", unit: "" });

  /**
   * @param {HTMLCanvasElement} canvas
   * @param {object} on
   * @param {(factor: number) => void} on.zoom Shows so many times more steps.
   * @param {(text: string) => void} on.say
   */
  constructor(canvas, on) {
    super(canvas);
    canvas.setAttribute("aria-roledescription", "plot");
    listen(this, {
      share: 0.001, // the least; the next step is taken below
      cursor: () => this.#place(),
      start: () => this.#place() ?? this.#middle(),
      point: ({ x }) => this.#point(this.#nearest(x)),
      step: ({ x }) => {
        const from = this.cursor ?? this.#nearest(x);
        const to = this.#nearest(x);
        const before = this.#places[from];
        const step = to === from ? from + Math.sign(x - before) : to;
        this.#point(Math.min(Math.max(step, this.#first), this.#places.length - 1));
        on.say(this.#told(this.cursor ?? 0));
      },
      choose: () => {},
      leave: () => this.#point(null),
    });
    canvas.addEventListener(
      "wheel",
      (event) => {
        if (event.ctrlKey || event.deltaY === 0) return;
        event.preventDefault();
        on.zoom(event.deltaY > 0 ? 1.2 : 1 / 1.2);
      },
      { passive: false },
    );
    canvas.addEventListener("keydown", ({ key }) => {
      if (key === "+") on.zoom(1 / 1.4);
      if (key === "-") on.zoom(1.4);
    });
  }

  /** @param {Series} series */
  show(series) {
    this.series = series;
    this.scale = new Scale(series.time);
    this.cursor = null;
    this.paint();
  }

  get #places() {
    return this.series ? [...this.series.past, ...this.series.ahead] : [];
  }

  get #first() {
    return Math.max(0, (this.series?.past.length ?? 0) - this.steps);
  }

  #place() {
    return this.cursor === null ? null : { x: this.#places[this.cursor], y: 0 };
  }

  #middle() {
    const { series } = this;
    return series ? { x: series.ahead[0], y: 0 } : null;
  }

  /** @param {number} x */
  #nearest(x) {
    const places = this.#places;
    let best = this.#first;
    for (let i = best; i < places.length; i++)
      if (Math.abs(places[i] - x) < Math.abs(places[best] - x)) best = i;
    return best;
  }

  /** @param {number | null} step */
  #point(step) {
    if (step === this.cursor) return;
    this.cursor = step;
    this.paint();
  }

  /** @param {number} step */
  #told(step) {
    const { series } = this;
    if (!series) return "";
    const k = step - series.past.length;
    const time = k >= 0 ? series.times[k] : this.scale.text(series.past[step]);
    return `${time}: ${words(series, step)}`;
  }

  /**
   * The smallest and the largest value that is shown, with some room.
   *
   * @param {Series} series
   */
  #heights({ values, bands }) {
    const all = values.slice(this.#first).filter((v) => v !== null);
    const seen = [...all, ...(bands["lo-95"] ?? []), ...(bands["hi-95"] ?? [])];
    const low = seen.reduce((a, b) => Math.min(a, b), Infinity);
    const high = seen.reduce((a, b) => Math.max(a, b), -Infinity);
    if (low > high) return [0, 1];
    const margin = 0.06 * (high - low || Math.abs(high) || 1);
    return [low - margin, high + margin];
  }

  /**
   * @override
   * @param {Pen} c
   */
  draw(c) {
    const { series, scale } = this;
    if (!series) return this.empty("No series");
    const places = this.#places;
    if (places.length === 0) return this.empty("No values");
    const first = this.#first;
    const [low, high] = this.#heights(series);
    const end = places[places.length - 1];
    const gap = 0.01 * (end - places[first] || 1);
    this.window(places[first] - gap, end + gap, low, high);
    const b = this.box;
    this.axes(
      scale.ticks(places[first], end, (b.right - b.left) / 110),
      ticks(low, high, Math.max(3, (b.bottom - b.top) / 56)).map((v) => [v, number(v)]),
      series.time.label,
      series.target,
    );
    this.clipped(() => {
      this.#fan(c, series);
      this.#history(c, series, first);
      if (this.cursor === null) return;
      c.strokeStyle = colour("axis");
      c.lineWidth = 1;
      const px = this.x(places[this.cursor]);
      this.line(px, b.top, px, b.bottom);
      drawLabel(this, c, px, this.#told(this.cursor));
    });
  }

  /**
   * @param {Pen} c
   * @param {Series} series
   */
  #fan(c, { past, values, ahead, bands }) {
    if (!bands.median) return;
    const last = values.length - 1;
    const from = last >= 0 ? values[last] : null;
    const xs = from === null ? ahead : [past[last], ...ahead];
    /** @param {string} name */
    const ys = (name) => (from === null ? bands[name] : [from, ...bands[name]]);
    c.fillStyle = colour("mean");
    for (const [level, opacity] of BANDS) {
      const [top, bottom] = [ys("hi-" + level), ys("lo-" + level)];
      c.beginPath();
      xs.forEach((x, i) => c.lineTo(this.x(x), this.y(top[i])));
      for (let i = xs.length - 1; i >= 0; i--) c.lineTo(this.x(xs[i]), this.y(bottom[i]));
      c.closePath();
      c.globalAlpha = opacity;
      c.fill();
    }
    c.globalAlpha = 1;
    c.beginPath();
    const median = ys("median");
    xs.forEach((x, i) => c.lineTo(this.x(x), this.y(median[i])));
    c.strokeStyle = colour("mean");
    c.lineWidth = 2.25;
    c.lineJoin = "round";
    c.stroke();
    if (ahead.length <= 40)
      bands.median.forEach((v, i) => this.dot(this.x(ahead[i]), this.y(v), 2.5, colour("mean")));
  }

  /**
   * @param {Pen} c
   * @param {Series} series
   * @param {number} first
   */
  #history(c, { past, values }, first) {
    const from = Math.max(0, first - 1); // the line comes from outside
    c.beginPath();
    let drawing = false;
    for (let i = from; i < past.length; i++) {
      const value = values[i];
      if (value === null) {
        drawing = false;
        continue;
      }
      if (drawing) c.lineTo(this.x(past[i]), this.y(value));
      else c.moveTo(this.x(past[i]), this.y(value));
      drawing = true;
    }
    c.strokeStyle = colour("data");
    c.globalAlpha = 0.7;
    c.lineWidth = 1.3;
    c.lineJoin = "round";
    c.stroke();
    c.globalAlpha = 1;
    if (past.length - from > 150) return;
    for (let i = from; i < past.length; i++) {
      const value = values[i];
      if (value !== null) this.dot(this.x(past[i]), this.y(value), 2.5, colour("data"));
    }
  }
}

/**
 * Lines over the steps of a horizon, and perhaps where they should lie.
 *
 * @typedef {{ label: string, style: string, values: (number | null)[], dashed?: boolean }} StepLine
 */

export class BySteps extends Figure {
  /** @type {StepLine[]} */
  lines = [];
  /** @type {number[]} */
  goals = [];
  percent = false;

  /**
   * @param {StepLine[]} lines
   * @param {number[]} goals
   * @param {boolean} percent
   */
  show(lines, goals, percent) {
    Object.assign(this, { lines, goals, percent });
    const last = lines.map(({ label, values }) => {
      const known = values.filter((v) => v !== null);
      return `${label} from ${this.#text(known[0] ?? NaN)} to ${this.#text(known.at(-1) ?? NaN)}`;
    });
    this.describe(last.join(", "));
    this.paint();
  }

  /** @param {number} v */
  #text(v) {
    return this.percent ? `${Math.round(100 * v)} %` : number(v, 3);
  }

  /**
   * @override
   * @param {Pen} c
   */
  draw(c) {
    const all = this.lines.flatMap(({ values }) => values.filter((v) => v !== null));
    if (all.length === 0) return this.empty("Nothing to score");
    const count = Math.max(...this.lines.map(({ values }) => values.length));
    const low = this.percent ? Math.min(0.6, ...all) : 0;
    const high = this.percent ? 1 : 1.08 * Math.max(...all);
    this.window(0.5, count + 0.5, low, high + (this.percent ? 0.02 : 0));
    this.axes(
      ticks(1, Math.max(2, count), 8).flatMap((v) =>
        Number.isInteger(v) && v >= 1 && v <= count ? [[v, String(v)]] : [],
      ),
      ticks(low, high, 4).map((v) => [v, this.#text(v)]),
      "step",
      "",
    );
    c.setLineDash([4, 4]);
    c.strokeStyle = colour("axis");
    c.lineWidth = 1;
    for (const goal of this.goals)
      this.line(this.box.left, this.y(goal), this.box.right, this.y(goal));
    for (const { style, values, dashed } of this.lines) {
      c.setLineDash(dashed ? [5, 4] : []);
      c.strokeStyle = colour(style);
      c.lineWidth = 2;
      c.beginPath();
      values.forEach((v, i) => {
        if (v !== null) c.lineTo(this.x(i + 1), this.y(v));
      });
      c.stroke();
      if (count <= 40)
        values.forEach((v, i) => {
          if (v !== null) this.dot(this.x(i + 1), this.y(v), 2.5, colour(style));
        });
    }
    c.setLineDash([]);
  }
}

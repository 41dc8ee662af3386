// This page's copy of a model: what is known of it, what is drawn, and what follows from both. No
// element of the page and no request: every answer can be computed, and is tested, without a browser.

/** @import { Changed, Line, Plane, Rows, State } from "./answers.js" */
/** @import { Prediction } from "./prediction.js" */

import { number, undo, whole } from "./format.js";
import { alongLine, onGrid, prediction } from "./prediction.js";
import { Scale } from "./scale.js";

const POINTS = 400; // of a line
const SIDE = 64; // of a map
const SLICE = 48; // points of the slice along a column
const MOST_DRAWS = 16;
/** @type {import("./heat.js").Mark["style"]} */
const ADDED = "added";

/** @typedef {[string, string][]} Facts Terms and their values. */

export class Copy {
  /** @param {State} state */
  constructor(state) {
    this.id = state.id;
    this.state = state;
    this.scales = state.columns.map((column) => new Scale(column));
    /** What each column is held at while others are drawn. */
    this.held = state.columns.map((column) => column.middle);
    /** The column that runs across. */
    this.x = 0;
    /** The column that runs up; -1 if the picture is a line. */
    this.y = state.columns.length > 1 ? 1 : -1;
    /** @type {Rows | null} */
    this.data = null;
    /** @type {Line | null} */
    this.line = null;
    /** @type {Plane | null} */
    this.map = null;
    /** @type {{ x: number, y: number } | null} The place on the map that the slices go through. */
    this.cursor = null;
  }

  get isPlane() {
    return this.y >= 0;
  }

  /** Whether there are columns besides those of the map. */
  get isWide() {
    return this.scales.length > 2;
  }

  /** Whether an observation is 0 or 1, so that it has no band. */
  get hasClasses() {
    return this.state.law.values === "classes";
  }

  get back() {
    return undo(this.state.transform);
  }

  get across() {
    return this.scales[this.x];
  }

  get up() {
    return this.scales[this.y];
  }

  /** What the middle of a prediction is called. */
  get middle() {
    return this.state.transform === "none" ? "mean" : "median";
  }

  // ---- what changes ----

  /**
   * Takes what the server says after a change.
   *
   * @param {Changed} answer
   */
  accept({ state, view }) {
    this.state = state;
    if (!view) return;
    if (view.data) this.data = view.data;
    if ("nx" in view) {
      this.map = view;
      this.cursor ??= { x: (view.from + view.to) / 2, y: (view.low + view.high) / 2 };
    } else {
      this.line = view;
    }
  }

  /**
   * Draws another column across or up. The two change places if it was the other one.
   *
   * @param {"x" | "y"} axis
   * @param {number} column
   */
  choose(axis, column) {
    const other = axis === "x" ? "y" : "x";
    if (column === this[other]) this[other] = this[axis];
    this[axis] = column;
    this.cursor = null;
  }

  /**
   * Holds a column at a value.
   *
   * @param {number} column
   * @param {number} value
   */
  hold(column, value) {
    this.held[column] = value;
    if (this.cursor && column === this.x) this.cursor.x = value;
    if (this.cursor && column === this.y) this.cursor.y = value;
  }

  // ---- what is asked for ----

  /**
   * The view to ask the server for. Texts are as typed: draws become 0 to 16, seeds whole numbers.
   *
   * @param {{ draws: string, seed: string, data?: boolean }} wish
   */
  view({ draws, seed, data = false }) {
    const base = { x: this.x, at: this.held, ...(data ? { data } : {}) };
    if (!this.isPlane)
      return { ...base, points: POINTS, draws: drawCount(draws), seed: seedOf(seed) };
    const slices = this.isWide ? { slices: SLICE } : {};
    return { ...base, ...slices, y: this.y, nx: SIDE, ny: SIDE };
  }

  /**
   * The row that a click adds. On a line its target is where the click was, on a map the value
   * typed or else the prediction.
   *
   * @param {number} x
   * @param {number} y
   * @param {number} typed NaN if no value was typed.
   */
  rowAt(x, y, typed) {
    const row = [...this.held];
    row[this.x] = x;
    if (!this.isPlane) return [...row, this.possible(y)];
    row[this.y] = y;
    return [...row, Number.isFinite(typed) ? typed : this.possible(this.at(x, y).median)];
  }

  /**
   * The value behind a text in the field of a column, or of the target (the last); NaN if none.
   *
   * @param {number} i
   * @param {string} text
   */
  typed(i, text) {
    if (i < this.scales.length) return this.scales[i].value(text);
    return text.trim() === "" ? NaN : Number(text.replace("−", "-"));
  }

  /**
   * Why a text is no value of a column or of the target.
   *
   * @param {number} i
   * @param {string} text
   */
  complaint(i, text) {
    const { label } = [...this.state.columns, this.state.target][i];
    const scale = this.scales[i];
    const rule = scale?.isTime ? `a time, such as ${scale.text(this.held[i])}` : "a number";
    return `${label} cannot be '${text}'. Write ${rule}.`;
  }

  /**
   * The nearest value that an observation can have: a count is whole, a class 0 or 1.
   *
   * @param {number} value
   */
  possible(value) {
    const { values } = this.state.law;
    if (values === "classes") return value >= 0.5 ? 1 : 0;
    return values === "counts" ? Math.max(0, Math.round(value)) : value;
  }

  /**
   * The values of a parameter with one of them changed.
   *
   * @param {string} path
   * @param {number} i
   * @param {number} value
   */
  changed(path, i, value) {
    const values = [...(this.state.parameters.find((p) => p.path === path)?.values ?? [])];
    values[i] = value;
    return { [path]: values };
  }

  // ---- what is shown ----

  /**
   * The prediction at a place of the map.
   *
   * @param {number} x
   * @param {number} y
   * @returns {Prediction}
   */
  at(x, y) {
    const map = this.map;
    if (!map) throw new Error("There is no map yet.");
    const m = onGrid(map, map.mean, x, y);
    const s = onGrid(map, map.sd, x, y);
    const here = prediction(m, s, this.state.noise, this.back);
    return this.state.law.gaussian ? here : { ...here, observed: null };
  }

  /**
   * A standard deviation as it is told. On a logarithmic scale it is relative to the median. Of
   * other transforms it is half the width of the middle 68 %.
   *
   * @param {number} m
   * @param {number} s
   */
  doubt(m, s) {
    const { transform } = this.state;
    if (transform === "none") return s;
    if (transform === "log") return Math.exp(s) - 1;
    return (this.back(m + s) - this.back(m - s)) / 2;
  }

  /** The map's standard deviations as they are told. */
  doubts() {
    return this.map ? this.map.sd.map((s, i) => this.doubt(this.map?.mean[i] ?? NaN, s)) : [];
  }

  /**
   * Dots on the map: the data, smaller if there are many, then what was added.
   *
   * @returns {import("./heat.js").Mark[]}
   */
  marks() {
    const { x = [], y = [] } = this.data ?? {};
    const few = x.length <= 400;
    /** @type {import("./heat.js").Mark} */
    const dot = { x: 0, y: 0, style: few ? "row" : "faint", size: few ? 1 : 0.5 };
    const { added } = this.state;
    return [
      ...x.map((v, i) => ({ ...dot, x: v, y: y[i] })),
      ...added.map((row) => ({ ...dot, x: row[this.x], y: row[this.y], style: ADDED })),
    ];
  }

  /** @param {Prediction} here */
  words(here) {
    const [low, high] = here.nearly.map((v) => number(v));
    return `${this.middle} ${number(here.median)}, 95 % between ${low} and ${high}`;
  }

  /**
   * A prediction as terms and values.
   *
   * @param {Prediction} here
   * @param {Facts} places
   * @returns {Facts}
   */
  predictionFacts(here, places) {
    /** @param {[number, number]} ends */
    const between = ([low, high]) => `${number(low)} to ${number(high)}`;
    return [
      ...places,
      [this.middle, number(here.median)],
      this.state.transform === "log"
        ? ["factor", "×÷ " + number(Math.exp(here.s), 3)]
        : ["std. deviation", number(this.doubt(here.m, here.s), 3)],
      ["50 %", between(here.half)],
      ["95 %", between(here.nearly)],
      .../** @type {Facts} */ (
        here.observed ? [["95 % of observations", between(here.observed)]] : []
      ),
    ];
  }

  /**
   * What the picture shows, as a table: eleven places of a line, or five by five of a map.
   *
   * @returns {{ head: string[], rows: string[][] }}
   */
  table() {
    /** @param {string} place @param {Prediction} here */
    const row = (place, here) => [
      place,
      ...[here.median, ...here.nearly].map((value) => number(value)),
    ];
    const head = [this.middle, "95 % from", "to"];
    const { line, map } = this;
    if (!this.isPlane && line) {
      const rows = spread(line.from, line.to, 11).map((x) =>
        row(this.across.text(x), alongLine(line, x, this.state.noise, this.back)),
      );
      return { head: [this.across.label, ...head], rows };
    }
    if (!map) return { head: [], rows: [] };
    const rows = spread(map.low, map.high, 5).flatMap((y) =>
      spread(map.from, map.to, 5).map((x) =>
        row(`${this.across.text(x)}, ${this.up.text(y)}`, this.at(x, y)),
      ),
    );
    return { head: [`${this.across.label}, ${this.up.label}`, ...head], rows };
  }

  /** One line about the model. */
  headline() {
    const { observations, target, columns } = this.state;
    const inputs = columns.map((column) => column.label).join(", ");
    return `${whole(observations)} observations of ${target.label} by ${inputs}`;
  }

  /**
   * The model as terms and values.
   *
   * @returns {Facts}
   */
  about() {
    const { law, likelihood, variances, grid, added, advice, engine, kernel } = this.state;
    /** @type {Facts} */
    const facts = [];
    if (!law.gaussian) {
      const values = Object.entries(law.parameters).map(([name, v]) => `${name} ${number(v)}`);
      facts.push(["likelihood", [law.name, ...values].join(", ")]);
    }
    facts.push(
      ["kernel", kernelName(kernel)],
      ["engine", engine],
      ["log likelihood", likelihood === "unknown" ? "not computed" : number(likelihood, 6)],
    );
    if (!law.gaussian) {
      const last = number(law.residual ?? NaN, 2);
      facts.push(["approximation", `Laplace, ${law.steps} Newton steps, the last ${last} sd long`]);
    }
    if (variances) facts.push(["variances", variances]);
    if (grid) facts.push(["grid", grid.replace(/ over .*/, "")]);
    if (added.length) facts.push(["added here", whole(added.length)]);
    if (advice) facts.push(["advice", advice]);
    return facts;
  }

  /** What the dots of a line are; empty if there are none. */
  dataWords() {
    const { kind, count = 0, x = [] } = this.data ?? {};
    if (kind === "rows") return "rows of the table";
    if (kind === "cells") return `${whole(count)} rows, counted in cells`;
    if (kind === "averages")
      return `averages of ${whole(x.length)} cells (the model file has no rows)`;
    return "";
  }
}

/** @param {string} text */
export function drawCount(text) {
  return Math.min(Math.max(Math.round(Number(text) || 0), 0), MOST_DRAWS);
}

/** @param {string} text */
export function seedOf(text) {
  return Math.max(0, Math.round(Number(text) || 0));
}

/**
 * A kernel without its parameters and its scale.
 *
 * @param {string} text
 */
export function kernelName(text) {
  return text
    .replace(/\([^()]*=[^()]*\)/g, "")
    .replace(/^[\d.eE+-]+\*/, "")
    .replace(/^\((.*)\)$/, "$1");
}

/**
 * Equally spaced numbers, both ends included.
 *
 * @param {number} from
 * @param {number} to
 * @param {number} count
 */
export function spread(from, to, count) {
  return Array.from({ length: count }, (_, i) => from + ((to - from) * i) / (count - 1));
}

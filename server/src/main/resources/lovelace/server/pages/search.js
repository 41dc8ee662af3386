// Bayesian optimisation of Eggholder, one evaluation after another.

/** @import { Searched } from "./answers.js" */
/** @import { Pen } from "./figure.js" */
/** @import { Mark } from "./heat.js" */

import { Figure, colour } from "./figure.js";
import { number, ticks } from "./format.js";
import { Heat } from "./heat.js";
import { button, byId, canvas, facts, input, select, told } from "./page.js";
import * as requests from "./requests.js";
import { Scale } from "./scale.js";

const PLANE = { from: -512, to: 512, low: -512, high: 512 };
const INITIAL = 8; // evaluations spread over the plane before the model chooses
const PAUSE = 350; // milliseconds between evaluations that run by themselves

/**
 * The lowest value so far after each evaluation.
 *
 * @param {number[]} values
 */
export function bestSoFar(values) {
  let best = Infinity;
  return values.map((v) => (best = Math.min(best, v)));
}

class Trace extends Figure {
  /** @type {number[]} */
  values = [];
  optimum = 0;
  initial = 0;

  /**
   * @override
   * @param {Pen} c
   */
  draw(c) {
    const { values, optimum: low } = this;
    if (values.length === 0) return this.empty("Nothing evaluated yet");
    const high = Math.max(...values);
    const pad = 0.06 * (high - low);
    const end = Math.max(20, values.length);
    this.window(0.5, end + 0.5, low - pad, high + pad);
    const steps = ticks(1, end, 10).filter((v) => Number.isInteger(v));
    this.axes(
      steps.map((v) => [v, String(v)]),
      ticks(low, high, 4).map((v) => [v, number(v)]),
      "evaluation",
      "value",
    );
    c.setLineDash([4, 4]);
    c.strokeStyle = colour("added");
    this.line(this.box.left, this.y(low), this.box.right, this.y(low));
    c.setLineDash([]);
    c.strokeStyle = colour("mean");
    c.lineWidth = 2.25;
    c.beginPath();
    const best = bestSoFar(values);
    best.forEach((v, i) => {
      if (i > 0) c.lineTo(this.x(i + 1), this.y(best[i - 1]));
      c.lineTo(this.x(i + 1), this.y(v));
    });
    c.stroke();
    values.forEach((v, i) =>
      this.dot(this.x(i + 1), this.y(v), 3, colour(i < this.initial ? "axis" : "draw")),
    );
  }
}

export class Search {
  #id = "";
  /** @type {number[] | undefined} */
  #truth;
  #running = false;

  constructor() {
    this.mean = new Heat(canvas("search-mean"), "value");
    this.doubt = new Heat(canvas("search-doubt"), "doubt");
    this.merit = new Heat(canvas("search-merit"), "value");
    this.truth = new Heat(canvas("search-truth"), "value");
    this.merit.clip = 0.3; // logarithms fall without end near what is known
    this.trace = new Trace(canvas("search-trace"), { bottom: 44 });
    button("search-step").onclick = () => told(() => this.#step());
    button("search-run").onclick = () => (this.#running ? this.stop() : this.#run());
    button("search-new").onclick = () => told(() => this.begin());
    select("acquisition").onchange = () => told(() => this.begin());
  }

  async show() {
    if (!this.#id) await this.begin();
  }

  async begin() {
    this.stop();
    const acquisition = select("acquisition").value;
    const seed = Number(input("search-seed").value) || 0;
    const found = await requests.beginSearch({ acquisition, seed, initial: INITIAL });
    this.#id = found.id;
    this.#truth = found.truth;
    this.#draw(found);
  }

  async #step() {
    this.#draw(await requests.stepSearch(this.#id));
  }

  async #run() {
    this.#running = true;
    this.#buttons();
    while (this.#running && !byId("search").hidden) {
      const pause = new Promise((done) => {
        setTimeout(done, PAUSE);
      });
      if (!(await told(() => this.#step()))) break;
      await pause;
    }
    this.stop();
  }

  stop() {
    this.#running = false;
    this.#buttons();
  }

  #buttons() {
    button("search-run").textContent = this.#running ? "Stop" : "Run";
    button("search-step").disabled = this.#running;
  }

  /** @param {Searched} found */
  #draw(found) {
    const { history, initial, side, optimum } = found;
    const n = history.length;
    const values = history.map(([, , value]) => value);
    const [across, up] = ["x", "y"].map((label) => new Scale({ label, unit: "" }));
    /** @type {Mark[]} */
    const seen = history.map(([x, y], i) => ({
      x,
      y,
      style: i + 1 === found.best ? "best" : "row",
    }));
    /** @type {Mark[]} */
    const faint = seen.map((mark) => ({ ...mark, style: "faint" }));
    /** @type {Mark} */
    const next = { x: found.next[0], y: found.next[1], style: "next" };
    /** @param {number[] | undefined} list */
    const map = (list) => (list ? { ...PLANE, nx: side, ny: side, values: list } : null);
    this.mean.missing = this.doubt.missing = "Needs two evaluations";
    this.merit.missing = `Needs ${initial} evaluations`;
    this.mean.show(map(found.mean), { across, up, marks: seen });
    this.doubt.show(map(found.sd), { across, up, marks: seen });
    this.merit.show(map(found.merit), { across, up, marks: [...faint, next] });
    this.truth.show(map(this.#truth), { across, up, marks: [...seen, next] });
    Object.assign(this.trace, { values, optimum, initial });
    this.trace.paint();
    byId("search-facts").textContent = progress(found);
    facts(byId("search-about"), [
      ["evaluations", String(n)],
      ["best value", number(n ? Math.min(...values) : NaN)],
      ["lowest possible", number(optimum)],
      ["acquisition", select("acquisition").selectedOptions[0].text],
      ["model", rounded(found.model) || "none yet"],
    ]);
    this.mean.describe(`Mean of the model of Eggholder after ${n} evaluations`);
    this.doubt.describe(`Standard deviation of the model after ${n} evaluations`);
    this.merit.describe(`Acquisition; the next point is ${place(found)}`);
    this.truth.describe("Eggholder itself with all evaluations");
    this.trace.describe(
      n
        ? `Best value after each of ${n} evaluations, now ${number(Math.min(...values))}`
        : "No evaluations yet",
    );
  }
}

/** @param {Searched} found */
const place = ({ next: [x, y] }) => `(${number(x, 3)}, ${number(y, 3)})`;

/**
 * Where the search is, and where it looks next.
 *
 * @param {Searched} found
 */
export function progress(found) {
  const { history, initial, optimum } = found;
  const n = history.length;
  const best = Math.min(...history.map(([, , value]) => value));
  const so = n
    ? `${n} evaluations, the best ${number(best)}, ${number(best - optimum)} above the lowest possible value.`
    : "Nothing evaluated yet.";
  const why =
    n < initial ? `spread point ${n + 1} of ${initial}` : "where the acquisition is highest";
  return `${so} Next: ${place(found)}, ${why}.`;
}

/**
 * A kernel's text with short numbers.
 *
 * @param {string} text
 */
export function rounded(text) {
  return text
    .replace(/\d+\.\d+(?:E-?\d+)?/g, (v) => number(Number(v), 2))
    .replaceAll(",", ", ")
    .replaceAll("  ", " ");
}

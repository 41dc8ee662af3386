// Bayesian optimisation of Eggholder, one evaluation after another.

import * as api from "./api.js";
import { Figure, colour } from "./figure.js";
import { Heat } from "./heat.js";
import { Scale, number, ticks } from "./format.js";
import { byId, facts, told } from "./page.js";

const PLANE = { from: -512, to: 512, low: -512, high: 512 };

class Trace extends Figure {
  draw(c) {
    const values = this.values;
    if (!values?.length) return this.empty("Nothing evaluated yet");
    const best = [];
    values.forEach((v, i) => best.push(i === 0 ? v : Math.min(best[i - 1], v)));
    const low = this.optimum;
    const high = Math.max(...values);
    const pad = 0.06 * (high - low);
    const end = Math.max(20, values.length);
    this.window(0.5, end + 0.5, low - pad, high + pad);
    const steps = ticks(1, end, 10).filter((v) => Number.isInteger(v));
    this.axes(steps.map((v) => [v, String(v)]), ticks(low, high, 4).map((v) => [v, number(v)]), "evaluation", "value");
    c.setLineDash([4, 4]);
    c.strokeStyle = colour("added");
    c.beginPath();
    c.moveTo(this.box.left, this.y(low));
    c.lineTo(this.box.right, this.y(low));
    c.stroke();
    c.setLineDash([]);
    c.strokeStyle = colour("mean");
    c.lineWidth = 2.25;
    c.beginPath();
    best.forEach((v, i) => {
      if (i > 0) c.lineTo(this.x(i + 1), this.y(best[i - 1]));
      c.lineTo(this.x(i + 1), this.y(v));
    });
    c.stroke();
    values.forEach((v, i) => this.dot(this.x(i + 1), this.y(v), 3, i < this.initial ? colour("axis") : colour("draw")));
  }
}

export class Search {
  constructor() {
    this.mean = new Heat(byId("search-mean"), "value");
    this.doubt = new Heat(byId("search-doubt"), "doubt");
    this.merit = new Heat(byId("search-merit"), "value");
    this.truth = new Heat(byId("search-truth"), "value");
    this.merit.clip = 0.3; // logarithms fall without end near what is known
    this.trace = new Trace(byId("search-trace"), { bottom: 44 });
    byId("search-step").onclick = () => told(() => this.#step());
    byId("search-run").onclick = () => (this.running ? this.stop() : this.#run());
    byId("search-new").onclick = () => told(() => this.begin());
    byId("acquisition").onchange = () => told(() => this.begin());
  }

  async show() {
    if (!this.id) await this.begin();
  }

  async begin() {
    this.stop();
    const found = await api.post("searches", { acquisition: byId("acquisition").value, seed: Number(byId("search-seed").value) || 0, initial: 8 });
    this.id = found.id;
    this.whole = found.truth;
    this.#draw(found);
  }

  async #step() {
    this.#draw(await api.post(`searches/${this.id}/step`));
  }

  async #run() {
    this.running = true;
    this.#buttons();
    while (this.running && !byId("search").hidden) {
      const wait = new Promise((done) => setTimeout(done, 350));
      if (!(await told(() => this.#step()))) break;
      await wait;
    }
    this.stop();
  }

  stop() {
    this.running = false;
    this.#buttons();
  }

  #buttons() {
    byId("search-run").textContent = this.running ? "Stop" : "Run";
    byId("search-run").setAttribute("aria-pressed", String(this.running));
    byId("search-step").disabled = this.running;
  }

  #draw(found) {
    const n = found.history.length;
    const axis = (label) => new Scale({ label, unit: "" });
    const [across, up] = [axis("x"), axis("y")];
    const seen = found.history.map(([x, y], i) => ({ x, y, style: i + 1 === found.best ? "best" : "row" }));
    const next = { x: found.next[0], y: found.next[1], style: "next" };
    const map = (values) => (values ? { ...PLANE, nx: found.side, ny: found.side, values } : null);
    const early = "Two evaluations first";
    this.mean.words = this.doubt.words = early;
    this.merit.words = `${found.initial} spread points first`;
    this.mean.show(map(found.mean), { across, up, marks: seen });
    this.doubt.show(map(found.sd), { across, up, marks: seen });
    this.merit.show(map(found.merit), { across, up, marks: [...seen.map((m) => ({ ...m, style: "faint" })), next] });
    this.truth.show(map(this.whole), { across, up, marks: [...seen, next] });
    Object.assign(this.trace, { values: found.history.map((row) => row[2]), optimum: found.optimum, initial: found.initial });
    this.trace.paint();
    const best = n === 0 ? null : Math.min(...found.history.map((row) => row[2]));
    const place = `(${number(next.x, 3)}, ${number(next.y, 3)})`;
    const why = n < found.initial ? `spread point ${n + 1} of ${found.initial}` : "where the acquisition is highest";
    byId("search-facts").textContent = (n === 0
      ? "Nothing evaluated yet. "
      : `${n} evaluations, the best ${number(best)}, ${number(best - found.optimum)} above the lowest value there is. `) + `Next: ${place}, ${why}.`;
    facts(byId("search-about"), [
      ["evaluations", String(n)],
      ["best value", best === null ? "–" : number(best)],
      ["lowest there is", number(found.optimum)],
      ["acquisition", byId("acquisition").selectedOptions[0].text],
      ["model", found.model.replace(/\d+\.\d+(?:E-?\d+)?/g, (v) => number(Number(v), 2)).replaceAll(",", ", ").replaceAll("  ", " ") || "none yet"],
    ]);
    this.mean.describe(`Modelled mean of Eggholder after ${n} evaluations`);
    this.doubt.describe(`Standard deviation of the model after ${n} evaluations`);
    this.merit.describe(`Acquisition; the next point is ${place}`);
    this.truth.describe("Eggholder itself with all evaluations");
    this.trace.describe(best === null ? "No evaluations yet" : `Best value after each of ${n} evaluations, now ${number(best)}`);
  }
}

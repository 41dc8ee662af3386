// Whether a model keeps its word: calibration, where targets fall, residuals.

import * as api from "./api.js";
import { Figure, colour } from "./figure.js";
import { number, ticks, undo, whole } from "./format.js";
import { byId, make } from "./page.js";

class Coverage extends Figure {
  draw(c) {
    if (!this.points) return this.empty("Not checked yet");
    this.window(0, 1, 0, 1);
    const marks = [0, 0.25, 0.5, 0.75, 1].map((v) => [v, Math.round(100 * v) + " %"]);
    this.axes(marks, marks, ...(this.classes ? ["predicted probability", "share that it happens"] : ["interval that should hold", "share that it holds"]));
    c.strokeStyle = colour("axis");
    c.setLineDash([4, 4]);
    c.beginPath();
    c.moveTo(this.x(0), this.y(0));
    c.lineTo(this.x(1), this.y(1));
    c.stroke();
    c.setLineDash([]);
    c.strokeStyle = colour("mean");
    c.lineWidth = 2.25;
    c.beginPath();
    if (!this.classes) c.moveTo(this.x(0), this.y(0));
    for (const [level, share] of this.points) c.lineTo(this.x(level), this.y(share));
    c.stroke();
    for (const [level, share] of this.points) this.dot(this.x(level), this.y(share), 3, colour("mean"));
  }
}

class Histogram extends Figure {
  draw(c) {
    if (!this.bins) return this.empty("Not checked yet");
    const total = this.bins.reduce((a, b) => a + b, 0);
    const even = total / this.bins.length;
    const top = 1.15 * Math.max(...this.bins, even);
    this.window(0, 1, 0, top);
    this.axes([0, 0.25, 0.5, 0.75, 1].map((v) => [v, String(v)]), ticks(0, top, 5).map((v) => [v, number(v)]), "share of the distribution below", "targets");
    c.fillStyle = colour("mean");
    c.globalAlpha = 0.75;
    this.bins.forEach((count, i) => {
      const left = this.x(i / this.bins.length) + 1;
      c.fillRect(left, this.y(count), this.x((i + 1) / this.bins.length) - left - 1, this.y(0) - this.y(count));
    });
    c.globalAlpha = 1;
    c.strokeStyle = colour("draw");
    c.lineWidth = 1.5;
    c.setLineDash([4, 4]);
    c.beginPath();
    c.moveTo(this.x(0), this.y(even));
    c.lineTo(this.x(1), this.y(even));
    c.stroke();
    c.setLineDash([]);
  }
}

class Residuals extends Figure {
  draw(c) {
    if (!this.mean) return this.empty("Not checked yet");
    const back = undo(this.transform);
    const xs = this.mean.map(back);
    const low = Math.min(...xs);
    const high = Math.max(...xs);
    const reach = Math.max(3.2, Math.min(8, 1.05 * Math.max(...this.residual.map(Math.abs))));
    const pad = 0.04 * (high - low || 1);
    this.window(low - pad, high + pad, -reach, reach);
    this.axes(ticks(low, high, (this.box.right - this.box.left) / 80).map((v) => [v, number(v)]), ticks(-reach, reach, 6).map((v) => [v, number(v)]), "prediction", "residual, in standard deviations");
    const area = (z, opacity) => {
      c.globalAlpha = opacity;
      c.fillStyle = colour("mean");
      c.fillRect(this.box.left, this.y(z), this.box.right - this.box.left, this.y(-z) - this.y(z));
      c.globalAlpha = 1;
    };
    area(1.96, 0.1);
    area(0.6745, 0.14);
    c.globalAlpha = xs.length > 400 ? 0.45 : 0.75;
    this.clipped(() => this.residual.forEach((z, i) => this.dot(this.x(xs[i]), this.y(z), xs.length > 400 ? 2 : 3, colour("data"))));
    c.globalAlpha = 1;
  }
}

export class Checks {
  constructor(explore) {
    this.explore = explore;
    this.coverage = new Coverage(byId("coverage"), { right: 28 });
    this.histogram = new Histogram(byId("pit"));
    this.residuals = new Residuals(byId("residuals"));
  }

  async show() {
    const session = this.explore.session;
    if (!session) throw new Error("There is no model yet; open one, or fit a table of yours.");
    byId("checks-facts").textContent = "Leaving out a fifth of the data, five times …";
    const found = await api.post(`sessions/${session}/checks`);
    const what = found.kind === "rows"
      ? `${whole(found.count)} rows, each predicted by the model without the fifth it belongs to`
      : `Averages of ${whole(found.count)} cells, as the file has no rows; each predicted without a fifth of the cells`;
    byId("checks-facts").textContent = what + ", with the same parameters.";
    const classes = found.shares !== undefined;
    this.coverage.classes = classes;
    for (const figure of [this.histogram, this.residuals]) figure.canvas.closest("figure").hidden = classes;
    byId("coverage-caption").textContent = classes
      ? "Of rows with about the same predicted probability, how many are of class 1. On the line is right."
      : "Of all targets, how many lie in the interval that should hold so many. On the line is right; below, intervals are too narrow.";
    if (classes) return this.#classes(found);
    const nearly = found.coverage.find(([level]) => level === 0.95)[1];
    const tiles = [
      ["in the 95 % interval", (100 * nearly).toFixed(1) + " %"],
      ["spread of residuals", number(found.spread, 3)],
      ["RMSE", number(found.rmse)], ["MAE", number(found.mae)], ["NLPD", number(found.nlpd)],
      ...(found.crps === undefined ? [] : [["CRPS", number(found.crps)]]),
    ];
    const unit = found.transform === "none" ? "" : found.transform === "log" ? " (of logarithms)" : " (of ranks)";
    byId("scores").replaceChildren(...tiles.map(([term, value], i) => make("div", {}, make("dt", {}, term + (i > 1 ? unit : "")), make("dd", {}, value))));
    this.coverage.points = found.coverage;
    this.histogram.bins = found.bins;
    Object.assign(this.residuals, { mean: found.mean, residual: found.residual, transform: found.transform });
    this.coverage.describe(`Calibration: the 95 % interval holds ${(100 * nearly).toFixed(1)} % of targets`);
    this.histogram.describe(`Histogram of the share of the predictive distribution below each of ${whole(found.count)} targets`);
    this.residuals.describe(`Standardised residuals by prediction; their root mean square is ${number(found.spread, 3)}`);
    for (const figure of [this.coverage, this.histogram, this.residuals]) figure.paint();
  }

  /** Scores of two classes, and whether what is called probable happens. */
  #classes(found) {
    const tiles = [
      ["log score (NLPD)", number(found.nlpd)], ["Brier score", number(found.brier)],
      ["area under the curve", number(found.area)], ["wrong class", (100 * found["error rate"]).toFixed(1) + " %"],
    ];
    byId("scores").replaceChildren(...tiles.map(([term, value]) => make("div", {}, make("dt", {}, term), make("dd", {}, value))));
    this.coverage.points = found.shares;
    this.coverage.describe("Calibration: the share of rows of class 1 by predicted probability");
    this.coverage.paint();
  }
}

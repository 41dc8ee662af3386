// Whether a model keeps its word: calibration, where targets fall, residuals.

/** @import { Checked } from "./answers.js" */
/** @import { Explore } from "./explore.js" */
/** @import { Pen } from "./figure.js" */
/** @import { Tick } from "./scale.js" */

import { Figure, colour } from "./figure.js";
import { number, ticks, undo, whole } from "./format.js";
import { byId, canvas, make } from "./page.js";
import { HALF, NEARLY } from "./prediction.js";
import * as requests from "./requests.js";

const EMPTY = "Not checked yet";
const QUARTERS = [0, 0.25, 0.5, 0.75, 1];

/** @param {number[]} places @returns {Tick[]} */
const labelled = (places) => places.map((v) => [v, number(v)]);
/** @param {number} share */
const percent = (share) => (100 * share).toFixed(1) + " %";

class Coverage extends Figure {
  /** @type {[number, number][] | null} */
  points = null;
  classes = false;

  /**
   * @override
   * @param {Pen} c
   */
  draw(c) {
    if (!this.points) return this.empty(EMPTY);
    this.window(0, 1, 0, 1);
    /** @type {Tick[]} */
    const marks = QUARTERS.map((v) => [v, Math.round(100 * v) + " %"]);
    if (this.classes) this.axes(marks, marks, "predicted probability", "share of class 1");
    else this.axes(marks, marks, "interval", "share of targets inside");
    c.strokeStyle = colour("axis");
    c.setLineDash([4, 4]);
    this.line(this.x(0), this.y(0), this.x(1), this.y(1));
    c.setLineDash([]);
    c.strokeStyle = colour("mean");
    c.lineWidth = 2.25;
    c.beginPath();
    if (!this.classes) c.moveTo(this.x(0), this.y(0));
    for (const [level, share] of this.points) c.lineTo(this.x(level), this.y(share));
    c.stroke();
    for (const [level, share] of this.points)
      this.dot(this.x(level), this.y(share), 3, colour("mean"));
  }
}

class Histogram extends Figure {
  /** @type {number[]} */
  bins = [];

  /**
   * @override
   * @param {Pen} c
   */
  draw(c) {
    const n = this.bins.length;
    if (n === 0) return this.empty(EMPTY);
    const even = this.bins.reduce((a, b) => a + b, 0) / n;
    const top = 1.15 * Math.max(...this.bins, even);
    this.window(0, 1, 0, top);
    this.axes(
      QUARTERS.map((v) => [v, String(v)]),
      labelled(ticks(0, top, 5)),
      "share of the distribution below the target",
      "targets",
    );
    c.fillStyle = colour("mean");
    c.globalAlpha = 0.75;
    this.bins.forEach((count, i) => {
      const [left, right] = [this.x(i / n) + 1, this.x((i + 1) / n) - 1];
      c.fillRect(left, this.y(count), right - left, this.y(0) - this.y(count));
    });
    c.globalAlpha = 1;
    c.strokeStyle = colour("draw");
    c.lineWidth = 1.5;
    c.setLineDash([4, 4]);
    this.line(this.x(0), this.y(even), this.x(1), this.y(even));
    c.setLineDash([]);
  }
}

class Residuals extends Figure {
  /** @type {number[]} */
  predicted = [];
  /** @type {number[]} */
  residual = [];

  /**
   * @override
   * @param {Pen} c
   */
  draw(c) {
    const { predicted: xs, residual } = this;
    if (xs.length === 0) return this.empty(EMPTY);
    const low = Math.min(...xs);
    const high = Math.max(...xs);
    const reach = Math.max(3.2, Math.min(8, 1.05 * Math.max(...residual.map(Math.abs))));
    const pad = 0.04 * (high - low || 1);
    this.window(low - pad, high + pad, -reach, reach);
    const width = this.box.right - this.box.left;
    this.axes(
      labelled(ticks(low, high, width / 80)),
      labelled(ticks(-reach, reach, 6)),
      "prediction",
      "residual, in standard deviations",
    );
    c.fillStyle = colour("mean");
    for (const [z, opacity] of [
      [NEARLY, 0.1],
      [HALF, 0.14],
    ]) {
      c.globalAlpha = opacity;
      c.fillRect(this.box.left, this.y(z), width, this.y(-z) - this.y(z));
    }
    const many = xs.length > 400;
    c.globalAlpha = many ? 0.45 : 0.75;
    this.clipped(() =>
      residual.forEach((z, i) => this.dot(this.x(xs[i]), this.y(z), many ? 2 : 3, colour("data"))),
    );
    c.globalAlpha = 1;
  }
}

export class Checks {
  /** @param {Explore} explore */
  constructor(explore) {
    this.explore = explore;
    this.coverage = new Coverage(canvas("coverage"), { right: 28 });
    this.histogram = new Histogram(canvas("pit"));
    this.residuals = new Residuals(canvas("residuals"));
  }

  async show() {
    const { id } = this.explore.copy;
    byId("checks-facts").textContent = "Leaving out a fifth of the data, five times …";
    const found = await requests.check(id);
    byId("checks-facts").textContent = method(found);
    const classes = found.shares !== undefined;
    byId("pit-figure").hidden = classes;
    byId("residuals-figure").hidden = classes;
    byId("coverage-caption").textContent = classes
      ? "How many rows with about the same predicted probability are of class 1. On the line is right."
      : "How many targets lie inside each interval. On the line is right. Below it, the intervals are too narrow.";
    byId("scores").replaceChildren(
      ...scores(found).map(([term, value]) =>
        make("div", {}, make("dt", {}, term), make("dd", {}, value)),
      ),
    );
    this.coverage.classes = classes;
    this.coverage.points = found.shares ?? found.coverage ?? null;
    this.coverage.describe(
      classes
        ? "Calibration: the share of rows of class 1 by predicted probability"
        : `Calibration: the 95 % interval holds ${percent(nearly(found))} of the targets`,
    );
    this.histogram.bins = found.bins ?? [];
    this.histogram.describe(
      `Histogram of the share of the predictive distribution below each of ${whole(found.count)} targets`,
    );
    this.residuals.predicted = (found.mean ?? []).map(undo(found.transform));
    this.residuals.residual = found.residual ?? [];
    this.residuals.describe(
      `Standardised residuals by prediction; their root mean square is ${number(found.spread ?? NaN, 3)}`,
    );
    for (const figure of [this.coverage, this.histogram, this.residuals]) figure.paint();
  }
}

/**
 * How the model was checked.
 *
 * @param {Checked} found
 */
function method({ kind, count }) {
  return kind === "rows"
    ? `The model predicts each of ${whole(count)} rows without the fifth of the rows it belongs to. Parameters stay as they are.`
    : `The model file has no rows, so the model predicts averages of ${whole(count)} cells, each without the fifth of the cells it belongs to. Parameters stay as they are.`;
}

/**
 * The share of targets in their 95 % intervals.
 *
 * @param {Checked} found
 */
const nearly = ({ coverage }) => coverage?.find(([level]) => level === 0.95)?.[1] ?? NaN;

/**
 * Scores of the predictions, those of two classes or of numbers.
 *
 * @param {Checked} found
 * @returns {[string, string][]}
 */
export function scores(found) {
  if (found.shares)
    return [
      ["log score (NLPD)", number(found.nlpd)],
      ["Brier score", number(found.brier ?? NaN)],
      ["area under the ROC curve", number(found.area ?? NaN)],
      ["wrong class", percent(found["error rate"] ?? NaN)],
    ];
  const { transform, crps } = found;
  const unit = transform === "none" ? "" : transform === "log" ? " (of logarithms)" : " (of ranks)";
  return [
    ["in the 95 % interval", percent(nearly(found))],
    ["spread of residuals", number(found.spread ?? NaN, 3)],
    ["RMSE" + unit, number(found.rmse ?? NaN)],
    ["MAE" + unit, number(found.mae ?? NaN)],
    ["NLPD" + unit, number(found.nlpd)],
    .../** @type {[string, string][]} */ (
      crps === undefined ? [] : [["CRPS" + unit, number(crps)]]
    ),
  ];
}

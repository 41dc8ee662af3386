import assert from "node:assert/strict";
import test from "node:test";
import {
  axis,
  date,
  nearest,
  number,
  saidAt,
  shown,
} from "../../main/resources/lovelace/plot/page-parts.js";

test("numbers have five digits, and none is a dash", () => {
  assert.equal(number(123.456789), "123.46");
  assert.equal(number(1e7), "1.000e+7");
  assert.equal(number(-2e-5), "−2.000e−5");
  assert.equal(number(null), "–");
});

test("midnight is a date", () => {
  assert.equal(date(Date.UTC(2024, 1, 29)), "2024-02-29");
  assert.equal(date(Date.UTC(2024, 1, 29, 13, 5)), "2024-02-29 13:05");
});

test("values are shown as their axis has them", () => {
  assert.equal(shown({ label: "a", time: true }, 0), "1970-01-01");
  assert.equal(shown({ label: "a", words: ["clay", "sand"] }, 1), "sand");
  assert.equal(shown({ label: "a", words: [] }, 0.5), "0.5");
});

test("an axis is of words, times, logarithms or numbers", () => {
  const type = (/** @type {object} */ more) => axis({ label: "a", ...more }, false).type;
  assert.deepEqual([{ words: ["clay"] }, { time: true }, { log: true }, {}].map(type), [
    "category",
    "time",
    "log",
    "value",
  ]);
});

test("the nearest number is found in any order", () => {
  assert.equal(nearest([5, 1, 3], 2.1), 2);
});

test("a tooltip names bands and lines everywhere, points only nearby, and draws never", () => {
  const color = "#000";
  const x = [0, 1, 2];
  const y = [1, 2, 3];
  /** @type {PlotPanel} */
  const panel = {
    ...{ kind: "plot", title: "", subtitle: "", boundaries: [] },
    x: { label: "x" },
    y: { label: "y" },
    layers: [
      { kind: "band", name: "95 %", color, x, y, upper: [4, 5, 6] },
      { kind: "line", name: "mean", color, x, y, upper: [] },
      { kind: "draw", name: "", color, x, y, upper: [] },
      { kind: "points", name: "data", color, x: [1.1], y: [9], upper: [] },
    ],
  };
  const said = (/** @type {number} */ v) =>
    saidAt(panel, v, 0.2).map(({ name, text }) => `${name}: ${text}`);
  assert.deepEqual(said(1), ["95 %: 2 to 5", "mean: 2", "data: 1.1: 9"]);
  assert.deepEqual(said(2), ["95 %: 3 to 6", "mean: 3"]);
});

test("a tooltip names the band of its class only, and the note of the nearest", () => {
  const color = "#000";
  /** @type {PlotPanel} */
  const panel = {
    ...{ kind: "plot", title: "", subtitle: "", boundaries: [] },
    x: { label: "x" },
    y: { label: "y" },
    layers: [
      { kind: "band", name: "chance", color, x: [0, 0.1], y: [0, 0], upper: [0.2, 0.2] },
      { kind: "band", name: "chance", color, x: [0.1, 0.2], y: [0.1, 0.1], upper: [0.3, 0.3] },
      {
        kind: "notes",
        name: "rows",
        color,
        x: [0.05, 0.15],
        y: [0, 0],
        upper: [],
        texts: ["7", "9"],
      },
    ],
  };
  assert.deepEqual(
    saidAt(panel, 0.16, 0.01).map(({ name, text }) => `${name}: ${text}`),
    ["chance: 0.1 to 0.3", "rows: 9"],
  );
});

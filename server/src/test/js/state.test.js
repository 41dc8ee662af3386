import assert from "node:assert/strict";
import test from "node:test";
import {
  Copy,
  drawCount,
  kernelName,
  seedOf,
} from "../../main/resources/lovelace/server/pages/state.js";

/** @import { State } from "../../main/resources/lovelace/server/pages/answers.js" */

/**
 * @param {string[]} names
 * @param {Partial<State>} more
 * @returns {State}
 */
const state = (names, more = {}) => ({
  id: "1",
  name: "m",
  columns: names.map((name) => ({ name, label: name, unit: "", low: 0, high: 4, middle: 2 })),
  target: { name: "t", label: "t (mm)" },
  shown: "t (mm)",
  law: { name: "gaussian", gaussian: true, values: "numbers", parameters: {} },
  transform: "none",
  kernel: "2.5*rbf(lengthscale=0.3)",
  parameters: [
    {
      path: "kernel.lengthscale",
      values: [1, 2],
      ranges: [
        [0.1, 10],
        [0.1, 10],
      ],
    },
  ],
  noise: 0.25,
  observations: 1200,
  added: [],
  likelihood: -12.3456,
  engine: "spectral",
  variances: "",
  grid: "",
  rows: 0,
  advice: "",
  ...more,
});

const wish = { draws: "5", seed: "1" };
const plane = { x: 0, y: 1, nx: 2, ny: 2, from: 0, to: 4, low: 0, high: 4 };
const map = { ...plane, mean: [0, 1, 2, 3], sd: [1, 1, 2, 2] };

/** @param {State} given */
const opened = (given) => {
  const copy = new Copy(given);
  copy.accept({ state: given, view: map });
  return copy;
};

test("a line asks for points and draws, a map for its sides, a wide model for slices too", () => {
  assert.deepEqual(new Copy(state(["a"])).view(wish), {
    x: 0,
    at: [2],
    points: 400,
    draws: 5,
    seed: 1,
  });
  assert.deepEqual(new Copy(state(["a", "b"])).view({ ...wish, data: true }), {
    x: 0,
    at: [2, 2],
    data: true,
    y: 1,
    nx: 64,
    ny: 64,
  });
  assert.equal("slices" in new Copy(state(["a", "b", "c"])).view(wish), true);
});

test("draws and seeds that are typed are made possible", () => {
  assert.deepEqual(["3.6", "99", "-1", "many"].map(drawCount), [4, 16, 0, 0]);
  assert.deepEqual(["7", "-7", ""].map(seedOf), [7, 0, 0]);
});

test("columns change places when one takes the other's", () => {
  const copy = new Copy(state(["a", "b", "c"]));
  copy.choose("x", 1);
  assert.deepEqual([copy.x, copy.y], [1, 0]);
  copy.choose("y", 2);
  assert.deepEqual([copy.x, copy.y], [1, 2]);
});

test("the cursor follows a column that is held", () => {
  const copy = opened(state(["a", "b", "c"]));
  assert.deepEqual(copy.cursor, { x: 2, y: 2 });
  copy.hold(1, 3);
  copy.hold(2, 0);
  assert.deepEqual(copy.held, [2, 3, 0]);
  assert.deepEqual(copy.cursor, { x: 2, y: 3 });
});

test("rows and cursor survive an answer without them", () => {
  const given = state(["a", "b"]);
  const copy = new Copy(given);
  const data = { kind: /** @type {const} */ ("rows"), count: 1, x: [1], y: [2], target: [3] };
  copy.accept({ state: given, view: { ...map, data } });
  copy.cursor = { x: 1, y: 1 };
  copy.accept({ state: given, view: map });
  assert.equal(copy.data, data);
  assert.deepEqual(copy.cursor, { x: 1, y: 1 });
});

test("a click on a line adds what it points at, on a map the value typed or the prediction", () => {
  assert.deepEqual(new Copy(state(["a"])).rowAt(1, 7, NaN), [1, 7]);
  const copy = opened(state(["a", "b"]));
  assert.deepEqual(copy.rowAt(0, 4, NaN), [0, 4, 2]);
  assert.deepEqual(copy.rowAt(0, 4, 9), [0, 4, 9]);
});

test("an observation is a value that the likelihood can have", () => {
  const law = { name: "poisson", gaussian: false, parameters: {} };
  const counts = new Copy(state(["a"], { law: { ...law, values: "counts" } }));
  assert.deepEqual(
    [-1, 2.4, 2.6].map((v) => counts.possible(v)),
    [0, 2, 3],
  );
  const classes = new Copy(state(["a"], { law: { ...law, values: "classes" } }));
  assert.deepEqual(
    [0.4, 0.6].map((v) => classes.possible(v)),
    [0, 1],
  );
  assert.equal(classes.hasClasses, true);
});

test("a wrong text is named with its column and the rule", () => {
  const copy = new Copy(state(["a"]));
  assert.ok(Number.isNaN(copy.typed(1, "much")));
  assert.equal(copy.complaint(1, "much"), "t (mm) cannot be 'much'. Write a number.");
  assert.equal(copy.typed(1, " −2 "), -2);
});

test("deviations are told in the units of the table", () => {
  const doubt = (/** @type {string} */ transform) =>
    new Copy(state(["a"], { transform })).doubt(0, 0.1);
  assert.equal(doubt("none"), 0.1);
  assert.equal(doubt("log"), Math.exp(0.1) - 1);
  assert.ok(Math.abs(doubt("ranks(0:-1,10:1)") - 0.5) < 1e-12);
});

test("only a Gaussian likelihood has an interval of observations on a map", () => {
  assert.notEqual(opened(state(["a", "b"])).at(1, 1).observed, null);
  const law = { name: "poisson", gaussian: false, values: /** @type {const} */ ("counts") };
  const poisson = opened(state(["a", "b"], { law: { ...law, parameters: {} } }));
  assert.equal(poisson.at(1, 1).observed, null);
});

test("the picture as a table has eleven places of a line and twenty-five of a map", () => {
  const line = { x: 0, from: 0, to: 4, points: 2, mean: [0, 4], sd: [0, 0] };
  const copy = new Copy(state(["a"]));
  copy.accept({ state: copy.state, view: line });
  const { head, rows } = copy.table();
  assert.deepEqual(head, ["a", "mean", "95 % from", "to"]);
  assert.equal(rows.length, 11);
  assert.deepEqual(rows[5], ["2", "2", "2", "2"]);
  assert.equal(opened(state(["a", "b"])).table().rows.length, 25);
});

test("many dots on a map are small and faint, added ones are not", () => {
  const copy = opened(state(["a", "b"], { added: [[1, 2, 3]] }));
  const many = Array.from({ length: 401 }, (_, i) => i);
  copy.data = { kind: "rows", count: 401, x: many, y: many, target: many };
  const marks = copy.marks();
  assert.equal(marks.length, 402);
  assert.equal(marks[0].style, "faint");
  assert.deepEqual([marks[401].x, marks[401].y, marks[401].style], [1, 2, "added"]);
});

test("a slider changes one value of its parameter", () => {
  const copy = new Copy(state(["a", "b"]));
  assert.deepEqual(copy.changed("kernel.lengthscale", 1, 5), { "kernel.lengthscale": [1, 5] });
  assert.deepEqual(copy.state.parameters[0].values, [1, 2]);
});

test("kernels are named without parameters and scale", () => {
  assert.equal(kernelName("2.5*rbf(lengthscale=0.3)"), "rbf");
  assert.equal(
    kernelName("1.0*(rbf(lengthscale=1.0) + rbf(lengthscale=2.0)*periodic(period=1.0))"),
    "rbf + rbf*periodic",
  );
});

test("the model is told in words", () => {
  const copy = new Copy(state(["a", "b"], { likelihood: "unknown" }));
  assert.equal(copy.headline(), "1,200 observations of t (mm) by a, b");
  assert.deepEqual(copy.about(), [
    ["kernel", "rbf"],
    ["engine", "spectral"],
    ["log likelihood", "not computed"],
  ]);
});

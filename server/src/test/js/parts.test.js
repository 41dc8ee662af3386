import assert from "node:assert/strict";
import test from "node:test";
import { Channel, refusal } from "../../main/resources/lovelace/server/pages/api.js";
import { scores } from "../../main/resources/lovelace/server/pages/checks.js";
import { moved } from "../../main/resources/lovelace/server/pages/cursor.js";
import { surface, wave } from "../../main/resources/lovelace/server/pages/examples.js";
import { bestSoFar, progress, rounded } from "../../main/resources/lovelace/server/pages/search.js";
import {
  position,
  sliderName,
  valueAt,
} from "../../main/resources/lovelace/server/pages/sliders.js";

test("keys move the cursor by a share of the window and not out of it", () => {
  const from = { x: 5, y: 1 };
  const limits = [0, 10, 0, 2];
  assert.deepEqual(moved("ArrowRight", from, limits, 0.1), { x: 6, y: 1, upright: false });
  assert.deepEqual(moved("ArrowDown", from, limits, 0.25), { x: 5, y: 0.5, upright: true });
  assert.deepEqual(moved("End", from, limits, 0.01), { x: 10, y: 1, upright: false });
  assert.deepEqual(moved("ArrowUp", from, limits, 0.9), { x: 5, y: 2, upright: true });
  assert.equal(moved("a", from, limits, 0.1), null);
});

test("sliders are logarithmic and come back to the value they show", () => {
  /** @type {[number, number]} */
  const range = [0.01, 100];
  assert.equal(position(1, range), 500);
  assert.equal(position(0.001, range), 0);
  assert.ok(Math.abs(valueAt(position(3, range), range) / 3 - 1) < 0.005); // half a step of 1000
});

test("sliders are named after parameter, column and part of the kernel", () => {
  const column = (/** @type {string} */ name) => ({
    ...{ name, label: name, unit: "", low: 0, high: 1, middle: 0.5 },
  });
  const parameter = (/** @type {string} */ path, values = [1]) => ({
    path,
    values,
    ranges: values.map(() => /** @type {[number, number]} */ ([0.1, 10])),
  });
  const state = {
    columns: [column("east"), column("north")],
    parameters: [
      parameter("noise"),
      parameter("left.lengthscale", [1, 2]),
      parameter("right.lengthscale"),
    ],
  };
  assert.deepEqual(
    state.parameters.map((p) => sliderName(state, p, p.values.length - 1)),
    ["Noise, std. dev.", "Lengthscale of north (left)", "Lengthscale (right)"],
  );
});

test("refusals are sentences", () => {
  assert.equal(refusal(400, '{"error": "the table is empty"}'), "The table is empty.");
  assert.equal(refusal(502, "bad gateway!"), "Bad gateway!");
  assert.equal(refusal(503, ""), "The server answers 503.");
});

test("a channel sends one request at a time and skips those that are overtaken", async () => {
  const channel = new Channel();
  /** @type {number[]} */
  const sent = [];
  /** @type {() => void} */
  let release = () => {};
  const first = channel.send(async () => {
    sent.push(1);
    await new Promise((done) => {
      release = () => done(undefined);
    });
  });
  for (const i of [2, 3])
    channel.send(async () => {
      sent.push(i);
    });
  assert.deepEqual(sent, [1]);
  release();
  await first;
  assert.deepEqual(sent, [1, 3]);
});

test("scores of classes and of numbers differ", () => {
  const base = { kind: /** @type {const} */ ("rows"), transform: "log", count: 9, nlpd: 0.5 };
  const classes = scores({ ...base, shares: [], brier: 0.1, area: 0.9, "error rate": 0.125 });
  assert.deepEqual(classes.at(-1), ["wrong class", "12.5 %"]);
  const numbers = scores({ ...base, coverage: [[0.95, 0.94]], spread: 1, rmse: 2, mae: 1 });
  assert.deepEqual(numbers[0], ["in the 95 % interval", "94.0 %"]);
  assert.deepEqual(numbers[2], ["RMSE (of logarithms)", "2"]);
  assert.equal(numbers.length, 5);
});

test("a search says where it looks next and why", () => {
  const found = { id: "1", initial: 2, side: 2, optimum: -960, best: 1, model: "" };
  const begun = progress({ ...found, history: [], next: [1, 2] });
  assert.equal(begun, "Nothing evaluated yet. Next: (1, 2), spread point 1 of 2.");
  const history = /** @type {[number, number, number][]} */ ([
    [0, 0, -60],
    [1, 1, 5],
  ]);
  assert.match(progress({ ...found, history, next: [3, 4] }), /the best −60, 900 above .* highest/);
  assert.deepEqual(bestSoFar([3, 1, 2]), [3, 1, 1]);
  assert.equal(rounded("1.23456*rbf(a=2.0E-5,b=3.14159)"), "1.2*rbf(a=2e−5, b=3.1)");
});

test("examples are the same every time", () => {
  assert.equal(wave(1000), wave(1000));
  assert.equal(wave(1000).split("\n").length, 1001);
  const rows = surface(400).split("\n").slice(1);
  assert.ok(rows.length > 300 && rows.length < 400); // some lie in the hole
  for (const row of rows) {
    const [x, y] = row.split(",").map(Number);
    assert.ok(Math.hypot(x - 7, y - 7) > 1.79);
  }
});

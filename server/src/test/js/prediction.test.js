import assert from "node:assert/strict";
import test from "node:test";
import { density } from "../../main/resources/lovelace/server/pages/distribution.js";
import {
  HALF,
  NEARLY,
  alongLine,
  onGrid,
  prediction,
  reach,
  slices,
} from "../../main/resources/lovelace/server/pages/prediction.js";

/** @param {number} v */
const same = (v) => v;

/** @param {number} a @param {number} b */
const close = (a, b, within = 1e-12) => assert.ok(Math.abs(a - b) <= within, `${a}, not ${b}`);

test("intervals are those of a normal distribution", () => {
  const here = prediction(2, 0.5, 0, same);
  assert.equal(here.median, 2);
  assert.deepEqual(here.half, [2 - HALF / 2, 2 + HALF / 2]);
  assert.deepEqual(here.nearly, [2 - NEARLY / 2, 2 + NEARLY / 2]);
});

test("an observation varies by the function and by noise", () => {
  const here = prediction(0, 3, 16, same);
  assert.equal(here.total, 5);
  assert.deepEqual(here.observed, [-5 * NEARLY, 5 * NEARLY]);
});

test("intervals are transformed with their ends", () => {
  const here = prediction(1, 0.5, 0, Math.exp);
  close(here.median, Math.E);
  close(here.nearly[1], Math.exp(1 + NEARLY / 2));
});

test("a prediction on a line lies between its points and stays at the ends", () => {
  const line = { from: 0, to: 2, points: 3, mean: [0, 10, 40], sd: [1, 3, 5] };
  const at = (/** @type {number} */ x) => alongLine(line, x, 0, same);
  assert.deepEqual([at(0.5).m, at(0.5).s], [5, 2]);
  assert.deepEqual([at(1.5).m, at(1.5).s], [25, 4]);
  assert.deepEqual([at(-9).m, at(2).m, at(9).m], [0, 40, 40]);
});

test("intervals of observations that the server sends are taken as they are", () => {
  const observed = { low: [1, 2], high: [3, 4] };
  const line = { from: 0, to: 1, points: 2, mean: [0, 0], sd: [1, 1], observed };
  assert.deepEqual(alongLine(line, 0.9, 0, same).observed, [2, 4]);
});

const frame = { nx: 3, ny: 2, from: 0, to: 2, low: 10, high: 11 };

test("a plane is interpolated exactly", () => {
  // f(x, y) = x + 100 y at the six places of the frame
  const values = [10, 11].flatMap((y) => [0, 1, 2].map((x) => x + 100 * y));
  for (const [x, y] of [
    [0, 10],
    [2, 11],
    [0.25, 10.75],
    [1.5, 10.5],
  ])
    close(onGrid(frame, values, x, y), x + 100 * y, 1e-9);
  close(onGrid(frame, values, 99, 99), 2 + 1100, 1e-9);
});

test("the slices through a place meet there", () => {
  const map = { ...frame, mean: [1, 2, 4, 3, 5, 9], sd: [1, 1, 1, 2, 2, 2] };
  const [across, up] = slices(map, 1, 10.5);
  assert.deepEqual([across.points, across.from, across.to], [3, 0, 2]);
  assert.deepEqual([up.points, up.from, up.to], [2, 10, 11]);
  close(alongLine(across, 1, 0, same).m, onGrid(map, map.mean, 1, 10.5));
  close(alongLine(up, 10.5, 0, same).m, onGrid(map, map.mean, 1, 10.5));
});

test("a range holds all 95 % intervals", () => {
  const parts = [
    { mean: [0, 1], sd: [1, 1] },
    { mean: [5], sd: [0] },
  ];
  const [low, high] = reach(parts, same);
  assert.ok(low < -NEARLY && high > 5);
  close(high - low, 1.1 * (5 + NEARLY));
});

test("the density of a log-normal falls as 1/y times a normal", () => {
  const ratio = density(1, 0, 0.5, Math.exp) / density(0, 0, 0.5, Math.exp);
  close(ratio, Math.exp(-2) / Math.E, 1e-6);
});

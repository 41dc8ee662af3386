import assert from "node:assert/strict";
import test from "node:test";
import {
  LEVELS,
  amount,
  doubles,
  factText,
  floats,
  forecastAt,
  found,
  moved,
  nearestStep,
  roomy,
  seen,
  size,
  sorted,
  unpacked,
  zoomed,
} from "../../main/resources/lovelace/plot/series-data.js";

/** @type {PackedSeries} */
const packed = {
  steps: 0,
  first: 10,
  count: 3,
  shown: 2,
  fans: [[13, 2]],
  level: "1000000000",
  size: "4",
  facts: [],
};

/** @param {ArrayBufferView} view */
const base64 = (view) => Buffer.from(view.buffer).toString("base64");

const line = () => {
  const quantiles = [1, 2].flatMap((k) => Array.from({ length: LEVELS }, (_, l) => (k * l) / 12));
  const data = floats(base64(new Float32Array([0, NaN, 0.25, ...quantiles])));
  assert.equal(data.length, size(packed));
  return unpacked("a", packed, data, (step) => 100 * step);
};

test("numbers are those that were packed, to the digits of their range", () => {
  const { y, x, fans } = line();
  assert.deepEqual([...y], [1e9, NaN, 1e9 + 1]);
  assert.deepEqual([...x], [1000, 1100, 1200, 1300, 1400]);
  assert.equal(fans[0].from, 3);
  assert.deepEqual([...fans[0].q[6]], [1e9 + 2, 1e9 + 4]);
  assert.deepEqual([...fans[0].q[0]], [1e9, 1e9]);
  assert.deepEqual([...doubles(base64(new Float64Array([1e-300, 2])))], [1e-300, 2]);
});

test("a view sees the values and the forecasts in it", () => {
  const near = seen(line(), { low: 1000, high: 1400 });
  assert.equal(near.from, 0);
  assert.equal(near.to, 5);
  assert.ok(near.range.low <= 1e9 && near.range.high >= 1e9 + 4);
  assert.deepEqual(forecastAt(line(), 4)?.k, 1);
  assert.equal(forecastAt(line(), 2), undefined);
});

test("a series without steps is seen as nothing", () => {
  const none = { id: "", x: new Float64Array(), y: new Float64Array(), fans: [], shown: 0 };
  assert.deepEqual(seen(none, { low: 0, high: 1 }).range, { low: 0, high: 1 });
});

test("amounts have five digits and thousands", () => {
  assert.deepEqual([0, 1234567, -0.000123456, 12.3456, 1e9, NaN, 2e15, -5].map(amount), [
    "0",
    "1,234,567",
    "−0.00012346",
    "12.346",
    "1,000,000,000",
    "–",
    "2.000e+15",
    "−5",
  ]);
});

test("facts are numbers, shares, or changes with a sign", () => {
  assert.equal(factText(0.123456, "plain"), "0.123");
  assert.equal(factText(0.05, "percent"), "5 %");
  assert.equal(factText(0.05, "change"), "+5 %");
  assert.equal(factText(-0.05, "change"), "−5 %");
  assert.equal(factText(-0.001, "change"), "0 %");
  assert.equal(factText(null, "plain"), "–");
});

test("a search finds all of its words in any case", () => {
  const ids = ["Shop 1, milk", "shop 2, Milk", "shop 2, tea", "<b>"];
  assert.deepEqual(found(ids, "MILK shop"), [0, 1]);
  assert.deepEqual(found(ids, "2 tea"), [2]);
  assert.deepEqual(found(ids, "<"), [3]);
  assert.deepEqual(found(ids, "  "), [0, 1, 2, 3]);
});

test("series are sorted by a fact, those without it last, and by id with its numbers", () => {
  const ids = ["a 10", "a 9", "b", "c"];
  const fact = [1, 3, null, 2];
  const by = (/** @type {number} */ i) => fact[i];
  assert.deepEqual(sorted([0, 1, 2, 3], ids, by, false), [1, 3, 0, 2]);
  assert.deepEqual(sorted([0, 1, 2, 3], ids, by, true), [0, 3, 1, 2]);
  assert.deepEqual(sorted([0, 1, 2, 3], ids, null, false), [1, 0, 2, 3]);
  assert.deepEqual(sorted([0, 1, 2], ids, null, true), [2, 0, 1]);
});

test("a range of values has room, and zero where that costs little", () => {
  assert.deepEqual(roomy(1, 10), { low: 0, high: 10.45 });
  assert.deepEqual(roomy(7, 7), { low: 6.65, high: 7.35 });
  assert.deepEqual(roomy(0, 0), { low: -0.5, high: 0.5 });
  assert.deepEqual(roomy(Infinity, -Infinity), { low: 0, high: 1 });
});

test("zooming keeps the place under the pointer, and nothing leaves the whole", () => {
  const all = { low: 0, high: 100 };
  assert.deepEqual(zoomed({ low: 0, high: 100 }, 2, 25, all, 3), { low: 12.5, high: 62.5 });
  assert.deepEqual(zoomed({ low: 50, high: 100 }, 0.1, 60, all, 3), all);
  assert.deepEqual(zoomed({ low: 50, high: 60 }, 100, 55, all, 4), { low: 53, high: 57 });
  assert.deepEqual(moved({ low: 80, high: 90 }, 50, all), { low: 90, high: 100 });
});

test("the nearest step is found", () => {
  assert.deepEqual(
    [-5, 0.4, 0.6, 2.4, 99].map((v) => nearestStep([0, 1, 2, 3], v)),
    [0, 0, 1, 2, 3],
  );
  assert.equal(nearestStep([], 1), 0);
});

import assert from "node:assert/strict";
import test from "node:test";
import {
  milliseconds,
  number,
  ticks,
  undo,
} from "../../main/resources/lovelace/server/pages/format.js";

test("numbers have about four digits and a real minus", () => {
  assert.equal(number(0), "0");
  assert.equal(number(-3.14159), "−3.142");
  assert.equal(number(1949.5), "1950");
  assert.equal(number(123456), "123,456");
  assert.equal(number(0.00001234), "1.23e−5");
  assert.equal(number(NaN), "–");
});

test("durations are in milliseconds until they are long", () => {
  assert.equal(milliseconds(1.26), "1.3 ms");
  assert.equal(milliseconds(250.4), "250 ms");
  assert.equal(milliseconds(12345), "12.3 s");
});

test("ticks are round and inside the range", () => {
  assert.deepEqual(ticks(0, 1, 5), [0, 0.2, 0.4, 0.6000000000000001, 0.8, 1]);
  assert.deepEqual(ticks(-7, 13, 4), [-5, 0, 5, 10]);
  assert.deepEqual(ticks(3, 3, 4), [3]);
});

test("transforms are undone", () => {
  assert.equal(undo("none")(2.5), 2.5);
  assert.equal(undo("log")(Math.log(7)), Math.exp(Math.log(7)));
  assert.equal(undo("logit")(0), 0.5);
  // Φ(1.96), to the 1e-7 of the formula
  assert.ok(Math.abs(undo("probit")(1.96) - 0.9750021) < 2e-7);
  assert.ok(Math.abs(undo("probit")(-1.96) - 0.0249979) < 2e-7);
});

test("ranks are undone piece by piece, with the end slopes beyond", () => {
  const back = undo("ranks(10:-1,20:0,60:1)");
  assert.deepEqual([-1, -0.5, 0, 0.5, 1].map(back), [10, 15, 20, 40, 60]);
  assert.deepEqual([-2, 2].map(back), [0, 100]);
});

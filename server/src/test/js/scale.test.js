import assert from "node:assert/strict";
import test from "node:test";
import { Scale } from "../../main/resources/lovelace/server/pages/scale.js";

const plain = new Scale({ label: "depth (m)", unit: "m" });
const years = new Scale({ label: "month", unit: "years", origin: "0000-01-01T00:00" });
const days = new Scale({ label: "day", unit: "days", origin: "2020-01-01T00:00" });
const seconds = new Scale({ label: "time", unit: "seconds", origin: "2020-01-01T00:00" });
const words = new Scale({ label: "soil", unit: "", words: ["clay", "loam", "sand"] });

test("plain numbers are read as they are typed", () => {
  assert.equal(plain.value(" −1,234.5 "), -1234.5);
  assert.ok(Number.isNaN(plain.value("")));
  assert.ok(Number.isNaN(plain.value("deep")));
});

test("years are months", () => {
  assert.equal(years.text(1949.5), "1949-07");
  assert.equal(years.value("1949-07"), 1949.5);
  assert.equal(years.value("1949"), 1949);
  assert.ok(Number.isNaN(years.value("July")));
});

test("quarters are their first months", () => {
  for (const text of ["2020Q3", "2020-Q3", "2020 q3", "Q3 2020", "Q3-2020", "3Q2020"]) {
    assert.equal(years.value(text), 2020.5, text);
    assert.equal(days.value(text), days.value("2020-07-01"), text);
  }
  assert.ok(Number.isNaN(years.value("2020Q5")));
  assert.ok(Number.isNaN(days.value("Q3")));
});

test("days and seconds count from their origin", () => {
  assert.equal(days.text(31), "2020-02-01");
  assert.equal(days.value("2020-02-01"), 31);
  assert.equal(seconds.text(3661), "2020-01-01 01:01:01");
  assert.equal(seconds.value("2020-01-01 01:01:01"), 3661);
});

test("what is shown can be typed", () => {
  for (const [scale, value] of /** @type {[Scale, number][]} */ ([
    [plain, -12.5],
    [years, 1960 + 11 / 12],
    [days, 400],
    [seconds, 86399],
    [words, 2],
  ]))
    assert.ok(Math.abs(scale.value(scale.text(value)) - value) < 1e-9, scale.label);
});

test("words are places in their list", () => {
  assert.equal(words.text(1), "loam");
  assert.equal(words.value("sand"), 2);
  assert.ok(Number.isNaN(words.value("rock")));
  assert.deepEqual(words.ticks(0, 2, 2), [
    [0, "clay"],
    [2, "sand"],
  ]);
});

test("ticks of times are round in the calendar", () => {
  assert.deepEqual(days.ticks(0.2, 3.5, 4), [
    [1, "2020-01-02"],
    [2, "2020-01-03"],
    [3, "2020-01-04"],
  ]);
  assert.deepEqual(
    seconds.ticks(0, 7200, 4).map(([, text]) => text),
    ["00:00", "00:30", "01:00", "01:30", "02:00"],
  );
  assert.deepEqual(years.ticks(1950, 1952, 2), [
    [1950, "1950"],
    [1951, "1951"],
    [1952, "1952"],
  ]);
});

test("ticks of long times are first days of months and years", () => {
  const scale = new Scale({ label: "day", unit: "days", origin: "1970-01-01T00:00" });
  assert.deepEqual(scale.ticks(10, 200, 3), [
    [90, "1970-04"],
    [181, "1970-07"],
  ]);
  assert.deepEqual(scale.ticks(-400, 1000, 2), [
    [0, "1970"],
    [730, "1972"],
  ]);
});

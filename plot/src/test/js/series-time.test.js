import assert from "node:assert/strict";
import test from "node:test";
import {
  ahead,
  momentOf,
  momentText,
  momentTicks,
} from "../../main/resources/lovelace/plot/series-time.js";

const HOUR = 3_600_000;
const summer = Date.UTC(2024, 6, 1, 10);
const winter = Date.UTC(2024, 0, 1, 10);

test("clocks of a region change, and those of an offset do not", () => {
  assert.equal(ahead("Europe/Berlin", summer), 2 * HOUR);
  assert.equal(ahead("Europe/Berlin", winter), HOUR);
  assert.equal(ahead("330", summer), 5.5 * HOUR);
  assert.equal(ahead("-60", summer), -HOUR);
  assert.equal(ahead("", summer), 0);
});

test("a time that clocks show is a moment, on both sides of a change", () => {
  for (const moment of [summer, winter, Date.UTC(2024, 2, 31, 0), Date.UTC(2024, 2, 31, 2)])
    assert.equal(momentOf("Europe/Berlin", moment + ahead("Europe/Berlin", moment)), moment);
});

test("moments are written as the table writes them", () => {
  const t = Date.UTC(2024, 4, 6, 7, 8);
  assert.deepEqual(
    ["year", "quarter", "month", "date", "time"].map((form) => momentText(form, "", t)),
    ["2024", "2024Q2", "2024-05", "2024-05-06", "2024-05-06 07:08"],
  );
  assert.equal(momentText("time", "Europe/Berlin", summer), "2024-07-01 12:00");
  assert.equal(momentText("number", "", -12.5), "−12.5");
  assert.equal(momentText("date", "", NaN), "");
});

/**
 * @param {string} form
 * @param {number} low
 * @param {number} high
 */
const texts = (form, low, high, zone = "", count = 6) =>
  momentTicks(form, zone, { low, high }, count).map(({ text }) => text);

test("ticks are years, months, days or hours", () => {
  const day = 24 * HOUR;
  assert.deepEqual(texts("date", Date.UTC(2019, 11, 1), Date.UTC(2024, 1, 1)), [
    "2020",
    "2021",
    "2022",
    "2023",
    "2024",
  ]);
  assert.deepEqual(texts("date", Date.UTC(2024, 0, 15), Date.UTC(2024, 5, 15)), [
    "2024-02",
    "2024-03",
    "2024-04",
    "2024-05",
    "2024-06",
  ]);
  assert.deepEqual(texts("date", winter, winter + 4 * day), [
    "2024-01-02",
    "2024-01-03",
    "2024-01-04",
    "2024-01-05",
  ]);
  assert.deepEqual(texts("time", winter, winter + day, "", 4), [
    "12:00",
    "18:00",
    "2024-01-02",
    "06:00",
  ]);
});

test("quarters are named, and dates have no hours", () => {
  assert.deepEqual(texts("quarter", Date.UTC(2024, 0, 1), Date.UTC(2024, 9, 1)), [
    "2024Q1",
    "2024Q2",
    "2024Q3",
    "2024Q4",
  ]);
  assert.deepEqual(texts("date", winter, winter + 30 * HOUR), ["2024-01-02"]);
});

test("ticks lie on midnights of the zone, also where clocks change", () => {
  const low = Date.UTC(2024, 2, 30, 12);
  const ticks = momentTicks("time", "Europe/Berlin", { low, high: low + 48 * HOUR }, 2);
  assert.deepEqual(
    ticks.map(({ at }) => new Date(at).toISOString().slice(0, 13)),
    ["2024-03-30T23", "2024-03-31T22"],
  );
});

test("far years end", () => {
  const all = momentTicks("year", "", { low: -6e13, high: 6e13 }, 6);
  assert.ok(all.length >= 2 && all.length <= 8, String(all.length));
});

// The parts of the series page that need no browser.

import assert from "node:assert/strict";
import { test } from "node:test";

import { placeOf, stepsShown, words } from "../../main/resources/lovelace/server/pages/fan.js";
import {
  headline,
  scoreRows,
  scoreWords,
} from "../../main/resources/lovelace/server/pages/series.js";

/** @type {import("../../main/resources/lovelace/server/pages/answers.js").Tested} */
const OURS = {
  mase: 0.5,
  smape: 8.25,
  inside80: 0.8125,
  inside95: 0.96,
  mases: [0.4, 0.6],
  insides80: [0.8, null],
  insides95: [1, 0.92],
};

const FOUND = {
  forecasts: 24,
  series: 8,
  season: 12,
  ours: OURS,
  naive: { ...OURS, mase: 0.8 },
};

test("the slider of the history goes from four steps to all", () => {
  assert.equal(stepsShown(0, 1000), 4);
  assert.equal(stepsShown(100, 1000), 1000);
  assert.equal(stepsShown(50, 1000), 63);
  assert.equal(stepsShown(30, 3), 3);
  assert.equal(placeOf(1000, 1000), 100);
  assert.equal(placeOf(2000, 1000), 100);
  assert.equal(placeOf(1, 1000), 0);
  for (const place of [0, 20, 40, 60, 80, 100])
    assert.equal(placeOf(stepsShown(place, 100000), 100000), place);
});

test("a step is told by its value or its forecast", () => {
  /** @type {import("../../main/resources/lovelace/server/pages/answers.js").Series} */
  const series = {
    id: "a",
    kind: "library",
    horizon: 1,
    frequency: "months",
    seasons: [],
    count: 2,
    gaps: 1,
    time: { label: "month", unit: "days", origin: "1970-01-01T00:00" },
    target: "sold",
    past: [0, 31],
    values: [7, null],
    ahead: [59],
    times: ["1970-03"],
    bands: { median: [8], "lo-95": [5.5], "hi-95": [11] },
  };
  assert.equal(words(series, 0), "7");
  assert.equal(words(series, 1), "no value");
  assert.equal(words(series, 2), "8, 95 % 5.5 to 11");
  assert.equal(words({ ...series, bands: {} }, 2), "no forecast");
});

test("scores stand beside those of repeating", () => {
  assert.deepEqual(scoreRows(FOUND), {
    head: ["", "MASE", "sMAPE", "inside 80 %", "inside 95 %"],
    rows: [
      ["this forecast", "0.5", "8.25", "81.3 %", "96.0 %"],
      ["the last season again", "0.8", "8.25", "81.3 %", "96.0 %"],
    ],
  });
  assert.match(scoreWords(FOUND), /^24 earlier forecasts of 8 series\. The error is 38 % smaller/);
  const worse = { ...FOUND, ours: { ...OURS, mase: 1 }, series: 1 };
  assert.match(scoreWords(worse), /of one series\. The error is 25 % larger/);
  const none = { ...FOUND, ours: { ...OURS, mase: /** @type {const} */ ("unknown") } };
  assert.doesNotMatch(scoreWords(none), /error is/);
  assert.equal(scoreRows({ ...none, season: 1 }).rows[0][1], "–");
  assert.equal(scoreRows({ ...none, season: 1 }).rows[1][0], "the last value again");
});

test("forecasts are told in one line", () => {
  assert.equal(
    headline({ name: "a", series: 1200, observations: 90000, horizon: 12, frequency: "months" }),
    "90,000 values of 1,200 series, 12 steps ahead; months",
  );
});

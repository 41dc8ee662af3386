// What the studio asks of the server, with the types of the answers.

/** @import { About, Backtested, Changed, Checked, Drawn, Fitted, Found, Learned, Searched } from "./answers.js" */
/** @import { Series, Step, Table } from "./answers.js" */

import * as api from "./api.js";

/** @typedef {(step: { iteration: number, likelihood: number }) => void} Watch */

/** @returns {Promise<About>} */
export const about = () => api.get("about");

// ---- copies of models ----

/**
 * Makes a copy of a model that is served.
 *
 * @param {string} model
 * @returns {Promise<Changed>}
 */
export const open = (model) => api.post("sessions", { model });

/** @param {string} id */
export const close = (id) => api.remove(`sessions/${id}`);

/**
 * Changes a copy, or only looks at it.
 *
 * @param {string} id
 * @param {"view" | "observe" | "undo" | "reset" | "parameters"} what
 * @param {object} body
 * @returns {Promise<Changed>}
 */
export const change = (id, what, body) => api.post(`sessions/${id}/${what}`, body);

/**
 * More draws along a line. The user did not ask for them, so their time is not shown.
 *
 * @param {string} id
 * @param {object} view
 * @returns {Promise<Drawn>}
 */
export const moreDraws = (id, view) => api.postQuietly(`sessions/${id}/view`, { view });

/**
 * Learns the parameters of a copy.
 *
 * @param {string} id
 * @param {object} view
 * @param {Watch} watch
 * @param {AbortSignal} signal
 */
export const learn = (id, view, watch, signal) =>
  run(`sessions/${id}/learn`, { view }, watch, signal);

/**
 * @param {string} id
 * @returns {Promise<Checked>}
 */
export const check = (id) => api.post(`sessions/${id}/checks`);

/** @param {string} id */
export const modelFile = (id) => api.blob(`sessions/${id}/model`);

// ---- tables ----

/**
 * @param {string} csv
 * @returns {Promise<Table>}
 */
export const upload = (csv) => api.post("tables", csv);

export const airline = () => api.text("examples/airline.csv");

/**
 * Fits a model to a table that was uploaded.
 *
 * @param {object} settings
 * @param {Watch} watch
 * @param {AbortSignal} signal
 */
export const fit = (settings, watch, signal) => run("sessions", settings, watch, signal);

/**
 * Runs a job to its end; null if it was cancelled.
 *
 * @template [T=Fitted]
 * @param {string} path
 * @param {object} body
 * @param {Watch} watch
 * @param {AbortSignal} signal
 * @returns {Promise<T | null>}
 */
async function run(path, body, watch, signal) {
  /** @type {string | undefined} */
  let job;
  const cancel = () => {
    if (job) api.postQuietly(`jobs/${job}/cancel`).catch(() => {}); // it may have ended
  };
  signal.addEventListener("abort", cancel);
  /** @param {Step} line */
  const step = ({ job: id, iteration, likelihood }) => {
    job ??= id;
    if (iteration !== undefined && likelihood !== undefined) watch({ iteration, likelihood });
  };
  try {
    const last = await api.stream(path, body, step, signal);
    return last.cancelled ? null : /** @type {T} */ (/** @type {unknown} */ (last));
  } catch (failure) {
    if (signal.aborted) return null;
    throw failure;
  }
}

// ---- series ----

/** @typedef {{ model: string } | { forecasts: string }} Source A file that is served, or a table. */

/**
 * Learns to forecast the series of a table that was uploaded.
 *
 * @param {{ table: string, id: string, time: string, target: string, horizon: number, name: string }} settings
 * @param {AbortSignal} signal
 * @returns {Promise<Learned | null>}
 */
export const forecast = (settings, signal) => run("series", settings, () => {}, signal);

/**
 * @param {Source} source
 * @param {string} search
 * @returns {Promise<Found>}
 */
export const findSeries = (source, search) => api.post("series/find", { ...source, search });

/**
 * @param {Source} source
 * @param {string} id
 * @param {number | undefined} horizon
 * @returns {Promise<Series>}
 */
export const seriesView = (source, id, horizon) =>
  api.post("series/view", { ...source, id, horizon });

/**
 * @param {Source} source
 * @param {{ id: string } | { all: true }} which
 * @returns {Promise<Backtested>}
 */
export const backtest = (source, which) => api.post("series/backtest", { ...source, ...which });

// ---- the search ----

/**
 * @param {{ acquisition: string, seed: number, initial: number }} settings
 * @returns {Promise<Searched>}
 */
export const beginSearch = (settings) => api.post("searches", settings);

/**
 * @param {string} id
 * @returns {Promise<Searched>}
 */
export const stepSearch = (id) => api.post(`searches/${id}/step`);

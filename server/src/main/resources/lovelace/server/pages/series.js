// Forecasts of series: one of them with its history and its fan, found by its id, and a backtest.

/** @import { Backtested, Forecasts, Series, Tested } from "./answers.js" */
/** @import { Source } from "./requests.js" */

import { Channel } from "./api.js";
import { BySteps, Fan, placeOf, stepsShown } from "./fan.js";
import { number, whole } from "./format.js";
import { button, byId, canvas, facts, input, make, say, select, tableParts, told } from "./page.js";
import * as requests from "./requests.js";

const SHOWN = 200; // steps of the history at first
const WAIT = 150; // milliseconds after the last key of a search

/** @type {Record<Series["kind"], string>} */
const KINDS = {
  library: "the library of processes",
  long: "state spaces over the whole history",
  short: "few values, so wide intervals",
  constant: "all values are the same",
  one: "one value, and the changes of other series",
  none: "no values, so no forecast",
};

/**
 * Forecasts in one line.
 *
 * @param {Forecasts} forecasts
 */
export const headline = ({ series, observations, horizon, frequency }) =>
  `${whole(observations)} values of ${whole(series)} series, ${whole(horizon)} steps ahead; ${frequency}`;

/**
 * The rows of a table of scores.
 *
 * @param {Backtested} found
 */
export function scoreRows({ ours, naive, season }) {
  /** @param {number | "unknown"} v */
  const plain = (v) => (v === "unknown" ? "–" : number(v, 3));
  /** @param {number | "unknown"} v */
  const share = (v) => (v === "unknown" ? "–" : `${(100 * v).toFixed(1)} %`);
  /** @param {string} name @param {Tested} of */
  const row = (name, of) => [
    name,
    plain(of.mase),
    plain(of.smape),
    share(of.inside80),
    share(of.inside95),
  ];
  const other = season > 1 ? "the last season again" : "the last value again";
  return {
    head: ["", "MASE", "sMAPE", "inside 80 %", "inside 95 %"],
    rows: [row("this forecast", ours), row(other, naive)],
  };
}

/**
 * What a backtest scored, and how to read it.
 *
 * @param {Backtested} found
 */
export function scoreWords({ forecasts, series, ours, naive }) {
  const many = series === 1 ? "one series" : `${whole(series)} series`;
  const scored = `${whole(forecasts)} earlier forecasts of ${many}.`;
  const caution = " The weights have seen the later values too; lovelace backtest learns anew.";
  if (ours.mase === "unknown" || naive.mase === "unknown" || !(naive.mase > 0))
    return scored + caution;
  const gain = Math.round(100 * (1 - ours.mase / naive.mase));
  const words = gain >= 0 ? `${gain} % smaller` : `${-gain} % larger`;
  return `${scored} The error is ${words} than that of repeating.${caution}`;
}

export class SeriesPage {
  /** @type {Forecasts[]} */
  #all = [];
  /** @type {Series | null} */
  #open = null;
  #id = "";
  #horizon = 0;
  #timer = 0;
  #channel = new Channel();
  /** Changes when other series are opened, so that late answers are dropped. */
  #turn = 0;

  constructor() {
    this.fan = new Fan(canvas("fan"), { zoom: (factor) => this.#zoom(factor), say });
    this.error = new BySteps(canvas("backtest-error"), { left: 44, bottom: 40 });
    this.inside = new BySteps(canvas("backtest-inside"), { left: 52, bottom: 40 });
    select("series-file").onchange = () => told(() => this.#begin());
    input("series-search").oninput = () => {
      clearTimeout(this.#timer);
      this.#timer = window.setTimeout(() => told(() => this.#find()), WAIT);
    };
    const horizon = input("series-horizon");
    horizon.oninput = () => {
      this.#horizon = Number(horizon.value);
      byId("series-horizon-now").textContent = horizon.value;
      told(() => this.#channel.send(() => this.#view()));
    };
    input("series-zoom").oninput = () => this.#history();
    button("backtest-one").onclick = () => told(() => this.#backtest({ id: this.#id }));
    button("backtest-all").onclick = () => told(() => this.#backtest({ all: true }));
  }

  /** @returns {Source} */
  get #source() {
    const { id, name } = this.#chosen;
    return id ? { forecasts: id } : { model: name };
  }

  get #chosen() {
    const found = this.#all[Number(select("series-file").value)];
    if (!found) throw new Error("There are no forecasts yet.");
    return found;
  }

  /**
   * Takes the forecasts that are served.
   *
   * @param {Forecasts[]} forecasts
   */
  async serve(forecasts) {
    this.#all = forecasts;
    this.#choices(0);
  }

  /**
   * Adds forecasts of a table and opens them.
   *
   * @param {Forecasts} forecasts
   */
  async add(forecasts) {
    this.#all.push(forecasts);
    this.#choices(this.#all.length - 1);
    await this.#begin();
  }

  async show() {
    if (this.#all.length > 0 && !this.#open) await this.#begin();
    this.fan.paint();
  }

  /** @param {number} chosen */
  #choices(chosen) {
    byId("no-series").hidden = this.#all.length > 0;
    byId("forecasts").hidden = this.#all.length === 0;
    select("series-file").replaceChildren(
      ...this.#all.map(({ name, id }, i) =>
        make("option", { value: i }, id ? `${name} (yours)` : name),
      ),
    );
    if (this.#all.length > 0) select("series-file").value = String(chosen);
  }

  async #begin() {
    const { horizon, series } = this.#chosen;
    const turn = ++this.#turn;
    byId("series-facts").textContent = headline(this.#chosen);
    input("series-search").value = "";
    input("series-search").disabled = series < 2;
    button("backtest-all").hidden = series < 2;
    this.#horizon = horizon;
    this.#id = "";
    const slider = input("series-horizon");
    slider.max = String(horizon); // before the value, which it limits
    slider.value = String(horizon);
    slider.disabled = horizon < 2;
    byId("series-horizon-now").textContent = String(horizon);
    const first = await this.#find();
    if (first !== undefined && turn === this.#turn) await this.#choose(first);
  }

  /**
   * Lists the series that the search finds. Returns the first of them.
   *
   * @returns {Promise<string | undefined>}
   */
  async #find() {
    const wanted = input("series-search").value;
    const file = select("series-file").value;
    const { ids, count, all } = await requests.findSeries(this.#source, wanted);
    const late = wanted !== input("series-search").value || file !== select("series-file").value;
    if (late) return undefined; // a later search is on its way
    const more = count > ids.length ? `, the first ${ids.length} of them below` : "";
    byId("series-count").textContent =
      count === all ? `${whole(all)} series${more}` : `${whole(count)} of ${whole(all)}${more}`;
    byId("series-list").replaceChildren(
      ...ids.map((id) => {
        const pick = make("button", { type: "button" }, id || "the series");
        pick.onclick = () => told(() => this.#choose(id));
        return pick;
      }),
    );
    this.#mark(ids);
    return ids[0];
  }

  /** @param {string[]} [ids] */
  #mark(ids) {
    const picks = [...byId("series-list").children];
    picks.forEach((pick, i) => {
      const id = ids ? ids[i] : pick.textContent;
      pick.setAttribute(
        "aria-pressed",
        String((id || "the series") === (this.#id || "the series")),
      );
    });
  }

  /** @param {string} id */
  async #choose(id) {
    this.#id = id;
    this.#turn++;
    byId("backtest-found").hidden = true;
    this.#mark();
    await this.#channel.send(() => this.#view());
  }

  async #view() {
    const turn = this.#turn;
    const old = this.#open;
    const series = await requests.seriesView(this.#source, this.#id, this.#horizon);
    if (turn !== this.#turn) return;
    this.#open = series;
    if (old?.id !== series.id)
      input("series-zoom").value = String(placeOf(SHOWN, series.past.length));
    this.fan.series = series;
    this.#history();
    this.fan.show(series);
    this.#tell(series);
  }

  #history() {
    const count = this.#open?.past.length ?? 0;
    this.fan.steps = stepsShown(Number(input("series-zoom").value), count);
    byId("series-zoom-now").textContent = whole(this.fan.steps);
    this.fan.paint();
  }

  /** @param {number} factor */
  #zoom(factor) {
    const count = this.#open?.past.length ?? 0;
    const slider = input("series-zoom");
    const place = placeOf(this.fan.steps * factor, count);
    const moved = Number(slider.value) + Math.sign(factor - 1);
    slider.value = String(factor > 1 ? Math.max(place, moved) : Math.min(place, moved));
    this.#history();
  }

  /** @param {Series} series */
  #tell(series) {
    const { id, kind, count, gaps, frequency, seasons, times, bands } = series;
    byId("series-title").textContent = id || this.#chosen.name;
    facts(byId("series-about"), [
      ["values", whole(count - gaps)],
      ...(gaps ? [/** @type {[string, string]} */ (["gaps", whole(gaps)])] : []),
      ["steps", frequency],
      ["seasons", seasons.length ? seasons.map((s) => number(s)).join(", ") : "none"],
      ["forecast by", KINDS[kind]],
    ]);
    const head = ["median", "lo-80", "hi-80", "lo-95", "hi-95"];
    const rows = times.map((time, k) => [time, ...head.map((name) => number(bands[name]?.[k]))]);
    byId("series-numbers").replaceChildren(...tableParts([series.time.label, ...head], rows));
    const last = times.length - 1;
    const said = bands.median
      ? `${number(bands.median[last])}, 95 % between ${number(bands["lo-95"][last])} and ${number(bands["hi-95"][last])}`
      : "no forecast";
    this.fan.describe(`Series ${id}: ${whole(count)} values; at ${times[last]} ${said}`);
    say(`${id || "The series"}: at ${times[last]} ${said}`);
  }

  /** @param {{ id: string } | { all: true }} which */
  async #backtest(which) {
    const buttons = [button("backtest-one"), button("backtest-all")];
    const turn = this.#turn;
    for (const each of buttons) each.disabled = true;
    byId("backtest-facts").textContent = "Forecasting from earlier times …";
    try {
      const found = await requests.backtest(this.#source, which);
      if (turn === this.#turn) this.#scores(found);
    } catch (failure) {
      byId("backtest-facts").textContent = "";
      throw failure;
    } finally {
      for (const each of buttons) each.disabled = false;
    }
  }

  /** @param {Backtested} found */
  #scores(found) {
    const { ours, naive } = found;
    const { head, rows } = scoreRows(found);
    byId("backtest-facts").textContent = scoreWords(found);
    byId("backtest-scores").replaceChildren(...tableParts(head, rows));
    byId("backtest-found").hidden = false;
    this.error.show(
      [
        { label: "repeating", style: "draw", values: naive.mases, dashed: true },
        { label: "this forecast", style: "mean", values: ours.mases },
      ],
      [],
      false,
    );
    this.inside.show(
      [
        { label: "80 %", style: "added", values: ours.insides80 },
        { label: "95 %", style: "mean", values: ours.insides95 },
      ],
      [0.8, 0.95],
      true,
    );
  }
}

// A slider for every positive parameter, on a logarithmic scale.

/** @import { Parameter, State } from "./answers.js" */

import { number } from "./format.js";
import { make } from "./page.js";

const STEPS = 1000;
/** @type {Record<string, string>} */
const WORDS = {
  noise: "Noise",
  outputscale: "Output scale",
  lengthscale: "Lengthscale",
  period: "Period",
};

/** @param {string} path */
const last = (path) => path.slice(path.lastIndexOf(".") + 1);

/**
 * Noise and output scale are variances; people think in standard deviations.
 *
 * @param {string} path
 */
const isVariance = (path) => path === "noise" || last(path) === "outputscale";

/**
 * What a parameter's value is called.
 *
 * @param {Pick<State, "parameters" | "columns">} state
 * @param {Parameter} parameter
 * @param {number} i
 */
export function sliderName({ parameters, columns }, { path, values }, i) {
  const own = last(path);
  const many = parameters.filter((p) => last(p.path) === own).length > 1;
  const part = path.split(".").slice(0, -1).join(" ");
  const perColumn = values.length > 1 && values.length === columns.length;
  return [
    WORDS[own] ?? own,
    perColumn ? ` of ${columns[i].name}` : "",
    many && part ? ` (${part})` : "",
    isVariance(path) ? ", std. dev." : "",
  ].join("");
}

/**
 * The place of a slider for a value, from 0 to 1000.
 *
 * @param {number} value
 * @param {[number, number]} range
 */
export function position(value, [low, high]) {
  return Math.round((STEPS * Math.log(Math.max(1, value / low))) / Math.log(high / low));
}

/**
 * The value at a place of a slider.
 *
 * @param {number} place
 * @param {[number, number]} range
 */
export function valueAt(place, [low, high]) {
  return low * (high / low) ** (place / STEPS);
}

export class Sliders {
  #form = "";
  /** @type {{ row: HTMLElement, set: (value: number, range: [number, number]) => void }[]} */
  #all = [];

  /**
   * @param {HTMLElement} place
   * @param {(path: string, i: number, value: number) => void} moved
   */
  constructor(place, moved) {
    this.place = place;
    this.moved = moved;
  }

  /**
   * Shows the parameters. A slider that is being moved stays where it is.
   *
   * @param {State} state
   */
  show(state) {
    const form = state.id + state.parameters.map((p) => p.path + p.values.length).join();
    if (this.#form !== form) {
      this.#form = form;
      this.#all = state.parameters.flatMap((p) =>
        p.values.map((_, i) => this.#slider(sliderName(state, p, i), p.path, i)),
      );
      this.place.replaceChildren(...this.#all.map(({ row }) => row));
    }
    let next = 0;
    for (const { values, ranges } of state.parameters)
      values.forEach((value, i) => this.#all[next++].set(value, ranges[i]));
  }

  /**
   * @param {string} name
   * @param {string} path
   * @param {number} i
   */
  #slider(name, path, i) {
    const id = `slider-${path}-${i}`.replaceAll(".", "-");
    const input = make("input", { type: "range", min: 0, max: STEPS, step: 1, id });
    const output = make("output", { for: id });
    /** @type {[number, number]} */
    let range = [1, 1];
    let held = false;
    /** @param {number} value */
    const tell = (value) => {
      output.textContent = number(isVariance(path) ? Math.sqrt(value) : value);
      input.setAttribute("aria-valuetext", output.textContent);
    };
    input.oninput = () => {
      held = true;
      const value = valueAt(Number(input.value), range);
      tell(value);
      this.moved(path, i, value);
    };
    input.onchange = () => {
      held = false;
    };
    /** @param {number} value @param {[number, number]} limits */
    const set = (value, limits) => {
      if (held) return;
      range = limits;
      input.value = String(position(value, range));
      tell(value);
    };
    const label = make("label", { for: id }, name, output);
    return { row: make("div", { class: "slider" }, label, input), set };
  }
}

// A slider for every positive parameter, on a logarithmic scale.

import { number } from "./format.js";
import { make } from "./page.js";

const STEPS = 1000;
const WORDS = { noise: "Noise", outputscale: "Output scale", lengthscale: "Lengthscale", period: "Period" };

const last = (path) => path.split(".").at(-1);

/** Noise and output scale are variances; people think in standard deviations. */
const isVariance = (path) => path === "noise" || last(path) === "outputscale";

export class Sliders {
  /** `moved` gets a parameter's path, the number of the value and the value. */
  constructor(place, moved) {
    this.place = place;
    this.moved = moved;
  }

  /** Shows the state's parameters; a slider that is being moved stays where it is. */
  show(state) {
    const form = state.id + state.parameters.map((p) => p.path + p.values.length).join();
    if (this.form !== form) {
      this.form = form;
      this.all = state.parameters.flatMap((p) => p.values.map((_, i) => this.#slider(state, p, i)));
      this.place.replaceChildren(...this.all.map((slider) => slider.row));
    }
    let next = 0;
    for (const p of state.parameters) p.values.forEach((value, i) => this.all[next++].set(value, p.ranges[i]));
  }

  #name(state, parameter, i) {
    const own = last(parameter.path);
    const many = state.parameters.filter((p) => last(p.path) === own).length > 1;
    const part = parameter.path.split(".").slice(0, -1).join(" ");
    const column = parameter.values.length > 1 && parameter.values.length === state.columns.length ? " of " + state.columns[i].name : "";
    return (WORDS[own] ?? own) + column + (many && part ? ` (${part})` : "") + (isVariance(parameter.path) ? ", std. dev." : "");
  }

  #slider(state, parameter, i) {
    const name = this.#name(state, parameter, i);
    const id = `slider-${parameter.path}-${i}`.replaceAll(".", "-");
    const input = make("input", { type: "range", min: 0, max: STEPS, step: 1, id });
    const output = make("output", { for: id });
    let range = [1, 1];
    let held = false;
    const value = () => range[0] * (range[1] / range[0]) ** (input.value / STEPS);
    const tell = (v) => {
      output.textContent = number(isVariance(parameter.path) ? Math.sqrt(v) : v);
      input.setAttribute("aria-valuetext", `${name} ${output.textContent}`);
    };
    input.oninput = () => {
      held = true;
      tell(value());
      this.moved(parameter.path, i, value());
    };
    input.onchange = () => { held = false; };
    const set = (v, limits) => {
      if (held) return;
      range = limits;
      input.value = Math.round((STEPS * Math.log(Math.max(1, v / range[0]))) / Math.log(range[1] / range[0]));
      tell(v);
    };
    return { row: make("div", { class: "slider" }, make("label", { for: id }, name, output), input), set };
  }
}

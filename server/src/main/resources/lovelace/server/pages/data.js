// A table of the user's: chosen, dropped or pasted, then fitted while the page watches.

import * as api from "./api.js";
import { milliseconds, number, whole } from "./format.js";
import { byId, make, say, told } from "./page.js";

export class Data {
  /** `opened` gets the server's answer about the new copy. */
  constructor(opened) {
    this.opened = opened;
    byId("file").onchange = () => told(() => this.#file(byId("file").files[0]));
    byId("use-paste").onclick = () => told(() => this.#upload(byId("paste").value, "pasted"));
    const drop = byId("drop");
    drop.ondragover = (event) => { event.preventDefault(); drop.classList.add("over"); };
    drop.ondragleave = () => drop.classList.remove("over");
    drop.ondrop = (event) => {
      event.preventDefault();
      drop.classList.remove("over");
      told(() => this.#file(event.dataTransfer.files[0]));
    };
    for (const button of document.querySelectorAll("[data-example]"))
      button.onclick = () => told(() => this.#example(button.dataset.example));
    byId("kernel").onchange = () => { byId("kernel-own").hidden = byId("kernel").value !== ""; };
    byId("target").onchange = () => this.#inputs();
    byId("likelihood").onchange = () => this.#size();
    byId("size").onchange = () => this.#inputs();
    byId("fit").onsubmit = (event) => {
      event.preventDefault();
      told(() => this.#fit());
    };
  }

  async #file(file) {
    if (!file) return;
    await this.#upload(await file.text(), file.name.replace(/\.[^.]*$/, ""));
    byId("file").value = "";
  }

  async #example(name) {
    const texts = { airline: () => api.text("examples/airline.csv"), surface: () => surface(400), many: () => many(100000) };
    await this.#upload(await texts[name](), name);
    byId("likelihood").value = "gaussian";
    this.#size();
    if (name === "airline") {
      byId("kernel").value = "rbf + rbf*periodic";
      byId("log").checked = true;
    } else {
      byId("kernel").value = "rbf";
      byId("log").checked = false;
    }
    byId("kernel").onchange();
  }

  async #upload(text, name) {
    if (text.trim() === "") throw new Error("There is no table yet; paste one or choose a file.");
    const table = await api.post("tables", text);
    this.table = table;
    this.name = name;
    byId("no-table").hidden = true;
    byId("fit").hidden = false;
    byId("table-facts").textContent = `${name}: ${whole(table.rows)} rows, ${table.columns.length} columns`;
    byId("preview").replaceChildren(
      make("thead", {}, make("tr", {}, ...table.columns.map((c) => make("th", { scope: "col" }, c.name)))),
      make("tbody", {}, ...table.preview.map((row) => make("tr", {}, ...row.map((v) => make("td", {}, v))))));
    const usable = table.columns.filter((column) => column.kind !== "text");
    if (usable.length < 2) throw new Error("A model needs two columns of numbers or times; this table has " + usable.length + ".");
    byId("target").replaceChildren(...usable.map((c) => make("option", {}, c.name)));
    byId("target").value = usable.filter((c) => c.kind === "number").at(-1)?.name ?? usable.at(-1).name;
    byId("size").replaceChildren(make("option", { value: "" }, "none"), ...usable.map((c) => make("option", {}, c.name)));
    this.#size();
    say(byId("table-facts").textContent);
  }

  /** Counts may have an exposure, successes must have trials. */
  #size() {
    const size = byId("likelihood").selectedOptions[0].dataset.size;
    byId("size-own").hidden = !size;
    byId("size-label").textContent = size ?? "";
    if (!size) byId("size").value = "";
    this.#inputs();
  }

  /** All other columns are offered as inputs, the first two chosen. */
  #inputs() {
    const target = byId("target").value;
    let chosen = 0;
    byId("inputs").replaceChildren(
      ...this.table.columns.filter((c) => c.kind !== "text" && c.name !== target && c.name !== byId("size").value).map((column) => {
        const box = make("input", { type: "checkbox", value: column.name });
        box.checked = chosen++ < 2;
        const note = column.missing ? ` (${whole(column.missing)} missing)` : "";
        return make("label", {}, box, column.name + note);
      }));
  }

  async #fit() {
    const inputs = [...byId("inputs").querySelectorAll("input:checked")].map((box) => box.value);
    if (inputs.length === 0) throw new Error("Choose at least one input.");
    const kernel = byId("kernel").value || byId("kernel-text").value;
    const stop = new AbortController();
    const cancel = byId("fit-cancel");
    const submit = byId("fit").querySelector("[type=submit]");
    let job = null;
    const trace = [];
    cancel.hidden = false;
    submit.disabled = true;
    byId("progress").hidden = false;
    this.#tell("Reading the rows …", trace);
    cancel.onclick = () => { if (job) api.post(`jobs/${job}/cancel`); stop.abort(); };
    try {
      const body = { table: this.table.id, target: byId("target").value, inputs, kernel, log: byId("log").checked, likelihood: byId("likelihood").value, size: byId("size").value, name: this.name };
      const answer = await api.stream("sessions", body, (line) => {
        job ??= line.job;
        if (line.iteration === undefined) return;
        trace.push(line.likelihood);
        this.#tell(`Step ${trace.length}: log likelihood ${number(line.likelihood, 6)}`, trace);
      }, stop.signal);
      if (answer.cancelled) return say("Cancelled.");
      const left = answer["left out"] ? ` ${whole(answer["left out"])} rows had missing values and were left out.` : "";
      say(`Fitted in ${milliseconds(answer.milliseconds)}.${left}`);
      await this.opened(answer, this.name);
    } catch (failure) {
      if (failure.name !== "AbortError") throw failure;
      say("Cancelled.");
    } finally {
      cancel.hidden = true;
      submit.disabled = false;
      byId("progress").hidden = true;
    }
  }

  #tell(text, trace) {
    byId("progress-text").textContent = text;
    const low = Math.min(...trace);
    const span = Math.max(...trace) - low || 1;
    const points = trace.map((v, i) => `${(300 * i) / Math.max(1, trace.length - 1)},${56 - (52 * (v - low)) / span}`).join(" ");
    const line = document.createElementNS("http://www.w3.org/2000/svg", "polyline");
    line.setAttribute("points", points);
    byId("progress-line").replaceChildren(line);
  }
}

/** The same numbers every time: a small generator for the examples. */
function chance(seed) {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
  };
}

const normal = (random) => Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());

function surface(n) {
  const random = chance(7);
  const lines = ["east,north,height"];
  for (let i = 0; i < n; i++) {
    const [x, y] = [10 * random(), 10 * random()];
    if (Math.hypot(x - 7, y - 7) < 1.8) continue; // a gap, where nothing is known
    const height = 3 * Math.sin(x / 1.7) * Math.cos(y / 2.1) + 0.2 * x + 0.25 * normal(random);
    lines.push([x, y, height].map((v) => v.toFixed(4)).join(","));
  }
  return lines.join("\n");
}

function many(n) {
  const random = chance(3);
  const lines = ["x,y"];
  for (let i = 0; i < n; i++) {
    const x = 10 * random();
    lines.push(`${x.toFixed(5)},${(Math.sin(2 * x) + 0.4 * Math.sin(5.3 * x) + 0.3 * normal(random)).toFixed(4)}`);
  }
  return lines.join("\n");
}

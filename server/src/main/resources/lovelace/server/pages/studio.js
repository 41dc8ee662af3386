// Lovelace Studio: tabs, theme, messages; the rest lives in the other modules.

import * as api from "./api.js";
import { Checks } from "./checks.js";
import { Data } from "./data.js";
import { Explore } from "./explore.js";
import { Search } from "./search.js";
import { milliseconds } from "./format.js";
import { byId, complain, make, told } from "./page.js";

const TABS = ["explore", "data", "checks", "search"];

// ---- theme ----

function theme(name) {
  document.documentElement.dataset.theme = name;
  byId("theme").textContent = name === "dark" ? "Light" : "Dark";
  byId("theme").setAttribute("aria-label", `Use ${name === "dark" ? "light" : "dark"} colours`);
  document.dispatchEvent(new Event("themechange"));
}

const dark = matchMedia("(prefers-color-scheme: dark)");
const wished = () => localStorage.getItem("theme") ?? (dark.matches ? "dark" : "light");
theme(wished());
dark.addEventListener("change", () => theme(wished()));
byId("theme").onclick = () => {
  const next = document.documentElement.dataset.theme === "dark" ? "light" : "dark";
  localStorage.setItem("theme", next);
  theme(next);
};

// ---- the server ----

api.onTrip((here, there) => {
  byId("trip").textContent = there === undefined ? milliseconds(here) : `${milliseconds(here)} · server ${milliseconds(there)}`;
});
api.onToken(() => new Promise((done) => {
  const dialog = byId("token-dialog");
  const field = byId("token");
  field.value = "";
  dialog.returnValue = "";
  dialog.onclose = () => {
    const token = dialog.returnValue === "use" ? field.value.trim() : "";
    field.value = "";
    done(token || null);
  };
  dialog.showModal();
}));

// a browser sends no token with a link: the page asks instead, and shows the answer
for (const link of document.querySelectorAll("footer a"))
  link.onclick = (event) => {
    if (event.ctrlKey || event.metaKey || event.shiftKey) return;
    event.preventDefault();
    told(async () => {
      byId("answer-text").textContent = await api.text("/" + link.getAttribute("href"));
      byId("answer-title").textContent = "/" + link.getAttribute("href");
      byId("answer-dialog").showModal();
    });
  };

// ---- tabs ----

const explore = new Explore();
const checks = new Checks(explore);
const search = new Search();
const data = new Data(async (answer, name) => {
  select("explore");
  await explore.adopt(answer);
  const option = make("option", { value: "" }, `${name} (yours)`);
  byId("model").querySelector("option[value='']")?.remove();
  byId("model").append(option);
  option.selected = true;
  byId("curve").focus({ preventScroll: true });
});

function select(name) {
  for (const tab of TABS) {
    byId(tab).hidden = tab !== name;
    const button = byId("tab-" + tab);
    button.setAttribute("aria-selected", String(tab === name));
    button.tabIndex = tab === name ? 0 : -1;
  }
  complain(null);
  if (name !== "search") search.stop();
  if (name === "checks") told(() => checks.show());
  if (name === "search") told(() => search.show());
  history.replaceState(null, "", "#" + name);
}

for (const tab of TABS) byId("tab-" + tab).onclick = () => select(tab);
document.querySelector("[role=tablist]").onkeydown = (event) => {
  const at = TABS.findIndex((tab) => byId("tab-" + tab) === document.activeElement);
  const to = { ArrowRight: at + 1, ArrowLeft: at - 1, Home: 0, End: TABS.length - 1 }[event.key];
  if (to === undefined) return;
  const tab = TABS[(to + TABS.length) % TABS.length];
  select(tab);
  byId("tab-" + tab).focus();
  event.preventDefault();
};

// ---- start ----

byId("model").onchange = () => {
  const name = byId("model").value;
  if (name) told(() => explore.open(name));
};

const ready = told(async () => {
  const wanted = TABS.find((tab) => "#" + tab === location.hash) ?? "explore";
  const { models, version } = await api.get("about");
  byId("version").textContent = version;
  byId("model").replaceChildren(
    ...models.map((model) => {
      const option = make("option", { value: model.name }, model.name);
      option.disabled = !model.drawn;
      return option;
    }));
  const first = models.find((model) => model.drawn);
  select(first || wanted !== "explore" ? wanted : "data");
  if (!first) return;
  byId("model").value = first.name;
  await explore.open(first.name);
  if (wanted === "checks") await checks.show();
});
ready.then(() => { document.documentElement.dataset.ready = "true"; });

// Lovelace Studio: tabs, theme, messages; the rest lives in the other modules.

/** @import { Fitted } from "./answers.js" */

import * as api from "./api.js";
import { Checks } from "./checks.js";
import { Data } from "./data.js";
import { Explore } from "./explore.js";
import { milliseconds } from "./format.js";
import { button, byId, complain, dialog, input, make, select, told } from "./page.js";
import * as requests from "./requests.js";
import { Search } from "./search.js";
import { SeriesPage } from "./series.js";

const TABS = ["explore", "series", "data", "checks", "search"];

// ---- theme ----

/** @param {string} name */
function useTheme(name) {
  document.documentElement.dataset.theme = name;
  const other = name === "dark" ? "Light" : "Dark";
  button("theme").textContent = `${other} colours`;
  document.dispatchEvent(new Event("themechange"));
}

const dark = matchMedia("(prefers-color-scheme: dark)");
const wished = () => localStorage.getItem("theme") ?? (dark.matches ? "dark" : "light");
useTheme(wished());
dark.addEventListener("change", () => useTheme(wished()));
button("theme").onclick = () => {
  const next = document.documentElement.dataset.theme === "dark" ? "light" : "dark";
  localStorage.setItem("theme", next);
  useTheme(next);
};

// ---- the server ----

api.onTrip((here, there) => {
  byId("trip").textContent =
    there === undefined
      ? milliseconds(here)
      : `${milliseconds(here)} · server ${milliseconds(there)}`;
});
api.onToken(
  () =>
    new Promise((done) => {
      const asks = dialog("token-dialog");
      const field = input("token");
      field.value = "";
      asks.returnValue = "";
      asks.onclose = () => {
        const token = asks.returnValue === "use" ? field.value.trim() : "";
        field.value = "";
        done(token || null);
      };
      asks.showModal();
    }),
);

// a browser sends no token with a link: the page asks instead, and shows the answer
for (const link of document.querySelectorAll("footer a"))
  link.addEventListener("click", (event) => {
    const { ctrlKey, metaKey, shiftKey } = /** @type {MouseEvent} */ (event);
    if (ctrlKey || metaKey || shiftKey) return;
    event.preventDefault();
    told(async () => {
      const path = "/" + link.getAttribute("href");
      byId("answer-text").textContent = await api.text(path);
      byId("answer-title").textContent = path;
      dialog("answer-dialog").showModal();
    });
  });

// ---- tabs ----

const explore = new Explore();
const checks = new Checks(explore);
const search = new Search();
const series = new SeriesPage();
/** @param {Fitted} answer @param {string} name */
async function fitted(answer, name) {
  openTab("explore");
  await explore.adopt(answer);
  const option = make("option", { value: "" }, `${name} (yours)`);
  select("model").querySelector("option[value='']")?.remove();
  select("model").append(option);
  option.selected = true;
  byId(explore.copy.isPlane ? "mean" : "curve").focus({ preventScroll: true });
}
new Data(fitted, async (forecasts) => {
  openTab("series");
  await series.add(forecasts);
  byId("fan").focus({ preventScroll: true });
});

/** @param {string} name */
function openTab(name) {
  for (const tab of TABS) {
    byId(tab).hidden = tab !== name;
    const chooser = button("tab-" + tab);
    chooser.setAttribute("aria-selected", String(tab === name));
    chooser.tabIndex = tab === name ? 0 : -1;
  }
  complain(null);
  if (name !== "search") search.stop();
  if (name === "checks") told(() => checks.show());
  if (name === "search") told(() => search.show());
  if (name === "series") told(() => series.show());
  history.replaceState(null, "", "#" + name);
}

for (const tab of TABS) button("tab-" + tab).onclick = () => openTab(tab);
byId("tabs").onkeydown = (event) => {
  const at = TABS.findIndex((tab) => byId("tab-" + tab) === document.activeElement);
  /** @type {Record<string, number>} */
  const keys = { ArrowRight: at + 1, ArrowLeft: at - 1, Home: 0, End: TABS.length - 1 };
  if (!(event.key in keys)) return;
  const tab = TABS[(keys[event.key] + TABS.length) % TABS.length];
  openTab(tab);
  byId("tab-" + tab).focus();
  event.preventDefault();
};

// ---- start ----

select("model").onchange = () => {
  const name = select("model").value;
  if (name) told(() => explore.open(name));
};

await told(async () => {
  const wanted = TABS.find((tab) => "#" + tab === location.hash) ?? "explore";
  const { models, forecasts, version } = await requests.about();
  byId("version").textContent = version;
  select("model").replaceChildren(
    ...models.map(({ name, drawn }) => {
      const option = make("option", { value: name }, drawn ? name : `${name} (cannot be drawn)`);
      option.disabled = !drawn;
      return option;
    }),
  );
  await series.serve(forecasts);
  const first = models.find((model) => model.drawn);
  if (first) {
    select("model").value = first.name;
    // checks need an open model
    if (wanted !== "checks") openTab(wanted);
    await explore.open(first.name);
    if (wanted === "checks") openTab(wanted);
  } else {
    const start = forecasts.length > 0 ? "series" : "data";
    openTab(wanted === "explore" ? start : wanted);
  }
});
document.documentElement.dataset.ready = "true";

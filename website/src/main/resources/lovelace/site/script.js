// The theme, the menu of small screens, copying of code, and the search. Nothing is fetched but the index.

/** @typedef {{ link: string, page: string, heading: string, text: string }} Entry A section. */

const up = document.currentScript?.dataset.up ?? "";

/**
 * @template {HTMLElement} T
 * @param {string} id
 * @param {new () => T} type
 * @returns {T}
 */
const typed = (id, type) => {
  const one = document.getElementById(id);
  if (!(one instanceof type)) throw new Error(`The page has no ${type.name} '${id}'.`);
  return one;
};
/** @param {string} id */
const element = (id) => typed(id, HTMLElement);

element("theme").addEventListener("click", () => {
  const root = document.documentElement;
  root.dataset.theme = root.dataset.theme === "dark" ? "light" : "dark";
  localStorage.setItem("theme", root.dataset.theme);
});

element("menu").addEventListener("click", () => {
  const open = document.body.classList.toggle("menu");
  element("menu").setAttribute("aria-expanded", String(open));
});

document.querySelector("nav.pages [aria-current]")?.scrollIntoView({ block: "nearest" });

for (const code of document.querySelectorAll("div.code")) {
  if (!navigator.clipboard || code.querySelector("code.text")) continue;
  const button = document.createElement("button");
  button.type = "button";
  button.textContent = "Copy";
  button.addEventListener("click", async () => {
    await navigator.clipboard.writeText(code.querySelector("code")?.textContent ?? "");
    button.textContent = "Copied";
    setTimeout(() => {
      button.textContent = "Copy";
    }, 1500);
  });
  code.append(button);
}

// The section that is being read, marked in the contents.
const links = new Map(
  [...document.querySelectorAll("nav.contents a")].map((a) => [
    decodeURIComponent((a.getAttribute("href") ?? "").replace(/^.*#/, "")),
    a,
  ]),
);
const headings = [...document.querySelectorAll("article h2[id], article h3[id]")];
const mark = () => {
  const above = headings.filter((h) => h.getBoundingClientRect().top < 120);
  for (const a of links.values()) a.classList.remove("here");
  links.get((above.at(-1) ?? headings[0])?.id)?.classList.add("here");
};
if (links.size > 0) {
  document.addEventListener("scroll", mark, { passive: true });
  mark();
}

const box = typed("search", HTMLInputElement);
const found = element("found");
/** @type {Promise<Entry[]> | undefined} */
let loading;

const index = () =>
  (loading ??= new Promise((resolve) => {
    const script = document.createElement("script");
    script.src = up + "assets/index.js";
    script.onload = () => resolve(searchIndex);
    document.head.append(script);
  }));

// How well a section fits the words: all must occur, in a title more than in the text.
/** @param {Entry} entry @param {string[]} words */
const score = (entry, words) => {
  let sum = 0;
  for (const word of words) {
    const heading = entry.heading.toLowerCase().includes(word);
    const page = entry.page.toLowerCase().includes(word);
    const times = entry.text.toLowerCase().split(word).length - 1;
    if (!heading && !page && times === 0) return 0;
    sum += (heading ? 12 : 0) + (page ? 6 : 0) + Math.min(times, 5);
  }
  if (words.length > 1 && entry.text.toLowerCase().includes(words.join(" "))) sum += 8;
  return entry.page === "Changelog" ? sum / 10 : sum; // what was, after what is
};

// The piece of the text that holds most of the words, and begins with a whole one.
/** @param {string} text @param {string[]} words */
const excerpt = (text, words) => {
  const lower = text.toLowerCase();
  let best = 0;
  let most = 0;
  for (const word of words)
    for (let i = lower.indexOf(word); i >= 0; i = lower.indexOf(word, i + 1)) {
      const at = Math.max(0, i - 40);
      const piece = lower.slice(at, at + 140);
      const count = words.filter((w) => piece.includes(w)).length;
      if (count > most) [best, most] = [at, count];
    }
  const at = best === 0 ? 0 : text.indexOf(" ", best) + 1;
  return (at > 0 ? "…" : "") + text.slice(at, at + 140) + "…";
};

/** @param {string} text @param {string[]} words */
const marked = (text, words) => {
  const parts = document.createDocumentFragment();
  const pattern = new RegExp(
    "(" + words.map((w) => w.replace(/[.*+?^${}()|[\]\\]/g, "\\$&")).join("|") + ")",
    "gi",
  );
  for (const part of text.split(pattern)) {
    const hit = words.includes(part.toLowerCase());
    const node = document.createElement(hit ? "mark" : "span");
    node.textContent = part;
    parts.append(node);
  }
  return parts;
};

const search = async () => {
  const words = box.value.toLowerCase().split(/\s+/).filter(Boolean);
  if (words.length === 0) {
    found.hidden = true;
    return;
  }
  const all = (await index())
    .map((entry) => ({ entry, score: score(entry, words) }))
    .filter((each) => each.score > 0)
    .sort((a, b) => b.score - a.score)
    .slice(0, 12);
  found.replaceChildren(
    ...all.map(({ entry }) => {
      const a = document.createElement("a");
      a.href = up + entry.link;
      const title = document.createElement("strong");
      title.append(
        marked(
          entry.heading === entry.page ? entry.page : entry.page + " › " + entry.heading,
          words,
        ),
      );
      const text = document.createElement("p");
      text.append(marked(excerpt(entry.text, words), words));
      a.append(title, text);
      return a;
    }),
  );
  if (all.length === 0) found.textContent = "Nothing found.";
  found.hidden = false;
};

box.addEventListener("focus", index);
box.addEventListener("input", search);
box.addEventListener("keydown", (e) => {
  if (e.key === "Escape") {
    found.hidden = true;
    box.blur();
  } else if (e.key === "Enter") found.querySelector("a")?.click();
  else if (e.key === "ArrowDown") {
    e.preventDefault();
    found.querySelector("a")?.focus();
  }
});
found.addEventListener("keydown", (e) => {
  if (e.key === "Escape") found.hidden = true;
  if (e.key !== "ArrowDown" && e.key !== "ArrowUp") return;
  e.preventDefault();
  const at = document.activeElement;
  const next = e.key === "ArrowDown" ? at?.nextElementSibling : at?.previousElementSibling;
  (next instanceof HTMLElement ? next : box).focus();
});
document.addEventListener("click", (e) => {
  if (!(e.target instanceof Element && e.target.closest(".search"))) found.hidden = true;
});
document.addEventListener("keydown", (e) => {
  if (e.key === "/" && !/input|textarea/i.test(document.activeElement?.tagName ?? "")) {
    e.preventDefault();
    box.focus();
  }
});

// Small helpers of the page: elements, messages, lists of facts.

/**
 * An element of the page that has a type.
 *
 * @template {HTMLElement} T
 * @param {string} id
 * @param {new () => T} type
 * @returns {T}
 */
function typed(id, type) {
  const element = document.getElementById(id);
  if (!(element instanceof type)) throw new Error(`The page has no ${type.name} '${id}'.`);
  return element;
}

/** @param {string} id */
export const byId = (id) => typed(id, HTMLElement);
/** @param {string} id */
export const button = (id) => typed(id, HTMLButtonElement);
/** @param {string} id */
export const canvas = (id) => typed(id, HTMLCanvasElement);
/** @param {string} id */
export const dialog = (id) => typed(id, HTMLDialogElement);
/** @param {string} id */
export const form = (id) => typed(id, HTMLFormElement);
/** @param {string} id */
export const input = (id) => typed(id, HTMLInputElement);
/** @param {string} id */
export const select = (id) => typed(id, HTMLSelectElement);

/**
 * An element with attributes and children.
 *
 * @template {keyof HTMLElementTagNameMap} K
 * @param {K} tag
 * @param {Record<string, string | number>} attributes
 * @param {(Node | string)[]} children
 * @returns {HTMLElementTagNameMap[K]}
 */
export function make(tag, attributes = {}, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, String(value));
  element.append(...children);
  return element;
}

/**
 * Fills a list of terms and values.
 *
 * @param {HTMLElement} list
 * @param {[string, string][]} entries
 */
export function facts(list, entries) {
  list.replaceChildren(
    ...entries.flatMap(([term, value]) => [make("dt", {}, term), make("dd", {}, value)]),
  );
}

/**
 * The parts of a table.
 *
 * @param {string[]} head
 * @param {string[][]} rows
 */
export function tableParts(head, rows) {
  return [
    make("thead", {}, make("tr", {}, ...head.map((text) => make("th", { scope: "col" }, text)))),
    make(
      "tbody",
      {},
      ...rows.map((row) => make("tr", {}, ...row.map((text) => make("td", {}, text)))),
    ),
  ];
}

/**
 * Says something to those who listen to the page.
 *
 * @param {string} text
 */
export function say(text) {
  byId("live").textContent = text;
}

/**
 * Shows what went wrong, or that nothing did.
 *
 * @param {string | null} text
 */
export function complain(text) {
  const message = byId("message");
  message.hidden = !text;
  message.textContent = text ?? "";
}

/**
 * Does something, and says so in words if it fails.
 *
 * @param {() => unknown} work
 */
export async function told(work) {
  try {
    await work();
    complain(null);
    return true;
  } catch (failure) {
    complain(failure instanceof Error ? failure.message : String(failure));
    return false;
  }
}

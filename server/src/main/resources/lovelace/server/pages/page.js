// Small helpers of the page: elements, messages, lists of facts.

export const byId = (id) => document.getElementById(id);

/** An element with attributes and children. */
export function make(tag, attributes = {}, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
  element.append(...children);
  return element;
}

/** Fills a list of terms and values. */
export function facts(list, entries) {
  list.replaceChildren(...entries.flatMap(([term, value]) => [make("dt", {}, term), make("dd", {}, value)]));
}

/** Says something to those who listen to the page. */
export function say(text) {
  byId("live").textContent = text;
}

/** Shows what went wrong, or that nothing did. */
export function complain(text) {
  const message = byId("message");
  message.hidden = !text;
  message.textContent = text ?? "";
}

/** Does something; tells in words if it fails. */
export async function told(work) {
  try {
    await work();
    complain(null);
    return true;
  } catch (failure) {
    complain(failure.message);
    return false;
  }
}

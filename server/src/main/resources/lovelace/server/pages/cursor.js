// A cursor on a figure that the pointer and the keys move alike.

/** @import { Figure } from "./figure.js" */

import { clamp } from "./prediction.js";

/** @typedef {{ x: number, y: number }} Place */

/** @type {Record<string, [number, number] | undefined>} */
const MOVES = {
  ArrowLeft: [-1, 0],
  ArrowRight: [1, 0],
  ArrowUp: [0, 1],
  ArrowDown: [0, -1],
  Home: [-Infinity, 0],
  End: [Infinity, 0],
};

/**
 * Where a key moves a cursor to; null if the key moves nothing. A step is a share of the window,
 * and the cursor stays inside.
 *
 * @param {string} key
 * @param {Place} from
 * @param {number[]} limits Left, right, bottom and top.
 * @param {number} share
 * @returns {(Place & { upright: boolean }) | null}
 */
export function moved(key, from, limits, share) {
  const move = MOVES[key];
  if (!move) return null;
  const [x0, x1, y0, y1] = limits;
  /** @param {number} at @param {number} steps @param {number} low @param {number} high */
  const go = (at, steps, low, high) =>
    steps === 0 ? at : clamp(at + steps * share * (high - low), low, high);
  return { x: go(from.x, move[0], x0, x1), y: go(from.y, move[1], y0, y1), upright: move[1] !== 0 };
}

/**
 * Makes a figure listen to the pointer and to keys.
 *
 * @param {Figure} figure
 * @param {object} on
 * @param {() => Place | null} on.cursor Where the cursor is.
 * @param {() => Place | null} on.start Where keys first put it; null if there is nothing to see.
 * @param {(place: Place) => void} on.point
 * @param {(place: Place & { upright: boolean }) => void} on.step After a key has moved the cursor.
 * @param {(place: Place) => void} on.choose
 * @param {() => void} [on.leave]
 * @param {number} on.share How far a key moves the cursor; with Shift it is a tenth of the window.
 */
export function listen(figure, on) {
  const { canvas } = figure;
  canvas.setAttribute("role", "application");
  /** @param {MouseEvent} event */
  const under = (event) => {
    const box = canvas.getBoundingClientRect();
    return on.start() && figure.valuesAt(event.clientX - box.left, event.clientY - box.top);
  };
  canvas.addEventListener("pointermove", (event) => {
    const place = under(event);
    if (place) on.point(place);
    else on.leave?.();
  });
  canvas.addEventListener("pointerleave", () => {
    if (document.activeElement !== canvas) on.leave?.();
  });
  canvas.addEventListener("click", (event) => {
    const place = under(event);
    if (place) on.choose(place);
  });
  canvas.addEventListener("blur", () => on.leave?.());
  canvas.addEventListener("keydown", (event) => {
    const cursor = on.cursor();
    const start = cursor ?? on.start();
    if (!start || event.altKey || event.ctrlKey || event.metaKey) return;
    const place = moved(event.key, start, figure.limits, event.shiftKey ? 0.1 : on.share);
    if (place) on.step(place);
    else if (event.key === "Escape" && on.leave) on.leave();
    else if (event.key !== "Enter" && event.key !== " ") return;
    else if (cursor) on.choose(cursor);
    event.preventDefault();
  });
}

// The predictive distribution at the cursor of a curve.

/** @import { Figure, Pen } from "./figure.js" */
/** @import { Back, Prediction } from "./prediction.js" */

import { colour } from "./figure.js";

const WIDTH = 90; // of the density at its peak, in points

/**
 * The density of the target in its own units, up to a factor: that of the modelled target, which is
 * normal, over the slope of the inverse transform.
 *
 * @param {number} z
 * @param {number} m
 * @param {number} s
 * @param {Back} back
 */
export function density(z, m, s, back) {
  const slope = (back(z + 1e-6 * s) - back(z - 1e-6 * s)) / (2e-6 * s);
  return Math.exp(-0.5 * ((z - m) / s) ** 2) / slope;
}

/**
 * Draws cross-hairs, the density of the function (filled) and of an observation (outlined) upright
 * at the cursor, and both intervals.
 *
 * @param {Figure} figure
 * @param {Pen} c
 * @param {Prediction & { x: number }} here
 * @param {number} y
 * @param {Back} back
 * @param {boolean} observed Whether observations have a density to draw.
 */
export function drawDistribution(figure, c, here, y, back, observed) {
  const px = figure.x(here.x);
  const b = figure.box;
  c.strokeStyle = colour("axis");
  c.setLineDash([3, 4]);
  c.lineWidth = 1;
  figure.line(px, b.top, px, b.bottom);
  figure.line(b.left, figure.y(y), b.right, figure.y(y));
  c.setLineDash([]);
  const side = px + 120 > b.right ? -1 : 1;
  /** @param {number} d The standard deviation. @param {number} width */
  const outline = (d, width) => {
    const peak = Math.max(...[-1, 0, 1].map((z) => density(here.m + z * d, here.m, d, back)));
    c.beginPath();
    c.moveTo(px, figure.y(back(here.m - 4 * d)));
    for (let i = -40; i <= 40; i++) {
      const v = here.m + (i / 10) * d;
      const share = density(v, here.m, d, back) / peak;
      c.lineTo(px + side * width * share, figure.y(back(v)));
    }
    c.closePath();
    c.lineWidth = 1.4;
  };
  if (observed) {
    outline(here.total, WIDTH * Math.min(1, here.s / here.total) ** 0.5);
    c.strokeStyle = colour("axis");
    c.stroke();
  }
  outline(here.s, WIDTH);
  c.globalAlpha = 0.35;
  c.fillStyle = colour("mean");
  c.fill();
  c.globalAlpha = 1;
  c.strokeStyle = colour("mean");
  c.stroke();
  c.lineWidth = 2;
  figure.line(px, figure.y(here.nearly[0]), px, figure.y(here.nearly[1]));
  c.lineWidth = 6;
  figure.line(px, figure.y(here.half[0]), px, figure.y(here.half[1]));
  figure.dot(px, figure.y(here.median), 4, colour("card"), colour("mean"));
}

/**
 * Draws words on a card at the top of the figure.
 *
 * @param {Figure} figure
 * @param {Pen} c
 * @param {number} px
 * @param {string} text
 */
export function drawLabel({ box: b }, c, px, text) {
  const width = c.measureText(text).width + 16;
  const left = Math.min(Math.max(px - width / 2, b.left + 4), b.right - width - 4);
  c.globalAlpha = 0.9;
  c.fillStyle = colour("card");
  c.beginPath();
  c.roundRect(left, b.top + 4, width, 22, 6);
  c.fill();
  c.globalAlpha = 1;
  c.strokeStyle = colour("line");
  c.lineWidth = 1;
  c.stroke();
  c.fillStyle = colour("ink");
  c.textAlign = "left";
  c.textBaseline = "middle";
  c.fillText(text, left + 8, b.top + 15.5);
}

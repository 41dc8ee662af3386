// What a map's page computes: values and colours of pixels, ticks, numbers, the scale bar.

/**
 * @typedef {object} Frame Where the pixels lie; x and y are of the north-west corner.
 * @property {number} width
 * @property {number} height
 * @property {number} west
 * @property {number} north
 * @property {number} dx
 * @property {number} dy
 */

const STEPS = 65534; // of a value between the least and the greatest
const NONE = 65535; // no value
const COLOURS = 1024;

/**
 * A number with about so many digits.
 *
 * @param {number} v
 */
export function number(v, digits = 5) {
  if (v === 0) return "0";
  const size = Math.abs(v);
  if (size >= 1e9 || size < 1e-4) return v.toExponential(digits - 1).replace("-", "−");
  const decimals = Math.max(0, digits - 1 - Math.floor(Math.log10(size)));
  return v.toFixed(Math.min(decimals, 8)).replace("-", "−");
}

/**
 * Unpacks the values of a map: two bytes each, the low one first.
 *
 * @param {string} base64
 */
export function unpack(base64) {
  const bytes = Uint8Array.from(atob(base64), (c) => c.charCodeAt(0));
  return Uint16Array.from(
    { length: bytes.length / 2 },
    (_, i) => bytes[2 * i] | (bytes[2 * i + 1] << 8),
  );
}

/**
 * The value of a code; null if there is none.
 *
 * @param {number} code
 * @param {number} low
 * @param {number} high
 */
export function decode(code, low, high) {
  return code === NONE ? null : low + (code / STEPS) * (high - low);
}

/**
 * The number of the pixel at a place; undefined outside the map.
 *
 * @param {Frame} frame
 * @param {number} x
 * @param {number} y
 */
export function pixelAt({ width, height, west, north, dx, dy }, x, y) {
  const column = Math.floor((x - west) / dx);
  const row = Math.floor((north - y) / dy);
  const inside = column >= 0 && row >= 0 && column < width && row < height;
  return inside ? row * width + column : undefined;
}

/**
 * Red, green and blue of a colour as CSS writes it.
 *
 * @param {string} text
 */
export const rgb = (text) => (text.match(/[\d.]+/g) ?? []).slice(0, 3).map(Number);

/**
 * The colours of all codes, as red, green, blue and opacity of each pixel.
 *
 * @param {Uint16Array} codes
 * @param {string[]} colors From the lowest value to the highest.
 * @param {string} gap Where there is no value.
 */
export function paint(codes, colors, gap) {
  const stops = colors.map(rgb);
  const table = Array.from({ length: COLOURS }, (_, k) => {
    const at = (k / (COLOURS - 1)) * (stops.length - 1);
    const i = Math.min(Math.floor(at), stops.length - 2);
    return stops[i].map((c, j) => Math.floor(c + (at - i) * (stops[i + 1][j] - c)));
  });
  const none = rgb(gap);
  const pixels = new Uint8ClampedArray(4 * codes.length);
  codes.forEach((code, i) => {
    const color = code === NONE ? none : table[Math.floor((code / STEPS) * (COLOURS - 1))];
    pixels[4 * i] = color[0];
    pixels[4 * i + 1] = color[1];
    pixels[4 * i + 2] = color[2];
    pixels[4 * i + 3] = 255;
  });
  return pixels;
}

/**
 * Round places between two values, about `count` of them, with their texts.
 *
 * @param {number} low
 * @param {number} high
 * @param {number} count
 */
export function ticks(low, high, count) {
  const raw = (high - low) / Math.max(1, count);
  const ten = 10 ** Math.floor(Math.log10(raw));
  const lead = raw / ten;
  const step = ten * (lead <= 1.4 ? 1 : lead <= 2.8 ? 2 : lead <= 7 ? 5 : 10);
  const decimals = Math.max(0, -Math.floor(Math.log10(step) + 1e-9));
  const all = [];
  for (let k = Math.ceil(low / step - 1e-9); k * step <= high + 1e-9 * step; k++) {
    const at = k === 0 ? 0 : k * step; // never −0
    const text = Math.abs(at) >= 1e7 ? number(at) : at.toFixed(decimals).replace("-", "−");
    all.push({ at, text });
  }
  return all;
}

/**
 * The longest round distance that is no longer than `most` metres, with its text.
 *
 * @param {number} most
 */
export function scaleLength(most) {
  const ten = 10 ** Math.floor(Math.log10(most));
  const lead = most / ten;
  const length = ten * (lead >= 5 ? 5 : lead >= 2 ? 2 : 1);
  const text =
    length >= 1000 ? `${length / 1000} km` : length >= 1 ? `${length} m` : `${length * 1000} mm`;
  return { length, text };
}

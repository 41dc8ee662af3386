// Tables to try the studio with. They have the same numbers every time.

/**
 * A small generator of numbers between 0 and 1 (mulberry32).
 *
 * @param {number} seed
 */
function chance(seed) {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
  };
}

/** @param {() => number} random */
const normal = (random) =>
  Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());

/**
 * A surface with a hole in its data.
 *
 * @param {number} n Places drawn; those in the hole are left out.
 */
export function surface(n) {
  const random = chance(7);
  const lines = ["east,north,height"];
  for (let i = 0; i < n; i++) {
    const [x, y] = [10 * random(), 10 * random()];
    if (Math.hypot(x - 7, y - 7) < 1.8) continue;
    const height = 3 * Math.sin(x / 1.7) * Math.cos(y / 2.1) + 0.2 * x + 0.25 * normal(random);
    lines.push([x, y, height].map((v) => v.toFixed(4)).join(","));
  }
  return lines.join("\n");
}

/**
 * A wave with noise.
 *
 * @param {number} n
 */
export function wave(n) {
  const random = chance(3);
  const lines = ["x,y"];
  for (let i = 0; i < n; i++) {
    const x = 10 * random();
    const y = Math.sin(2 * x) + 0.4 * Math.sin(5.3 * x) + 0.3 * normal(random);
    lines.push(`${x.toFixed(5)},${y.toFixed(4)}`);
  }
  return lines.join("\n");
}

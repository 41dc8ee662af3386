"use strict";
// The map's data is in `map`: frame, quantities with a packed array for each time, lines.
const f = { width: map.frame.width, height: map.frame.height };
for (const key of ["west", "north", "dx", "dy"]) f[key] = Number(map.frame[key]);
const quantities = map.quantities.map(q => ({ ...q, low: Number(q.low), high: Number(q.high), images: [], codes: [] }));
const middle = f.north - f.height * f.dy / 2;
// how much longer a unit of y is than one of x
const stretch = map.geographic ? 1 / Math.max(0.05, Math.cos(middle * Math.PI / 180)) : 1;
const byId = id => document.getElementById(id);
const canvas = byId("map");
const pen = canvas.getContext("2d");
const LEFT = 76, FOOT = 48, RIGHT = 92, TOP = 10;
let quantity = 0, time = 0, playing = 0, pointer = null;
let view = { x: 0, y: 0, scale: 1 }; // the map's x and y in the middle of the stage, points a unit of x

const number = (v, digits = 5) => {
  if (v === 0) return "0";
  const size = Math.abs(v);
  if (size >= 1e9 || size < 1e-4) return v.toExponential(digits - 1).replace("-", "−");
  const decimals = Math.max(0, digits - 1 - Math.floor(Math.log10(size)));
  return v.toFixed(Math.min(decimals, 8)).replace("-", "−");
};

function codes(q, t) {
  if (!q.codes[t]) {
    const text = atob(q.data[t]);
    const bytes = new Uint8Array(text.length);
    for (let i = 0; i < text.length; i++) bytes[i] = text.charCodeAt(i);
    const all = new Uint16Array(bytes.length / 2);
    for (let i = 0; i < all.length; i++) all[i] = bytes[2 * i] | bytes[2 * i + 1] << 8;
    q.codes[t] = all;
  }
  return q.codes[t];
}

const rgb = text => text.match(/[\d.]+/g).slice(0, 3).map(Number);

function table(q) {
  if (!q.table) {
    const stops = q.colors.map(rgb);
    q.table = new Uint8Array(3 * 1024);
    for (let k = 0; k < 1024; k++) {
      const at = k / 1023 * (stops.length - 1), i = Math.min(Math.floor(at), stops.length - 2);
      for (let c = 0; c < 3; c++) q.table[3 * k + c] = stops[i][c] + (at - i) * (stops[i + 1][c] - stops[i][c]);
    }
  }
  return q.table;
}

function image(q, t) {
  if (!q.images[t]) {
    const all = codes(q, t), colors = table(q), gap = rgb(map.gap);
    const own = document.createElement("canvas");
    own.width = f.width;
    own.height = f.height;
    const context = own.getContext("2d"), pixels = context.createImageData(f.width, f.height);
    for (let i = 0; i < all.length; i++) {
      const code = all[i], at = 3 * Math.floor(code / 65534 * 1023);
      for (let c = 0; c < 3; c++) pixels.data[4 * i + c] = code === 65535 ? gap[c] : colors[at + c];
      pixels.data[4 * i + 3] = 255;
    }
    context.putImageData(pixels, 0, 0);
    if (q.images.filter(Boolean).length > 24) q.images = []; // of long series a few are kept
    q.images[t] = own;
  }
  return q.images[t];
}

const area = () => ({ left: LEFT, top: TOP, width: Math.max(1, canvas.clientWidth - LEFT - RIGHT), height: Math.max(1, canvas.clientHeight - TOP - FOOT) });
const toX = x => { const a = area(); return a.left + a.width / 2 + (x - view.x) * view.scale; };
const toY = y => { const a = area(); return a.top + a.height / 2 - (y - view.y) * view.scale * stretch; };
const fromX = px => { const a = area(); return view.x + (px - a.left - a.width / 2) / view.scale; };
const fromY = py => { const a = area(); return view.y - (py - a.top - a.height / 2) / view.scale / stretch; };
const fit = () => { const a = area(); return Math.min(a.width / (f.width * f.dx), a.height / (f.height * f.dy * stretch)); };

function whole() {
  view = { x: f.west + f.width * f.dx / 2, y: middle, scale: fit() };
  draw();
}

// The map never leaves the stage, and a pixel is at most 60 points wide.
function keep() {
  const least = 0.5 * fit(), most = Math.max(60 / f.dx, fit());
  view.scale = Math.min(most, Math.max(least, view.scale));
  view.x = Math.min(f.west + f.width * f.dx, Math.max(f.west, view.x));
  view.y = Math.min(f.north, Math.max(f.north - f.height * f.dy, view.y));
}

function zoom(factor, px, py) {
  const x = fromX(px), y = fromY(py);
  view.scale *= factor;
  keep();
  view.x += x - fromX(px);
  view.y += y - fromY(py);
  keep();
  draw();
}

function move(dx, dy) {
  view.x -= dx / view.scale;
  view.y += dy / view.scale / stretch;
  keep();
  draw();
}

function valueAt(x, y, q = quantities[quantity], t = time) {
  const column = Math.floor((x - f.west) / f.dx), row = Math.floor((f.north - y) / f.dy);
  if (column < 0 || row < 0 || column >= f.width || row >= f.height) return undefined;
  const code = codes(q, t)[row * f.width + column];
  return code === 65535 ? null : q.low + code / 65534 * (q.high - q.low);
}

function ticks(low, high, count) {
  const raw = (high - low) / Math.max(1, count), ten = 10 ** Math.floor(Math.log10(raw)), lead = raw / ten;
  const step = ten * (lead <= 1.4 ? 1 : lead <= 2.8 ? 2 : lead <= 7 ? 5 : 10);
  const all = [];
  for (let k = Math.ceil(low / step - 1e-9); k * step <= high + 1e-9 * step; k++) all.push(k * step);
  const decimals = Math.max(0, -Math.floor(Math.log10(step) + 1e-9));
  return all.map(v => ({ at: v, text: Math.abs(v) >= 1e7 ? number(v) : v.toFixed(decimals).replace("-", "−") }));
}

function draw() {
  const ratio = window.devicePixelRatio || 1, a = area();
  canvas.width = canvas.clientWidth * ratio;
  canvas.height = canvas.clientHeight * ratio;
  pen.setTransform(ratio, 0, 0, ratio, 0, 0);
  pen.clearRect(0, 0, canvas.clientWidth, canvas.clientHeight);
  pen.font = '13px Roboto, Inter, "Helvetica Neue", Arial, sans-serif';
  const q = quantities[quantity];
  pen.save();
  pen.beginPath();
  pen.rect(a.left, a.top, a.width, a.height);
  pen.clip();
  pen.fillStyle = "#f1f3f4";
  pen.fillRect(a.left, a.top, a.width, a.height);
  pen.imageSmoothingEnabled = view.scale * f.dx * ratio < 1; // a pixel is seen as one
  pen.imageSmoothingQuality = "high";
  pen.drawImage(image(q, time), toX(f.west), toY(f.north), f.width * f.dx * view.scale, f.height * f.dy * view.scale * stretch);
  if (byId("lines").checked) contours();
  pen.restore();
  axes(a);
  legend(a, q);
  scaleBar(a);
  read();
}

function contours() {
  pen.strokeStyle = "rgba(0,0,0,0.6)";
  pen.lineWidth = 1;
  for (const line of map.lines) {
    if (line.time !== time) continue;
    pen.beginPath();
    for (let i = 0; i < line.places.length; i += 2)
      pen[i === 0 ? "moveTo" : "lineTo"](toX(line.places[i]), toY(line.places[i + 1]));
    pen.stroke();
  }
}

function axes(a) {
  pen.strokeStyle = "#9aa0a6";
  pen.lineWidth = 1;
  pen.strokeRect(a.left - 0.5, a.top - 0.5, a.width + 1, a.height + 1);
  pen.fillStyle = "#5f6368";
  pen.textBaseline = "top";
  pen.textAlign = "center";
  const foot = a.top + a.height;
  for (const t of ticks(fromX(a.left), fromX(a.left + a.width), a.width / 110)) {
    pen.fillRect(Math.round(toX(t.at)), foot, 1, 5);
    pen.fillText(t.text, toX(t.at), foot + 8);
  }
  pen.textBaseline = "middle";
  pen.textAlign = "right";
  for (const t of ticks(fromY(foot), fromY(a.top), a.height / 60)) {
    pen.fillRect(a.left - 5, Math.round(toY(t.at)), 5, 1);
    pen.fillText(t.text, a.left - 8, toY(t.at));
  }
  pen.fillStyle = "#222";
  pen.textAlign = "center";
  pen.textBaseline = "alphabetic";
  pen.fillText(map.x, a.left + a.width / 2, foot + 40);
  pen.save();
  pen.translate(12, a.top + a.height / 2);
  pen.rotate(-Math.PI / 2);
  pen.fillText(map.y, 0, 0);
  pen.restore();
}

function legend(a, q) {
  const left = a.left + a.width + 14, colors = pen.createLinearGradient(0, a.top + a.height, 0, a.top);
  q.colors.forEach((c, i) => colors.addColorStop(i / (q.colors.length - 1), c));
  pen.fillStyle = colors;
  pen.fillRect(left, a.top, 14, a.height);
  pen.strokeStyle = "#9aa0a6";
  pen.strokeRect(left, a.top, 14, a.height);
  pen.fillStyle = "#5f6368";
  pen.textAlign = "left";
  pen.textBaseline = "middle";
  for (const t of ticks(q.low, q.high, a.height / 50)) {
    const y = a.top + a.height * (1 - (t.at - q.low) / (q.high - q.low));
    pen.fillRect(left + 14, Math.round(y), 4, 1);
    pen.fillText(t.text, left + 21, y);
  }
}

function scaleBar(a) {
  const metres = map.geographic ? 111319.49 * Math.cos(view.y * Math.PI / 180) : map.metres;
  if (!(metres > 0)) return;
  const most = 0.25 * a.width / view.scale * metres, ten = 10 ** Math.floor(Math.log10(most)), lead = most / ten;
  const length = ten * (lead >= 5 ? 5 : lead >= 2 ? 2 : 1), width = length / metres * view.scale;
  const x = a.left + 12, y = a.top + a.height - 14;
  const text = length >= 1000 ? `${length / 1000} km` : length >= 1 ? `${length} m` : `${length * 1000} mm`;
  pen.fillStyle = "rgba(255,255,255,0.8)";
  pen.fillRect(x - 6, y - 24, Math.max(width, pen.measureText(text).width) + 12, 32);
  pen.fillStyle = "#222";
  pen.fillRect(x, y, width, 2);
  pen.fillRect(x, y - 5, 1.5, 6);
  pen.fillRect(x + width - 1.5, y - 5, 1.5, 6);
  pen.textAlign = "center";
  pen.textBaseline = "alphabetic";
  pen.fillText(text, x + width / 2, y - 8);
}

function read() {
  const out = byId("read");
  if (!pointer) {
    out.textContent = "Point at the map to read a value. Drag or arrow keys move, wheel or + and − zoom, 0 shows all.";
    return;
  }
  const x = fromX(pointer.x), y = fromY(pointer.y), digits = 2 + Math.ceil(Math.log10(Math.max(10, f.width, f.height)));
  const place = `${name(map.x)} ${number(x, digits + 2)}, ${name(map.y)} ${number(y, digits + 2)}`;
  const values = quantities.map(q => {
    const v = valueAt(x, y, q);
    return v === undefined ? null : `${q.name} ${v === null ? "no value" : number(v)}`;
  });
  out.textContent = values[0] === null ? place : `${place}: ${values.slice(0, 6).join(", ")}${map.times.length > 1 ? " at " + map.times[time] : ""}`;
}

const name = label => label.replace(/ \(.*\)$/, "") || "place";

function show(step) {
  time = (step + map.times.length) % map.times.length;
  byId("time").value = time;
  byId("date").textContent = map.times[time];
  draw();
}

function play(on) {
  clearInterval(playing);
  playing = on ? setInterval(() => show(time + 1), 800) : 0;
  byId("play").textContent = on ? "❚❚" : "▶";
  byId("play").setAttribute("aria-label", on ? "Pause" : "Play");
}

byId("title").textContent = map.title;
byId("subtitle").textContent = map.subtitle;
quantities.forEach((q, i) => byId("quantity").add(new Option(q.name, i)));
byId("quantity").addEventListener("change", e => { quantity = Number(e.target.value); draw(); });
byId("when").hidden = map.times.length < 2;
byId("time").max = map.times.length - 1;
byId("time").addEventListener("input", e => { play(false); show(Number(e.target.value)); });
byId("play").addEventListener("click", () => play(!playing));
byId("lined").hidden = map.lines.length === 0;
byId("lines").addEventListener("change", draw);
const centre = () => [canvas.clientWidth / 2, canvas.clientHeight / 2];
byId("in").addEventListener("click", () => zoom(1.6, ...centre()));
byId("out").addEventListener("click", () => zoom(1 / 1.6, ...centre()));
byId("whole").addEventListener("click", whole);

const touches = new Map();
const at = e => { const box = canvas.getBoundingClientRect(); return { x: e.clientX - box.left, y: e.clientY - box.top }; };
canvas.addEventListener("pointerdown", e => {
  canvas.setPointerCapture(e.pointerId);
  touches.set(e.pointerId, at(e));
  canvas.classList.add("moving");
});
canvas.addEventListener("pointermove", e => {
  const now = at(e), before = touches.get(e.pointerId);
  pointer = now;
  if (!before) return draw();
  const others = [...touches.entries()].filter(([id]) => id !== e.pointerId).map(([, p]) => p);
  touches.set(e.pointerId, now);
  if (others.length === 1) {
    const o = others[0], was = Math.hypot(before.x - o.x, before.y - o.y), is = Math.hypot(now.x - o.x, now.y - o.y);
    move((now.x - before.x) / 2, (now.y - before.y) / 2);
    if (was > 0) zoom(is / was, (now.x + o.x) / 2, (now.y + o.y) / 2);
  } else if (others.length === 0) move(now.x - before.x, now.y - before.y);
});
for (const end of ["pointerup", "pointercancel"])
  canvas.addEventListener(end, e => {
    touches.delete(e.pointerId);
    if (touches.size === 0) canvas.classList.remove("moving");
  });
canvas.addEventListener("pointerleave", () => { pointer = null; draw(); });
canvas.addEventListener("wheel", e => {
  e.preventDefault();
  const p = at(e);
  zoom(Math.exp(-e.deltaY * (e.deltaMode === 1 ? 0.03 : 0.0015)), p.x, p.y);
}, { passive: false });
canvas.addEventListener("dblclick", e => { const p = at(e); zoom(2, p.x, p.y); });
canvas.addEventListener("keydown", e => {
  const keys = {
    ArrowLeft: () => move(60, 0), ArrowRight: () => move(-60, 0), ArrowUp: () => move(0, 60), ArrowDown: () => move(0, -60),
    "+": () => zoom(1.3, ...centre()), "=": () => zoom(1.3, ...centre()), "-": () => zoom(1 / 1.3, ...centre()), "0": whole,
    ",": () => show(time - 1), ".": () => show(time + 1),
  };
  if (e.ctrlKey || e.metaKey || e.altKey || !keys[e.key]) return;
  e.preventDefault();
  keys[e.key]();
});
let seen = 0;
new ResizeObserver(() => { if (seen === 0 || view.scale <= seen) { whole(); seen = view.scale; } else draw(); }).observe(canvas);
show(0);

import assert from "node:assert/strict";
import test from "node:test";
import {
  decode,
  number,
  paint,
  pixelAt,
  rgb,
  scaleLength,
  ticks,
  unpack,
} from "../../main/resources/lovelace/plot/map-data.js";

test("values are unpacked with the low byte first", () => {
  const packed = btoa(String.fromCharCode(1, 0, 0, 1, 255, 255));
  assert.deepEqual([...unpack(packed)], [1, 256, 65535]);
});

test("codes run from the least value to the greatest, and the last is no value", () => {
  assert.deepEqual(
    [0, 32767, 65534, 65535].map((code) => decode(code, -1, 1)),
    [-1, 0, 1, null],
  );
});

test("pixels are counted from the north-west corner", () => {
  const frame = { width: 3, height: 2, west: 10, north: 50, dx: 1, dy: 5 };
  assert.equal(pixelAt(frame, 10.5, 49), 0);
  assert.equal(pixelAt(frame, 12.5, 41), 5);
  for (const [x, y] of [
    [9.9, 45],
    [13.1, 45],
    [11, 50.1],
    [11, 39.9],
  ])
    assert.equal(pixelAt(frame, x, y), undefined);
});

test("the ends of the range have the ends of the colours, and gaps their own", () => {
  const codes = Uint16Array.of(0, 65534, 65535, 32767);
  const pixels = paint(codes, ["rgba(0,0,0,1)", "rgba(200,100,50,1)"], "rgba(9,8,7,1)");
  assert.deepEqual([...pixels.slice(0, 12)], [0, 0, 0, 255, 200, 100, 50, 255, 9, 8, 7, 255]);
  assert.ok(Math.abs(pixels[12] - 100) <= 1); // one of 1,024 colours
});

test("colours are read from CSS", () => {
  assert.deepEqual(rgb("rgba(12,34,56,0.5)"), [12, 34, 56]);
});

test("ticks are round, inside the range, and have as many decimals as they need", () => {
  assert.deepEqual(
    ticks(-0.3, 0.42, 4).map(({ text }) => text),
    ["−0.2", "0.0", "0.2", "0.4"],
  );
  assert.deepEqual(
    ticks(5_300_000, 5_301_000, 4).map(({ text }) => text),
    ["5300000", "5300200", "5300400", "5300600", "5300800", "5301000"],
  );
});

test("numbers have as many digits as asked for", () => {
  assert.equal(number(-3.14159265), "−3.1416");
  assert.equal(number(123456.789, 8), "123456.79");
  assert.equal(number(0), "0");
  assert.equal(number(0.000012345), "1.2345e−5");
});

test("the scale bar is the longest round length that fits", () => {
  assert.deepEqual(scaleLength(7300), { length: 5000, text: "5 km" });
  assert.deepEqual(scaleLength(250), { length: 200, text: "200 m" });
  assert.equal(scaleLength(0.19).text, "100 mm");
});

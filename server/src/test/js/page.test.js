import assert from "node:assert/strict";
import { readFileSync, readdirSync } from "node:fs";
import test from "node:test";

const pages = new URL("../../main/resources/lovelace/server/pages/", import.meta.url);
const html = readFileSync(new URL("index.html", pages), "utf8");
const tags = [...html.matchAll(/<(\w+)[^>]*?\sid="([^"]+)"/g)];
/** @type {Map<string, string>} */
const elements = new Map(tags.map(([, tag, id]) => [id, tag]));

test("every element that a script asks for is on the page, with its type", () => {
  const asked = readdirSync(pages)
    .filter((name) => name.endsWith(".js"))
    .map((name) => readFileSync(new URL(name, pages), "utf8"))
    .flatMap((text) => [
      ...text.matchAll(/\b(byId|button|canvas|dialog|form|input|select)\("([\w-]+)"\)/g),
    ]);
  assert.ok(asked.length > 100, `only ${asked.length} are found`);
  const missing = asked.filter(([, type, id]) => {
    const tag = elements.get(id);
    return type === "byId" ? !tag : tag !== type;
  });
  assert.deepEqual(
    missing.map(([call]) => call),
    [],
  );
});

test("no two elements share an id", () => {
  assert.equal(elements.size, tags.length);
});

test("labels and descriptions point at elements of the page", () => {
  const pointers = html.matchAll(
    / (?:for|aria-labelledby|aria-describedby|aria-controls)="([^"]+)"/g,
  );
  for (const [, id] of pointers) assert.ok(elements.has(id), id);
});

// Asks a server as the protocol's text says, with nothing but Node's own library.
import assert from "node:assert/strict";

const base = process.argv[2];
const json = async (path, body) => {
  const answer = await fetch(base + path, body && { method: "POST", body: JSON.stringify(body) });
  return [answer.status, await answer.json()];
};

assert.equal((await json("/v2"))[1].name, "lovelace");
assert.equal((await json("/v2/models/plane/ready"))[1].ready, true);
const points = [[1.5, 2.5], [0.25, 4.0], [3.0, 1.0]];
const [status, answer] = await json("/v2/models/plane/infer", {
  id: "js",
  inputs: [{ name: "x", shape: [3, 2], datatype: "FP64", data: points }],
});
assert.equal(status, 200);
assert.equal(answer.id, "js");
const mean = answer.outputs.find((output) => output.name === "mean").data;

const tensor = new Uint8Array(new Float64Array(points.flat()).buffer);
const head = new TextEncoder().encode(JSON.stringify({
  inputs: [{ name: "x", shape: [3, 2], datatype: "FP64", parameters: { binary_data_size: tensor.length } }],
  outputs: [{ name: "mean" }],
  parameters: { binary_data_output: true },
}));
const body = new Uint8Array(head.length + tensor.length);
body.set(head);
body.set(tensor, head.length);
const binary = await fetch(base + "/v2/models/plane/infer", {
  method: "POST",
  headers: { "Content-Type": "application/octet-stream", "Inference-Header-Content-Length": `${head.length}` },
  body,
});
const bytes = await binary.arrayBuffer();
const length = Number(binary.headers.get("Inference-Header-Content-Length"));
assert.deepEqual([...new Float64Array(bytes.slice(length))], mean);

const [missing, error] = await json("/v2/models/none/infer", {});
assert.equal(missing, 404);
assert.equal(typeof error.error, "string");
console.log("ok");

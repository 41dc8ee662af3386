// Evaluates the graphs that a test hands out at an address, one after another, until the test is gone.
// Runs in Node (onnxruntime-node) and in a browser (onnxruntime-web).

/**
 * @typedef {object} Runtime What we use of onnxruntime.
 * @property {{ create(model: Uint8Array): Promise<Session> }} InferenceSession
 * @property {new (type: string, values: ArrayLike<unknown>, shape: number[]) => object} Tensor
 */

/**
 * @typedef {object} Session
 * @property {(feeds: Record<string, object>) => Promise<Record<string, { data: ArrayLike<number> }>>} run
 * @property {() => Promise<void>} release
 */

/** @typedef {{ name: string, type: "float64" | "float32", shape: number[], words?: string[] }} Input */

const ARRAYS = { float64: Float64Array, float32: Float32Array };

/**
 * @param {Runtime} ort
 * @param {string} address
 */
export async function work(ort, address) {
  /** @param {string} path */
  const get = async (path) => (await fetch(address + path)).arrayBuffer();
  /** @param {string} path @param {BodyInit} body */
  const post = (path, body) => fetch(address + path, { method: "POST", body });
  for (;;) {
    const answer = await fetch(address + "next");
    if (answer.status === 204) continue; // nothing to do yet
    /** @type {Input[]} */
    const inputs = await answer.json();
    try {
      const session = await ort.InferenceSession.create(new Uint8Array(await get("model")));
      /** @type {Record<string, object>} */
      const feeds = {};
      for (const [i, { name, type, shape, words }] of inputs.entries()) {
        feeds[name] = new ort.Tensor(
          type,
          words ?? new ARRAYS[type](await get("input/" + i)),
          shape,
        );
      }
      const outputs = await session.run(feeds);
      for (const [name, { data }] of Object.entries(outputs)) {
        await post("output/" + name, Float64Array.from(data)); // true is 1
      }
      await session.release();
      await post("done", "");
    } catch (e) {
      await post("failed", String(e instanceof Error ? e.stack : e));
    }
  }
}

// In Node: node worker.mjs ADDRESS
if (globalThis.process?.argv) {
  const { createRequire } = await import("node:module");
  const ort = createRequire(process.cwd() + "/")("onnxruntime-node");
  await work(ort, process.argv[2]);
}

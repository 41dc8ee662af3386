// The server, as the page sees it: JSON there and back, streams of lines, errors in words, times.

/** @import { Step } from "./answers.js" */

const BASE = "studio/api/";

/** @type {(here: number, there: number | undefined) => void} */
let listener = () => {};
/** @type {() => Promise<string | null>} */
let askToken = async () => null;

/**
 * Who is told how long each round trip took: milliseconds seen here, and at the server.
 *
 * @param {typeof listener} listen
 */
export function onTrip(listen) {
  listener = listen;
}

/**
 * Who is asked for a token if the server wants one.
 *
 * @param {typeof askToken} asks
 */
export function onToken(asks) {
  askToken = asks;
}

/** @param {unknown} body */
function headers(body) {
  /** @type {Record<string, string>} */
  const all = {};
  if (typeof body === "string") all["Content-Type"] = "text/csv";
  else if (body !== undefined) all["Content-Type"] = "application/json";
  const token = sessionStorage.getItem("token");
  if (token) all.Authorization = "Bearer " + token;
  return all;
}

/** @type {Promise<string | null> | null} */
let asking = null;

/**
 * Finds another token than the one that was refused. A newer one may be there already; otherwise
 * the user is asked, once for all requests that wait.
 *
 * @param {string | null} used
 */
async function renewToken(used) {
  if (sessionStorage.getItem("token") !== used) return;
  asking ??= askToken().finally(() => {
    asking = null;
  });
  const given = await asking;
  if (given === null) throw new Error("This server needs a token. Reload the page to enter it.");
  sessionStorage.setItem("token", given);
}

/**
 * @param {string} method
 * @param {string} path Of the studio, or of the server if it begins with /.
 * @param {unknown} [body] A string is a table, anything else JSON.
 * @param {AbortSignal} [signal]
 * @returns {Promise<Response>}
 */
async function ask(method, path, body, signal) {
  let response;
  const used = sessionStorage.getItem("token");
  try {
    response = await fetch(path.startsWith("/") ? path.slice(1) : BASE + path, {
      method,
      signal,
      headers: headers(body),
      body: body === undefined || typeof body === "string" ? body : JSON.stringify(body),
    });
  } catch (failure) {
    if (signal?.aborted) throw failure;
    throw new Error("The server does not answer. Is it still running?");
  }
  if (response.status === 401) {
    await renewToken(used);
    return ask(method, path, body, signal);
  }
  if (response.ok) return response;
  throw new Error(refusal(response.status, await response.text()));
}

/**
 * What a refusal says, as a sentence.
 *
 * @param {number} status
 * @param {string} said
 */
export function refusal(status, said) {
  let words = said;
  try {
    words = JSON.parse(said).error ?? said;
  } catch {
    // not JSON: the text itself
  }
  return sentence(words || `The server answers ${status}.`);
}

/** @param {string} words */
function sentence(words) {
  return words.charAt(0).toUpperCase() + words.slice(1) + (/[.!?]$/.test(words) ? "" : ".");
}

/**
 * @param {string} method
 * @param {string} path
 * @param {unknown} [body]
 * @param {boolean} [quiet] Whether its time is not told.
 */
async function timed(method, path, body, quiet = false) {
  const start = performance.now();
  const answer = await (await ask(method, path, body)).json();
  if (!quiet) listener(performance.now() - start, answer.milliseconds);
  return answer;
}

/** @param {string} path */
export const get = (path) => timed("GET", path);

/** @param {string} path @param {object | string} body */
export const post = (path, body = {}) => timed("POST", path, body);

/**
 * As `post`, for what the user did not ask for: its time is not told.
 *
 * @param {string} path
 * @param {object} body
 */
export const postQuietly = (path, body = {}) => timed("POST", path, body, true);

/**
 * Deletes something. It does not matter if it is gone already.
 *
 * @param {string} path
 */
export const remove = (path) => ask("DELETE", path).catch(() => {});

/** @param {string} path */
export async function blob(path) {
  const response = await ask("GET", path);
  const name = /filename="([^"]+)"/.exec(response.headers.get("Content-Disposition") ?? "")?.[1];
  return { blob: await response.blob(), name };
}

/** @param {string} path */
export async function text(path) {
  return (await ask("GET", path)).text();
}

/**
 * Posts and reads lines as they come. Resolves with the last line and rejects on an error line.
 *
 * @param {string} path
 * @param {object} body
 * @param {(line: Step) => void} step Gets every line.
 * @param {AbortSignal} signal
 */
export async function stream(path, body, step, signal) {
  const start = performance.now();
  const response = await ask("POST", path, body, signal);
  if (!response.body) throw new Error("The server sent an empty answer.");
  const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
  let rest = "";
  /** @type {Step & { state?: object, forecasts?: object, milliseconds?: number }} */
  let last = {};
  for (;;) {
    const { done, value } = await reader.read();
    if (done) break;
    const lines = (rest + value).split("\n");
    rest = lines.pop() ?? "";
    for (const line of lines.filter(Boolean)) {
      last = JSON.parse(line);
      step(last);
    }
  }
  if (last.error) throw new Error(sentence(last.error));
  if (last.cancelled) return last;
  if (!last.state && !last.forecasts)
    throw new Error("The server stopped before it was done. Its log says why.");
  listener(performance.now() - start, last.milliseconds);
  return last;
}

/** Sends one request at a time. Of those that come meanwhile, it sends only the last. */
export class Channel {
  #busy = false;
  /** @type {(() => Promise<void>) | null} */
  #next = null;

  /** @param {() => Promise<void>} work */
  async send(work) {
    this.#next = work;
    if (this.#busy) return;
    this.#busy = true;
    try {
      while (this.#next) {
        const now = this.#next;
        this.#next = null;
        await now();
      }
    } finally {
      this.#busy = false;
      this.#next = null;
    }
  }
}

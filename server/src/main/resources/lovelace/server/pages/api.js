// The server, as the page sees it: JSON there and back, streams of lines, errors in words, times.

const BASE = "studio/api/";
let listener = () => {};
let askToken = async () => null;

/** Who is told how long each round trip took: (milliseconds seen here, milliseconds at the server). */
export function onTrip(listen) { listener = listen; }

/** Who is asked for a token where the server wants one. */
export function onToken(ask) { askToken = ask; }

function headers(body) {
  const all = {};
  if (typeof body === "string") all["Content-Type"] = "text/csv";
  else if (body !== undefined) all["Content-Type"] = "application/json";
  const token = sessionStorage.getItem("token");
  if (token) all.Authorization = "Bearer " + token;
  return all;
}

let asking = null;

/** A token for a request that was refused with `used`: a newer one if there is one, else what the user gives, who is asked once. */
async function token(used) {
  const now = sessionStorage.getItem("token");
  if (now !== used) return now;
  asking ??= askToken().finally(() => { asking = null; });
  const given = await asking;
  if (given === null) throw new Error("This server asks for a token.");
  sessionStorage.setItem("token", given);
  return given;
}

async function ask(method, path, body, signal) {
  let response;
  const used = sessionStorage.getItem("token");
  try {
    response = await fetch(path.startsWith("/") ? path.slice(1) : BASE + path, {
      method, signal, headers: headers(body),
      body: body === undefined || typeof body === "string" || body instanceof Blob ? body : JSON.stringify(body),
    });
  } catch (failure) {
    if (failure.name === "AbortError") throw failure;
    throw new Error("The server does not answer. Is it still running?");
  }
  if (response.status === 401) {
    await token(used);
    return ask(method, path, body, signal);
  }
  if (response.ok) return response;
  const text = await response.text();
  let words = text;
  try { words = JSON.parse(text).error ?? text; } catch { /* not JSON: as it is */ }
  const error = new Error(sentence(words || `The server answers ${response.status}.`));
  error.status = response.status;
  throw error;
}

function sentence(words) {
  const text = String(words);
  return text.charAt(0).toUpperCase() + text.slice(1) + (/[.!?]$/.test(text) ? "" : ".");
}

async function timed(method, path, body, quiet) {
  const start = performance.now();
  const answer = await (await ask(method, path, body)).json();
  if (!quiet) listener(performance.now() - start, answer.milliseconds);
  return answer;
}

export const get = (path) => timed("GET", path);
export const post = (path, body = {}) => timed("POST", path, body);
/** As `post`, for what the user did not ask for: its time is not told. */
export const postQuietly = (path, body = {}) => timed("POST", path, body, true);
export const remove = (path) => ask("DELETE", path).catch(() => {});

export async function blob(path) {
  const response = await ask("GET", path);
  const name = /filename="([^"]+)"/.exec(response.headers.get("Content-Disposition") ?? "")?.[1];
  return { blob: await response.blob(), name };
}

/** An answer as text; a path that begins with / is one of the server, not of the studio. */
export async function text(path) {
  return (await ask("GET", path)).text();
}

/** Posts and reads lines as they come; resolves with the last, rejects on an error line. `step` gets the others. */
export async function stream(path, body, step, signal) {
  const start = performance.now();
  const response = await ask("POST", path, body, signal);
  const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
  let rest = "";
  let last = {};
  for (;;) {
    const { done, value } = await reader.read();
    if (done) break;
    const lines = (rest + value).split("\n");
    rest = lines.pop();
    for (const line of lines.filter(Boolean)) {
      last = JSON.parse(line);
      step(last);
    }
  }
  if (last.error) throw new Error(sentence(last.error));
  if (!last.cancelled && !last.state) throw new Error("The server stopped in the middle. Its log says why.");
  if (!last.cancelled) listener(performance.now() - start, last.milliseconds);
  return last;
}

/** Sends one request at a time; of those that come meanwhile only the last is sent. */
export class Channel {
  #busy = false;
  #next = null;

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

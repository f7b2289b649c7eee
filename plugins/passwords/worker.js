// One thread of the pool. Plain JavaScript, so that it starts as it stands from the sources and from dist/.
import { setPriority } from "node:os";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { parentPort } from "node:worker_threads";
import argon2 from "hash-wasm/dist/argon2.umd.min.js"; // alone: the whole library would take another 10 MB

/** Milliseconds without work after which the memory of the last hash is given back: nothing else here makes V8 collect. */
const QUIET = 50;

try {
  if (process.platform === "linux") setPriority(0, 10); // this thread alone there: requests come first
} catch {
  // not allowed here: it hashes all the same
}

let collector;
/** Each hash is done in 19 MiB of its own, which stay until they are collected. */
function collect() {
  if (collector === undefined) {
    setFlagsFromString("--expose-gc");
    collector = runInNewContext("typeof gc === 'function' ? gc : () => {}");
  }
  collector();
}

let quiet;
parentPort.on("message", async (task) => {
  clearTimeout(quiet);
  try {
    parentPort.postMessage({ digest: await argon2.argon2id({ ...task, outputType: "binary" }) });
  } catch (error) {
    parentPort.postMessage({ failure: error.message });
  }
  quiet = setTimeout(collect, QUIET);
});

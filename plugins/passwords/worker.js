// A thread of the pool. Plain JavaScript, so that it runs from the sources and from dist/.
import { pbkdf2Sync, scryptSync } from "node:crypto";
import { setPriority } from "node:os";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { parentPort } from "node:worker_threads";
import argon2 from "hash-wasm/dist/argon2.umd.min.js"; // alone: the whole library would take another 10 MB

/** Idle time after which memory is collected: nothing else here triggers V8's collector. */
const QUIET_MS = 50;

try {
  if (process.platform === "linux") setPriority(0, 10); // on Linux, of this thread alone: requests have priority
} catch {
  // not permitted: continue with normal priority
}

let collector;
/** Each hash allocates 19 MiB, which stay until they are collected. */
function collect() {
  if (collector === undefined) {
    setFlagsFromString("--expose-gc");
    collector = runInNewContext("typeof gc === 'function' ? gc : () => {}");
  }
  collector();
}

/** Node verifies hashes of other systems, except bcrypt, which is loaded on demand. */
const algorithms = {
  argon2id: (task) => argon2.argon2id({ ...task, outputType: "binary" }),
  async bcrypt(task) {
    const { default: bcrypt } = await import("hash-wasm/dist/bcrypt.umd.min.js");
    return (await bcrypt.bcrypt({ ...task, outputType: "binary" })).subarray(0, 23); // the length that bcrypt stores
  },
  pbkdf2: ({ password, salt, iterations, hashLength, digest }) =>
    pbkdf2Sync(password, salt, iterations, hashLength, digest),
  scrypt({ password, salt, hashLength, costFactor: N, blockSize: r, parallelism: p }) {
    return scryptSync(password, salt, hashLength, { N, r, p, maxmem: 128 * r * (N + p) + 65_536 });
  },
};

let quiet;
parentPort.on("message", async (task) => {
  clearTimeout(quiet);
  try {
    const { algorithm, ...given } = task;
    parentPort.postMessage({ digest: await algorithms[algorithm](given) });
  } catch (error) {
    parentPort.postMessage({ failure: error.message });
  }
  quiet = setTimeout(collect, QUIET_MS);
});

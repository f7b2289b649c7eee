// One thread of the pool. Plain JavaScript, so that it starts as it stands from the sources and from dist/.
import { pbkdf2Sync, scryptSync } from "node:crypto";
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

/** Hashes of other systems are read by Node itself, but for bcrypt, which is loaded where there are some. */
const algorithms = {
  argon2id: (task) => argon2.argon2id({ ...task, outputType: "binary" }),
  async bcrypt(task) {
    const { default: bcrypt } = await import("hash-wasm/dist/bcrypt.umd.min.js");
    return (await bcrypt.bcrypt({ ...task, outputType: "binary" })).subarray(0, 23); // all that is stored of it
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
  quiet = setTimeout(collect, QUIET);
});

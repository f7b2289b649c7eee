// One thread of the pool. Plain JavaScript, so that it starts as it stands from the sources and from dist/.
import { setPriority } from "node:os";
import { parentPort } from "node:worker_threads";
import { argon2id } from "hash-wasm";

try {
  if (process.platform === "linux") setPriority(0, 10); // this thread alone there: requests come first
} catch {
  // not allowed here: it hashes all the same
}

parentPort.on("message", async (task) => {
  try {
    parentPort.postMessage({ digest: await argon2id({ ...task, outputType: "binary" }) });
  } catch (error) {
    parentPort.postMessage({ failure: error.message });
  }
});

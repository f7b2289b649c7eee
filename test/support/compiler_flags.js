import { spawnSync } from "node:child_process";

/**
 * Flags of processes that run many short things: a fifth of their processor time went into threads that compiled what then
 * ran for less than that took, or collected garbage together. Functions are optimized once they have run four times as
 * long as by default, PGlite's WebAssembly is not compiled a second time, and garbage is collected by one thread.
 */
const flags = ["--interrupt-budget=300000", "--liftoff-only", "--single-threaded-gc"];

/** Module-level: what this Node knows does not change. */
let known;
/** The flags, or none where this Node has others. */
export function compilerFlags() {
  known ??= spawnSync(process.execPath, [...flags, "--eval", ""], { stdio: "ignore" }).status === 0 ? flags : [];
  return known;
}

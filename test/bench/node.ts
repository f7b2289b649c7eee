import { spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** The Node that the servers run on. */
export interface ServingNode {
  /** Its program. */
  path: string;
  /** As in `v26.2.0`. */
  version: string;
  /** Of its V8, as in `14.6.202.34-node.40`. */
  v8: string;
}

/** The Node of `--node`: a path to its program, or a major, which is installed into a temporary folder; else this one. */
export function servingNode(given: string | undefined): ServingNode {
  if (given === undefined) return { path: process.execPath, version: process.version, v8: process.versions.v8 };
  const path = /^\d+$/.test(given) ? installed(given) : realpathSync(given);
  const { stdout, status } = spawnSync(path, ["-p", "process.version + ' ' + process.versions.v8"], {
    encoding: "utf8",
  });
  if (status !== 0) throw new Error(`--node=${given} is no program of Node: give a major, as in --node=26, or a path.`);
  const [version, v8] = stdout.trim().split(" ") as [string, string];
  return { path, version, v8 };
}

/** The newest Node of a major, from the registry that npm is configured for. */
function installed(major: string): string {
  const folder = mkdtempSync(join(tmpdir(), "fw-bench-node-"));
  process.once("exit", () => rmSync(folder, { recursive: true, force: true }));
  const name = `node-${process.platform}-${process.arch}`;
  const args = ["install", "--prefix", folder, "--no-audit", "--no-fund", "--no-save", `${name}@${major}`];
  const { status, stderr } = spawnSync("npm", args, { encoding: "utf8" });
  const path = join(folder, "node_modules", name, "bin/node");
  if (status !== 0 || !existsSync(path)) throw new Error(`${name}@${major} could not be installed.\n${stderr}`);
  return path;
}

import { spawnSync } from "node:child_process";
import { join } from "node:path";

/** What `npm pack` makes of a folder: a tarball, and the paths of the files in it. */
export interface Packed {
  readonly archive: string;
  readonly files: readonly string[];
}

/** Packs a folder as it is published; its scripts are not run. @param to the folder of the tarball; without one, nothing is written */
export function packFolder(source: string, to?: string): Packed {
  const place = to === undefined ? ["--dry-run"] : ["--pack-destination", to];
  const args = ["pack", "--ignore-scripts", "--json", ...place];
  const { status, stdout, stderr } = spawnSync("npm", args, { cwd: source, encoding: "utf8", maxBuffer: 64e6 });
  if (status !== 0) throw new Error(`npm ${args.join(" ")} exited ${status}\n${stderr}`);
  const [{ filename, files }] = JSON.parse(stdout) as [{ filename: string; files: { path: string }[] }];
  return { archive: join(to ?? source, filename), files: files.map(({ path }) => path) };
}

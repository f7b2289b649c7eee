import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";

/** What is released. */
export interface Release {
  /** The root of the repository. */
  readonly root: string;
  /** The folder of the tarballs and the bill of materials. */
  readonly out: string;
  /** As in package.json. */
  readonly version: string;
  /** Whether nothing is tagged and published. */
  readonly isDry: boolean;
}

/** What a release reads of a package.json. */
export interface Manifest {
  readonly name: string;
  readonly version: string;
  readonly repository?: { readonly url?: string };
  readonly dependencies?: Readonly<Record<string, string>>;
}

/** The folder of `create-framewright`, a package of its own. */
export const CREATE = "generators/create";

export const manifestOf = (folder: string): Manifest =>
  JSON.parse(readFileSync(join(folder, "package.json"), "utf8")) as Manifest;

/** Paths below the folder of a release: the tarballs, and the bill of materials of the framework. */
export const filesOf = ({ out, version }: Release) => ({
  framework: join(out, `framewright-${version}.tgz`),
  create: join(out, `create-framewright-${version}.tgz`),
  materials: join(out, `framewright-${version}.cdx.json`),
});

/** The output of a command. @throws an error with what it printed unless it exits 0 */
export function outputOf({ root }: Release, command: string, ...args: string[]): string {
  const ran = spawnSync(command, args, { cwd: root, encoding: "utf8", maxBuffer: 64e6 });
  if (ran.status !== 0) throw new Error(`${command} ${args.join(" ")} exited ${ran.status}\n${ran.stderr}`);
  return ran.stdout.trim();
}

/** Runs a command that prints for itself. @throws an error unless it exits 0 */
export function perform({ root }: Release, [command, ...args]: readonly string[], env: NodeJS.ProcessEnv = {}): void {
  const { status, signal } = spawnSync(command!, args, {
    cwd: root,
    stdio: "inherit",
    env: { ...process.env, ...env },
  });
  if (status !== 0) throw new Error(`${[command, ...args].join(" ")} exited ${status ?? signal}`);
}

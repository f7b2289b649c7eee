import { messageOf } from "framewright/kernel";
import { ejection } from "../../eject/generator.ts";
import type { Generator } from "../../generator.ts";
import { newApplication } from "../../new/generator.ts";
import type { Generators } from "../../registry.ts";
import { draft } from "../../run_generator.ts";
import { ApplicationFiles } from "../application.ts";
import { Changes } from "../changes.ts";
import { frameworkDependency, isClone } from "../package.ts";
import { withAnswers } from "../terminal.ts";
import { fingerprint } from "./fingerprint.ts";
import { withLf } from "./merge.ts";
import { type GeneratedFile, isRecorded } from "./records.ts";
import { EJECT, type Run, type RunLog, startRun } from "./run.ts";

/** What a generator would write now, in memory. */
export interface Rerun {
  log: RunLog;
  /** The files that it writes whole, with LF line ends. */
  texts: ReadonlyMap<string, string>;
}
export type RerunOutcome = Rerun | { problem: string };

/** The generator of a run: `new` and `eject` are no other's. */
export async function generatorOf(root: string, run: Run, generators: Generators): Promise<Generator | undefined> {
  if (run.generator === "new")
    return newApplication({ name: run.args[0] ?? "", link: frameworkDependency(root), isInstalled: isClone });
  if (run.generator === EJECT) return ejection(root, String(run.options.from));
  return generators.names().includes(run.generator) ? generators.find(run.generator) : undefined;
}

/** The fingerprints of the generators as they are now, each read once. */
export class Fingerprints {
  readonly #root: string;
  readonly #generators: Generators;
  /** By the folder of a generator. */
  readonly #known = new Map<string, string>();

  constructor(root: string, generators: Generators) {
    this.#root = root;
    this.#generators = generators;
  }

  /** Whether the generators of a record are as they were when it was written: they would write the same. */
  async isCurrent({ run, fingerprints }: GeneratedFile): Promise<boolean> {
    for (const [name, print] of Object.entries(fingerprints)) {
      const generator = await generatorOf(this.#root, { ...run, generator: name }, this.#generators);
      if (!generator || this.#printOf(generator) !== print) return false;
    }
    return true;
  }
  #printOf(generator: Generator): string {
    const print = this.#known.get(generator.directory) ?? fingerprint(generator);
    this.#known.set(generator.directory, print);
    return print;
  }
}

/** Runs a generator again with its arguments, options and answers, as if its `files` were not there yet. Writes nothing. */
export async function rerun(
  root: string,
  run: Run,
  files: ReadonlySet<string>,
  generators: Generators,
): Promise<RerunOutcome> {
  const generator = await generatorOf(root, run, generators);
  if (!generator)
    return {
      problem: `there is no generator "${run.generator}" any more: the plugin that brought it is not in plugins.config.ts`,
    };
  const changes = new Changes(root, files);
  const log = startRun(generator, run.args, run.options);
  changes.run = log;
  try {
    await withAnswers(log.run.answers, run.answers, () =>
      draft(generator, new ApplicationFiles(root, changes), changes, run.args, { ...run.options }),
    );
  } catch (error) {
    return { problem: `${run.generator} could not run again: ${messageOf(error)}` };
  }
  const whole = changes.plan().filter((change) => change.run && isRecorded(change.path));
  return { log, texts: new Map(whole.map(({ path, after }) => [path, withLf(after)])) };
}

import type { Generator } from "../../generator.ts";
import type { Answer } from "../terminal.ts";
import { writeOptions } from "../write_options.ts";

/** A run of a generator with what it was given, so that it can be run again without a terminal. */
export interface Run {
  generator: string;
  args: readonly string[];
  options: Readonly<Record<string, string | boolean>>;
  answers: readonly Answer[];
}
/** A run while it goes on: `used` are the generator and those that it composes. */
export interface RunLog {
  run: Run & { answers: Answer[] };
  used: Set<Generator>;
  isStandalone: boolean;
}

/** `--force`, `--skip` and `--dry-run` are not recorded. */
export function startRun(
  generator: Generator,
  args: readonly string[],
  options: Readonly<Record<string, unknown>>,
): RunLog {
  const notRecorded = Object.keys(writeOptions).map((name) => name.replace("dry-run", "dryRun"));
  const given = Object.entries(options).filter(
    (entry): entry is [string, string | boolean] =>
      !notRecorded.includes(entry[0]) && ["string", "boolean"].includes(typeof entry[1]),
  );
  return {
    run: { generator: generator.name, args, options: Object.fromEntries(given), answers: [] },
    used: new Set(),
    isStandalone: generator.isStandalone === true,
  };
}

/** Equal for runs of the same generator with the same arguments, options and answers. */
export const runKey = ({ generator, args, options, answers }: Run): string =>
  JSON.stringify([generator, args, Object.entries(options).sort(), answers]);

const quoted = (word: string): string => (/^[\w:./,=-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`);

/** The name of `fw eject` in records. */
export const EJECT = "eject";
/** Whether it is a command that is recorded as generators are. */
export const isCommand = (generator: string): boolean => generator === "new" || generator === EJECT;

/** As typed: fw generate fw:res:scaffold Post title. */
export function commandOf({ generator, args, options }: Run): string {
  const isTyped = isCommand(generator);
  const { from: _, ...typed } = options; // of a copied template, its source
  const flags = Object.entries(isTyped ? typed : options).map(([name, value]) => {
    const flag = `--${name.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;
    return value === true ? flag : `${flag}=${value}`;
  });
  return ["fw", ...(isTyped ? [generator] : ["generate", generator]), ...[...args, ...flags].map(quoted)].join(" ");
}

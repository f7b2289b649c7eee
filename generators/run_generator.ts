import { basename } from "node:path";
import { usage } from "./errors.ts";
import type { ComposedOptions, Generator, GeneratorContext } from "./generator.ts";
import { ApplicationFiles } from "./support/application.ts";
import { type Change, Changes, type Conflict, diffOf } from "./support/changes.ts";
import { recordChanges } from "./support/drift/records.ts";
import { startRun } from "./support/drift/run.ts";
import { recover } from "./support/journal.ts";
import { checkTable, tablesOf } from "./support/migrations.ts";
import { constantOf, lowerCamel } from "./support/names.ts";
import { renderTemplate } from "./support/template.ts";
import { cyan, dim, green, isInteractive, settleConflicts, withAnswers, yellow } from "./support/terminal.ts";
import type { WriteOptions } from "./support/write_options.ts";

/** Runs a generator and collects its changes; nothing is written yet. Returns its notes. One that is composed belongs to the run of the first. */
export async function draft(
  generator: Generator,
  app: ApplicationFiles,
  changes: Changes,
  args: readonly string[],
  options: Record<string, unknown>,
): Promise<string[]> {
  changes.run?.used.add(generator);
  if (changes.run) return runOn(generator, app, changes, args, options);
  const log = startRun(generator, args, options);
  log.used.add(generator);
  changes.run = log;
  try {
    return await withAnswers(log.run.answers, undefined, () => runOn(generator, app, changes, args, options));
  } finally {
    changes.run = undefined;
  }
}

async function runOn(
  generator: Generator,
  app: ApplicationFiles,
  changes: Changes,
  args: readonly string[],
  options: Record<string, unknown>,
): Promise<string[]> {
  const notes: string[] = [];
  const render = (template: string, locals: object = {}) => renderTemplate(generator.directory, template, locals);
  const drafted = new ApplicationFiles(app.root, changes);
  const context: GeneratorContext = {
    app: drafted,
    args,
    options: options as GeneratorContext["options"],
    changes,
    render,
    template: (path, template, locals) => changes.create(path, render(template, locals)),
    note: (line) => notes.push(line),
    compose: (other, words, given = {}) => draft(other, drafted, changes, words, givenOptions(given)),
  };
  await generator.run(context);
  for (const path of changes.paths()) {
    if (path.includes("/migrate/")) tablesOf(changes.read(path)!).forEach(checkTable);
    else checkTwin(drafted, path);
  }
  return notes;
}

/** @throws FW_NAME_INVALID where another file defines a class of the same name */
function checkTwin(app: ApplicationFiles, path: string): void {
  const twin = app.twinOf(path);
  if (twin === undefined) return;
  const reason = `${path} would define it, and ${twin} does. Choose another name`;
  throw usage.FW_NAME_INVALID("a class", constantOf(basename(path)), reason);
}

/** Options as the parser of arguments returns them. */
const givenOptions = (options: ComposedOptions): Record<string, unknown> =>
  Object.fromEntries(
    Object.entries(options).flatMap(([name, value]) => (value === undefined ? [] : [[lowerCamel(name), value]])),
  );

/** Writes the drafted changes, or prints them: `--dry-run`, `--force`, `--skip`. */
export async function finish(changes: Changes, notes: readonly string[], options: WriteOptions): Promise<void> {
  const plan = await decide(changes, options);
  if (options.dryRun) {
    process.stdout.write(diffOf(plan));
    report(
      plan.filter(({ outcome }) => outcome === "identical" || outcome === "kept"),
      console.error,
    );
    return;
  }
  changes.commit([...plan, ...recordChanges(changes.root, plan)]);
  report(plan, console.log);
  for (const note of notes) console.log(note);
}

export async function runGenerator(
  generator: Generator,
  app: ApplicationFiles,
  args: readonly string[],
  options: Record<string, unknown> & WriteOptions,
): Promise<void> {
  reportRecovered(recover(app.root));
  const changes = new Changes(app.root);
  await finish(changes, await draft(generator, app, changes, args, options), options);
}

export function reportRecovered(paths: readonly string[]): void {
  if (paths.length > 0) console.error(yellow(`rolled back the changes of an interrupted run: ${paths.join(", ")}`));
}

async function decide(changes: Changes, options: WriteOptions): Promise<Change[]> {
  if (options.force) return changes.plan(() => "overwrite");
  const plan = changes.plan();
  const conflicts = plan.filter(({ outcome }) => outcome === "kept");
  if (options.skip || options.dryRun || conflicts.length === 0 || !isInteractive()) return plan;
  const settled: Map<string, Conflict> = await settleConflicts(conflicts);
  return changes.plan(({ path }) => settled.get(path) ?? "skip");
}

const colours = { create: green, edit: cyan, overwrite: yellow, identical: dim, kept: yellow };

function report(plan: readonly Change[], print: (line: string) => void): void {
  for (const { path, outcome } of plan) {
    const explained =
      outcome === "kept" ? " (edited, not changed; --force overwrites it, --skip keeps it without asking)" : "";
    print(`${colours[outcome](outcome.padStart(10))}  ${path}${dim(explained)}`);
  }
}

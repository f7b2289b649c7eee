import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { applicationRoot, type CommandContext, usage, withApp } from "framewright/generators";
import { type Application, camelize, underscore } from "framewright/host";
import type { OpenApiDocument } from "../contract.ts";
import { errors } from "../errors.ts";
import { documentText } from "../sorted.ts";
import { changesOf } from "./changes.ts";

/** A portal's document with the file that it is stored in, below the application's root. */
interface Kept {
  readonly file: string;
  readonly document: OpenApiDocument;
}

/** Prints, writes or compares documents. Exits 1 when `--check` finds a difference. */
export default async function openapi({ options }: CommandContext): Promise<void> {
  if (options.write && options.check) throw usage.FW_FLAGS_CLASH(["--write", "--check"]);
  const isOne = !options.write && !options.check;
  const kept = await withApp({}, (app) => documentsOf(app, options, isOne));
  if (isOne) process.stdout.write(documentText(kept[0]!.document));
  else if (options.write) for (const one of kept) write(one);
  else compare(kept);
}

async function documentsOf(
  app: Application,
  { portal, file }: CommandContext["options"],
  isOne: boolean,
): Promise<Kept[]> {
  const service = app.kernel.service("openapi", "fw openapi");
  const { portals } = service;
  const named = typeof portal === "string" ? [portals.includes(portal) ? portal : camelize(portal)] : portals;
  if ((isOne || file !== undefined) && named.length !== 1) throw errors.FW_OPENAPI_ONE(portals.map(underscore));
  const kept: Kept[] = [];
  for (const name of named) {
    const own = typeof file === "string" ? file : join("openapi", `${underscore(name)}.json`);
    kept.push({ file: own, document: await service.documentOf(name) });
  }
  return kept;
}

function write({ file, document }: Kept): void {
  const path = join(applicationRoot(), file);
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, documentText(document));
  console.log(`wrote ${file}`);
}

function compare(kept: readonly Kept[]): void {
  const changed: string[] = [];
  for (const { file, document } of kept) {
    const before = read(file);
    const changes = changesOf(before, document);
    if (changes.length === 0) console.log(`${file} is up to date`);
    else {
      changed.push(file);
      console.log([`${file} differs:`, ...changes.map((line) => `  ${line}`)].join("\n"));
    }
  }
  if (changed.length > 0) throw errors.FW_OPENAPI_CHANGED(changed);
}

function read(file: string): OpenApiDocument {
  const path = join(applicationRoot(), file);
  if (!existsSync(path)) throw errors.FW_OPENAPI_MISSING(file);
  try {
    return JSON.parse(readFileSync(path, "utf8")) as OpenApiDocument;
  } catch {
    throw errors.FW_OPENAPI_FILE(file);
  }
}

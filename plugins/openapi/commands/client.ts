import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { basename, dirname, join, resolve } from "node:path";
import { applicationRoot, type CommandContext, usage, withApp } from "framewright/generators";
import { type Application, camelize, underscore } from "framewright/host";
import type { OpenApiDocument } from "../contract.ts";
import { errors } from "../errors.ts";
import { clientText } from "./typed_client/index.ts";
import { malformed } from "./typed_client/malformed.ts";

/** A document, and what the client's file is named after. */
interface Source {
  readonly document: OpenApiDocument;
  readonly name: string;
  /** What names it in the command. */
  readonly option: string;
}

/** Writes or compares the client of a portal or of a document. Exits 1 when `--check` finds a difference. */
export default async function client({ options }: CommandContext): Promise<void> {
  const { portal, from, file: named, check } = options;
  if (portal !== undefined && from !== undefined) throw usage.FW_FLAGS_CLASH(["--portal", "--from"]);
  if (check && portal === undefined && from === undefined && named === undefined) return checkAll();
  const source =
    typeof from === "string" ? read(from) : await withApp({}, (app) => ofPortal(app, portal as string | undefined));
  const file = typeof named === "string" ? named : fileOf(source.name);
  const command = `fw client ${source.option}${typeof named === "string" ? ` --file=${named}` : ""}`;
  if (check) return compare(source, file, command);
  const text = clientText(source.document, { name: source.name, command });
  const path = resolve(applicationRoot(), file);
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
  console.log(`wrote ${file}`);
}

/** Compares the clients of all portals that have one. @throws FW_CLIENT_SOURCE where none has */
async function checkAll(): Promise<void> {
  const sources = await withApp({}, async (app) => {
    const known = app.kernel.service("openapi", "fw client").portals.map(underscore);
    const written = known.filter((name) => existsSync(resolve(applicationRoot(), fileOf(name))));
    if (written.length === 0) throw errors.FW_CLIENT_SOURCE(known);
    return Promise.all(written.map((name) => ofPortal(app, name)));
  });
  for (const source of sources) compare(source, fileOf(source.name), `fw client ${source.option}`);
}
const fileOf = (name: string): string => join("clients", `${name}.ts`);

/** @throws FW_CLIENT_CHANGED */
function compare({ document, name }: Source, file: string, command: string): void {
  const path = resolve(applicationRoot(), file);
  const isSame = existsSync(path) && readFileSync(path, "utf8") === clientText(document, { name, command });
  if (!isSame) throw errors.FW_CLIENT_CHANGED(file, command);
  console.log(`${file} is up to date`);
}

async function ofPortal({ kernel }: Application, name: string | undefined): Promise<Source> {
  const service = kernel.service("openapi", "fw client");
  const { portals } = service;
  const known = portals.map(underscore);
  if (name === undefined && known.length !== 1) throw errors.FW_CLIENT_SOURCE(known);
  const portal = name === undefined ? portals[0]! : portals.includes(name) ? name : camelize(name);
  const document = await service.documentOf(portal);
  return { document, name: underscore(portal), option: `--portal=${underscore(portal)}` };
}

/** @throws FW_CLIENT_NO_FILE, FW_CLIENT_DOCUMENT, FW_CLIENT_MALFORMED */
function read(file: string): Source {
  const path = resolve(applicationRoot(), file);
  if (!existsSync(path)) throw errors.FW_CLIENT_NO_FILE(file);
  const document = parsed(readFileSync(path, "utf8"));
  if (!document) throw errors.FW_CLIENT_DOCUMENT(file);
  const place = malformed(document);
  if (place !== undefined) throw errors.FW_CLIENT_MALFORMED(file, place);
  return { document, name: underscore(basename(file, ".json")), option: `--from=${file}` };
}

function parsed(text: string): OpenApiDocument | undefined {
  try {
    const { openapi, info, paths, components = {} } = JSON.parse(text) as Partial<OpenApiDocument>;
    if (!openapi?.startsWith("3.1") || typeof paths !== "object" || typeof info?.title !== "string") return undefined;
    const empty = { schemas: {}, parameters: {}, responses: {}, securitySchemes: {} };
    return { openapi, info, paths, components: { ...empty, ...components }, servers: [], security: [], tags: [] };
  } catch {
    return undefined;
  }
}

import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { basename, dirname, join, resolve } from "node:path";
import { applicationRoot, type CommandContext, usage, withApp } from "framewright/generators";
import { type Application, camelize, underscore } from "framewright/host";
import type { OpenApiDocument } from "../contract.ts";
import { errors } from "../errors.ts";
import { clientText } from "./typed_client/index.ts";

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
  const source =
    typeof from === "string" ? read(from) : await withApp({}, (app) => ofPortal(app, portal as string | undefined));
  const file = typeof named === "string" ? named : join("clients", `${source.name}.ts`);
  const command = `fw client ${source.option}${typeof named === "string" ? ` --file=${named}` : ""}`;
  const text = clientText(source.document, { name: source.name, command });
  const path = resolve(applicationRoot(), file);
  if (check) {
    if (!existsSync(path) || readFileSync(path, "utf8") !== text) throw errors.FW_CLIENT_CHANGED(file, command);
    return console.log(`${file} is up to date`);
  }
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
  console.log(`wrote ${file}`);
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

/** @throws FW_CLIENT_NO_FILE, FW_CLIENT_DOCUMENT */
function read(file: string): Source {
  const path = resolve(applicationRoot(), file);
  if (!existsSync(path)) throw errors.FW_CLIENT_NO_FILE(file);
  const document = parsed(readFileSync(path, "utf8"));
  if (!document) throw errors.FW_CLIENT_DOCUMENT(file);
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

import type { Readable } from "node:stream";
import { underscore } from "framewright/host";
import { type BaseModel, type Database, ModelInfo } from "framewright/plugins/database";
import type { Person, PersonalSource } from "./contract.ts";
import { chunksOf, type Owned, type Plan } from "./plan.ts";
import type { ZipEntry } from "./zip.ts";

export interface ExportParts {
  readonly database: Database;
  readonly plan: Plan;
  readonly sources: readonly PersonalSource[];
  /** The columns of a model that leave the application with nobody: credentials, and what is encrypted. */
  secretsOf(model: ModelInfo): ReadonlySet<string>;
}

const MAX_NAME_BYTES = 200;
const HEAD_CHARS = 30;

/** The files of a person's export: `person.json`, one for each model and each source, and the files of attachments. */
export async function* exportEntries(parts: ExportParts, person: Person): AsyncGenerator<ZipEntry> {
  const { plan, sources, database, secretsOf } = parts;
  const subject = { id: person.account.id, login: person.login };
  const about = { account: person.type.name, id: person.account.id, exported_at: new Date() };
  yield { name: "person.json", content: [`${JSON.stringify(about, null, 2)}\n`] };
  for (const owned of plan) {
    if (!owned.export) continue;
    const rows = recordsOf(database, owned, subject, secretsOf(owned.model));
    yield* fileOf(`${nameOf(owned.model)}.json`, rows);
    yield* attachedFiles(parts, owned, subject);
  }
  for (const source of sources) if (source.rows) yield* fileOf(`${source.name}.json`, source.rows(person));
}

/** `blogging/post` for `Blogging::Post`. */
const nameOf = ({ constant }: ModelInfo): string => `models/${constant.split("::").map(underscore).join("/")}`;

async function* recordsOf(
  database: Database,
  owned: Owned,
  subject: { id: number; login: string },
  secrets: ReadonlySet<string>,
): AsyncGenerator<object> {
  const names = [...owned.model.columns.keys()].filter((name) => !secrets.has(name));
  for await (const records of chunksOf(database, owned, subject))
    for (const record of records) yield Object.fromEntries(names.map((name) => [name, Reflect.get(record, name)]));
}

async function* attachedFiles(
  { sources, database }: ExportParts,
  owned: Owned,
  subject: { id: number; login: string },
): AsyncGenerator<ZipEntry> {
  const holders = sources.filter((one) => one.files);
  if (holders.length === 0) return;
  for await (const records of chunksOf(database, owned, subject)) {
    const keys = records.map((record: BaseModel) => String(ModelInfo.keyOf(record)));
    for (const source of holders)
      for await (const { name, open } of source.files!(owned.model, keys))
        yield await fileEntry(`files/${safe(name)}`, open);
  }
}
/** A name within a folder, on any system, which may take 255 bytes: of a long one the beginning and the end. */
function safe(name: string): string {
  const clean = [...name.toWellFormed().replace(/[\\/:*?"<>|]|\p{Cc}|^\.+/gu, "_")];
  if (Buffer.byteLength(clean.join("")) <= MAX_NAME_BYTES) return clean.join("");
  const head = clean.slice(0, HEAD_CHARS).join("");
  const rest = clean.slice(HEAD_CHARS);
  while (Buffer.byteLength(`${head}…${rest.join("")}`) > MAX_NAME_BYTES) rest.splice(0, Math.ceil(rest.length / 20));
  return `${head}…${rest.join("")}`;
}

/** A file whose bytes the storage has lost is named, and keeps nobody from the rest. */
async function fileEntry(name: string, open: () => Promise<Readable>): Promise<ZipEntry> {
  try {
    return { name, content: await open() };
  } catch (error) {
    if ((error as { code?: string }).code !== "FW_STORAGE_MISSING") throw error;
    return { name: `${name}.missing.txt`, content: ["The storage does not have this file any more.\n"] };
  }
}

/** A JSON file of rows; none where there are no rows. */
async function* fileOf(name: string, rows: AsyncIterable<object>): AsyncGenerator<ZipEntry> {
  const iterator = rows[Symbol.asyncIterator]();
  const first = await iterator.next();
  if (!first.done) yield { name, content: jsonOf(first.value as object, iterator) };
}

async function* jsonOf(first: object, rest: AsyncIterator<object>): AsyncGenerator<string> {
  yield `[\n${JSON.stringify(first, asText)}`;
  for (let next = await rest.next(); !next.done; next = await rest.next())
    yield `,\n${JSON.stringify(next.value, asText)}`;
  yield "\n]\n";
}

/** JSON has no bytes and no large integers: `toJSON` of a Buffer has run already. */
function asText(_: string, value: unknown): unknown {
  if (typeof value === "bigint") return String(value);
  const bytes = value as { type?: unknown; data?: number[] } | null;
  const isBytes = typeof value === "object" && bytes?.type === "Buffer" && Array.isArray(bytes.data);
  return isBytes ? Buffer.from(bytes.data!).toString("base64") : value;
}

import { type ApplicationFiles, usage } from "framewright/generators";

/** A primary key that is no number: `id:uuid`, `id:string{40}`. */
export interface KeyField {
  type: "uuid" | "string";
  /** Of a string; 100 where it is not given. */
  length?: number;
}

/** What a generated key of a string has: 8 random bytes in hexadecimal digits. */
const RANDOM_CHARS = 16;
/** The longest string that MySQL has an index over, in characters of four bytes. */
const MAX_CHARS = 768;

export const isKey = (text: string): boolean => /^id(?=$|[:?{])/.test(text);

/** Takes the primary key out of the fields of a table that is created. @throws FW_FIELD_SHAPE, FW_FIELD_DUPLICATE */
export function takeKey(given: readonly string[]): { key: KeyField | undefined; texts: string[] } {
  const [text, second] = given.filter(isKey);
  if (second !== undefined) throw usage.FW_FIELD_DUPLICATE("id");
  return { key: text === undefined ? undefined : parseKey(text), texts: given.filter((one) => !isKey(one)) };
}

function parseKey(text: string): KeyField {
  const [, type, size] = /^id:(uuid|string)(?:\{(\d+)\})?$/.exec(text) ?? [];
  if (type === undefined || (type === "uuid" && size !== undefined))
    throw usage.FW_FIELD_SHAPE(text, "the id is a number, unless it is said to be id:uuid or id:string{40}, no more");
  if (type === "uuid") return { type };
  if (size === undefined) return { type: "string" };
  const length = Number(size);
  if (length < RANDOM_CHARS || length > MAX_CHARS)
    throw usage.FW_FIELD_SHAPE(
      text,
      `the model makes ids of ${RANDOM_CHARS} characters, and an index holds ${MAX_CHARS}. For shorter ones that people choose write the migration by hand: t.id({ type: "string", length: ${size} })`,
    );
  return { type: "string", length };
}

/** `type: "uuid"`: the options of `t.id` and of `t.belongsTo`. */
export const keyOptions = ({ type, length }: KeyField): string[] => [
  `type: "${type}"`,
  ...(length === undefined ? [] : [`length: ${length}`]),
];

/** The line of a migration that creates the primary key. */
export const idLine = (key: KeyField | undefined): string =>
  key === undefined ? "t.id();" : `t.id({ ${keyOptions(key).join(", ")} });`;

/** What a model gives new records as their id, as source code; a UUID is created without it. */
export const idDefault = (key: KeyField | undefined): string | undefined =>
  key?.type === "string" ? `() => randomBytes(${RANDOM_CHARS / 2}).toString("hex")` : undefined;

/** The primary key of a table, by the migration that creates it; undefined for a number. */
export function keyOfTable(app: ApplicationFiles, table: string): KeyField | undefined {
  const call = new RegExp(`\\bcreateTable\\(\\s*["'\`]${table}["'\`][\\s\\S]*?\\bt\\.id\\(([^)]*)\\)`);
  const options = app
    .migrations()
    .map((path) => call.exec(app.read(path))?.[1])
    .find((one) => one !== undefined);
  const type = /\btype:\s*["'](uuid|string)["']/.exec(options ?? "")?.[1] as KeyField["type"] | undefined;
  const length = /\blength:\s*(\d+)/.exec(options ?? "")?.[1];
  return type && { type, ...(length === undefined ? {} : { length: Number(length) }) };
}

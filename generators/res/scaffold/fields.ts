import { suggest } from "framewright/kernel";
import { usage } from "../../errors.ts";
import { camelize, underscore } from "../../support/names.ts";
import { SLUG_CHARS, type SlugPlace, withSource } from "./slugs.ts";

/** The types of columns; each is a method of the migrations' schema. */
export const columnTypes = [
  "string", "text", "integer", "bigint", "decimal", "float", "boolean", "date", "datetime", "time", "json", "uuid",
] as const; // biome-ignore format: a list to read
export type ColumnType = (typeof columnTypes)[number];
/** Words for what people type in; the column of each, and what it is checked by. */
export const inputTypes = { email: "string", tel: "string", color: "string", file: "json", enum: "string" } as const;
export type InputType = keyof typeof inputTypes;
const fieldTypes = [
  ...columnTypes,
  "money",
  "belongs_to",
  "references",
  "polymorphic",
  ...Object.keys(inputTypes),
  "slug",
];
const modifiers = ["uniq", "index"];
const braceOptions = ["default", "class", "scope", "on_delete"];
const deletions = ["cascade", "nullify", "restrict"] as const;
/** The limit of MySQL for the name of a column. */
const MAX_COLUMN_CHARS = 64;
const reserved = new Set(["id", "created_at", "updated_at", "lock_version", "constructor", "prototype", "to_label"]);

/** A word that a plugin adds: its column, and a value for tests as code. */
export interface FieldWord {
  type: ColumnType;
  size: readonly number[];
  sample: string | undefined;
}

/** The field grammar, for the help. */
export const fieldHelp = `Fields: name:type, as in title:string; the type is string by default.
  Types: ${fieldTypes.join(", ")}; and those that plugins add, as tint:colour.
  Optional: a ? after the type, as in 'body:text?'.
  Modifiers: :${modifiers.join(" and :")}, as in email:string:uniq.
  Braces: string{50}, decimal{10,2}, status:string{default:draft}, state:enum{draft,live,default:draft},
    meta:json{default:{}}, author:belongs_to{class:User},
    user:belongs_to:uniq{scope:organization}, author:belongs_to{on_delete:cascade},
    subject:polymorphic{Post,Photo}, a record of one of these models.
  Addresses: slug:slug{title}, which is made of the title; slug:slug{title,scope:organization}.
  Keys of a new table: id:uuid, or id:string{40}; a number without it.
  Without fields, the columns of an existing table are used.`;

/** One `name:type` of the command line. */
export interface Field {
  /** The name in policies, forms and JSON: `author`, `price`, `title`. */
  name: string;
  /** Its column: `author_id`, `price_cents`, `title`. */
  column: string;
  type: ColumnType | "money" | "belongs_to" | "polymorphic";
  /** What it is entered as, where the column does not say it. */
  input?: string | undefined;
  /** A value for a test, as code, where its type has one of its own. */
  sample?: string | undefined;
  /** The values of an enum. */
  values?: readonly string[];
  nullable: boolean;
  /** Required by the model, while its column is null in the rows that exist. */
  requiredByModel?: boolean;
  unique: boolean;
  /** The fields within which it is unique; unique in the whole table when empty. */
  scope: readonly string[];
  index: boolean;
  /** As source code. */
  default: string | undefined;
  /** string{50}, decimal{10,2}. */
  size: readonly number[];
  /** The target of a belongs_to, as written: "Author", "Blogging::Post". */
  target: string;
  /** The targets of a polymorphic association, as written. */
  targets?: readonly string[];
  /** The field that a slug is made of; empty until it is known. */
  slug?: string;
  /** What deleting the target does to the rows of a belongs_to; undefined: it is refused. */
  onDelete?: (typeof deletions)[number] | undefined;
}

/** What is known where fields are parsed. */
export interface FieldPlace {
  /** Fields that there are, which scopes and slugs may name. */
  existing?: readonly Field[];
  /** Whether there may be a slug, and of what; none by default. */
  slugs?: SlugPlace;
  /** The words that plugins add. */
  words?: ReadonlyMap<string, FieldWord>;
}

/** Parses the field grammar. @throws FW_FIELD_SHAPE, FW_FIELD_TYPE_UNKNOWN, FW_FIELD_DUPLICATE */
export function parseFields(
  texts: readonly string[],
  { existing = [], slugs, words = noWords }: FieldPlace = {},
): Field[] {
  const fields = texts.map((text) => parseField(text, words));
  const columns = new Set<string>();
  for (const { column } of fields) {
    if (columns.has(column)) throw usage.FW_FIELD_DUPLICATE(column);
    columns.add(column);
  }
  for (const [index, { scope }] of fields.entries()) {
    const unknown = scope.find((name) => ![...fields, ...existing].some((field) => field.name === name));
    if (unknown !== undefined)
      throw usage.FW_FIELD_SHAPE(texts[index]!, `its scope "${unknown}" is not one of the fields`);
  }
  return withSource(fields, texts, existing, slugs);
}

const noWords: ReadonlyMap<string, FieldWord> = new Map();

/** Whether a field's word is one of the framework's. */
export const isKnownWord = (text: string): boolean => fieldTypes.includes(splitField(text).word);

function splitField(text: string) {
  const { rest, inside } = takeBraces(text);
  const [first = "", ...more] = rest.split(":");
  const given = more[0] === undefined || modifiers.includes(more[0]) ? undefined : more.shift()!;
  const path = given === undefined ? first.replace(/\?$/, "") : first;
  const nullable = (given ?? first).endsWith("?");
  return { path, nullable, word: (given ?? "string").replace(/\?$/, ""), given: more, inside };
}

function parseField(text: string, words: ReadonlyMap<string, FieldWord>): Field {
  const { path, nullable, word, given, inside } = splitField(text);
  const added = words.get(word);
  const type = added?.type ?? typeOf(text, word, words);
  const input = added || word in inputTypes ? word : undefined;
  for (const modifier of given) {
    if (!modifiers.includes(modifier))
      throw usage.FW_FIELD_SHAPE(text, `"${modifier}" is not one of ${modifiers.join(", ")}`);
  }
  const name = path.split("/").at(-1)!;
  checkName(text, path, name, type);
  const isSlug = word === "slug";
  const { size, options, values, source, targets } = readBraces(text, inside, word);
  if (input === "enum") checkValues(text, values);
  if (type === "polymorphic" && targets.length === 0)
    throw usage.FW_FIELD_SHAPE(text, "it names the models that it may be of: subject:polymorphic{Post,Photo}");
  if (isSlug && (options.default !== undefined || size.length > 0))
    throw usage.FW_FIELD_SHAPE(text, "a slug is made of another field: it takes no default and no size");
  if (options.scope.length > 0 && !given.includes("uniq") && !isSlug)
    throw usage.FW_FIELD_SHAPE(text, "scope says within what it is unique, and it is not: add :uniq");
  const isMoney = type === "money" || (/_cents$/.test(name) && (type === "integer" || type === "bigint"));
  const field: Field = {
    ...named(name, isMoney ? "money" : type),
    ...(input === undefined ? {} : { input }),
    ...(added?.sample === undefined ? {} : { sample: added.sample }),
    ...(values.length > 0 ? { values } : {}),
    ...(isSlug ? { slug: source } : {}),
    ...(type === "polymorphic" ? { targets } : {}),
    nullable: nullable || isSlug,
    unique: given.includes("uniq") || isSlug,
    scope: options.scope,
    index: given.includes("index"),
    size: isSlug ? [SLUG_CHARS] : checkSize(text, type, size.length > 0 ? size : (added?.size ?? [])),
    default: undefined,
    target: camelize(options.class ? underscore(options.class) : path),
    onDelete: deletionOf(text, type, nullable, options.on_delete),
  };
  return { ...field, default: literal(text, field, options.default) };
}

/** Extracts `{…}` from anywhere in the text, so that a colon inside does not split the field. */
function takeBraces(text: string): { rest: string; inside: string } {
  const found = /^([^{}]*)\{(.*)\}([^{}]*)$/s.exec(text);
  const isNested = found !== null && /[{}]/.test(found[2]!) && !/^default:/.test(found[2]!);
  if (isNested || (!found && /[{}]/.test(text))) throw usage.FW_FIELD_SHAPE(text, "its braces don't match");
  return found ? { rest: found[1]! + found[3]!, inside: found[2]! } : { rest: text, inside: "" };
}

function typeOf(text: string, type: string, words: ReadonlyMap<string, FieldWord>): Field["type"] {
  const known = [...fieldTypes, ...words.keys()];
  if (!fieldTypes.includes(type)) throw usage.FW_FIELD_TYPE_UNKNOWN(text, type, known, suggest(type, known));
  if (type in inputTypes) return inputTypes[type as InputType];
  if (type === "slug") return "string";
  return type === "references" ? "belongs_to" : (type as Field["type"]);
}

function checkName(text: string, path: string, name: string, type: Field["type"]): void {
  const snake = underscore(name);
  if (!/^[a-z][a-z0-9_]*$/.test(name))
    throw usage.FW_FIELD_SHAPE(
      text,
      `"${name}" is not a column's name${/^[a-z][a-z0-9_]*$/.test(snake) ? `; did you mean "${snake}"` : ""}`,
    );
  if (name === "id")
    throw usage.FW_FIELD_SHAPE(
      text,
      "every table has an id, whose kind is chosen where the table is created: fw:res:scaffold Post id:uuid title",
    );
  if (reserved.has(name)) throw usage.FW_FIELD_SHAPE(text, `"${name}" is created automatically or reserved`);
  if (named(name, type).column.length > MAX_COLUMN_CHARS)
    throw usage.FW_FIELD_SHAPE(text, `a column's name has at most ${MAX_COLUMN_CHARS} characters`);
  if (path !== name && type !== "belongs_to")
    throw usage.FW_FIELD_SHAPE(text, "only a belongs_to can have a path, which names its class");
}

function named(name: string, type: Field["type"]): Pick<Field, "name" | "column" | "type"> {
  if (type === "money") {
    const base = name.replace(/_cents$/, "");
    return { name: base, column: `${base}_cents`, type };
  }
  if (type !== "belongs_to" && type !== "polymorphic") return { name, column: name, type };
  const base = name.replace(/_id$/, "");
  return { name: base, column: `${base}_id`, type };
}

function deletionOf(
  text: string,
  type: Field["type"],
  nullable: boolean,
  given: string | undefined,
): Field["onDelete"] {
  if (given === undefined) return undefined;
  if (type !== "belongs_to") throw usage.FW_FIELD_SHAPE(text, "only a belongs_to has on_delete");
  const found = deletions.find((name) => name === given);
  if (!found) throw usage.FW_FIELD_SHAPE(text, `on_delete is one of ${deletions.join(", ")}`);
  if (found === "nullify" && !nullable)
    throw usage.FW_FIELD_SHAPE(text, "on_delete:nullify needs an optional belongs_to: add a ?");
  return found;
}

interface Braces {
  size: number[];
  values: string[];
  /** What a slug is made of; empty where it is not said. */
  source: string;
  /** The models of a polymorphic association. */
  targets: string[];
  options: { scope: string[]; class?: string; default?: string; on_delete?: string };
}

function readBraces(text: string, inside: string, word: string): Braces {
  const size: number[] = [];
  const values: string[] = [];
  const targets: string[] = [];
  const options: Braces["options"] = { scope: [] };
  let source = "";
  if (word === "json" && inside.startsWith("default:"))
    return { size, values, source, targets, options: { ...options, default: inside.slice("default:".length).trim() } };
  for (const part of inside
    .split(",")
    .map((word) => word.trim())
    .filter(Boolean)) {
    const [key, ...value] = part.split(":");
    if (word === "polymorphic" && /^[A-Z]/.test(part)) targets.push(part);
    else if (word === "enum" && value.length === 0) values.push(part);
    else if (word === "slug" && source === "" && /^[a-z][a-z0-9_]*$/.test(part)) source = part;
    else if (/^\d+$/.test(part)) size.push(Number(part));
    else if (!braceOptions.includes(key!) || value.length === 0)
      throw usage.FW_FIELD_SHAPE(text, `"${part}" is not a size, default:…, class:…, scope:… or on_delete:…`);
    else if (key === "scope") options.scope.push(value.join(":").trim());
    else options[key as "class" | "default" | "on_delete"] = value.join(":").trim();
  }
  return { size, values, source, targets, options };
}

function checkValues(text: string, values: readonly string[]): void {
  const wrong = values.find((value) => !/^[\w-]+$/.test(value));
  if (values.length === 0) throw usage.FW_FIELD_SHAPE(text, "an enum names its values: state:enum{draft,live}");
  if (wrong !== undefined) throw usage.FW_FIELD_SHAPE(text, `"${wrong}" is no value: use letters, digits, - and _`);
  if (new Set(values).size < values.length) throw usage.FW_FIELD_SHAPE(text, "an enum names each value once");
}

function checkSize(text: string, type: Field["type"], size: readonly number[]): readonly number[] {
  const most = type === "decimal" ? 2 : type === "string" ? 1 : 0;
  if (size.length > most)
    throw usage.FW_FIELD_SHAPE(text, `${type} takes ${most === 0 ? "no size" : `at most ${most} of them`}`);
  if (type === "string" && size[0] !== undefined && (size[0] < 1 || size[0] > 16_383))
    throw usage.FW_FIELD_SHAPE(text, "a string holds 1 to 16383 characters");
  if (
    type === "decimal" &&
    size.length > 0 &&
    (size[0]! < 1 || size[0]! > 65 || (size[1] ?? 0) > Math.min(30, size[0]!))
  ) {
    throw usage.FW_FIELD_SHAPE(text, "a decimal has 1 to 65 digits, at most 30 of them after the point");
  }
  return size;
}

/** The default as code, or undefined. */
function literal(text: string, { type, input, values }: Field, value: string | undefined): string | undefined {
  if (value === undefined) return undefined;
  const wrong = (expected: string) => usage.FW_FIELD_SHAPE(text, `the default of ${input ?? type} must be ${expected}`);
  if (input === "file") throw usage.FW_FIELD_SHAPE(text, "file takes no default");
  if (values && !values.includes(value)) throw wrong(`one of ${values.join(", ")}`);
  switch (type) {
    case "boolean":
      if (value !== "true" && value !== "false") throw wrong("true or false");
      return value;
    case "integer":
    case "bigint":
    case "money":
      if (!/^-?\d+$/.test(value)) throw wrong("a whole number");
      return String(BigInt(value));
    case "float":
      if (value === "" || !Number.isFinite(Number(value))) throw wrong("a number");
      return String(Number(value));
    case "decimal":
      if (!/^-?\d+(\.\d+)?$/.test(value)) throw wrong("a number");
      return JSON.stringify(value);
    case "json":
      return jsonLiteral(value) ?? raise(wrong("valid JSON, as {} or []"));
    case "string":
    case "uuid":
    case "date":
    case "datetime":
    case "time":
      return JSON.stringify(value);
    default:
      throw usage.FW_FIELD_SHAPE(text, `${type} takes no default`);
  }
}

function raise(error: Error): never {
  throw error;
}

function jsonLiteral(value: string): string | undefined {
  try {
    return JSON.stringify(JSON.parse(value));
  } catch {
    return undefined;
  }
}

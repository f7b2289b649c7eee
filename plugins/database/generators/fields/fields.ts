import { usage } from "framewright/generators";
import { camelize, underscore } from "framewright/host/inflection";
import { suggest } from "framewright/kernel";
import { type Field, type FieldWord, fieldTypes, type InputType, inputTypes } from "./field.ts";
import { checkName, checkSize, checkValues, deletionOf, named } from "./field_checks.ts";
import { literal } from "./field_default.ts";
import { modifiers, readBraces, splitField } from "./field_grammar.ts";
import { SLUG_CHARS, type SlugPlace, withSource } from "./slugs.ts";

/** The field grammar, for the help. */
export const fieldHelp = `Fields: name:type, as in title:string; the type is string by default.
  Types: ${fieldTypes.join(", ")}; and those that plugins add, as tint:colour; with attachments()
    file, files and image are files of the record, and with nestedRecords() list is rows of a json column.
  Optional: a ? after the type, as in 'body:text?'.
  Modifiers: :${modifiers.join(" and :")}, as in email:string:uniq.
  Braces: string{50}, decimal{10,2}, status:string{default:draft}, state:enum{draft,live,default:draft},
    marks:checkboxes{red,blue} of extraFields(), several of which are chosen,
    meta:json{default:{}}, author:belongs_to{class:User},
    user:belongs_to:uniq{scope:organization}, number:string:uniq{everywhere}, author:belongs_to{on_delete:cascade},
    subject:polymorphic{Post,Photo}, a record of one of these models.
  Rows: 'lines:list{text,hours:integer?,amount:money}', whose fields the definition declares; text alone without braces.
  Addresses: slug:slug{title}, which is made of the title; slug:slug{title,scope:organization}.
  Keys of a new table: id:uuid, or id:string{40}; a number without it.
  Without fields, the columns of an existing table are used.`;

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

function parseField(text: string, words: ReadonlyMap<string, FieldWord>): Field {
  const { path, nullable, word, given, inside } = splitField(text);
  const added = words.get(word);
  const type = added?.type ?? typeOf(text, word, words);
  const attached = added?.attached;
  const rows = added?.isList ? rowFields(text, inside) : undefined;
  const input = !attached && !rows && (added || word in inputTypes) ? word : undefined;
  for (const modifier of given) {
    if (!modifiers.includes(modifier))
      throw usage.FW_FIELD_SHAPE(text, `"${modifier}" is not one of ${modifiers.join(", ")}`);
  }
  const name = path.split("/").at(-1)!;
  checkName(text, path, name, type);
  const isSlug = word === "slug";
  const { size, options, values, source, targets } = readBraces(
    text,
    rows ? "" : inside,
    word,
    word === "enum" || added?.choices !== undefined,
  );
  if (input === "enum" || added?.choices) checkValues(text, values, word);
  if (attached && (given.length > 0 || inside.trim() !== ""))
    throw usage.FW_FIELD_SHAPE(text, `${word} has no column: it takes no modifiers and no braces`);
  if (rows && given.length > 0) throw usage.FW_FIELD_SHAPE(text, "rows of a json column take no modifiers");
  if (type === "polymorphic" && targets.length === 0)
    throw usage.FW_FIELD_SHAPE(text, "it names the models that it may be of: subject:polymorphic{Post,Photo}");
  if (isSlug && (options.default !== undefined || size.length > 0))
    throw usage.FW_FIELD_SHAPE(text, "a slug is made of another field: it takes no default and no size");
  if (options.everywhere && (!given.includes("uniq") || options.scope.length > 0))
    throw usage.FW_FIELD_SHAPE(text, "everywhere says that it is unique across all tenants: add :uniq, and no scope");
  if (options.scope.length > 0 && !given.includes("uniq") && !isSlug)
    throw usage.FW_FIELD_SHAPE(text, "scope says within what it is unique, and it is not: add :uniq");
  const isMoney = type === "money" || (/_cents$/.test(name) && (type === "integer" || type === "bigint"));
  const field: Field = {
    ...named(name, isMoney ? "money" : type),
    ...(input === undefined ? {} : { input }),
    ...(attached ? { attached } : {}),
    ...(rows ? { rows } : {}),
    ...sampleOf(added, values),
    ...(values.length > 0 ? (added?.choices ? { choices: values } : { values }) : {}),
    ...(isSlug ? { slug: source } : {}),
    ...(type === "polymorphic" ? { targets } : {}),
    nullable: nullable || isSlug,
    unique: given.includes("uniq") || isSlug,
    scope: options.scope,
    ...(options.everywhere ? { everywhere: true } : {}),
    index: given.includes("index"),
    size: isSlug ? [SLUG_CHARS] : checkSize(text, type, size.length > 0 ? size : (added?.size ?? [])),
    default: undefined,
    target: camelize(options.class ? underscore(options.class) : path),
    onDelete: deletionOf(text, type, nullable, options.on_delete),
  };
  return { ...field, default: literal(text, field, options.default) };
}

/** The value for tests of a word that a plugin adds; of one with choices the first. */
function sampleOf(added: FieldWord | undefined, [first]: readonly string[]): Pick<Field, "sample"> {
  const chosen = added?.choices === "several" ? [first] : first;
  const sample = added?.choices ? JSON.stringify(chosen) : added?.sample;
  return sample === undefined ? {} : { sample };
}

/** The fields of rows, which are entered one value each. @throws FW_FIELD_SHAPE */
function rowFields(text: string, inside: string): Field[] {
  const texts = inside.split(",").map((one) => one.trim());
  const fields = parseFields(texts.filter((one) => one !== "").length > 0 ? texts.filter(Boolean) : ["text"]);
  const wrong = fields.find(
    ({ type, input, unique, index }) =>
      type === "belongs_to" || type === "polymorphic" || input === "file" || input === "enum" || unique || index,
  );
  if (wrong)
    throw usage.FW_FIELD_SHAPE(
      text,
      `the row's field "${wrong.name}" is no plain value: declare it in the definition, with what it chooses from`,
    );
  return fields;
}

/** Words of other frameworks and of databases, and the type that each means. */
const foreignWords: Readonly<Record<string, string>> = {
  int: "integer",
  number: "integer",
  double: "float",
  numeric: "decimal",
  currency: "money",
  bool: "boolean",
  ...{
    timestamp: "datetime",
    timestamptz: "datetime",
    jsonb: "json",
    char: "string",
    varchar: "string",
    url: "string",
  },
  attachment: "file",
  image: "file",
  upload: "file",
  markdown: "text",
  rich_text: "text",
  phone: "tel",
  ...{
    reference: "references",
    belongsTo: "belongs_to",
    foreign_key: "belongs_to",
    guid: "uuid",
    biginteger: "bigint",
  },
};

function typeOf(text: string, type: string, words: ReadonlyMap<string, FieldWord>): Field["type"] {
  const known = [...fieldTypes, ...words.keys()];
  if (!fieldTypes.includes(type))
    throw usage.FW_FIELD_TYPE_UNKNOWN(text, type, known, foreignWords[type] ?? suggest(type, known));
  if (type in inputTypes) return inputTypes[type as InputType];
  if (type === "slug") return "string";
  return type === "references" ? "belongs_to" : (type as Field["type"]);
}

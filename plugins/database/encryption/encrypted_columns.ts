import { suggest } from "framewright/kernel";
import type { ColumnInfo } from "../drivers/columns.ts";
import { errors } from "../errors.ts";
import type { ModelInfo } from "../models/model_info.ts";
import { uniqueColumns } from "../validation/column_names.ts";
import { ColumnCipher, capacityOf } from "./column_cipher.ts";

/** The fewest characters of a column: room for 64 bytes. */
const MIN_LENGTH = 128;
const optionNames = ["searchable", "boundTo", "allowPlaintext"];

/** The ciphers of a model's encrypted columns. @throws FW_ENCRYPTED_SECRET */
export function ciphersOf(
  { class: cls, constant, table }: ModelInfo,
  columns: readonly ColumnInfo[],
  secrets: readonly string[],
): ReadonlyMap<string, ColumnCipher> {
  const names = Object.keys(cls.encrypts);
  if (names.length > 0 && secrets.length === 0) throw errors.FW_ENCRYPTED_SECRET(constant);
  const encrypted = columns.filter(({ name }) => names.includes(name));
  return new Map(
    encrypted.map((column) => [column.name, new ColumnCipher(table, column, cls.encrypts[column.name]!, secrets)]),
  );
}

/** Refuses what can't be encrypted, or would never find anything. @throws FW_ENCRYPTED_COLUMN, FW_ENCRYPTED_OPTION */
export function checkEncrypted(info: ModelInfo): void {
  const { class: cls, constant } = info;
  for (const [name, options] of Object.entries(cls.encrypts)) {
    const unknown = Object.keys(options).find((option) => !optionNames.includes(option));
    if (unknown !== undefined)
      throw errors.FW_ENCRYPTED_OPTION(constant, name, unknown, suggest(unknown, optionNames), optionNames);
    const why = unfit(info, info.columns.get(name)!) ?? (options.searchable ? undefined : neverEqual(info, name));
    if (why !== undefined) throw errors.FW_ENCRYPTED_COLUMN(constant, name, why);
  }
}

function unfit({ class: cls, enums }: ModelInfo, { name, type, maxLength, ...column }: ColumnInfo): string | undefined {
  if (column.primary || column.references) return "is a key. Encrypt another column";
  if (enums[name] || column.values) return "has a list of values. Encrypt another column";
  if (type !== "string" && type !== "text")
    return `is of the type ${type}. Make it text in a migration: t.text("${name}")`;
  if (column.hasDefault && typeof column.default === "string")
    return `has a default in the database, which is not encrypted. Declare it in the model's static defaults`;
  if (maxLength === undefined) return undefined;
  const most = cls.validations[name]?.length?.maximum ?? 0;
  if (maxLength >= MIN_LENGTH && capacityOf(maxLength) >= most) return undefined;
  const rule = most > 0 ? ` of values of ${most} characters` : "";
  return `holds ${maxLength} characters, too few for what is encrypted${rule}. Make it longer in a migration, or text: t.text("${name}")`;
}

/** What is encrypted differently each time is never equal to another value. */
function neverEqual(info: ModelInfo, name: string): string | undefined {
  const rules = Object.entries(info.class.validations);
  const isAsked = rules.some(
    ([attribute, { uniqueness }]) => uniqueness && uniqueColumns(info, attribute, uniqueness).includes(name),
  );
  if (!isAsked && info.columns.get(name)?.unique !== true) return undefined;
  return "must be unique, and equal values are stored differently. Say { searchable: true }";
}

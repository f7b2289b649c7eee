import { usage } from "framewright/generators";
import { type Field, parseFields } from "../../../../database/generators/toolkit/index.ts";
import { isCredential } from "../../../../resources/generators/toolkit/index.ts";

/** The roles of API clients, the most privileged first; the option lists them the other way round. @throws FW_FLAG_VALUE */
export function clientRoles(text = "read_only,write,admin"): string[] {
  const given = text.split(",").map((role) => role.trim());
  const wrong = given.find((role) => !/^[a-z][a-z0-9_]{0,49}$/.test(role));
  if (wrong !== undefined)
    throw usage.FW_FLAG_VALUE("--roles", `lower-case names with commas, as in read_only,write; "${wrong}" is none`);
  if (new Set(given).size < given.length)
    throw usage.FW_FLAG_VALUE("--roles", "different names, as in read_only,write,admin");
  if (given.length < 2)
    throw usage.FW_FLAG_VALUE("--roles", "at least two: the first may only read, as in read_only,write");
  return given.toReversed();
}

/** The further columns of API clients. @throws FW_FLAG_VALUE for what the form of a new client can't ask for */
export function clientFields(texts: readonly string[]): Field[] {
  if (texts.length === 0) return [];
  const fields = parseFields(texts);
  const wrong = fields.find(({ type, column }) => type === "belongs_to" || type === "money" || isCredential(column));
  if (wrong)
    throw usage.FW_FLAG_VALUE("--extra_attributes", `plain columns, as in note:text?; "${wrong.name}" is none`);
  return fields;
}

import { usage } from "framewright/generators";
import { underscore } from "framewright/host/inflection";
import { deletions, type Field } from "./field.ts";

/** The limit of MySQL for the name of a column. */
const MAX_COLUMN_CHARS = 64;
const reserved = new Set(["id", "created_at", "updated_at", "lock_version", "constructor", "prototype", "to_label"]);

/** @throws FW_FIELD_SHAPE, as the functions below do */
export function checkName(text: string, path: string, name: string, type: Field["type"]): void {
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

/** The name and the column of a field, by what was written. */
export function named(name: string, type: Field["type"]): Pick<Field, "name" | "column" | "type"> {
  if (type === "money") {
    const base = name.replace(/_cents$/, "");
    return { name: base, column: `${base}_cents`, type };
  }
  if (type !== "belongs_to" && type !== "polymorphic") return { name, column: name, type };
  const base = name.replace(/_id$/, "");
  return { name: base, column: `${base}_id`, type };
}

/** What deleting the target does, checked. */
export function deletionOf(
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

export function checkValues(text: string, values: readonly string[], word = "enum"): void {
  const wrong = values.find((value) => !/^[\w-]+$/.test(value));
  if (values.length === 0)
    throw usage.FW_FIELD_SHAPE(
      text,
      `${word} names its values: ${word === "enum" ? "state" : "tags"}:${word}{draft,live}`,
    );
  if (wrong !== undefined) throw usage.FW_FIELD_SHAPE(text, `"${wrong}" is no value: use letters, digits, - and _`);
  if (new Set(values).size < values.length) throw usage.FW_FIELD_SHAPE(text, `${word} names each value once`);
}

/** The size, checked. */
export function checkSize(text: string, type: Field["type"], size: readonly number[]): readonly number[] {
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

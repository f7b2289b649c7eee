import { singularize } from "framewright/host/inflection";
import type { ColumnInfo } from "framewright/plugins/database";
import { snakeCase } from "./names.ts";

const first = ["first_name", "firstname", "forename", "given_name", "fname"];
const last = ["last_name", "lastname", "surname", "family_name", "lname"];
/** In this order; what the framework looks at by itself is among them. */
const single = ["name", "full_name", "display_name", "title", "label", "reference"];
const afterwards = ["subject", "caption", "username", "user_name", "login", "email", "e_mail", "email_address"];
/** What toLabel() finds without being overridden, the first that there is. */
const found = ["name", "title", "label", "reference", "email"];

/** The columns that people know a record by; undefined where the framework finds the same, or there is none. */
export function labelColumns(table: string, columns: readonly ColumnInfo[]): string[] | undefined {
  const texts = columns.filter(({ type, primary }) => !primary && (type === "string" || type === "text"));
  const bySnake = new Map(texts.map(({ name }) => [snakeCase(name), name]).reverse() as [string, string][]);
  const one = (names: readonly string[]) => names.map((name) => bySnake.get(name)).find((name) => name !== undefined);
  const [given, family] = [one(first), one(last)];
  const chosen = one(["name", "full_name", "display_name"]);
  if (chosen === undefined && given !== undefined && family !== undefined) return [given, family];
  const label =
    chosen ?? one(single) ?? one(namesOf(table)) ?? endingInName(texts) ?? one(afterwards) ?? family ?? given;
  if (label === undefined) return undefined;
  const standard = found.find((name) => texts.some((column) => column.name === name));
  return label === standard ? undefined : [label];
}

/** `city`, `city_name`, `city_title` of a table `Cities`. */
function namesOf(table: string): string[] {
  const snake = singularize(snakeCase(table));
  const short = snake.split("_").at(-1)!;
  const endings = ["_name", "_title", "", "_description", "_desc", "_label"];
  return ["company_name", ...[snake, short].flatMap((name) => endings.map((ending) => `${name}${ending}`))];
}

/** The first text that every row has and whose name ends in "name": `contact_name`, `ItemName`. */
const endingInName = (texts: readonly ColumnInfo[]): string | undefined =>
  texts.find(({ name, type, nullable }) => !nullable && type === "string" && /_name$/.test(snakeCase(name)))?.name;

/** What `toLabel()` returns of these columns, as source code: whether the types of the table are written or not. */
export const labelCode = (columns: readonly string[]): string =>
  `[${columns.map(member).join(", ")}].filter(Boolean).join(" ") || super.toLabel()`;

const member = (name: string): string =>
  /^[A-Za-z_]\w*$/.test(name) ? `this.${name}` : `this[${JSON.stringify(name)}]`;

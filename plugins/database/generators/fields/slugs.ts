import { usage } from "framewright/generators";
import { suggest } from "framewright/kernel";
import type { Field } from "./field.ts";

/** What a slug is built from where nothing is given, the first that there is. */
const usual = ["title", "name", "label", "subject"];
/** As many characters as the longest slug with its number. */
export const SLUG_CHARS = 100;

/** Which slugs a list of fields may have: of the fields themselves, of any column, or none. */
export type SlugPlace = "own" | "any" | undefined;

/** Settles what the slug among fields is built from. @throws FW_FIELD_SHAPE */
export function withSource(
  fields: readonly Field[],
  texts: readonly string[],
  existing: readonly Field[],
  place: SlugPlace,
): Field[] {
  const slugs = fields.filter(({ slug }) => slug !== undefined);
  const textOf = (field: Field) => texts[fields.indexOf(field)]!;
  if (slugs[0] && place === undefined)
    throw usage.FW_FIELD_SHAPE(
      textOf(slugs[0]),
      "a slug is part of a model and its table: use fw:res:scaffold, fw:model or fw:res:field",
    );
  if (slugs[1]) throw usage.FW_FIELD_SHAPE(textOf(slugs[1]), "a model has one slug");
  const sources = [...fields, ...existing].filter(isSource).map(({ name }) => name);
  return fields.map((field) =>
    field.slug === undefined ? field : { ...field, slug: sourceOf(textOf(field), field.slug, sources, place) },
  );
}

const isSource = ({ type, slug, input }: Field): boolean =>
  (type === "string" || type === "text") && slug === undefined && (input === undefined || input === "email");

function sourceOf(text: string, given: string, sources: readonly string[], place: SlugPlace): string {
  const found = given === "" ? usual.find((name) => sources.includes(name)) : given;
  if (found === undefined)
    throw usage.FW_FIELD_SHAPE(text, `a slug is made of another field. Say of which: ${text.split("{")[0]}{title}`);
  if (sources.includes(found) || place === "any") return found;
  const meant = suggest(found, sources);
  throw usage.FW_FIELD_SHAPE(
    text,
    `its source "${found}" is not one of the texts${meant === undefined ? "" : `; did you mean "${meant}"`}`,
  );
}

/** The statements of a migration that give the rows of a table their slugs. */
export function fillLines(table: string, fields: readonly Field[], word: string): string[] {
  return fields.flatMap(({ column, slug }) =>
    slug === undefined
      ? []
      : [
          `const rows: { id: number | string; ${slug}: string | null }[] = await db`,
          `  .knex("${table}")`,
          `  .whereNull("${column}")`,
          `  .select("id", "${slug}");`,
          `for (const { id, ${slug} } of rows) {`,
          `  const ${column} = \`\${slugOf(${slug} ?? "", 60) || "${word}"}-\${slugOf(String(id))}\`;`,
          `  await db.knex("${table}").where({ id }).update({ ${column} });`,
          "}",
        ],
  );
}

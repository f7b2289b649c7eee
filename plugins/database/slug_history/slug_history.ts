import type { Knex } from "knex";
import type { ModelInfo } from "../models/model_info.ts";

export const SLUGS_TABLE = "framewright_slugs";

type Row = Record<string, unknown>;
/** A slug of a model, within what it is unique in. */
interface Slug {
  model: string;
  scope: string;
  slug: string;
}

/** What slugs are unique within, as text: the values of the scope's columns. */
export const scopeText = ({ slugScope }: ModelInfo, ...rows: (Row | undefined)[]): string =>
  slugScope.map((column) => String(rows.find((row) => row?.[column] !== undefined)?.[column] ?? "")).join("/");

/** The slugs among these that another record had. */
export async function formerlyTaken(
  knex: Knex,
  { model, scope, slugs }: Omit<Slug, "slug"> & { slugs: readonly string[] },
  own: unknown,
): Promise<string[]> {
  const query = knex(SLUGS_TABLE).where({ model, scope }).whereIn("slug", slugs);
  if (own !== undefined) query.whereNot("record_id", String(own));
  return query.pluck("slug");
}

/** Keeps a slug that a record had until now; one that it takes back is current again. */
export async function keepSlug(knex: Knex, former: Slug, record: { id: unknown; slug: string }): Promise<void> {
  const { model, scope } = former;
  await knex(SLUGS_TABLE).where({ model, scope }).whereIn("slug", [former.slug, record.slug]).delete();
  await knex(SLUGS_TABLE).insert({ ...former, record_id: String(record.id), created_at: new Date() });
}

/** The id of the record that had a slug; undefined where none had it. */
export async function recordOfSlug(knex: Knex, { model, scope, slug }: Slug): Promise<string | undefined> {
  const row: Row | undefined = await knex(SLUGS_TABLE).where({ model, scope, slug }).first("slug", "record_id");
  return row?.slug === slug ? String(row.record_id) : undefined;
}

/** Forgets the slugs of a record that is deleted. */
export async function forgetSlugs(knex: Knex, model: string, id: unknown): Promise<void> {
  await knex(SLUGS_TABLE)
    .where({ model, record_id: String(id) })
    .delete();
}

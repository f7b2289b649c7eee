import { randomBytes } from "node:crypto";
import { demodulize, underscore } from "framewright/host";
import { withoutAccents } from "framewright/host/inflection";
import type { Transaction } from "objection";
import { formerlyTaken, keepSlug, scopeText } from "../slug_history/slug_history.ts";
import { problem } from "../validation/messages.ts";
import { ValidationError } from "../validation/validation_error.ts";
import type { BaseModel } from "./model.ts";
import type { ModelInfo } from "./model_info.ts";
import { isExpression } from "./row_format.ts";
import { whereInUse } from "./row_mark.ts";

/** How a model's slugs are built: `static override slug = { from: "title" }`. */
export interface SlugOptions {
  /** The attribute or getter that they are built from. */
  from: string;
  /** Columns or associations within which they are unique; by default in the whole table. */
  scope?: string | readonly string[];
  /** Whether a changed source makes a new slug; by default a record keeps its slug. */
  onUpdate?: boolean;
  /** Whether addresses with a former slug lead to the record; the table is written by fw:slugs:install. */
  history?: boolean;
}
type Row = Record<string, unknown>;

const MAX_LENGTH = 80;
/** Slugs of the same text are numbered up to here; then they get random digits. */
const MAX_NUMBER = 9;
/** A text in lower-case ASCII: `Crème & Brûlée` → `creme-and-brulee`; empty where nothing of it is a letter or digit. */
export function slugOf(text: string, maximum = MAX_LENGTH): string {
  const plain = withoutAccents(text.toLowerCase().replaceAll("&", " and ")).replace(/['’]/g, "");
  const slug = plain.replace(/[^a-z0-9]+/g, "-").replace(/^-|-$/g, "");
  if (slug.length <= maximum) return slug;
  const cut = slug.slice(0, maximum + 1);
  const end = cut.lastIndexOf("-");
  return cut.slice(0, end > maximum / 2 ? end : maximum);
}

/** After so many slugs that others were faster to take, one is created that nobody else creates. */
const MAX_TRIES = 2;
/** Module-level: by record, how many slugs were generated for it. */
const generated = new WeakMap<object, number>();
/** Whether the slug that a record is written with was created here, and another may be created where it is taken. */
export const hasGeneratedSlug = (record: object): boolean => generated.has(record);

/** Gives a new record a slug, unless it has one. */
export async function slugForInsert(info: ModelInfo, record: BaseModel, transaction: Transaction): Promise<void> {
  const { slug } = info.class;
  if (!slug || !isOpen(info, record)) return;
  await generate(info, { record, source: (record as unknown as Row)[slug.from], stored: undefined, transaction });
}

/** Gives a changed record a slug: where it has none, where the empty one is written, or where its source changes and the model declares it. */
export async function slugForUpdate(
  info: ModelInfo,
  record: BaseModel,
  transaction: Transaction,
  find: () => Promise<BaseModel | undefined>,
): Promise<void> {
  const { slug } = info.class;
  const written = record as unknown as Row;
  if (!slug || (written[info.paramKey] === undefined && written[slug.from] === undefined)) return;
  if (written[info.paramKey] !== undefined && !isOpen(info, record)) return;
  const stored = (await find()) as unknown as Row | undefined;
  if (!stored) return;
  const source = written[slug.from] ?? stored[slug.from];
  const isAsked = written[info.paramKey] !== undefined || isEmpty(stored[info.paramKey]);
  const isNew = slug.onUpdate === true && source !== stored[slug.from];
  if (isAsked || isNew || generated.has(record)) await generate(info, { record, source, stored, transaction });
}

/** Where a model keeps former slugs: refuses one that another record had, and keeps the one that a record had until now. @throws ValidationError */
export async function keepFormerSlug(
  info: ModelInfo,
  record: BaseModel,
  transaction: Transaction,
  find: () => Promise<BaseModel | undefined>,
): Promise<void> {
  const written = record as unknown as Row;
  const slug = written[info.paramKey];
  if (!info.class.slug?.history || typeof slug !== "string") return;
  const stored = (await find()) as unknown as Row | undefined;
  const [former, id, model] = [stored?.[info.paramKey], stored?.[info.primaryKey], info.constant];
  if (former === slug) return;
  const scope = scopeText(info, written, stored);
  if ((await formerlyTaken(transaction, { model, scope, slugs: [slug] }, id)).length > 0)
    throw new ValidationError(model, { [info.paramKey]: [problem("taken")] });
  if (typeof former !== "string" || former === "") return;
  await keepSlug(transaction, { model, scope: scopeText(info, stored), slug: former }, { id, slug });
}

const isEmpty = (value: unknown): boolean =>
  value === null || value === undefined || (typeof value === "string" && value.trim() === "");

/** Whether a record has no slug of its own: none, or one that was created here and is taken. */
function isOpen({ paramKey }: ModelInfo, record: BaseModel): boolean {
  const value = (record as unknown as Row)[paramKey];
  return !isExpression(value) && (isEmpty(value) || generated.has(record));
}

interface Generation {
  record: BaseModel;
  source: unknown;
  stored: Row | undefined;
  transaction: Transaction;
}

async function generate(info: ModelInfo, { record, source, stored, transaction }: Generation): Promise<void> {
  const written = record as unknown as Row;
  const all = candidatesFor(info, isEmpty(source) ? "" : String(source));
  const candidates = (generated.get(record) ?? 0) < MAX_TRIES ? all : all.slice(-1);
  const query = whereInUse(transaction(info.table), info).whereIn(info.paramKey, candidates);
  for (const column of info.slugScope) query.where({ [column]: written[column] ?? stored?.[column] ?? null });
  if (stored) query.whereNot(info.primaryKey, stored[info.primaryKey] as string);
  const rows: Row[] = await query.select(info.paramKey);
  const former = info.class.slug?.history
    ? await formerlyTaken(
        transaction,
        { model: info.constant, scope: scopeText(info, written, stored), slugs: candidates },
        stored?.[info.primaryKey],
      )
    : [];
  const taken = new Set([...rows.map((row) => String(row[info.paramKey])), ...former].map((one) => one.toLowerCase()));
  written[info.paramKey] = candidates.find(
    (one) => !taken.has(one) && !info.reservedParams.has(one) && !info.paramRules.some((rule) => rule.problem(one)),
  );
  generated.set(record, (generated.get(record) ?? 0) + 1);
}

/** The slug of a text, then numbered ones, then one that nobody has. */
function candidatesFor({ constant, columns, paramKey, paramRules }: ModelInfo, text: string): string[] {
  const limits = [columns.get(paramKey)?.maxLength ?? 255, ...paramRules.map(({ maxLength }) => maxLength)];
  const room = Math.min(...limits) - 9;
  const random = randomBytes(4).toString("hex");
  const base = slugOf(text, Math.min(MAX_LENGTH, room));
  if (base === "") return [`${underscore(demodulize(constant)).replaceAll("_", "-").slice(0, room)}-${random}`];
  const numbered = Array.from({ length: MAX_NUMBER - 1 }, (_, at) => `${base}-${at + 2}`);
  return [base, ...numbered, `${base}-${random}`];
}

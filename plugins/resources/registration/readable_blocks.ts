import type { BaseModel, ModelInfo, Query } from "framewright/plugins/database";
import {
  type FilterGroup,
  type FilterOptions,
  isFilterGroup,
  type ListContext,
  nobody,
} from "../definition/definition_options.ts";
import type { ListReader } from "../operations/list_context.ts";
import { columnsOfBlock, columnsOfNarrowing, type NamedColumns } from "./read_columns.ts";
import type { Registration } from "./registration.ts";

// What filters, scopes and sorts of a definition read by blocks of its own: what they declare, else what their SQL names.

/** A placeholder for a value that was filled in. */
const SAMPLE = "1";
type Block = (query: Query<BaseModel>, context: ListContext) => unknown;

interface Reads {
  /** The name by which what is found is cached. */
  key: string;
  declared: readonly string[] | undefined;
  /** What the block names, with a context. What the block throws is thrown. */
  find(context: ListContext): NamedColumns;
}

const namedIn = (registration: Registration, block: Block, context: ListContext): NamedColumns =>
  columnsOfNarrowing(registration.model, (group) => block(group, context));

/** Whether the person may read what a filter with `apply` reads. `value`: what was filled in; a sample replaces it where there is none yet. */
export function mayFilter(
  registration: Registration,
  name: string,
  filter: FilterOptions | FilterGroup,
  reader: ListReader,
  value?: unknown,
): boolean {
  if (!filter.apply || (value !== undefined && (filter.reads || isAllRead(registration, `filter ${name}`, reader))))
    return true;
  const sample = isFilterGroup(filter)
    ? Object.fromEntries(Object.keys(filter.inputs).map((input) => [input, SAMPLE]))
    : SAMPLE;
  const block: Block = (group, context) => filter.apply!(group, (value ?? sample) as never, context);
  const find = (context: ListContext) => namedIn(registration, block, context);
  if (value !== undefined) return reader.mayRead(find(reader));
  return mayReadBlock(registration, { key: `filter ${name}`, declared: filter.reads, find }, reader);
}

/** Whether nothing is hidden from the person that a block of this resource could read. */
function isAllRead(registration: Registration, key: string, reader: ListReader): boolean {
  const sample = registration.once(`reads of ${key}`, (): { found?: NamedColumns } => ({})).found;
  return reader.hidden.size === 0 && sample?.others.length === 0;
}

/** Whether the person may read what a scope reads; keys of associations are the definition's to compare. */
export function mayScope(registration: Registration, scope: string, reader: ListReader): boolean {
  const { definition, model } = registration;
  const { apply, reads } = definition.scopes.get(scope) ?? {};
  const own = model.class.scopes[scope] as unknown as ((group: Query<BaseModel>) => unknown) | undefined;
  if (!apply && !own) return true;
  const block: Block = (group, context) => (apply ? apply(group, context) : own!(group));
  const find = (context: ListContext) => withoutKeys(namedIn(registration, block, context), model);
  return mayReadBlock(registration, { key: `scope ${scope}`, declared: reads, find }, reader);
}

function withoutKeys({ own, others }: NamedColumns, model: ModelInfo): NamedColumns {
  const keys = new Set([...model.associations.values()].map(({ key }) => key.column));
  return { own: own.filter((column) => !keys.has(column)), others };
}

/** Whether the person may read what a sort with `using` orders by. */
export function maySort(registration: Registration, name: string, reader: ListReader): boolean {
  const { using, columns, reads } = registration.definition.sorts.get(name) ?? {};
  if (columns) return reader.mayRead({ own: columns, others: [] });
  if (!using) return true;
  const find = (context: ListContext) => columnsOfBlock(registration.model, (query) => using(query, "asc", context));
  return mayReadBlock(registration, { key: `sort ${name}`, declared: reads, find }, reader);
}

/** What a block reads is found once, for nobody; where it depends on the person, for each request. */
function mayReadBlock(registration: Registration, reads: Reads, reader: ListReader): boolean {
  if (reads.declared) return reads.declared.every((name) => !reader.hides(name));
  const sample = sampleOf(registration, reads);
  if (sample) return reader.mayRead(sample);
  try {
    return reader.mayRead(reads.find(reader));
  } catch {
    return true; // as it fails here, it fails where it is used
  }
}

function sampleOf(registration: Registration, { key, find }: Reads): NamedColumns | undefined {
  const sample = registration.once(`reads of ${key}`, (): { found?: NamedColumns; isTried?: boolean } => ({}));
  if (!sample.isTried) {
    sample.isTried = true;
    try {
      sample.found = find(nobody);
    } catch {
      // it depends on the person
    }
  }
  return sample.found;
}

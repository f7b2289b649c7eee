import {
  type AssociationInfo,
  type BaseModel,
  keysTo,
  type ModelInfo,
  queryPlace,
  ValidationError,
} from "framewright/plugins/database";
import type { Transaction } from "objection";
import type { ResourceRequest } from "../request.ts";

type Id = number | string;
/** The records that a record is to be linked to, by the has-many-through that leads to them. */
export type Links = ReadonlyMap<AssociationInfo, readonly Id[]>;
/** The most records that one association is given at once. */
export const MAX_LINKS = 200;

/** The table in between, and its two keys. */
interface Join {
  model: ModelInfo;
  /** What its rows have that refer to a record. */
  keysTo(record: BaseModel): Record<string, unknown>;
  other: string;
}

/** How a has-many-through is written: by rows of one table that refer to both sides; undefined for what can't be. */
export function joinOf({ kind, through, hops, model }: AssociationInfo): Join | undefined {
  const [first, last] = hops;
  const isJoin = kind === "hasMany" && through !== undefined && hops.length === 2;
  const [own, other] = [first?.from.columns, last?.from.columns];
  const isPlain = own?.length === 1 && other?.length === 1; // keys of several columns are written by rows of their own
  if (!isJoin || !isPlain || own[0] !== model.primaryKey || !last!.toKey) return undefined;
  const between = model.associations.get(through);
  return between && { model: between.target, keysTo: (record) => keysTo(between, record), other: other[0]! };
}

/** The ids that were sent, where each is of a record that the person may see and that is one of `among`; else undefined. */
export async function linkedIds(
  controller: ResourceRequest,
  { target }: AssociationInfo,
  given: readonly string[],
  among: readonly unknown[] | undefined,
): Promise<readonly Id[] | undefined> {
  const ids = [...new Set(given)].map((id) => target.key.parse(id));
  if (ids.length > MAX_LINKS || ids.includes(undefined)) return undefined;
  if (among && !ids.every((id) => among.includes(id))) return undefined;
  const found = await visibleIds(controller, target, ids as Id[]);
  return found.length === ids.length ? (ids as Id[]) : undefined;
}

async function visibleIds(
  controller: ResourceRequest,
  target: ModelInfo,
  ids: readonly Id[],
  transaction?: Transaction,
): Promise<Id[]> {
  if (ids.length === 0) return [];
  const key = `${target.table}.${target.primaryKey}`;
  const query = controller.resources.visible(controller, target, transaction).whereIn(key, ids as number[]);
  const found = (await query.select(key)) as unknown as BaseModel[];
  return found.map((record) => record.$id() as Id);
}

/** The records that a record is linked to, of those that the person may see. */
export function linkedRecords(
  controller: ResourceRequest,
  association: AssociationInfo,
  record: BaseModel,
): Promise<BaseModel[]> {
  const { target } = association;
  const query = controller.resources.visible(controller, target).orderBy(`${target.table}.${target.primaryKey}`);
  controller.resources.underParent(query, association, record);
  return controller.resources.database.read(query, target.class.labelAssociations);
}

/** Links a record to these records, and no longer to others that the person may see; whether anything changed. @throws ValidationError */
export async function writeLinks(
  controller: ResourceRequest,
  record: BaseModel,
  links: Links,
  transaction: Transaction,
): Promise<boolean> {
  let isChanged = false;
  for (const [association, ids] of links)
    if (await writeLink(controller, record, { association, ids, join: joinOf(association)! }, transaction))
      isChanged = true;
  return isChanged;
}

interface Link {
  association: AssociationInfo;
  ids: readonly Id[];
  join: Join;
}

async function writeLink(
  controller: ResourceRequest,
  record: BaseModel,
  { association, ids, join: { model, keysTo: keysOf, other } }: Link,
  transaction: Transaction,
): Promise<boolean> {
  const { database } = controller.resources;
  const query = () => database.queryIn(queryPlace(controller), model.class, transaction);
  const keys = keysOf(record);
  const rows = (await query().where(keys as never)) as unknown as BaseModel[];
  const idOf = (row: BaseModel) => (row as unknown as Record<string, Id | null>)[other]!;
  const present = new Set(rows.map(idOf));
  const added = ids.filter((id) => !present.has(id));
  const unwanted = [...present].filter((id) => id !== null && !ids.includes(id));
  const removed = new Set(await visibleIds(controller, association.target, unwanted, transaction));
  for (const row of rows) if (removed.has(idOf(row))) await row.$query(transaction).delete();
  try {
    for (const id of added) await query().insert({ ...keys, [other]: id } as never);
  } catch (error) {
    throw error instanceof ValidationError ? underName(error, association) : error;
  }
  return added.length + removed.size > 0;
}

/** What is wrong with a row in between is wrong with the association, for the person who fills in the form. */
const underName = (error: ValidationError, { name, model }: AssociationInfo): ValidationError =>
  new ValidationError(model.constant, { [name]: Object.values(error.problems).flat() }, error);

import { forbidden } from "framewright/host";
import { type BaseModel, ModelInfo, type Query } from "framewright/plugins/database";
import type { Transaction } from "objection";
import type { ResourceAction } from "../definition/actions.ts";
import { Interaction, type InteractionClass } from "../definition/interaction.ts";
import { allows } from "../definition/policy.ts";
import { narrow } from "../definition/query_scope.ts";
import { applyList } from "../registration/apply_list.ts";
import type { ListRequest } from "../registration/list_params.ts";
import type { ResourceRequest } from "../request.ts";
import { isDenial, Refusal } from "./denial.ts";
import { listContextOf, requestedList } from "./list_context.ts";

/** Whether an action runs on the records of a list. */
export const isOnList = ({ interaction, resourceAction }: ResourceAction): boolean =>
  interaction?.inBackground === true && resourceAction === true;

/** The list that the query of the request's address names. @throws HttpError 403, 422 */
export function listOf(controller: ResourceRequest): ListRequest {
  if (!allows(controller.policyFor(), "index")) throw forbidden();
  return requestedList(controller, controller.listOf("Index"), controller.request.query);
}

/** The records of that list, as the person sees it. @throws HttpError 403, 422 */
export function listQuery(controller: ResourceRequest, transaction?: Transaction): Query<BaseModel> {
  const query = controller.visibleRecords(transaction);
  applyList(query, listOf(controller), controller.registration, listContextOf(controller));
  return query;
}

/** The records that were selected by their ids, as far as the person sees them. @throws HttpError 403 */
export function chosenQuery(controller: ResourceRequest, ids: readonly string[], transaction?: Transaction) {
  if (!allows(controller.policyFor(), "index")) throw forbidden();
  const { model } = controller.registration;
  const keys = ids.flatMap((id) => model.key.parse(id) ?? []);
  return model.key.whereIn(controller.visibleRecords(transaction), keys);
}

/** What narrows the records of an interaction besides its list. */
interface Narrowing {
  /** The ids that were selected; undefined for the whole list. */
  ids?: readonly string[] | undefined;
  values: Record<string, unknown>;
  transaction?: Transaction | undefined;
}

/** The records that an interaction is for: those of the list as the person sees it, narrowed by `targets`. @throws HttpError 403, 422 */
export function targetsQuery(
  controller: ResourceRequest,
  { targets, name }: InteractionClass,
  { ids, values, transaction }: Narrowing,
): Query<BaseModel> {
  const { currentUser, currentScopedEntity } = controller;
  const query = ids ? chosenQuery(controller, ids, transaction) : listQuery(controller, transaction);
  if (targets !== Interaction.targets)
    narrow(query, `${name}.targets`, (group) => targets(group, { values, currentUser, currentScopedEntity }));
  return query;
}

/** One of them, with what its label needs. @throws Refusal */
export async function findOnList(
  controller: ResourceRequest,
  interaction: InteractionClass,
  { id, ...narrowing }: Narrowing & { id: string },
): Promise<BaseModel> {
  const { model } = controller.registration;
  const key = model.key.parse(id);
  if (key === undefined) throw new Refusal("gone");
  let query: Query<BaseModel>;
  try {
    query = model.key.where(targetsQuery(controller, interaction, narrowing), key);
  } catch (error) {
    throw isDenial(error) ? new Refusal("list") : error;
  }
  const found = await controller.resources.database.readFirst(query, model.class.labelAssociations);
  if (!found || !model.key.isExact(found, key)) throw new Refusal("gone");
  return found;
}

const ordered = new Set(["integer", "bigint"]);

/** How many targets there are, and the highest id where later records have higher ones. */
export async function countTargets(
  controller: ResourceRequest,
  interaction: InteractionClass,
  { ids, values }: Narrowing,
): Promise<{ total: number; lastId: string | null }> {
  const { database } = controller.resources;
  const { model } = controller.registration;
  const query = targetsQuery(controller, interaction, { ids, values });
  const total = ids?.length ?? (await database.count(query.clone()));
  const { key, primaryKey, columns } = model;
  if (key.isComposite || !ordered.has(columns.get(primaryKey)?.type ?? "integer")) return { total, lastId: null };
  const last = await database.readFirst(key.order(query, "desc"));
  return { total, lastId: last ? String(ModelInfo.keyOf(last)) : null };
}

/** The ids of the next targets after the cursor, in order. */
export async function nextTargets(
  query: Query<BaseModel>,
  { registration: { model } }: ResourceRequest,
  { cursor_id, last_id }: { cursor_id: string | null; last_id: string | null },
  limit: number,
): Promise<string[]> {
  const { key } = model;
  if (cursor_id !== null) key.after(query, key.parse(cursor_id)!);
  if (last_id !== null) query.where(key.names[0]!, "<=", key.parse(last_id)!);
  const records = await key.order(query.select([...key.names])).limit(limit);
  return records.map((record) => String(ModelInfo.keyOf(record)));
}

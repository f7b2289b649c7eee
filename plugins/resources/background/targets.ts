import { forbidden } from "framewright/host";
import { type BaseModel, parseId, type Query } from "framewright/plugins/database";
import type { Transaction } from "objection";
import type { ResourceController } from "../controller.ts";
import type { ResourceAction } from "../definition/actions.ts";
import { Interaction, type InteractionClass } from "../definition/interaction.ts";
import { allows } from "../definition/policy.ts";
import { narrow } from "../definition/query_scope.ts";
import { listContextOf, maySearch, sortableNames } from "../operations/list_context.ts";
import { narrowingOf } from "../pages/list_urls.ts";
import { applyList } from "../registration/apply_list.ts";
import { type ListRequest, readList } from "../registration/list_params.ts";

/** Whether an action runs on the records of a list. */
export const isOnList = ({ interaction, resourceAction }: ResourceAction): boolean =>
  interaction?.inBackground === true && resourceAction === true;

/** The list that the query of the request's address names. @throws HttpError 403, 422 */
export function listOf(controller: ResourceController): ListRequest {
  const { registration, request } = controller;
  if (!allows(controller.policyFor(), "index")) throw forbidden();
  const permitted = controller.listOf("Index");
  return readList(request.query, {
    registration,
    permitted,
    sortable: sortableNames(controller, permitted),
    context: listContextOf(controller),
    maySearch: () => maySearch(controller),
  });
}

/** The records of that list, as the person sees it. @throws HttpError 403, 422 */
function listQuery(controller: ResourceController, transaction?: Transaction): Query<BaseModel> {
  const query = controller.visibleRecords(transaction);
  applyList(query, listOf(controller), controller.registration, listContextOf(controller));
  return query;
}

/** The records that an interaction is for: those of the list as the person sees it, narrowed by `targets`. @throws HttpError 403, 422 */
export function targetsQuery(
  controller: ResourceController,
  { targets, name }: InteractionClass,
  values: Record<string, unknown>,
  transaction?: Transaction,
): Query<BaseModel> {
  const { currentUser, currentScopedEntity } = controller;
  const query = listQuery(controller, transaction);
  if (targets !== Interaction.targets)
    narrow(query, `${name}.targets`, (group) => targets(group, { values, currentUser, currentScopedEntity }));
  return query;
}

const ordered = new Set(["integer", "bigint"]);

/** How many targets there are, and the highest id where later records have higher ones. */
export async function countTargets(
  controller: ResourceController,
  interaction: InteractionClass,
  values: Record<string, unknown>,
): Promise<{ total: number; lastId: string | null }> {
  const { database } = controller.resources;
  const { model } = controller.registration;
  const query = targetsQuery(controller, interaction, values);
  const total = await database.count(query.clone());
  if (!ordered.has(model.columns.get("id")?.type ?? "integer")) return { total, lastId: null };
  const last = await database.readFirst(query.orderBy(`${model.table}.id`, "desc"));
  return { total, lastId: last ? String(last.$id()) : null };
}

/** The ids of the next targets after the cursor, in order. */
export async function nextTargets(
  query: Query<BaseModel>,
  { registration: { model } }: ResourceController,
  { cursor_id, last_id }: { cursor_id: string | null; last_id: string | null },
  limit: number,
): Promise<string[]> {
  const id = `${model.table}.id`;
  const column = model.columns.get("id") ?? { type: "integer" as const };
  if (cursor_id !== null) query.where(id, ">", parseId(cursor_id, column)!);
  if (last_id !== null) query.where(id, "<=", parseId(last_id, column)!);
  const records = await query.select(id).orderBy(id).limit(limit);
  return records.map((record) => String(record.$id()));
}

/** What the form of an action on a list adds to its address: the search, scope and filters that it was opened with. */
export function targetsSearch(controller: ResourceController, action: ResourceAction): string {
  if (!isOnList(action)) return "";
  const list = listOf(controller);
  return narrowingOf(list, list.askedScope);
}

/** What is said of an action before it is done, and on how many records of the list that will be. */
export async function describeTargets(
  controller: ResourceController,
  action: ResourceAction,
  text: string,
): Promise<string> {
  if (!isOnList(action)) return text;
  const count = await controller.resources.database.count(listQuery(controller));
  return `${text} ${controller.t("resource.background.targets", { count })}`.trim();
}

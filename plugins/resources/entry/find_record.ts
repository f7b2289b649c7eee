import { type BaseModel, findNamed, valueOfRecord, whereNamed } from "framewright/plugins/database";
import type { Transaction } from "objection";
import { allows } from "../definition/policy.ts";
import type { ResourceRequest } from "../request.ts";
import { findByFormerSlug } from "./former_address.ts";
import { loadHandled } from "./handled_values.ts";
import { recordEntry } from "./record_entry.ts";

/** The record that a route names, with what `names` shows of its associations. @throws HttpError 404 */
export async function findRecord(
  controller: ResourceRequest,
  names: readonly string[],
  transaction: Transaction | undefined,
): Promise<BaseModel> {
  const { registration, parent } = controller.about;
  const { database } = controller.resources;
  const visible = () => controller.visibleRecords(transaction);
  const loaded = controller.loadedFor(names);
  if (parent?.association.kind === "hasOne")
    return controller.labelled(await database.readFirst(visible(), loaded), loaded);
  if (registration.singular && !parent) {
    const graph = controller.graphOf(names);
    const query = graph ? visible().withGraphFetched(graph) : visible();
    return controller.labelled(await controller.singularRecord(query), loaded);
  }
  const { model, paramKey } = registration;
  const isOwn = parent !== undefined || controller.overrides.methods.has("visibleRecords");
  const read = (column: string, value: number | string) =>
    isOwn
      ? database.readFirst(whereNamed(visible(), model, column, value), loaded)
      : controller.resources.readVisible(controller, model, { column, value }, { names: loaded, transaction });
  const named = { model, paramKey, read, valueOf: valueOfRecord };
  const found = await findNamed(named, controller.request.routeParams.id);
  const mayShow = (record: BaseModel) => allows(controller.policyFor(record), "show");
  const former = () => findByFormerSlug(controller, { ...named, registration, parameter: "id", mayShow });
  return controller.labelled(found ?? (await former()), loaded);
}

/** A record as it is stored now, with its associations. */
export async function reloadRecord(controller: ResourceRequest, record: BaseModel): Promise<BaseModel> {
  const { resources, registration } = controller;
  const { model } = registration;
  const query = resources.narrowLoaded(controller, model, resources.database.query(model.class));
  const names = controller.listOf("Show", record);
  const graph = controller.graphOf(names);
  if (graph) query.withGraphFetched(graph);
  const stored = await controller.labelled(await query.findById(record.$id()), controller.loadedFor(names));
  await loadHandled(controller, [recordEntry(controller, stored)], names);
  return stored;
}

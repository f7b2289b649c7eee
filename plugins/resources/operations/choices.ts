import { notFound, type Reply } from "framewright/host";
import type { AssociationInfo, BaseModel, ModelInfo } from "framewright/plugins/database";
import type { Choice } from "../components/index.ts";
import type { ResourceController } from "../controller.ts";
import { allows } from "../definition/policy.ts";
import { contains } from "../registration/apply_list.ts";

const MAX_CHOICES = 100;
const labelColumns = ["name", "title", "label", "email"];

/** The column that people know a record by, which a search looks in. */
const labelColumn = (model: ModelInfo): string | undefined => labelColumns.find((name) => model.columns.has(name));

/** The records that may be chosen for an association: what the person may see of the target, the chosen one first of all. */
export async function choicesFor(
  controller: ResourceController,
  { target }: AssociationInfo,
  chosen: string | undefined,
): Promise<Choice[]> {
  const records = await search(controller, target, undefined);
  if (chosen !== undefined && chosen !== "" && !records.some((record) => String(record.$id()) === chosen)) {
    const found = await controller.resources.find(controller, target, chosen).catch(() => undefined);
    if (found) records.unshift(found);
  }
  return records.map((record) => ({
    value: String(record.$id()),
    label: record.toLabel(),
    selected: String(record.$id()) === chosen,
  }));
}

function search(controller: ResourceController, target: ModelInfo, term: string | undefined): Promise<BaseModel[]> {
  const query = controller.resources.visible(controller, target);
  const column = labelColumn(target);
  if (term !== undefined && column !== undefined) contains(query, `${target.table}.${column}`, term);
  query.orderBy(`${target.table}.${column ?? "id"}`).limit(MAX_CHOICES);
  return controller.resources.database.read(query, target.class.labelAssociations);
}

/** `GET …/typeahead/:association?q=`: the choices of a field that the person may fill in. @throws HttpError 404 otherwise */
export async function answerTypeahead(controller: ResourceController): Promise<Reply> {
  const name = controller.request.routeParams.association ?? "";
  const policy = controller.policyFor();
  const fields = [
    ...(allows(policy, "create") ? controller.listOf("Create") : []),
    ...(allows(policy, "update") ? controller.listOf("Update") : []),
  ];
  const association = controller.registration.model.associations.get(name);
  if (association?.kind !== "belongsTo" || !fields.includes(name)) throw notFound();
  const records = await search(controller, association.target, controller.params.string("q"));
  return controller.json({ data: records.map((record) => ({ id: record.$id(), label: record.toLabel() })) });
}

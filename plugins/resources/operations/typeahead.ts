import { type BaseController, notFound, type Reply } from "framewright/host";
import type { BaseModel, ModelInfo, PolymorphicInfo } from "framewright/plugins/database";
import { allows } from "../definition/policy.ts";
import { labelOf } from "../entry/labels.ts";
import type { ResourceRequest } from "../request.ts";
import { choiceLine } from "./choice_line.ts";
import { found, groupOf, moreText } from "./choices.ts";
import { joinOf } from "./links.ts";

/** `GET …/typeahead/:association?q=`: the choices of a field that the person may fill in. @throws HttpError 404 otherwise */
export async function answerTypeahead(controller: ResourceRequest): Promise<Reply> {
  const name = controller.request.routeParams.association ?? "";
  const fields = typedFields(controller);
  const { associations, polymorphic } = controller.registration.model;
  const several = polymorphic.get(name);
  if (several && fields.includes(name)) return answerPolymorphicSearch(controller, several);
  const association = associations.get(name);
  if (!association || (association.kind !== "belongsTo" && !joinOf(association)) || !fields.includes(name))
    throw notFound();
  return answerSearch(controller, association.target);
}

/** The names of the fields that the person may fill in, in one form or another. */
export function typedFields(controller: ResourceRequest): readonly string[] {
  const policy = controller.policyFor();
  return [
    ...(allows(policy, "create") ? controller.listOf("Create") : []),
    ...(allows(policy, "update") ? controller.listOf("Update") : []),
  ];
}

/** The records of a model that may be chosen and that are found by the parameter `q`, as JSON. */
export async function answerSearch(controller: BaseController, target: ModelInfo): Promise<Reply> {
  const { records, more, capped } = await found(controller, target, searchTerm(controller));
  const data = records.map((record) => ({ id: target.key.of(record), ...shownOf(controller, record) }));
  const text = moreText(controller, { more, capped });
  return controller.json({ data, meta: { more, ...(text === undefined ? {} : { text }) } });
}

function shownOf(controller: BaseController, record: BaseModel): { label: string; line?: string } {
  const line = choiceLine(controller, record);
  return { label: labelOf(controller, record), ...(line === undefined ? {} : { line }) };
}

/** What was typed to search by. */
export function searchTerm(controller: BaseController): string | undefined {
  const given = controller.params.get("q");
  return typeof given === "string" && given !== "" ? given : undefined;
}

/** The records that are found by the parameter `q` in each of the models, as JSON. */
export async function answerPolymorphicSearch(
  controller: BaseController,
  { targets }: PolymorphicInfo,
): Promise<Reply> {
  const term = searchTerm(controller);
  const data: object[] = [];
  const left = { more: 0, capped: false };
  for (const [type, target] of targets) {
    const { records, more, capped } = await found(controller, target, term);
    const group = groupOf(controller, target);
    for (const record of records) {
      const id = record.$id() as number | string;
      data.push({ type, id, ...shownOf(controller, record), value: `${type}/${id}`, group });
    }
    left.more += more;
    left.capped ||= capped;
  }
  const text = moreText(controller, left);
  return controller.json({ data, meta: { more: left.more, ...(text === undefined ? {} : { text }) } });
}

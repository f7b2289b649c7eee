import type { BaseModel, ModelInfo } from "framewright/plugins/database";
import type { Attribute } from "../definition/attributes.ts";
import type { ResourceRequest } from "../request.ts";

/** What a form sends for a stored record that the person may not see: it stays, and its key is not shown. */
export const UNCHANGED = "fw:unchanged";

/** Whether a value means that an attribute keeps what it refers to. */
export const isUnchanged = ({ association, polymorphic, isKey }: Attribute, given: unknown): boolean =>
  given === UNCHANGED && (association !== undefined || polymorphic !== undefined || isKey);

/**
 * Whether the policy of the portal hides from the person what a record refers to by an attribute; a statement where that
 * policy hides records at all.
 */
export async function isReferenceHidden(
  controller: ResourceRequest,
  attribute: Attribute,
  record: BaseModel | undefined,
): Promise<boolean> {
  const { resources, registration, request } = controller;
  const reference = record && referenceOf(registration.model, attribute, record);
  if (!reference) return false;
  const { name, target, key } = reference;
  const scoped = resources.registry.scopedReferences(request.engine?.name, registration.model).get(name);
  if (!scoped?.includes(target)) return false;
  return (await resources.keyOf(controller, target, String(key))) === undefined;
}

/** What a record refers to by an attribute; undefined for nothing, and for an attribute of another kind. */
function referenceOf(model: ModelInfo, { name, association, polymorphic, isKey }: Attribute, record: BaseModel) {
  const { typeColumn = "", keyColumn = "", targets } = polymorphic ?? {};
  const values = record as unknown as Record<string, unknown>;
  const single = isKey ? model.referencesBy(name)[0] : association;
  const target = polymorphic ? targets?.get(String(values[typeColumn])) : single?.target;
  const key = polymorphic ? values[keyColumn] : single?.kind === "belongsTo" ? single.key.of(record) : undefined;
  return target && key !== undefined && key !== null
    ? { name: polymorphic?.name ?? single!.name, target, key }
    : undefined;
}

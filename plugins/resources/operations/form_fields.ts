import type { Params } from "framewright/host";
import type { BaseModel } from "framewright/plugins/database";
import { isDynamic } from "framewright/plugins/fields";
import type { Attribute } from "../definition/attributes.ts";
import { checkWritable } from "../definition/policy_checks.ts";
import type { ResourceRequest } from "../request.ts";
import { ownerOfPage } from "./ownership.ts";
import { defaultValue, type RecordFields, recordFields } from "./record_fields.ts";

/** What is not sent for a new record has the value that its form begins with. */
export function addDefaults(
  sent: Params,
  values: Record<string, unknown>,
  attributes: readonly Attribute[],
  { contexts }: RecordFields,
): void {
  for (const attribute of attributes) {
    if (sent.has(attribute.name)) continue;
    const value = defaultValue(attribute, contexts.get(attribute.name)!);
    if (value !== undefined) values[attribute.name] = value;
  }
}

/** The fields of a form that are shown for what was sent: what the policy permits, and the definition's conditions. */
export function formFields(
  controller: ResourceRequest,
  record: BaseModel | undefined,
  sent: Params | undefined,
): RecordFields {
  return recordFields(controller, record, writableNames(controller, record), sent);
}

/** What the policy permits to be written, without the tenant's, the parent's and the owner's. */
export function writableNames(controller: ResourceRequest, record: BaseModel | undefined): readonly string[] {
  const list = record ? "Update" : "Create";
  const names = controller.listOf(list, record);
  for (const name of names) checkWritable(controller.registration.attribute(name), controller.registration, list);
  return withoutKeys(controller, names);
}

/** Names without the key of the parent of a nested route, and of the owner of a singular record. */
export function withoutKeys(controller: ResourceRequest, names: readonly string[]): readonly string[] {
  const { parent } = controller.about;
  const isDirect = parent && parent.association.through === undefined;
  const set = isDirect ? parent.association.key.columns : [ownerOfPage(controller)?.column ?? []].flat();
  if (set.length === 0) return names;
  const { model } = controller.registration;
  const isSet = (name: string) => model.columnsOf(name).slice(0, model.polymorphic.has(name) ? 1 : undefined);
  return names.filter((name) => !isSet(name).every((column) => set.includes(column)));
}

/** The fields that depend on others, of those that the form of a record shows. */
export function dynamicNames(
  controller: ResourceRequest,
  record: BaseModel | undefined,
  attributes: readonly Attribute[],
): string[] {
  const drawn = controller.listOf(record ? "Edit" : "New", record);
  return attributes.filter(({ name, input }) => isDynamic(input) && drawn.includes(name)).map(({ name }) => name);
}

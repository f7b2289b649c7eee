import type { FieldErrors, Params } from "framewright/host";
import { callHook } from "framewright/kernel";
import {
  type AssociationInfo,
  type BaseModel,
  type KeyValue,
  keysTo,
  type ModelInfo,
  storedReference,
} from "framewright/plugins/database";
import { unseenFields } from "framewright/plugins/fields";
import { type Refused, refusedFiles, restoreFiles } from "framewright/plugins/fields/toolkit";
import type { HandledWrite } from "../definition/attribute_handler.ts";
import type { Attribute } from "../definition/attributes.ts";
import type { ResourceRequest } from "../request.ts";
import { mayChoose } from "./choices.ts";
import { refusedErrors, ruleErrors } from "./field_errors.ts";
import { addDefaults, dynamicNames, formFields } from "./form_fields.ts";
import { noteIgnored } from "./known_keys.ts";
import { type Links, linkedIds, linkedRecords } from "./links.ts";
import { originalsIn, sentValue } from "./originals.ts";
import { ownerOfPage } from "./ownership.ts";
import { polymorphicKeys } from "./polymorphic_choices.ts";
import { readValues } from "./read_values.ts";
import { defaultValue, type RecordFields, refusedChoices } from "./record_fields.ts";
import { RecordFiles, recordForm } from "./record_files.ts";
import { isReferenceHidden } from "./unchanged.ts";

/** What was sent for a record, read and checked: `errors` is empty where it can be written. */
export interface PreparedRecord {
  readonly errors: FieldErrors;
  /** The names that the form has. */
  readonly names: readonly string[];
  readonly columns: Record<string, unknown>;
  readonly links: Links;
  readonly handled: readonly HandledWrite[];
  readonly files: RecordFiles;
  /** The one attribute that is written, where the request is about one. */
  readonly only: string | undefined;
}

/** Reads what was sent for the permitted fields, or for one of them, and checks it; nothing is written. */
export async function prepareRecord(
  controller: ResourceRequest,
  record: BaseModel | undefined,
  only?: string,
): Promise<PreparedRecord> {
  const isHtml = controller.request.format === "html";
  const sent = formParams(controller);
  const fields = onlyField(formFields(controller, record, sent), only);
  const { names } = fields;
  const all = names.map((name) => controller.registration.attribute(name));
  if (!isHtml && !controller.request.isBackground) noteIgnored(controller, sent, all, record);
  const attributes = all.filter(({ handler }) => handler === undefined);
  const form = recordForm(controller, record, attributes);
  const gone = form.names.length > 0 ? await restoreFiles(controller, form) : {};
  const { values, refused } = readValues(sent, attributes, record === undefined);
  if (form.names.length > 0) Object.assign(refused, await refusedFiles(attributes, values));
  if (record && isHtml) leaveUntouched(controller, attributes, { values, refused });
  if (attributes.some(({ input }) => input.choices !== undefined))
    Object.assign(refused, await refusedChoices(controller, values, fields));
  if (!record) addDefaults(sent, values, attributes, fields);
  const links = new Map<AssociationInfo, readonly (number | string)[]>();
  const joint = new Map<AssociationInfo, KeyValue | null>();
  const columns = await toColumns(controller, attributes, values, { refused, links, joint, record, fields });
  const { handled, wrong } = await readHandled(controller, all, record, columns);
  setColumnsOfRequest(controller, columns, record === undefined);
  await writeReferences(controller, { columns, record, written: joint }, { refused, fields });
  const creating = record ? undefined : callHook(controller.resources.hooks.creating, columns, controller);
  if (creating) await creating;
  let errors: FieldErrors = { ...refusedErrors(controller, refused), ...gone, ...wrong };
  const unseen = isHtml ? unseenFields(sent, () => dynamicNames(controller, record, attributes)) : [];
  if (unseen.length > 0) errors.base = [controller.t("form.more_fields")];
  if (Object.keys(errors).length > 0) {
    const others = ruleErrors(controller, columns, record ? "update" : "insert", names);
    const own = all.flatMap(({ name, handler }) => (handler?.read && !(name in columns) ? name : [])); // it is set later
    errors = without({ ...without(others, own), ...errors }, unseen);
  }
  return { errors, names, columns, links, handled, files: new RecordFiles(controller, form.names), only };
}

/** Has the plugins that serve attributes read what was sent for them. */
async function readHandled(
  controller: ResourceRequest,
  attributes: readonly Attribute[],
  record: BaseModel | undefined,
  columns: Record<string, unknown>,
): Promise<{ handled: HandledWrite[]; wrong: FieldErrors }> {
  const handled: HandledWrite[] = [];
  const wrong: FieldErrors = {};
  for (const attribute of attributes) {
    const { handler } = attribute;
    const read = handler?.read && (await handler.read({ controller, attribute, record, sent: formParams(controller) }));
    if (read && "errors" in read) Object.assign(wrong, read.errors);
    else if (read) {
      handled.push(read);
      Object.assign(columns, read.columns);
    }
  }
  return { handled, wrong };
}

/** What an input began with and still has is neither checked nor written: the record may have been stored by other rules. */
function leaveUntouched(
  controller: ResourceRequest,
  attributes: readonly Attribute[],
  { values, refused }: { values: Record<string, unknown>; refused: Record<string, Refused> },
): void {
  const originals = originalsIn(controller.params);
  const sent = formParams(controller);
  for (const attribute of attributes) {
    const { name, input } = attribute;
    const isChosen = typeof input.choices === "function"; // by the values of others, which may have changed
    if (isChosen || !sent.has(name) || !originals?.has(attribute, sentValue(attribute, sent))) continue;
    delete values[name];
    delete refused[name];
  }
}

const onlyField = ({ names, contexts }: RecordFields, only: string | undefined): RecordFields => ({
  names: only === undefined ? names : names.filter((name) => name === only),
  contexts,
});

const without = (errors: FieldErrors, names: readonly string[]): FieldErrors =>
  Object.fromEntries(Object.entries(errors).filter(([name]) => !names.includes(name)));

export const formParams = (controller: ResourceRequest): Params =>
  controller.params.require(controller.registration.key);

/** What is found out about ids that were sent, and what the fields had before. */
interface Choosing {
  refused: Record<string, Refused>;
  links: Map<AssociationInfo, readonly (number | string)[]>;
  joint: Map<AssociationInfo, KeyValue | null>;
  record: BaseModel | undefined;
  fields: RecordFields;
}

/** Puts ids in the place of associations, each looked for among the records that the person may choose from. */
async function toColumns(
  controller: ResourceRequest,
  attributes: readonly Attribute[],
  values: Record<string, unknown>,
  { refused, links, joint, record, fields }: Choosing,
): Promise<Record<string, unknown>> {
  const columns: Record<string, unknown> = {};
  const { model } = controller.registration;
  const write = (association: AssociationInfo, key: KeyValue | null) => {
    const { column } = association.key;
    if (column === undefined) joint.set(association, key);
    else columns[column] = key;
  };
  for (const attribute of attributes) {
    const { name, polymorphic, association = referenceOf(model, name) } = attribute;
    if (!(name in values)) continue;
    if (values[name] === null && keepsHidden(controller) && (await isReferenceHidden(controller, attribute, record)))
      continue;
    if (polymorphic) {
      const begun = defaultValue(attribute, fields.contexts.get(name)!);
      const kept = [begun, record && storedReference(polymorphic, record)];
      const keys = await polymorphicKeys(controller, polymorphic, values[name] as string | null, kept);
      if (keys) Object.assign(columns, keys);
      else refused[name] = { problem: "errors.not_a_choice" };
    } else if (!association) columns[name] = values[name];
    else if (values[name] === null) write(association, null);
    else {
      const kept = mayChoose(controller, association.target)
        ? undefined
        : await keptKeys(controller, association, record, defaultValue(attribute, fields.contexts.get(name)!));
      if (association.kind !== "belongsTo") {
        const ids = await linkedIds(controller, association, values[name] as string[], kept);
        if (ids) links.set(association, ids);
        else refused[name] = { problem: "errors.not_a_choice" };
      } else {
        const key = await controller.resources.keyOf(controller, association.target, String(values[name]));
        if (key === undefined || kept?.includes(key) === false) refused[name] = { problem: "errors.not_a_choice" };
        else write(association, key as KeyValue);
      }
    }
  }
  return columns;
}

/** Whether null represents what can't be seen, which programs read as null: a form has a value of its own for it. */
const keepsHidden = (controller: ResourceRequest): boolean =>
  controller.request.format === "json" || controller.recordWriter !== undefined;

/** What an association has or begins with: those who may not choose from its target may send nothing else. */
async function keptKeys(
  controller: ResourceRequest,
  association: AssociationInfo,
  record: BaseModel | undefined,
  begun: unknown,
): Promise<readonly unknown[]> {
  if (association.kind === "belongsTo") return [begun, record && association.key.of(record)];
  return record ? (await linkedRecords(controller, association, record)).map((linked) => linked.$id()) : [];
}

/** The association of a foreign key that a policy permits by its column's name. */
const referenceOf = (model: ModelInfo, name: string) => model.referencesBy(name).find(({ key }) => !key.isComposite);

/** Writes references of several columns. Columns of theirs that are written one by one lead to no record that the person could not choose. */
async function writeReferences(
  controller: ResourceRequest,
  write: Parameters<ModelInfo["writeReferences"]>[0],
  { refused, fields: { names } }: Pick<Choosing, "refused" | "fields">,
): Promise<void> {
  const written = controller.registration.model.writeReferences(write);
  for (const one of written.refused)
    refused[one.name] = { problem: write.written.get(one) === null ? "errors.required" : "errors.not_a_choice" };
  for (const [{ target, key }, value] of written.others)
    if (!mayChoose(controller, target) || !(await controller.resources.keyOf(controller, target, String(value))))
      refused[names.find((name) => key.columns.includes(name)) ?? "base"] = { problem: "errors.not_a_choice" };
}

/** Sets what is not the person's choice: the parent of a nested route, the account that a singular record is of, and what plugins set. */
function setColumnsOfRequest(controller: ResourceRequest, columns: Record<string, unknown>, isNew: boolean): void {
  const { parent, registration } = controller.about;
  if (isNew && parent && controller.parent && parent.association.through === undefined) {
    Object.assign(columns, keysTo(parent.association, controller.parent));
  }
  const owner = isNew ? ownerOfPage(controller) : undefined;
  if (owner) columns[owner.column] = owner.id;
  controller.resources.hooks.defaults.call(columns, controller, registration);
}

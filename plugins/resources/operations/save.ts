import { announce, type FieldErrors, type Params } from "framewright/host";
import {
  type AssociationInfo,
  type BaseModel,
  isUncertain,
  keysTo,
  ModelInfo,
  storedReference,
  type TransactionOptions,
  ValidationError,
} from "framewright/plugins/database";
import { isRedrawn, NEW_BESIDE, unseenFields } from "framewright/plugins/fields";
import { type Refused, restoreFiles } from "framewright/plugins/fields/toolkit";
import type { Transaction } from "objection";
import type { Attribute } from "../definition/attributes.ts";
import { labelOf } from "../entry/labels.ts";
import { isVersion, requestedVersion } from "../entry/version.ts";
import { labelsFor } from "../registration/resource_texts.ts";
import type { ResourceRequest } from "../request.ts";
import { changedColumns } from "./changed_columns.ts";
import { mayChoose } from "./choices.ts";
import { announceDestroying } from "./deletion_notice.ts";
import { fieldErrors, refusedErrors, ruleErrors } from "./field_errors.ts";
import { addDefaults, dynamicNames, formFields } from "./form_fields.ts";
import { noteIgnored } from "./known_keys.ts";
import { type Links, linkedIds, linkedRecords, writeLinks } from "./links.ts";
import { originalsIn, sentValue, storedValue } from "./originals.ts";
import { alreadyExists, onlyRecord, ownerOfPage, soleOwner } from "./ownership.ts";
import { polymorphicKeys } from "./polymorphic_choices.ts";
import { readValues } from "./read_values.ts";
import { defaultValue, type RecordFields, refusedChoices } from "./record_fields.ts";
import { RecordFiles, recordForm, removeFilesOf } from "./record_files.ts";
import { columnValues, ownWriter } from "./record_writer.ts";
import { isReferenceHidden } from "./unchanged.ts";

/** A form that could not be saved: what is wrong by field, or what is stored now when somebody else was faster. */
export interface Invalid {
  errors: FieldErrors;
  stale?: BaseModel;
}
export type Saved = { record: BaseModel } | Invalid;

/** Writes what was sent for the permitted fields, or for one of them, in one transaction; events go out once it is committed. */
export async function saveRecord(
  controller: ResourceRequest,
  record: BaseModel | undefined,
  only?: string,
): Promise<Saved> {
  const isHtml = controller.request.format === "html";
  if (isHtml && (isRedrawn(controller.params) || controller.params.has(NEW_BESIDE))) return { errors: {} };
  const sent = formParams(controller);
  const fields = onlyField(formFields(controller, record, sent), only);
  const { names } = fields;
  const attributes = names.map((name) => controller.registration.attribute(name));
  if (!isHtml && !controller.request.isBackground) noteIgnored(controller, sent, attributes, record);
  const form = recordForm(controller, record, attributes);
  const gone = await restoreFiles(controller, form);
  const { values, refused } = readValues(sent, attributes, record === undefined);
  if (record && isHtml) leaveUntouched(controller, attributes, { values, refused });
  if (attributes.some(({ input }) => input.choices !== undefined))
    Object.assign(refused, await refusedChoices(controller, values, fields));
  if (!record) addDefaults(sent, values, attributes, fields);
  const links = new Map<AssociationInfo, readonly (number | string)[]>();
  const columns = await toColumns(controller, attributes, values, { refused, links, record, fields });
  setColumnsOfRequest(controller, columns, record === undefined);
  const { creating } = controller.resources.hooks;
  if (!record && creating.isUsed()) await creating.promise(columns, controller);
  const errors = { ...refusedErrors(controller, refused), ...gone };
  const unseen = isHtml ? unseenFields(sent, () => dynamicNames(controller, record, attributes)) : [];
  if (unseen.length > 0) errors.base = [controller.t("form.more_fields")];
  if (Object.keys(errors).length > 0) {
    const others = ruleErrors(controller, columns, record ? "update" : "insert", names);
    return { errors: without({ ...others, ...errors }, unseen) };
  }
  try {
    const written = { columns, links, only };
    const saved = await writeWithFiles(controller, record, written, new RecordFiles(controller, form.names));
    if ("record" in saved && !controller.recordWriter?.isUnchanged)
      await report(controller, record ? "updated" : "created", saved.record);
    return saved;
  } catch (error) {
    if (error instanceof ValidationError && !record && (await onlyRecord(controller)))
      throw alreadyExists(controller, labelsFor(controller, controller.registration).one); // another request was faster
    if (error instanceof ValidationError) return { errors: fieldErrors(controller, error.problems, names) };
    throw error;
  }
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

/** What is written: columns of the record, and rows that link it to others. */
interface Written {
  columns: Record<string, unknown>;
  links: Links;
  /** The one attribute that is written, where the request is about one. */
  only?: string | undefined;
}

/** What is found out about ids that were sent, and what the fields had before. */
interface Choosing {
  refused: Record<string, Refused>;
  links: Map<AssociationInfo, readonly (number | string)[]>;
  record: BaseModel | undefined;
  fields: RecordFields;
}

/** Puts ids in the place of associations, each looked for among the records that the person may choose from. */
async function toColumns(
  controller: ResourceRequest,
  attributes: readonly Attribute[],
  values: Record<string, unknown>,
  { refused, links, record, fields }: Choosing,
): Promise<Record<string, unknown>> {
  const columns: Record<string, unknown> = {};
  const { model } = controller.registration;
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
    else if (values[name] === null) columns[association.foreignKey] = null;
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
        else columns[association.foreignKey] = key;
      }
    }
  }
  return columns;
}

/** Whether null stands for what can't be seen, which programs read as null: a form says so by a value of its own. */
const keepsHidden = (controller: ResourceRequest): boolean =>
  controller.request.format === "json" || controller.recordWriter !== undefined;

/** What an association has or begins with: who may not choose from its target may send nothing else. */
async function keptKeys(
  controller: ResourceRequest,
  association: AssociationInfo,
  record: BaseModel | undefined,
  begun: unknown,
): Promise<readonly unknown[]> {
  if (association.kind === "belongsTo") return [begun, (record as Row | undefined)?.[association.foreignKey]];
  return record ? (await linkedRecords(controller, association, record)).map((linked) => linked.$id()) : [];
}
type Row = BaseModel & Record<string, unknown>;

/** The association of a foreign key that a policy permits by its column's name. */
const referenceOf = ({ associations }: ModelInfo, name: string) =>
  [...associations.values()].find(({ kind, foreignKey }) => kind === "belongsTo" && foreignKey === name);

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

async function writeWithFiles(
  controller: ResourceRequest,
  record: BaseModel | undefined,
  written: Written,
  files: RecordFiles,
): Promise<Saved> {
  await files.store(written.columns);
  let saved: Saved;
  try {
    saved = record ? await update(controller, record, written, files) : await insert(controller, written);
  } catch (error) {
    if (!isUncertain(error)) await files.undo(); // else the record may name them
    throw error;
  }
  await ("record" in saved ? files.finish() : files.undo());
  return saved;
}

async function insert(controller: ResourceRequest, { columns, links }: Written): Promise<Saved> {
  const { database } = controller.resources;
  const { model } = controller.registration;
  const cls = model.inheritance?.classFor(columns) ?? model.class;
  const limits = transactionOf(controller);
  const owner = soleOwner(controller);
  const { recordWriter: writer } = controller;
  if (!owner && links.size === 0 && !writer) return { record: await database.insert(cls, columns, limits) };
  return (writer ?? ownWriter(database)).run(async (transaction) => {
    if (owner) {
      await database.query(owner.model.class, transaction).findById(owner.id).forUpdate(); // one at a time for each owner
      if (await onlyRecord(controller, transaction))
        throw alreadyExists(controller, labelsFor(controller, controller.registration).one);
    }
    const record = (await cls.query(transaction).insert(columns as never)) as unknown as BaseModel;
    await writeLinks(controller, record, links, transaction);
    return { record };
  }, limits);
}

async function update(
  controller: ResourceRequest,
  record: BaseModel,
  { columns, links, only }: Written,
  files: RecordFiles,
): Promise<Saved> {
  const { recordWriter: writer } = controller;
  return (writer ?? ownWriter(controller.resources.database)).run<Saved>(async (transaction) => {
    const current = await lockRecord(controller, record, transaction);
    if (isStale(controller, current) && !(await isUnchanged(controller, current, only)))
      return { errors: {}, stale: current };
    files.replace(current, columns);
    if (writer) writer.earlier = columnValues(current, controller.registration.model);
    const isLinked = await writeLinks(controller, current, links, transaction);
    const { model } = controller.registration;
    const changed = changedColumns(current, columns, model, {
      isForm: !writer && controller.request.format === "html",
    });
    if (writer) writer.isUnchanged = !isLinked && Object.keys(changed).length === 0;
    const isPatched = Object.keys(changed).length > 0 || (isLinked && showsChanges(model));
    if (isPatched) await current.$query(transaction).patch(changed as never);
    return { record: current };
  }, transactionOf(controller));
}

/** Whether a record shows by its own row that it was changed: so it does where its links were. */
const showsChanges = ({ isVersioned, columns }: ModelInfo): boolean => isVersioned || columns.has("updated_at");

/** A transaction is over with its request; the log names whose it was. */
const transactionOf = ({ request, registration }: ResourceRequest): TransactionOptions => ({
  until: request.deadline,
  by: `the resource "${registration.constant}"`,
});

/** The record as it is stored now, locked until the transaction ends. @throws HttpError 404 when it went out of sight */
export async function lockRecord(
  controller: ResourceRequest,
  record: BaseModel,
  transaction: Transaction,
): Promise<BaseModel> {
  const { key } = controller.registration.model;
  const query = key.where(controller.visibleRecords(transaction), ModelInfo.keyOf(record)!);
  return controller.found(await query.forUpdate().first());
}

/** Whether the request was made for another version than the stored one. One that names none is not checked. */
function isStale(controller: ResourceRequest, current: BaseModel): boolean {
  const { request, registration, params } = controller;
  const nested = params.get(registration.key) as { lock_version?: unknown } | undefined;
  const asked = requestedVersion(request.header("if-match"), params.get("lock_version") ?? nested?.lock_version);
  if (asked === undefined || isVersion(asked, current, registration.model)) return false;
  const { lock_version } = current as { lock_version?: unknown }; // programs may send the attribute, without the id
  return request.format !== "json" || request.header("if-match") !== undefined || asked !== String(lock_version);
}

/** Whether the one attribute that is written still has the value that its input began with: what else was changed does not matter. */
async function isUnchanged(controller: ResourceRequest, current: BaseModel, only: string | undefined) {
  const originals = only === undefined ? undefined : originalsIn(controller.params);
  if (!originals) return false;
  const attribute = controller.registration.attribute(only!);
  return originals.has(attribute, await storedValue(controller, attribute, current));
}

/** Deletes a record; returns a sentence where something prevents it. */
export async function destroyRecord(controller: ResourceRequest, record: BaseModel): Promise<string | undefined> {
  try {
    const stale = await controller.resources.database.transaction(async (transaction) => {
      const current = await lockRecord(controller, record, transaction);
      if (isStale(controller, current)) return true;
      await announceDestroying({ controller, record: current, transaction });
      await current.$query(transaction).delete();
      return false;
    }, transactionOf(controller));
    if (stale) return controller.t("resource.stale_destroy");
  } catch (error) {
    if (error instanceof ValidationError) return controller.t("resource.in_use", { name: labelOf(controller, record) });
    throw error;
  }
  await removeFilesOf(controller, record);
  await report(controller, "destroyed", record);
  return undefined;
}

export async function report(
  controller: ResourceRequest,
  kind: "created" | "updated" | "destroyed",
  record: BaseModel,
): Promise<void> {
  const { record: hook } = controller.resources.hooks;
  if (!hook.isUsed()) return;
  const event = { kind, record, registration: controller.registration, controller };
  await announce(hook, "resources.record", event, controller.request.application);
}

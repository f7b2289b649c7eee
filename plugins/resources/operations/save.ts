import { announce, type FieldErrors } from "framewright/host";
import {
  type BaseModel,
  isUncertain,
  ModelInfo,
  type TransactionOptions,
  ValidationError,
} from "framewright/plugins/database";
import { isRedrawn, NEW_BESIDE } from "framewright/plugins/fields";
import type { Transaction } from "objection";
import { AttributeInvalid } from "../definition/attribute_handler.ts";
import { labelOf } from "../entry/labels.ts";
import { isVersion, requestedVersion } from "../entry/version.ts";
import { labelsFor } from "../registration/resource_texts.ts";
import type { ResourceRequest } from "../request.ts";
import { announceDestroying } from "./deletion_notice.ts";
import { fieldErrors } from "./field_errors.ts";
import { formFields } from "./form_fields.ts";
import { writeLinks } from "./links.ts";
import { originalsIn, storedValue } from "./originals.ts";
import { alreadyExists, onlyRecord, soleOwner } from "./ownership.ts";
import { formParams, type PreparedRecord, prepareRecord } from "./prepare_record.ts";
import { removeFilesOf } from "./record_files.ts";
import { columnValues, ownWriter } from "./record_writer.ts";

/** A form that could not be saved: what is wrong by field, or what is stored now when somebody else was faster. */
export interface Invalid {
  errors: FieldErrors;
  stale?: BaseModel;
}
export type Saved = { record: BaseModel; isUnchanged?: boolean } | Invalid;

/** Writes what was sent for the permitted fields, or for one of them, in one transaction; events go out once it is committed. */
export async function saveRecord(
  controller: ResourceRequest,
  record: BaseModel | undefined,
  only?: string,
): Promise<Saved> {
  if (controller.request.format === "html" && isDrawnAgain(controller, record)) return { errors: {} };
  const prepared = await prepareRecord(controller, record, only);
  if (Object.keys(prepared.errors).length > 0) {
    for (const { undone } of prepared.handled) await undone?.();
    return { errors: prepared.errors };
  }
  try {
    const saved = await writeWhole(controller, record, prepared);
    if ("record" in saved && !controller.recordWriter?.isUnchanged)
      await report(controller, record ? "updated" : "created", saved.record);
    return saved;
  } catch (error) {
    if (error instanceof AttributeInvalid) return { errors: error.errors };
    if (error instanceof ValidationError && !record && (await onlyRecord(controller)))
      throw alreadyExists(controller, labelsFor(controller, controller.registration).one); // another request was faster
    if (error instanceof ValidationError) return { errors: fieldErrors(controller, error.problems, prepared.names) };
    throw error;
  }
}

/** Whether the form was sent by a button that has it drawn again, not saved. */
function isDrawnAgain(controller: ResourceRequest, record: BaseModel | undefined): boolean {
  const { params, registration } = controller;
  if (isRedrawn(params) || params.has(NEW_BESIDE)) return true;
  if (registration.definition.handlers.size === 0) return false;
  const sent = formParams(controller);
  return formFields(controller, record, sent).names.some((name) => {
    const attribute = registration.attribute(name);
    return attribute.handler?.isRedrawn?.({ controller, attribute, record, sent }) === true;
  });
}

/** Files are stored before the transaction and removed where it fails; what they replace goes once it is committed. */
async function writeWhole(
  controller: ResourceRequest,
  record: BaseModel | undefined,
  prepared: PreparedRecord,
): Promise<Saved> {
  if (prepared.files.areAny) await prepared.files.store(prepared.columns);
  let saved: Saved;
  try {
    saved = record ? await update(controller, record, prepared) : await insert(controller, prepared);
  } catch (error) {
    if (!isUncertain(error)) await undoPrepared(prepared); // else the record may name them
    throw error;
  }
  if ("record" in saved) await finishPrepared(prepared, saved.record);
  else await undoPrepared(prepared);
  return saved;
}

/** A prepared record is not written: what was stored for it is needed no more. */
export async function undoPrepared({ files, handled }: PreparedRecord): Promise<void> {
  await files.undo();
  for (const one of handled) await one.undone?.();
}

/** A prepared record is written, and committed: what stood there before is needed no more. */
export async function finishPrepared({ files, handled }: PreparedRecord, record: BaseModel): Promise<void> {
  if (files.areAny) await files.finish();
  for (const one of handled) await one.committed?.(record);
}

/** Writes what hangs on a record, once its own row is written; whether anything changed. */
async function writeAround(
  controller: ResourceRequest,
  record: BaseModel,
  { links, handled }: PreparedRecord,
  transaction: Transaction,
): Promise<boolean> {
  let isChanged = await writeLinks(controller, record, links, transaction);
  for (const one of handled) if (await one.write?.(record, transaction)) isChanged = true;
  return isChanged;
}

/**
 * Writes a prepared record in a transaction that is there, as a row of another record: without an event, and with nothing
 * finished, both of which come once it is committed. @throws ValidationError, AttributeInvalid, HttpError 404
 */
export async function writePrepared(
  controller: ResourceRequest,
  record: BaseModel | undefined,
  prepared: PreparedRecord,
  transaction: Transaction,
): Promise<Saved> {
  await prepared.files.store(prepared.columns);
  if (record) return updateIn(controller, record, prepared, { transaction, isNested: true });
  return insertIn(controller, prepared, transaction);
}

async function insert(controller: ResourceRequest, prepared: PreparedRecord): Promise<Saved> {
  const { database } = controller.resources;
  const limits = transactionOf(controller);
  const { recordWriter: writer } = controller;
  const hangsOn = prepared.links.size > 0 || prepared.handled.some(({ write }) => write !== undefined);
  if (!hangsOn && !writer && !soleOwner(controller))
    return { record: await database.insert(classFor(controller, prepared), prepared.columns, limits) };
  return (writer ?? ownWriter(database)).run((transaction) => insertIn(controller, prepared, transaction), limits);
}

const classFor = ({ registration: { model } }: ResourceRequest, { columns }: PreparedRecord) =>
  model.inheritance?.classFor(columns) ?? model.class;

async function insertIn(
  controller: ResourceRequest,
  prepared: PreparedRecord,
  transaction: Transaction,
): Promise<{ record: BaseModel }> {
  const owner = soleOwner(controller);
  if (owner) {
    const { key, class: cls } = owner.model;
    await key.where(controller.resources.database.query(cls, transaction), owner.id).forUpdate(); // one at a time for each owner
    if (await onlyRecord(controller, transaction))
      throw alreadyExists(controller, labelsFor(controller, controller.registration).one);
  }
  const { database } = controller.resources;
  const record = await database.insert(classFor(controller, prepared), prepared.columns, { transaction });
  await writeAround(controller, record, prepared, transaction);
  return { record };
}

function update(controller: ResourceRequest, record: BaseModel, prepared: PreparedRecord): Promise<Saved> {
  const writer = controller.recordWriter ?? ownWriter(controller.resources.database);
  return writer.run<Saved>(
    (transaction) => updateIn(controller, record, prepared, { transaction }),
    transactionOf(controller),
  );
}

async function updateIn(
  controller: ResourceRequest,
  record: BaseModel,
  prepared: PreparedRecord,
  { transaction, isNested = false }: { transaction: Transaction; isNested?: boolean },
): Promise<Saved> {
  const { columns, files, only } = prepared;
  const { recordWriter: writer } = controller;
  const { model } = controller.registration;
  const current = await lockRecord(controller, record, transaction);
  if (isStale(controller, current, isNested) && !(await isUnchanged(controller, current, only)))
    return { errors: {}, stale: current };
  files.replace(current, columns);
  if (writer) writer.earlier = columnValues(current, model);
  const changed = model.changedValues(current, columns, {
    isForm: !writer && controller.request.format === "html",
  });
  const isPatched = Object.keys(changed).length > 0;
  if (isPatched) await current.$query(transaction).patch(changed as never);
  const isChanged = await writeAround(controller, current, prepared, transaction);
  if (isChanged && !isPatched && showsChanges(model)) await current.$query(transaction).patch({});
  const isUntouched = !isChanged && !isPatched;
  if (writer) writer.isUnchanged = isUntouched;
  return { record: current, isUnchanged: isUntouched };
}

/** Whether a record shows by its own row that it was changed: so it does where what hangs on it was. */
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

/** Whether the request was made for another version than the stored one. One that names none is not checked; its header names that of the whole. */
export function isStale(controller: ResourceRequest, current: BaseModel, isNested = false): boolean {
  const { request, registration, params } = controller;
  const header = isNested ? undefined : request.header("if-match");
  const nested = params.get(registration.key) as { lock_version?: unknown } | undefined;
  const asked = requestedVersion(header, params.get("lock_version") ?? nested?.lock_version);
  if (asked === undefined || isVersion(asked, current, registration.model)) return false;
  const { lock_version } = current as { lock_version?: unknown }; // programs may send the attribute, without the id
  return request.format !== "json" || header !== undefined || asked !== String(lock_version);
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
    return destroyProblem(controller, record, error);
  }
  await removeFilesOf(controller, record);
  await report(controller, "destroyed", record);
  return undefined;
}

/** Why the database refused to delete a record, as a sentence. @throws the error where it is of another kind */
export function destroyProblem(controller: ResourceRequest, record: BaseModel, error: unknown): string {
  if (!(error instanceof ValidationError)) throw error;
  const isRefused = error.problems.base?.[0]?.key === "errors.refused";
  return controller.t(isRefused ? "resource.refused" : "resource.in_use", { name: labelOf(controller, record) });
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

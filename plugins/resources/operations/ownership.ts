import { type BaseController, demodulize, HttpError, underscore } from "framewright/host";
import {
  type AssociationInfo,
  type BaseModel,
  type Database,
  keysTo,
  type ModelClass,
  ModelInfo,
} from "framewright/plugins/database";
import type { Transaction } from "objection";
import type { ResourceRequest } from "../request.ts";

/** Whose the only record of a singular resource is: the account's, by this column. */
export interface Owner {
  readonly column: string;
  readonly id: number | string;
}

/** How the only record of a model belongs to the account of a request; undefined where it belongs to none. */
export function ownerOf(
  { currentUser, currentScopedEntity }: Pick<BaseController, "currentUser" | "currentScopedEntity">,
  model: ModelInfo,
  database: Database,
): Owner | undefined {
  const account = accountModel(currentUser, database);
  if (!account) return undefined;
  const isTenant = currentScopedEntity instanceof model.class; // the tenant is everybody's in it
  const column = hasOne(account, model)?.key.column ?? (isTenant ? undefined : belongsToColumn(account, model));
  return column === undefined ? undefined : { column, id: (currentUser as unknown as BaseModel).$id() as number };
}

function accountModel(currentUser: unknown, database: Database): ModelInfo | undefined {
  if (typeof currentUser !== "object" || currentUser === null || !("$id" in currentUser)) return undefined;
  return database.models().find(({ class: cls }) => cls === (currentUser.constructor as unknown as ModelClass));
}

/** The account's own has-one. */
const hasOne = (account: ModelInfo, model: ModelInfo): AssociationInfo | undefined =>
  [...account.associations.values()].find(
    ({ kind, target, through, of }) => kind === "hasOne" && target === model && through === undefined && !of,
  );

/** What the record belongs to, by the account's name, or by a key that no two records share. */
function belongsToColumn(account: ModelInfo, model: ModelInfo): string | undefined {
  const name = underscore(demodulize(account.constant));
  const leading = [...model.associations.values()].filter(
    ({ kind, target }) => kind === "belongsTo" && target === account,
  );
  const found =
    leading.find((association) => association.name === name) ??
    leading.find(({ key }) => model.columns.get(key.column ?? "")?.unique === true);
  return found?.key.column;
}

/** The owner of what a controller serves as the only one of the account. */
export function ownerOfPage(controller: ResourceRequest): Owner | undefined {
  const { registration, parent } = controller.about;
  if (!registration.singular || parent) return undefined;
  return ownerOf(controller, registration.model, controller.resources.database);
}

/** Who can have one record alone of what a controller serves: the parent of a has-one, or the account. */
export function soleOwner(controller: ResourceRequest): { model: ModelInfo; id: number | string } | undefined {
  const { parent } = controller.about;
  if (parent?.association.kind === "hasOne" && controller.parent)
    return { model: parent.registration.model, id: ModelInfo.keyOf(controller.parent)! };
  const owner = ownerOfPage(controller);
  return owner && { model: accountModel(controller.currentUser, controller.resources.database)!, id: owner.id };
}

/** The record in whose place a form would make another, where there can be one alone: of the account, or below a parent. */
export async function onlyRecord(
  controller: ResourceRequest,
  transaction?: Transaction,
): Promise<BaseModel | undefined> {
  const { registration, parent } = controller.about;
  const { database } = controller.resources;
  const query = () => database.query(registration.model.class, transaction);
  if (parent?.association.kind === "hasOne" && controller.parent)
    return first(query().where(keysTo(parent.association, controller.parent) as never));
  if (!registration.singular || parent) return undefined;
  const owner = ownerOfPage(controller);
  if (!owner) return first(controller.visibleRecords(transaction));
  return first(query().where(owner.column, owner.id));
}

const first = async (query: { first(): PromiseLike<unknown> }): Promise<BaseModel | undefined> =>
  (await query.first()) as BaseModel | undefined;

/** There is one already, and there can be no second. */
export const alreadyExists = (controller: ResourceRequest, label: string): HttpError =>
  new HttpError(409, "FW_SINGULAR_TAKEN", controller.t("resource.only_one", { name: label }));

/** Module-level: found by a request, and freed with it. */
const loaded = new WeakMap<object, Map<ModelClass, Promise<BaseModel | undefined>>>();

/** The account's only record of a model, read once a request, and left at the account under its association's name. */
export function ownRecord(controller: BaseController, cls: ModelClass): Promise<BaseModel | undefined> {
  const records = loaded.get(controller.request) ?? new Map<ModelClass, Promise<BaseModel | undefined>>();
  loaded.set(controller.request, records);
  let record = records.get(cls);
  if (!record) {
    record = readOwn(controller, cls);
    records.set(cls, record);
  }
  return record;
}

async function readOwn(controller: BaseController, cls: ModelClass): Promise<BaseModel | undefined> {
  const database = controller.request.kernel.service("database");
  const model = database.model(cls);
  const owner = ownerOf(controller, model, database);
  if (!owner) return undefined;
  const record = await first(database.query(model.class).where(owner.column, owner.id));
  const association = hasOne(accountModel(controller.currentUser, database)!, model);
  const name = association?.name ?? underscore(demodulize(model.constant));
  const account = controller.currentUser as unknown as Record<string, unknown>;
  if (!(name in account)) account[name] = record ?? null;
  return record;
}

import { BaseController, forbidden, HttpError, type ParamObject, Params } from "framewright/host";
import type { AssociationInfo, BaseModel, Query } from "framewright/plugins/database";
import { DEFAULT_MAX_ROWS } from "framewright/plugins/fields/rows";
import type { Registration, ResourceRequest, Resources } from "framewright/plugins/resources";
import { writableNames } from "framewright/plugins/resources/toolkit";
import type { GroupOptions, RowsOptions } from "../declarations.ts";
import { errors } from "../errors.ts";

/** The rows of a has-many association, or the one of a has-one, as a definition declares them. */
export interface RecordRows {
  readonly definition: string;
  /** The attribute of the parent. */
  readonly name: string;
  /** What leads to the rows: of an association through another, that one. */
  readonly association: AssociationInfo;
  /** Of rows in between: the attribute of a row that refers to the record at the other end. */
  readonly chosen: string | undefined;
  /** The attributes of a row, of its own definition. */
  readonly fields: readonly string[];
  readonly isOne: boolean;
  readonly minimum: number;
  readonly maximum: number;
  readonly collapsed: boolean;
  /** The column that people order them by. */
  readonly order: string | undefined;
}

/** @throws FW_ROWS_THROUGH, FW_ROWS_FIELDS, FW_ROWS_ORDER */
export function recordRowsOf(
  definition: string,
  association: AssociationInfo,
  options: RowsOptions | GroupOptions,
): RecordRows {
  const { name, kind } = association;
  const { direct, chosen } = rowsAlong(definition, association);
  const { target } = direct;
  const {
    fields = chosen === undefined ? undefined : [],
    minimum = 0,
    maximum = DEFAULT_MAX_ROWS,
    collapsed = false,
    order,
  } = options as RowsOptions;
  const word = kind === "hasOne" ? "fieldGroup" : "repeated";
  if (!isList(fields) || (fields.length === 0 && chosen === undefined))
    throw errors.FW_ROWS_FIELDS(
      definition,
      word,
      name,
      `the names of attributes of ${target.constant}, as in { fields: ["name"] }`,
    );
  if (order !== undefined && target.settled && target.columns.get(order)?.type !== "integer")
    throw errors.FW_ROWS_ORDER(definition, name, order, target.constant);
  const names = chosen === undefined || fields.includes(chosen) ? fields : [chosen, ...fields];
  return {
    definition,
    name,
    association: direct,
    chosen,
    fields: names,
    isOne: kind === "hasOne",
    minimum,
    maximum,
    collapsed,
    order,
  };
}

/** The association of the rows, and the attribute by which each refers to the record at the other end of a through. */
function rowsAlong(definition: string, association: AssociationInfo) {
  const { name, model, through, source } = association;
  if (through === undefined) return { direct: association, chosen: undefined };
  const direct = model.associations.get(through)!;
  const isJoin = direct.kind === "hasMany" && direct.through === undefined;
  const far = isJoin ? direct.target.associations.get(source!) : undefined;
  if (far?.kind !== "belongsTo" || far.through !== undefined) throw errors.FW_ROWS_THROUGH(definition, name, through);
  return { direct, chosen: far.name };
}
const isList = (fields: RowsOptions["fields"]): fields is readonly string[] => Array.isArray(fields);

/** The declared rows of each handler, to be checked when all resources of a portal are registered. */
const KEY = Symbol("rows of records");
export const declaredRows = (handler: object): RecordRows | undefined => (handler as { [KEY]?: RecordRows })[KEY];
export const withRows = <T extends object>(handler: T, rows: RecordRows): T => Object.assign(handler, { [KEY]: rows });

/** Each row's own resource has to be served where its parent is. @throws FW_ROWS_UNREGISTERED, FW_ROWS_KEY, FW_ROWS_DEPTH */
export function checkRegistered(registry: Resources["registry"]): void {
  for (const registration of registry.all())
    for (const rows of rowsIn(registration)) {
      const { definition, name } = rows;
      const { target } = rows.association;
      const own = registry.nearest(registration.owner, target);
      const owner = registration.owner ?? "the main application";
      if (!own) throw errors.FW_ROWS_UNREGISTERED(definition, name, target.constant, owner);
      if (target.exists && target.key.columns.length !== 1) throw errors.FW_ROWS_KEY(definition, name, target.constant);
      for (const inner of innerRows(own, rows)) {
        const innermost = registry.nearest(registration.owner, inner.association.target);
        if (innermost && innerRows(innermost, inner).length > 0)
          throw errors.FW_ROWS_DEPTH(definition, name, inner.name);
      }
    }
}
const rowsIn = ({ definition }: Registration): RecordRows[] =>
  [...definition.handlers.values()].flatMap((handler) => declaredRows(handler) ?? []);
/** Those that are fields of others. */
const innerRows = (registration: Registration, { fields }: RecordRows): RecordRows[] =>
  rowsIn(registration).filter(({ name }) => fields.includes(name));

/** The rows of one record, in a request: the controller that serves them, and the record; undefined while it is new. */
export interface RowsOf {
  readonly page: ResourceRequest;
  readonly rows: RecordRows;
  readonly registration: Registration;
  readonly record: BaseModel | undefined;
}
export const rowsOfRecord = (page: ResourceRequest, rows: RecordRows, record: BaseModel | undefined): RowsOf => ({
  page,
  rows,
  record,
  registration: page.resources.registry.nearest(page.registration.owner, rows.association.target)!,
});

type RowControllerClass = new (request: ResourceRequest["request"]) => ResourceRequest;
/** Module-level: a class for each class of controllers, and freed with it: rows belong to the account of their page. */
const classes = new WeakMap<object, RowControllerClass>();
function rowClassOf(page: ResourceRequest): RowControllerClass {
  const pageClass = page.constructor as typeof BaseController;
  const known = classes.get(pageClass);
  if (known) return known;
  const rowClass: RowControllerClass = class extends page.resources.standardController {};
  Object.defineProperty(rowClass, "authentication", { value: pageClass.authentication });
  classes.set(pageClass, rowClass);
  return rowClass;
}

/** A controller of a row's own, below its parent: the person and the tenant of the page, with parameters of its own. */
export function rowController({ page, rows, registration, record }: RowsOf, sent: ParamObject = {}): ResourceRequest {
  const { currentUser, currentScopedEntity } = page;
  const row = new (rowClassOf(page))(page.request);
  const about = { registration, parent: { registration: page.registration, association: rows.association } };
  const { _version, _originals, ...values } = sent;
  const params = new Params({
    [registration.key]: values,
    ...(typeof _version === "string" ? { lock_version: _version } : {}),
    ...(typeof _originals === "string" ? { _originals } : {}),
  });
  Object.defineProperty(row, "about", { value: about });
  Object.defineProperty(row, "params", { value: params });
  Object.assign(row, { parent: record, currentUser, currentScopedEntity });
  if (page.t !== BaseController.prototype.t) row.t = (key, vars) => page.t(key, vars);
  return row;
}

/** The rows that the person may see, in their order. */
export function storedRows(of: RowsOf): Query<BaseModel> {
  const { order } = of.rows;
  const { model } = of.registration;
  const query = rowController(of).visibleRecords();
  if (order !== undefined) query.orderBy(`${model.table}.${order}`);
  for (const column of model.key.columns) query.orderBy(`${model.table}.${column}`);
  return query;
}

/** Whether the policy and the plugins permit what is done with a row. */
export async function isPermitted(row: ResourceRequest, action: string, record?: BaseModel): Promise<boolean> {
  try {
    await row.authorizeAction(action, record);
    return true;
  } catch (error) {
    if (error instanceof HttpError && error.status === forbidden().status) return false;
    throw error;
  }
}

/** The attributes of a row that the person may write, in the order of their form. */
export function writableFields(row: ResourceRequest, record: BaseModel | undefined, { fields }: RecordRows): string[] {
  const writable = writableNames(row, record);
  const drawn = row.listOf(record ? "Edit" : "New", record);
  return fields.filter((name) => writable.includes(name) && drawn.includes(name));
}

import { escapeHtml, queryOf, type RequestContext, safeUrl } from "framewright/host";
import type { AssociationInfo, BaseModel, ModelClass } from "framewright/plugins/database";
import { errors } from "../errors.ts";
import { nestedNames, type Registration } from "./registration.ts";
import type { ResourceRegistry } from "./registry.ts";

export interface ResourceUrlOptions {
  /** `new`, `edit`, or the name of a custom route or action. */
  action?: string;
  /** Under a nested route of this record. */
  parent?: BaseModel;
  /** Which of the parent's associations; needed where several lead to the class. */
  association?: string;
  /** Another portal's name; by default the request's own. */
  portal?: string;
  format?: "json";
  /** The tenant, for a scoped portal that the request is not in. */
  entity?: BaseModel | number | string;
  query?: Record<string, unknown>;
}
type Subject = BaseModel | ModelClass;

/**
 * The path of a record, or of a class (its list), in a portal.
 * @throws FW_RESOURCE_UNREGISTERED, FW_RESOURCE_ACTION_URL
 */
export function resourcePath(
  registry: ResourceRegistry,
  request: RequestContext,
  subject: Subject,
  options: ResourceUrlOptions = {},
): string {
  const { action, parent, format, query = {}, entity } = options;
  const owner = options.portal ?? request.engine?.name;
  const isClass = typeof subject === "function";
  const registration = registry.find(owner, (isClass ? subject : subject.constructor) as ModelClass);
  const nested = parent && nestedUnder(registry, owner, parent, registration, options.association);
  const names = nested ? nestedNames(nested.registration, nested.association) : registration.names;
  const single = nested ? nested.association.kind === "hasOne" : registration.singular;
  const args: unknown[] = nested && !nested.registration.singular ? [parent] : []; // a singular parent has no id in its path
  if (!isClass && !single) args.push(subject);
  const paths = request.application.paths;
  const name = routeName(registration, names, { action, isClass, single });
  if (!paths.has(owner, name)) throw errors.FW_RESOURCE_ACTION_URL(action ?? "show", registration.constant);
  const prefix = entity === undefined || owner === undefined ? {} : entityOption(request, owner, entity);
  const path = paths.path(owner, name, [...args, prefix], request);
  return path + (format ? `.${format}` : "") + queryOf(query);
}

function routeName(
  registration: Registration,
  names: { many: string; one: string },
  { action, isClass, single }: { action: string | undefined; isClass: boolean; single: boolean },
): string {
  if (action === undefined || action === "show" || action === "index" || action === "destroy" || action === "update") {
    return isClass && !single ? names.many : names.one;
  }
  if (action === "create") return single ? names.one : names.many;
  if (action === "new" || action === "edit") return `${action}_${names.one}`;
  const custom = registration.customRoutes;
  if (custom.has(action)) {
    const name = custom.get(action);
    if (name === undefined) throw errors.FW_RESOURCE_ACTION_URL(action, registration.constant);
    return `${name}_${isClass ? names.many : names.one}`;
  }
  throw errors.FW_RESOURCE_ACTION_URL(action, registration.constant);
}

function nestedUnder(
  registry: ResourceRegistry,
  owner: string | undefined,
  parent: BaseModel,
  child: Registration,
  asked: string | undefined,
) {
  const registration = registry.find(owner, parent.constructor as ModelClass);
  const associations = registry.nestedOf(registration);
  const fitting: AssociationInfo[] = associations.filter(({ target }) => target.constant === child.constant);
  const names = fitting.map(({ name }) => name);
  if (asked === undefined && fitting.length > 1)
    throw errors.FW_RESOURCE_AMBIGUOUS(registration.constant, child.constant, names);
  const association = asked === undefined ? fitting[0] : fitting.find(({ name }) => name === asked);
  if (!association) throw errors.FW_RESOURCE_PARENT(registration.constant, child.constant, names);
  return { registration, association };
}

function entityOption(
  request: RequestContext,
  owner: string,
  entity: BaseModel | number | string,
): Record<string, unknown> {
  const parameter = request.application.engines.get(owner)?.prefixParameters[0];
  return parameter === undefined
    ? {}
    : { [parameter]: typeof entity === "object" ? (entity as { id?: unknown }).id : entity };
}

/** The address of an action as a definition declares it: below the record's or the collection's own. */
export function actionPath(base: string, path: string | undefined, key: string): string {
  const rest = path ?? `actions/${key}`;
  return rest === "" ? base : `${base}/${rest}`;
}

const PLAIN = /^\/[\w\-./]*$/;
/** An address as it stands in an attribute. */
export const hrefOf = (url: string): string => (PLAIN.test(url) ? url : escapeHtml(safeUrl(url)));

import { escapeHtml, queryOf, type RequestContext, safeUrl } from "framewright/host";
import { suggest } from "framewright/kernel";
import type { AssociationInfo, BaseModel, ModelClass } from "framewright/plugins/database";
import { errors } from "../errors.ts";
import { nestedNames, type Registration } from "./registration.ts";
import type { Registrations } from "./registrations.ts";
import { servedClass } from "./served_by.ts";

/** What is requested of a resource's address: an action, a parent, another portal. */
export interface ResourceUrlOptions {
  /** `new`, `edit`, an action or wizard that the definition declares, or the name of a custom route. */
  action?: string;
  /** Under a nested route of this record. */
  parent?: BaseModel;
  /** Which of the parent's associations; needed where several lead to the class. */
  association?: string;
  /** Which resource serves the record, or its parent, where its class and one that it extends are both registered. */
  resource?: ModelClass;
  parentResource?: ModelClass;
  /** Another portal's name; by default the request's own. */
  portal?: string;
  format?: "json";
  /** The tenant, for a scoped portal that the request is not in. */
  entity?: BaseModel | number | string;
  query?: Record<string, unknown>;
}
/** A record, a class for its list, or the name of one of the parent's associations: `resourceUrlFor("comments", { parent: post })`. */
export type ResourceUrlSubject = BaseModel | ModelClass | string;

/** In what an address is written: a request, whose portal and tenant it takes, or the application alone. */
export type UrlPlace = Pick<RequestContext, "application"> & Partial<RequestContext>;

/**
 * The path of a record, of a list, or of what can be done to them, in a portal; with the origin where tenants have hosts,
 * and the request is at another one.
 * @throws FW_RESOURCE_URL_OPTION, FW_RESOURCE_URL_NOTHING, FW_RESOURCE_UNREGISTERED, FW_RESOURCE_ACTION_URL, FW_RESOURCE_ACTION_SUBJECT, FW_RESOURCE_PARENT, FW_RESOURCE_AMBIGUOUS, FW_RESOURCE_TENANT
 */
export function resourcePath(
  registry: Registrations,
  place: UrlPlace,
  subject: ResourceUrlSubject,
  options: ResourceUrlOptions = {},
): string {
  for (const option of Object.keys(options)) if (!optionNames.has(option)) throw optionUnknown(option);
  const owner = options.portal ?? place.engine?.name;
  const target = targetOf(registry, owner, subject, options);
  const { route, below } = routeOf(target, options.action);
  const { paths } = place.application;
  if (!paths.has(owner, route)) throw actionUnknown(target, options.action ?? "show");
  const args = [...target.args, ...entityOption(place, owner, options.entity)];
  const path = paths.path(owner, route, args, isRequest(place) ? place : undefined);
  const origin = originOfTenant(place, owner, options.entity);
  return origin + withQuery(joinPath(path, below) + (options.format ? `.${options.format}` : ""), options.query);
}
const names: { readonly [K in keyof Required<ResourceUrlOptions>]: true } = {
  action: true,
  parent: true,
  association: true,
  resource: true,
  parentResource: true,
  portal: true,
  format: true,
  entity: true,
  query: true,
};
const optionNames: ReadonlySet<string> = new Set(Object.keys(names));
const optionUnknown = (option: string) =>
  errors.FW_RESOURCE_URL_OPTION(option, [...optionNames], suggest(option, [...optionNames]));

const isRequest = (place: UrlPlace): place is RequestContext => place.mountPath !== undefined;

/** What an address leads to. */
interface UrlTarget {
  registration: Registration;
  names: { many: string; one: string };
  /** There is one record at most, and no list. */
  single: boolean;
  isClass: boolean;
  /** The parent and the record, as far as the path names them. */
  args: unknown[];
}

function targetOf(
  registry: Registrations,
  owner: string | undefined,
  subject: ResourceUrlSubject,
  { parent, association, resource, parentResource }: ResourceUrlOptions,
): UrlTarget {
  const isClass = typeof subject === "string" || typeof subject === "function";
  if (subject === undefined || subject === null) throw errors.FW_RESOURCE_URL_NOTHING(String(subject));
  if (typeof subject === "string" && !parent) throw errors.FW_RESOURCE_SUBJECT(subject);
  const cls =
    typeof subject === "string"
      ? undefined
      : typeof subject === "function"
        ? subject
        : servedClass(subject as BaseModel, resource);
  const asked = typeof subject === "string" ? subject : association;
  const own = cls && registry.find(owner, cls);
  const above = parent && registry.find(owner, servedClass(parent, parentResource));
  const nested = above && nestedUnder(registry, above, own, asked);
  const registration = own ?? nested!.child;
  const single = nested ? nested.association.kind === "hasOne" : registration.singular;
  const args: unknown[] = nested && !nested.registration.singular ? [parent] : []; // a singular parent has no id in its path
  if (!isClass && !single) args.push(subject);
  const names = nested ? nestedNames(nested.registration, nested.association) : registration.names;
  return { registration, names, single, isClass, args };
}

/** What is requested of the address of the record or the list itself. */
const plain = new Set(["show", "index", "destroy", "update"]);

/** The name of a route, and what is below its path. @throws FW_RESOURCE_ACTION_URL, FW_RESOURCE_ACTION_SUBJECT */
function routeOf(target: UrlTarget, action: string | undefined): { route: string; below: string } {
  const { registration, names, single, isClass } = target;
  const base = isClass && !single ? names.many : names.one;
  if (action === undefined || plain.has(action)) return { route: base, below: "" };
  if (action === "create") return { route: single ? names.one : names.many, below: "" };
  if (action === "new" || action === "edit") return { route: `${action}_${names.one}`, below: "" };
  const custom = registration.customRoutes.get(action);
  if (custom !== undefined) return { route: `${custom}_${isClass ? names.many : names.one}`, below: "" };
  const declared = registration.definition.actions.get(action);
  if (!declared || declared.url !== undefined || registration.customRoutes.has(action))
    throw actionUnknown(target, action);
  const ofClass = declared.resourceAction === true;
  if (!single && ofClass !== isClass) throw errors.FW_RESOURCE_ACTION_SUBJECT(action, registration.constant, ofClass);
  return { route: base, below: declared.interaction ? `actions/${action}` : (declared.path ?? `actions/${action}`) };
}

function actionUnknown({ registration }: UrlTarget, action: string): Error {
  const { definition, customRoutes, constant } = registration;
  const known = [...definition.actions.keys(), ...customRoutes.keys()];
  return errors.FW_RESOURCE_ACTION_URL(
    action,
    constant,
    suggest(
      action,
      known.filter((name) => name !== action),
    ),
  );
}

const joinPath = (path: string, below: string): string => (below === "" ? path : `${path}/${below}`);
function withQuery(path: string, query: Record<string, unknown> = {}): string {
  const text = queryOf(query);
  return path + (path.includes("?") ? text.replace("?", "&") : text);
}

function nestedUnder(
  registry: Registrations,
  registration: Registration,
  child: Registration | undefined,
  asked: string | undefined,
) {
  const associations = registry.nestedOf(registration);
  const fitting: AssociationInfo[] = child
    ? associations.filter(({ target }) => child.model.lineage.includes(target))
    : [...associations];
  const names = fitting.map(({ name }) => name);
  const wanted = child?.constant ?? `"${asked}"`;
  if (asked === undefined && fitting.length > 1)
    throw errors.FW_RESOURCE_AMBIGUOUS(registration.constant, wanted, names);
  const association = asked === undefined ? fitting[0] : fitting.find(({ name }) => name === asked);
  if (!association) throw errors.FW_RESOURCE_PARENT(registration.constant, wanted, names);
  return { registration, association, child: registry.of(registration.owner).get(association.target.constant)! };
}

/** The origin of a tenant's pages, unless the request is at it already. @throws FW_RESOURCE_TENANT */
function originOfTenant(place: UrlPlace, owner: string | undefined, entity: ResourceUrlOptions["entity"]): string {
  const engine = owner === undefined ? undefined : place.application.engines.get(owner);
  if (!engine?.tenantOrigin) return "";
  const current = place.engine === engine ? place.controller?.currentScopedEntity : undefined;
  if (current && (entity === undefined || isSame(current as BaseModel, entity))) return "";
  if (typeof entity !== "object") throw errors.FW_RESOURCE_TENANT(engine.name);
  return engine.tenantOrigin(entity, isRequest(place) ? place : undefined);
}
const isSame = (current: BaseModel, entity: BaseModel | number | string): boolean =>
  typeof entity === "object" && entity.constructor === current.constructor && entity.$id() === current.$id();

/** The tenant among the arguments of a path. */
function entityOption(
  { application }: UrlPlace,
  owner: string | undefined,
  entity: BaseModel | number | string | undefined,
): Record<string, unknown>[] {
  const parameter = owner === undefined ? undefined : application.engines.get(owner)?.prefixParameters[0];
  if (entity === undefined || parameter === undefined) return [];
  return [{ [parameter]: entity }];
}

/** The address of an action as a definition declares it: below the record's or the collection's own. */
export function actionPath(base: string, path: string | undefined, key: string): string {
  return joinPath(base, path ?? `actions/${key}`);
}

const PLAIN = /^\/[\w\-./]*$/;
/** An address as it is written in an attribute. */
export const hrefOf = (url: string): string => (PLAIN.test(url) ? url : escapeHtml(safeUrl(url)));

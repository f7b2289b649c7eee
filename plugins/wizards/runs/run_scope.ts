import type { BaseController, Digests } from "framewright/host";
import {
  BaseModel,
  type Database,
  type ModelClass,
  queryPlace,
  type TransactionOptions,
} from "framewright/plugins/database";
import type { RunOwner as Owner, RunRow, StepContext, Visit, WizardClass } from "../contract/index.ts";
import { errors } from "../errors.ts";
import type { Say } from "../flow/read_step.ts";

/** What a run of this visit is known and recorded by. */
export interface Bearings {
  readonly owner: Owner | undefined;
  readonly anchor: Owner | undefined;
  /** `Organization/3` */
  readonly scopeGid: string | undefined;
  /** The portal of the mount; undefined for the main application. */
  readonly portal: string | undefined;
}

export const contextOf = ({ controller, anchor }: Visit): StepContext => ({
  currentUser: controller.currentUser,
  currentScopedEntity: controller.currentScopedEntity,
  anchor,
  place: queryPlace(controller),
});

/** Texts in the visitor's language. */
export const sayOf = ({ request }: BaseController): Say => request.tOr.bind(request);

/** A transaction of a run is over with its request; the log names whose it was. */
export const limitsOf = ({ controller, mount }: Visit): TransactionOptions => ({
  until: controller.request.deadline,
  by: `the wizard "${mount.wizard.name}"`,
});

/** The account of a request: its type, or how else the controller knows its visitors, and its id. */
export function ownerOf(controller: BaseController): Owner | undefined {
  const user = controller.currentUser as { id?: unknown } | undefined;
  if (user === undefined) return undefined;
  const said = (controller.constructor as typeof BaseController).authentication ?? controller.request.authentication;
  const id = textOf(user instanceof BaseModel ? user.$id() : user.id);
  return id === undefined
    ? undefined
    : { type: said?.account ?? `${said?.mode ?? "open"} ${placeOf(user, controller)}`, id };
}
/** Whoever brings authentication of their own: the user 1 of one table, or of one portal, is not that of another. */
const placeOf = (user: object, { request }: BaseController): string =>
  user instanceof BaseModel ? (user.constructor as ModelClass).tableName : (request.engine?.name ?? "");

export function bearingsOf(
  database: Database,
  { controller, anchor, mount }: Pick<Visit, "controller"> & Partial<Visit>,
): Bearings {
  const isElsewhere = mount?.owner === undefined && mount !== undefined && controller.request.engine !== undefined;
  const scope = isElsewhere ? undefined : controller.currentScopedEntity; // the main application has no tenants
  return {
    owner: ownerOf(controller),
    anchor: anchor && gidParts(database, anchor),
    scopeGid: scope instanceof BaseModel ? gid(gidParts(database, scope)) : undefined,
    portal: mount?.owner,
  };
}

export const gid = ({ type, id }: Owner): string => `${type}/${id}`;
const gidParts = (database: Database, record: BaseModel): Owner => ({
  type: database.model(record.constructor as never).constant,
  id: String(record.$id()),
});
const textOf = (id: unknown): string | undefined =>
  typeof id === "string" || typeof id === "number" || typeof id === "bigint" ? String(id) : undefined;

/** The digests that a token's run may be stored under, the current secret's first. */
export const tokenDigests = (digests: Digests, wizard: string, token: string): readonly string[] =>
  digests.all(JSON.stringify(["token", wizard, token]));

export const guestDigests = (digests: Digests, wizard: string, { scopeGid, anchor }: Bearings, guest: string) =>
  digests.all(JSON.stringify(["guest", wizard, scopeGid ?? null, anchor ? gid(anchor) : null, guest]));

interface Known {
  readonly digests: Digests;
  readonly database: Database;
}
/**
 * The digests of a keyed run: of the portal, the tenant, the anchor, the person unless the wizard is shared, and what
 * `concurrencyKey` says. The unique index on claims holds one open run of each.
 * @throws FW_WIZARD_IDENTITY when nothing tells one person's run from another's
 */
export function keyDigests(known: Known, visit: Visit, bearings: Bearings): readonly string[] {
  const { name, wizard } = visit.mount;
  const { portal, scopeGid, anchor } = bearings;
  const person = wizard.facts.shared ? null : gid(personOf(visit, bearings));
  const key = [portal ?? null, scopeGid ?? null, anchor ? gid(anchor) : null, person, keyOf(known, visit)];
  return known.digests.all(JSON.stringify(["key", name, ...key]));
}
/** Those of runs from before portal and person were in every key. */
export function formerDigests(known: Known, visit: Visit, bearings: Bearings): readonly string[] {
  const { name, wizard } = visit.mount;
  const { scopeGid, anchor } = bearings;
  const key = wizard.facts.concurrencyKey ? keyOf(known, visit) : [gid(personOf(visit, bearings))];
  return known.digests.all(JSON.stringify(["key", name, scopeGid ?? null, anchor ? gid(anchor) : null, key]));
}
const keyOf = ({ database }: Known, visit: Visit): (string | number)[] => {
  const { concurrencyKey } = visit.mount.wizard.facts;
  const parts = concurrencyKey ? [concurrencyKey(contextOf(visit))].flat() : [];
  return parts.map((part) => partOf(database, visit, part));
};
/** @throws FW_WIZARD_IDENTITY */
export function personOf({ mount, controller }: Visit, { owner }: Bearings): Owner {
  if (owner) return owner;
  throw errors.FW_WIZARD_IDENTITY(mount.name, controller.currentUser ? "who asks has no id" : "nobody is signed in");
}

function partOf(database: Database, { controller, mount }: Visit, part: unknown): string | number {
  if (part !== undefined && part === controller.currentUser) {
    const owner = ownerOf(controller);
    if (owner) return gid(owner);
  }
  if (part instanceof BaseModel && part.$id() !== undefined) return gid(gidParts(database, part));
  if ((typeof part === "string" && part !== "") || typeof part === "number") return part;
  throw errors.FW_WIZARD_IDENTITY(mount.name, "its concurrencyKey gives nothing to tell runs apart by");
}

/** Whether a run is this visit's: of its portal, tenant and anchor, and of its person, unless the wizard is shared. */
export function isTheirs(
  row: RunRow,
  { facts }: Pick<WizardClass, "facts">,
  { owner, anchor, scopeGid, portal }: Bearings,
): boolean {
  const same = (stored: string | null, given: string | undefined) => stored === (given ?? null);
  const isOwner = same(row.owner_type, owner?.type) && same(row.owner_id, owner?.id);
  return (
    (facts.shared || row.kind === "guest" || isOwner) && // a guest's run is its session's
    same(row.portal, portal) &&
    same(row.anchor_type, anchor?.type) &&
    same(row.anchor_id, anchor?.id) &&
    same(row.scope_gid, scopeGid)
  );
}

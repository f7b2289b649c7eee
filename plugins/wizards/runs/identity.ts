import type { BaseController, Digests } from "framewright";
import {
  BaseModel,
  type Database,
  type ModelClass,
  queryPlace,
  type TransactionOptions,
} from "framewright/plugins/database";
import { errors } from "../errors.ts";
import type { RunOwner as Owner, RunRow, StepContext, Visit } from "../faces.ts";
import type { Say } from "../flow/reading.ts";

/** What a run of this visit is known and recorded by. */
export interface Bearings {
  readonly owner: Owner | undefined;
  readonly anchor: Owner | undefined;
  /** `Organization/3` */
  readonly scopeGid: string | undefined;
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

export function bearingsOf(database: Database, { controller, anchor }: Visit): Bearings {
  const scope = controller.currentScopedEntity;
  return {
    owner: ownerOf(controller),
    anchor: anchor && gidParts(database, anchor),
    scopeGid: scope instanceof BaseModel ? gid(gidParts(database, scope)) : undefined,
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

/**
 * The digests of a keyed run: of the anchor, the tenant, and what `concurrencyKey` says, else the account.
 * @throws FW_WIZARD_IDENTITY when nothing tells one person's run from another's
 */
export function keyDigests(
  { digests, database }: { digests: Digests; database: Database },
  visit: Visit,
  { owner, anchor, scopeGid }: Bearings,
): readonly string[] {
  const { wizard, name } = visit.mount;
  const { concurrencyKey } = wizard.facts;
  if (!concurrencyKey && !owner) throw errors.FW_WIZARD_IDENTITY(name, "nobody is signed in");
  const key = concurrencyKey ? [concurrencyKey(contextOf(visit))].flat() : [];
  const parts = concurrencyKey ? key.map((part) => partOf(database, visit, part)) : [gid(owner!)];
  return digests.all(JSON.stringify(["key", name, scopeGid ?? null, anchor ? gid(anchor) : null, parts]));
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

/** Whether a run that a token names may be touched by this visit. */
export function isTheirs(row: RunRow, { owner, anchor, scopeGid }: Bearings): boolean {
  const same = (stored: string | null, given: string | undefined) => stored === (given ?? null);
  const ofOwner = row.owner_type === null || (row.owner_type === owner?.type && row.owner_id === owner.id);
  return (
    ofOwner && same(row.anchor_type, anchor?.type) && same(row.anchor_id, anchor?.id) && same(row.scope_gid, scopeGid)
  );
}

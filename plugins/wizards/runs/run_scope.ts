import type { BaseController, Digests } from "framewright/host";
import {
  BaseModel,
  type Database,
  type ModelClass,
  ModelInfo,
  queryPlace,
  type TransactionOptions,
} from "framewright/plugins/database";
import type { TranslateOr } from "framewright/plugins/fields/rows";
import { fieldSource } from "framewright/plugins/resources";
import type { RowOwner as Owner, RunRow, StepContext, Visit, WizardClass } from "../contract/index.ts";
import { errors } from "../errors.ts";

/** Whose a visit's run is, and what it is about: recorded in its row, and part of its identity. */
export interface RunScope {
  readonly owner: Owner | undefined;
  readonly anchor: Owner | undefined;
  /** `Organization/3` */
  readonly scopeGid: string | undefined;
  /** The portal of the mount; undefined for the main application. */
  readonly portal: string | undefined;
}

export const stepContextOf = ({ controller, anchor }: Visit): StepContext => ({
  currentUser: controller.currentUser,
  currentScopedEntity: controller.currentScopedEntity,
  anchor,
  place: queryPlace(controller),
  source: fieldSource(controller, anchor),
});

/** Texts in the visitor's language. */
export const translatorOf = ({ request }: BaseController): TranslateOr => request.tOr.bind(request);

/** A transaction on a run ends with the request's deadline; the log names the wizard. */
export const transactionOptions = ({ controller, mount }: Visit): TransactionOptions => ({
  until: controller.request.deadline,
  by: `the wizard "${mount.wizard.name}"`,
});

/** The account of a request: its type, or else its mode of authentication, and its id. */
export function ownerOf(controller: BaseController): Owner | undefined {
  const user = controller.currentUser as { id?: unknown } | undefined;
  if (user === undefined) return undefined;
  const authentication =
    (controller.constructor as typeof BaseController).authentication ?? controller.request.authentication;
  const id = idText(user instanceof BaseModel ? user.$id() : user.id);
  return id === undefined
    ? undefined
    : { type: authentication?.account ?? `${authentication?.mode ?? "open"} ${accountSource(user, controller)}`, id };
}
/** For authentication of the application's own: user 1 of one table, or portal, is not user 1 of another. */
const accountSource = (user: object, { request }: BaseController): string =>
  user instanceof BaseModel ? (user.constructor as ModelClass).tableName : (request.engine?.name ?? "");

export function scopeOf(
  database: Database,
  { controller, anchor, mount }: Pick<Visit, "controller"> & Partial<Visit>,
): RunScope {
  const isMountedOnMain = mount?.owner === undefined && mount !== undefined && controller.request.engine !== undefined;
  const entity = isMountedOnMain ? undefined : controller.currentScopedEntity; // the main application has no tenants
  return {
    owner: ownerOf(controller),
    anchor: anchor && recordRef(database, anchor),
    scopeGid: entity instanceof BaseModel ? gid(recordRef(database, entity)) : undefined,
    portal: mount?.owner,
  };
}

export const gid = ({ type, id }: Owner): string => `${type}/${id}`;
const recordRef = (database: Database, record: BaseModel): Owner => ({
  type: database.model(record.constructor as never).constant,
  id: String(ModelInfo.keyOf(record)),
});
const idText = (id: unknown): string | undefined =>
  typeof id === "string" || typeof id === "number" || typeof id === "bigint" ? String(id) : undefined;

/** The digests that the run of a token may be stored under, the current secret's first. */
export const tokenDigests = (digests: Digests, wizard: string, token: string): readonly string[] =>
  digests.all(JSON.stringify(["token", wizard, token]));

export const guestDigests = (digests: Digests, wizard: string, { scopeGid, anchor }: RunScope, guest: string) =>
  digests.all(JSON.stringify(["guest", wizard, scopeGid ?? null, anchor ? gid(anchor) : null, guest]));

/** What the digests of a key are computed with. */
interface KeySources {
  readonly digests: Digests;
  readonly database: Database;
}
/**
 * The digests of a keyed run: of portal, tenant, anchor, the person unless the wizard is shared, and the value of
 * `concurrencyKey`. The unique index on claims allows one open run each.
 * @throws FW_WIZARD_IDENTITY when nothing distinguishes one person's run from another's
 */
export function keyDigests(known: KeySources, visit: Visit, scope: RunScope): readonly string[] {
  const { name, wizard } = visit.mount;
  const { portal, scopeGid, anchor } = scope;
  const person = wizard.metadata.shared ? null : gid(requireOwner(visit, scope));
  const key = [portal ?? null, scopeGid ?? null, anchor ? gid(anchor) : null, person, concurrencyParts(known, visit)];
  return known.digests.all(JSON.stringify(["key", name, ...key]));
}
/** The digests of earlier releases, whose keys did not always contain portal and person. */
export function legacyKeyDigests(known: KeySources, visit: Visit, scope: RunScope): readonly string[] {
  const { name, wizard } = visit.mount;
  const { scopeGid, anchor } = scope;
  const key = wizard.metadata.concurrencyKey ? concurrencyParts(known, visit) : [gid(requireOwner(visit, scope))];
  return known.digests.all(JSON.stringify(["key", name, scopeGid ?? null, anchor ? gid(anchor) : null, key]));
}
const concurrencyParts = ({ database }: KeySources, visit: Visit): (string | number)[] => {
  const { concurrencyKey } = visit.mount.wizard.metadata;
  const parts = concurrencyKey ? [concurrencyKey(stepContextOf(visit))].flat() : [];
  return parts.map((part) => keyPart(database, visit, part));
};
/** @throws FW_WIZARD_IDENTITY */
export function requireOwner({ mount, controller }: Visit, { owner }: RunScope): Owner {
  if (owner) return owner;
  throw errors.FW_WIZARD_IDENTITY(
    mount.name,
    controller.currentUser ? "the current user has no id" : "nobody is signed in",
  );
}

function keyPart(database: Database, { controller, mount }: Visit, part: unknown): string | number {
  if (part !== undefined && part === controller.currentUser) {
    const owner = ownerOf(controller);
    if (owner) return gid(owner);
  }
  if (part instanceof BaseModel && ModelInfo.keyOf(part) !== undefined) return gid(recordRef(database, part));
  if ((typeof part === "string" && part !== "") || typeof part === "number") return part;
  throw errors.FW_WIZARD_IDENTITY(mount.name, "its concurrencyKey returns nothing that distinguishes them");
}

/** Whether a run has the scope's portal, tenant and anchor and, unless the wizard is shared, its owner. */
export function belongsToScope(
  row: RunRow,
  { metadata }: { readonly metadata: Pick<WizardClass["metadata"], "shared"> },
  { owner, anchor, scopeGid, portal }: RunScope,
): boolean {
  const same = (stored: string | null, given: string | undefined) => stored === (given ?? null);
  const isOwner = same(row.owner_type, owner?.type) && same(row.owner_id, owner?.id);
  return (
    (metadata.shared || row.kind === "guest" || isOwner) && // a guest's run is its session's
    same(row.portal, portal) &&
    same(row.anchor_type, anchor?.type) &&
    same(row.anchor_id, anchor?.id) &&
    same(row.scope_gid, scopeGid)
  );
}

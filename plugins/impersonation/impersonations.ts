import {
  type Digests,
  HttpError,
  type Reply,
  type RequestContext,
  redirectReply,
  standardReply,
} from "framewright/host";
import {
  type AccountRecord,
  type AccountType,
  type Auth,
  type AuthlibBase,
  authlibOf,
  offlineAuthlib,
} from "framewright/plugins/authlib";
import { type BaseModel, decodeDate, type Transaction } from "framewright/plugins/database";
import { tenantKey } from "framewright/plugins/portals";
import type { ResourceController } from "framewright/plugins/resources";
import { bannerOf } from "./banner.ts";
import { backOf, isStillPermitted, placeOf } from "./place.ts";
import { mayBeActedFor, nameOf, type Side } from "./rank.ts";
import type { EndedBy, ImpersonationRow, ImpersonationStore } from "./store.ts";

const MINUTE_MS = 60_000;
/** The session's entry: the key of the row. */
const SESSION_KEY = "impersonation";
/** The banner of a request that acts for somebody. */
export const BANNER = Symbol("impersonation.banner");

/** The services, settings and options that impersonations need. */
export interface ImpersonationParts {
  /** The names of the account types whose accounts may be acted for. */
  readonly of: ReadonlySet<string>;
  readonly store: ImpersonationStore;
  readonly types: Auth["types"];
  readonly digests: Digests;
  readonly minutes: number;
  readonly mail: boolean;
  readonly styles: () => string;
}

/** Begins, checks and ends that administrators act for people. */
export class Impersonations {
  readonly #parts: ImpersonationParts;

  constructor(parts: ImpersonationParts) {
    this.#parts = parts;
  }

  /** The administrator of a request and the person of a record, where the one may be acted for by the other; else undefined. */
  sidesOf(controller: ResourceController, record: BaseModel): { actor: Side; person: Side } | undefined {
    const { types } = this.#parts;
    const { authentication } = controller.constructor as { authentication?: { mode: string; account?: string } };
    if (authentication?.mode !== "authlib" || controller.request.cookieless || !controller.currentUser)
      return undefined;
    const found = types.all().filter(({ model }) => record instanceof model.class);
    if (found.length !== 1) return undefined;
    const actor = {
      type: types.get(authentication.account!, "impersonation()"),
      account: controller.currentUser as AccountRecord,
    };
    const person = { type: found[0]!, account: record as AccountRecord };
    return mayBeActedFor(actor, person, this.#parts.of) ? { actor, person } : undefined;
  }
  /** Whether the account's state lets anybody act for it: open, and not locked. */
  async isOpen({ type, account }: Side): Promise<boolean> {
    const authlib = offlineAuthlib(type);
    if (!authlib.isOpen(account) || !(await authlib.maySignIn(account))) return false;
    return (await authlib.lockedUntil(authlib.normalizeLogin(authlib.loginOf(account)))) === undefined;
  }

  /** Stores that the administrator acts for the person; call `begun.enter()` after the commit. */
  async begin(
    controller: ResourceController,
    sides: { actor: Side; person: Side },
    key: string,
    transaction: Transaction,
  ) {
    const { digests, store, minutes, mail } = this.#parts;
    const { request, currentScopedEntity } = controller;
    const { actor, person } = sides;
    const token = digests.token();
    const now = new Date();
    await store.start(
      {
        key_digest: digests.digest(token),
        actor_type: actor.type.name,
        actor_id: actor.account.id,
        actor_sign_in: authlibOf(request, actor.type).signIn!.id,
        person_type: person.type.name,
        person_id: person.account.id,
        portal: request.engine?.name ?? null,
        tenant: tenantKey(currentScopedEntity),
        place: placeOf(request, key),
        started_at: now,
        ends_at: new Date(now.getTime() + minutes * MINUTE_MS),
      },
      transaction,
    );
    const theirs = new person.type.class(request, person.type);
    theirs.account = person.account;
    if (mail)
      await theirs.mail(
        theirs.loginOf(person.account),
        "acted_for",
        { minutes },
        { account: person.account, transaction },
      );
    const home = await theirs.loginRedirect();
    const enter = async () => {
      putKey(request, token);
      await report("impersonation_started", sides, request, {});
    };
    return { home, enter };
  }

  /** Looks at a request before it is routed: one who acts for somebody is noted in it; where that has ended, it is answered. */
  async enter(request: RequestContext): Promise<Reply | undefined> {
    await request.openSession();
    const key = request.session.get(SESSION_KEY);
    if (key === undefined) return undefined;
    const row = await this.#parts.store.find(this.#parts.digests.all(String(key)));
    const found = row ? await this.#check(request, row) : "end";
    if (typeof found === "string") return this.#ended(request, row, found);
    const { actor, person } = found;
    request.acting = {
      actor: actor.account,
      actorName: nameOf(actor),
      person: person.account,
      personName: nameOf(person),
      accountType: person.type.name,
      leave: async () => {
        await this.#end(row!, "end", request);
        return this.#ended(request, row, "end");
      },
    };
    delete request.raw.headers["if-none-match"]; // a page that the browser has is without the banner
    delete request.raw.headers["if-modified-since"];
    request.locals[BANNER] = bannerOf({
      request,
      actor: labelOf(actor),
      person: labelOf(person),
      endsAt: row!.ends_at,
      styles: this.#parts.styles(),
    });
    return undefined;
  }

  /** Ends all in which an account is on one of the two sides, as after it signed out. */
  async endAllOf(type: string, id: number): Promise<void> {
    const { store } = this.#parts;
    for (const side of ["actor", "person"] as const)
      for (const row of await store.openOf(side, type, id)) await this.#end(row, side);
  }
  /** Ends those whose time is over, whose browsers may never come back, and deletes old rows. */
  async sweep(now = new Date()): Promise<void> {
    const { store } = this.#parts;
    for (const row of await store.expired(now)) await this.#end(row, "time");
    await store.deleteOld(now);
  }

  /** Both sides as they are now, or why it has ended. */
  async #check(request: RequestContext, row: ImpersonationRow): Promise<{ actor: Side; person: Side } | EndedBy> {
    const found = await this.#sidesNow(request, row);
    if (typeof found === "string" && row.ended_at === null) await this.#end(row, found, request);
    return found;
  }
  async #sidesNow(request: RequestContext, row: ImpersonationRow): Promise<{ actor: Side; person: Side } | EndedBy> {
    if (row.ended_at !== null) return row.ended_by ?? "end";
    if (row.ends_at.getTime() <= Date.now()) return "time";
    const actor = await this.#sideOf(row.actor_type, row.actor_id);
    if (!actor || !(await this.isOpen(actor)) || !(await isSignedIn(request, actor, row))) return "actor";
    const person = await this.#sideOf(row.person_type, row.person_id);
    if (!person || !(await this.isOpen(person))) return "person";
    const isPermitted =
      mayBeActedFor(actor, person, this.#parts.of) && (await isStillPermitted(request, row, actor.account));
    return isPermitted ? { actor, person } : "policy";
  }
  async #sideOf(name: string, id: number): Promise<Side | undefined> {
    const type = this.#parts.types.find(name);
    const account = type && (await offlineAuthlib(type).findAccountById(id));
    return account && { type: type as AccountType, account };
  }
  async #end(row: ImpersonationRow, by: EndedBy, request?: RequestContext): Promise<void> {
    if (!(await this.#parts.store.end(row, by))) return;
    const actor = await this.#sideOf(row.actor_type, row.actor_id);
    const person = await this.#sideOf(row.person_type, row.person_id);
    if (actor && person) await report("impersonation_ended", { actor, person }, request, { reason: by });
  }
  /** The answer to a request that came when it was over: nothing is done as the person, nor as anybody else. */
  #ended(request: RequestContext, row: ImpersonationRow | undefined, by: EndedBy): Reply {
    request.acting = undefined;
    const text = request.t(`impersonation.ended.${by}`);
    if (!request.isSpeculative) putKey(request, undefined);
    const isPage = request.format !== "json" && !request.isJson && request.frame === undefined;
    if (!isPage || request.isSpeculative)
      return standardReply(new HttpError(403, "FW_ACTING_ENDED", text), request.application, request);
    request.flash.add(by === "end" ? "success" : "warning", text);
    return redirectReply(row ? backOf(row) : `${request.application.settings.basePath}/`);
  }
}

/** Under a new id and with new tokens of forms: those of pages that were opened as somebody else are void. */
function putKey({ session }: RequestContext, key: string | undefined): void {
  session.renew();
  session.delete("csrf");
  if (key === undefined) session.delete(SESSION_KEY);
  else session.setReserved(SESSION_KEY, key);
}

const labelOf = ({ type, account }: Side): string =>
  (account as Partial<BaseModel>).toLabel?.() || String(account[type.class.loginColumn] ?? account.id);

/** Whether the administrator's own sign-in, which it began in, is still there; its last use is that of the person's pages. */
async function isSignedIn(request: RequestContext, { type }: Side, row: ImpersonationRow): Promise<boolean> {
  const { database } = type.services;
  const own = () =>
    database.knex(type.table("active_session_keys")).where({ id: row.actor_sign_in, account_id: row.actor_id });
  const [found] = await database.rows(own().limit(1));
  if (!found || String(found.factors).includes("?")) return false;
  const at = (name: string) => decodeDate(found[name]) as Date;
  const confirmed = found.confirmed_at == null ? undefined : at("confirmed_at");
  const signIn = {
    id: row.actor_sign_in,
    factors: [],
    pending: undefined,
    createdAt: at("created_at"),
    lastUse: at("last_use"),
    confirmedAt: confirmed,
    rememberKeyId: undefined,
  };
  if (!offlineAuthlib(type).isAlive(signIn)) return false;
  const isStale = Date.now() - signIn.lastUse.getTime() > MINUTE_MS && !request.isUnattended;
  if (isStale) await own().update({ last_use: new Date() });
  return true;
}

/** Emits the event of both accounts, each with the other's name, and writes a line of the log. */
async function report(
  name: "impersonation_started" | "impersonation_ended",
  { actor, person }: { actor: Side; person: Side },
  request: RequestContext | undefined,
  details: Record<string, string>,
): Promise<void> {
  const authlibOfSide = ({ type }: Side): AuthlibBase =>
    request ? new type.class(request, type) : offlineAuthlib(type);
  const names = { actor: nameOf(actor), acting_for: nameOf(person) };
  person.type.services.host.log.info({ ...names, ...details }, name.replace("_", " "));
  for (const side of [person, actor])
    await authlibOfSide(side).emitEvent(name, { by: "administrator", ...names, ...details }, side.account);
}

import {
  type BackgroundPlace,
  type BaseController,
  backgroundPlace,
  enterInBackground,
  openInBackground,
  withOrigin,
} from "framewright/host";
import type { Account, Kernel } from "framewright/kernel";
import { type BaseModel, ModelInfo, type Query } from "framewright/plugins/database";
import { contains } from "framewright/plugins/fields/toolkit";
import { membersOf } from "framewright/plugins/memberships";
import { accountId, tenantKey } from "framewright/plugins/portals";
import type { ResourceController, ResourceRequest, Resources } from "framewright/plugins/resources";
import { isDenial } from "framewright/plugins/resources/toolkit";
import { type Rights, rightsOf } from "./access.ts";
import type { Mention } from "./contract.ts";

/** People that are looked at, and those that are offered. */
const MAX_TRIED = 20;
const MAX_OFFERED = 8;
const NAME_COLUMNS = ["name", "full_name", "first_name", "last_name", "email"];

/** Where somebody sees a record, to be entered again by a job. */
export interface StoredPlace extends Omit<BackgroundPlace, "route" | "engine"> {
  readonly verb: string;
  readonly pattern: string;
}
/** Somebody at a record, as a request of theirs would get there now. */
export interface Entered {
  readonly controller: ResourceController;
  readonly account: object;
  readonly record: BaseModel;
  readonly rights: Rights;
}

/** Which people see a record, decided by the portal itself: each of them is let in as by a request of their own. */
export class People {
  readonly #resources: Resources;

  constructor(resources: Resources) {
    this.#resources = resources;
  }

  /** The account of an id at a place; undefined for people who may not see the record or its comments there, in this tenant. */
  async enter(
    portal: string | null,
    place: StoredPlace,
    tenant: string | null,
    id: string,
  ): Promise<Entered | undefined> {
    const { application } = this.#resources.registry;
    const { verb, pattern } = place;
    const routes = application.routeSets.get(portal ?? undefined)?.routes ?? [];
    const route = routes.find((one) => one.verb === verb && one.pattern === pattern);
    const engine = portal === null ? undefined : application.engines.get(portal);
    if (!route || (portal !== null && !engine)) return undefined; // a newer release has no such page
    // entering replaces the request of the current origin, by which changes name their author
    return withOrigin({}, async () => {
      const controller = openInBackground(application, { ...place, route, engine }) as ResourceController;
      const { authentication } = controller.constructor as typeof BaseController;
      const person = { authentication, id, request: controller.request };
      const account = await this.#resources.hooks.backgroundAccount.promise(person as never);
      if (!account) return undefined;
      try {
        if (await enterInBackground(controller, account as Account)) return undefined;
        if (tenantKey(controller.currentScopedEntity) !== tenant) return undefined;
        const record = await controller.findRecord();
        const rights = rightsOf(controller, controller.registration, record);
        return rights && { controller, account, record, rights };
      } catch (error) {
        if (isDenial(error)) return undefined;
        throw error;
      }
    });
  }

  /** Those who are called by a text, and who may see the record; of internal comments those who see these. */
  async search(controller: ResourceRequest, text: string, internal: boolean): Promise<Mention[]> {
    const query = candidates(controller);
    const [columns, own] = [searched(controller), accountId(controller.currentUser)];
    if (!query || columns.length === 0) return [];
    query.where((group) => {
      for (const column of columns)
        group.orWhere((one) => void contains(one as never, column, text, column === "email" ? "start" : undefined));
    });
    const found = (await query.orderBy(columns[0]!).limit(MAX_TRIED)) as unknown as BaseModel[];
    const offered: Mention[] = [];
    for (const account of found) {
      const id = accountId(account)!;
      const label = calledBy(account);
      if (label === "" || !folded(label).includes(folded(text))) continue; // it has the text in what it is not called
      if (offered.length < MAX_OFFERED && id !== own && (await this.#sees(controller, id, internal)))
        offered.push({ id, label });
    }
    return offered;
  }

  /** Of those whom a text names, the people who may see the comment: by the ids that a form sends, and by whole addresses. */
  async mentioned(
    controller: ResourceRequest,
    text: string,
    ids: readonly string[],
    internal: boolean,
  ): Promise<Mention[]> {
    const query = candidates(controller);
    if (!query) return [];
    const logins = [...text.matchAll(/@([^\s@,;:()<>]+@[^\s@,;:()<>]+\.[\p{L}\p{N}-]+)/gu)].map(([, one]) =>
      one!.toLowerCase(),
    );
    const isKnown = searched(controller).includes("email");
    if (ids.length === 0 && (logins.length === 0 || !isKnown)) return [];
    const { key } = ModelInfo.ofRecord(controller.currentUser as BaseModel);
    const keys = ids.flatMap((one) => key.parse(one) ?? []);
    query.where((group) => {
      key.whereIn(group, keys.slice(0, MAX_TRIED));
      if (isKnown && logins.length > 0) group.orWhereIn("email", logins.slice(0, MAX_TRIED));
    });
    const found: Mention[] = [];
    for (const account of (await query.limit(MAX_TRIED)) as unknown as BaseModel[]) {
      const [id, label] = [accountId(account)!, calledBy(account)];
      const { email } = account as { email?: unknown };
      const byLogin = typeof email === "string" && logins.includes(email.toLowerCase());
      const named = byLogin ? String(email) : label;
      if ((byLogin || (label !== "" && text.includes(`@${label}`))) && (await this.#sees(controller, id, internal)))
        found.push({ id, label: named });
    }
    return found;
  }

  async #sees(controller: ResourceRequest, id: string, internal: boolean): Promise<boolean> {
    const { request, currentScopedEntity } = controller;
    const place = storedPlace(controller);
    const found = await this.enter(request.engine?.name ?? null, place, tenantKey(currentScopedEntity), id);
    return found !== undefined && (!internal || found.rights.internal);
  }
}

/** Where the person of a request is. */
export function storedPlace({ request }: BaseController): StoredPlace {
  const { route, engine: _, ...place } = backgroundPlace(request, "");
  return { ...place, verb: route.verb, pattern: route.pattern };
}

/** What somebody is called; of an address the part before its domain. */
export function calledBy(account: object): string {
  const label = (account as Partial<BaseModel>).toLabel?.() ?? "";
  return (label.split("@")[0] || label).replace(/\s+/g, " ").trim().slice(0, 100);
}

/** A text without the case and the accents of its letters. */
const folded = (text: string): string => text.normalize("NFD").replace(/\p{M}/gu, "").toLowerCase();

const searched = ({ currentUser }: BaseController): string[] => {
  const { columns, encrypted } = ModelInfo.ofRecord(currentUser as BaseModel);
  return NAME_COLUMNS.filter((name) => columns.has(name) && !encrypted.has(name));
};

/** The accounts among which people are named: the members of the tenant, or all of the portal's type; undefined where neither is known. */
function candidates(controller: BaseController): Query<BaseModel> | undefined {
  const { currentUser, request } = controller;
  if (!isModel(currentUser)) return undefined;
  const info = ModelInfo.ofRecord(currentUser);
  if (request.engine?.tenantRule === undefined) return kernelQuery(request.kernel, info);
  return membersOf(controller) ?? accountsOf(controller, info);
}
/** The accounts that an association of the tenant leads to. */
function accountsOf({ currentScopedEntity, request }: BaseController, info: ModelInfo) {
  if (!isModel(currentScopedEntity)) return undefined;
  const associations = [...ModelInfo.ofRecord(currentScopedEntity).associations.values()];
  const people = associations.find(({ target, kind }) => target.class === info.class && kind !== "belongsTo");
  if (!people) return undefined;
  const key = `${info.table}.${info.primaryKey}`;
  const ids = request.kernel.service("database").related(currentScopedEntity, people.name).select(key);
  return kernelQuery(request.kernel, info).whereIn(key, ids as never);
}
const isModel = (account: object | undefined): account is BaseModel =>
  typeof (account as Partial<BaseModel> | undefined)?.$query === "function";
const kernelQuery = (kernel: Kernel, { class: cls }: ModelInfo) =>
  kernel.service("database").query(cls) as unknown as Query<BaseModel>;

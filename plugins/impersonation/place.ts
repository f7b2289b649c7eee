import {
  type BackgroundPlace,
  backgroundPlace,
  enterInBackground,
  openInBackground,
  type RequestContext,
  withOrigin,
} from "framewright/host";
import type { Account } from "framewright/kernel";
import type { BaseModel } from "framewright/plugins/database";
import { tenantKey } from "framewright/plugins/portals";
import { allows, type ResourceController } from "framewright/plugins/resources";
import type { ImpersonationRow } from "./store.ts";

type Stored = Omit<BackgroundPlace, "route" | "engine"> & {
  readonly verb: string;
  readonly pattern: string;
  readonly key: string;
};

/** The place of an administrator's request, as a row stores it; `key` is the predicate of the policy. */
export function placeOf(request: RequestContext, key: string): string {
  const { route, engine: _, ...place } = backgroundPlace(request, "");
  return JSON.stringify({ ...place, verb: route.verb, pattern: route.pattern, key } satisfies Stored);
}

/** Where the administrator was: the page of the person's record. */
export function backOf({ place }: ImpersonationRow): string {
  const { url, mountPath } = JSON.parse(place) as Stored;
  return /^(.+)\/actions\/[^/]+$/.exec(url)?.[1] ?? mountPath;
}

/**
 * Whether the administrator could begin now: enters the portal as a request of theirs would, finds the person among the
 * records that they see, and checks the policy again. A refusal of any of these is false.
 */
export function isStillPermitted(
  { application }: RequestContext,
  row: ImpersonationRow,
  actor: object,
): Promise<boolean> {
  const { verb, pattern, key, ...rest } = JSON.parse(row.place) as Stored;
  const routes = application.routeSets.get(row.portal ?? undefined)?.routes;
  const route = routes?.find((one) => one.verb === verb && one.pattern === pattern);
  const engine = row.portal === null ? undefined : application.engines.get(row.portal);
  if (!route || (row.portal !== null && !engine)) return Promise.resolve(false);
  const check = async () => {
    const controller = openInBackground(application, { ...rest, route, engine }) as ResourceController;
    const reply = await enterInBackground(controller, actor as Account);
    if (reply || tenantKey(controller.currentScopedEntity) !== row.tenant) return false;
    const person = (await controller.visibleRecords().findById(row.person_id)) as BaseModel | undefined;
    return person !== undefined && allows(controller.policyFor(person), key);
  };
  const refused = (error: unknown) => {
    const { status = 500 } = error as { status?: number };
    if (status >= 500) throw error;
    return false;
  };
  return withOrigin({}, check).catch(refused); // entering replaces the request of the current origin
}

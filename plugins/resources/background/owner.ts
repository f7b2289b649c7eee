import { type BaseController, forbidden, notFound } from "framewright/host";
import { BaseModel, type ModelClass } from "framewright/plugins/database";
import type { ResourceController } from "../controller.ts";
import type { RunOwner, RunRow } from "./run.ts";

/** The columns that make a run the request's person's, at this resource, in this portal and tenant. @throws HttpError 403 for guests */
export function ownerOf(controller: ResourceController): RunOwner {
  const { currentUser: user, currentScopedEntity: tenant, registration, request } = controller;
  const id = idOf(user);
  if (id === undefined) throw forbidden();
  const { authentication } = controller.constructor as typeof BaseController;
  const table = user instanceof BaseModel ? (user.constructor as ModelClass).tableName : "";
  return {
    resource: registration.constant,
    portal: request.engine?.name ?? null,
    owner_type: `${authentication?.mode ?? "open"} ${authentication?.account ?? table}`,
    owner_id: id,
    tenant: tenantOf(tenant),
  };
}

/** The id by which an account is found again; undefined for guests, and for accounts without one. */
export function idOf(user: object | undefined): string | undefined {
  const id = user instanceof BaseModel ? user.$id() : (user as { id?: unknown } | undefined)?.id;
  return typeof id === "number" || typeof id === "string" || typeof id === "bigint" ? String(id) : undefined;
}

/** The tenant as runs store it. */
export const tenantOf = (tenant: object | undefined): string | null =>
  tenant instanceof BaseModel ? `${(tenant.constructor as ModelClass).tableName}/${tenant.$id()}` : null;

/** The run that a route names, if it is this person's. @throws HttpError 404 */
export async function findOwnRun(controller: ResourceController): Promise<RunRow> {
  const { run_id = "" } = controller.request.routeParams;
  if (controller.currentUser === undefined || !/^[1-9]\d{0,14}$/.test(run_id)) throw notFound();
  const { store } = controller.resources.background;
  const run = (await store.isInstalled()) ? await store.find(Number(run_id)) : undefined;
  const owner = Object.entries(ownerOf(controller)) as [keyof RunOwner, string | null][];
  if (!run || owner.some(([name, value]) => run[name] !== value)) throw notFound();
  return run;
}

import { type Application, BaseController, RequestContext } from "framewright/host";
import type { Mount, Person } from "../../contract/index.ts";
import type { EngineCore } from "../context.ts";
import { findRow } from "../find.ts";
import { keyDigests, scopeOf } from "../run_scope.ts";
import { newRow } from "./launch.ts";

/** Inserts a completed run for the person's key; false where there is one. */
export async function markCompleted(
  core: EngineCore,
  host: Application,
  mount: Mount,
  person: Person,
): Promise<boolean> {
  const isScoped = mount.owner !== undefined && host.engines.get(mount.owner)?.tenantRule !== undefined;
  const controller = controllerFor(host, person, isScoped);
  const visit = { mount, controller, anchor: person.anchor, base: "", returnTo: undefined };
  const context = { core, visit, scope: scopeOf(core.database, visit) };
  const identities = keyDigests(core, visit, context.scope);
  if (await findRow(context, identities, (some) => core.store.byClaim(some))) return false;
  const now = new Date();
  const row = newRow(context, identities[0]!, undefined);
  const id = await core.store.insert({ ...row, state: "completed", data: null, expires_at: null, completed_at: now });
  if (id !== false) await core.history.announce({ ...row, id, state: "completed" }, [{ kind: "completed" }]);
  return id !== false;
}

/** A controller without a request, for seeds and imports. */
function controllerFor(host: Application, { account, user, entity }: Person, isScoped: boolean): BaseController {
  const message = { method: "POST", url: "/", headers: {}, socket: { remoteAddress: "" } };
  const controller = new BaseController(new RequestContext(host, message as never));
  controller.request.authentication = { mode: "authlib", account };
  controller.currentUser = user as BaseController["currentUser"];
  controller.currentScopedEntity = isScoped ? entity : undefined;
  return controller;
}

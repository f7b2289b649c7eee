import { type Application, BaseController, RequestContext } from "framewright/host";
import type { Mount, Person } from "../../contract/index.ts";
import type { Core } from "../context.ts";
import { rowOf } from "../find.ts";
import { bearingsOf, keyDigests } from "../run_scope.ts";
import { newRow } from "./launch.ts";

/** Writes a completed run where there is none of this key; false where there is. */
export async function markCompleted(core: Core, host: Application, mount: Mount, person: Person): Promise<boolean> {
  const isScoped = mount.owner !== undefined && host.engines.get(mount.owner)?.tenantRule !== undefined;
  const controller = standIn(host, person, isScoped);
  const visit = { mount, controller, anchor: person.anchor, base: "", returnTo: undefined };
  const bearings = bearingsOf(core.database, visit);
  const identities = keyDigests(core, visit, bearings);
  if (await rowOf(core, visit, bearings, identities, (some) => core.store.byClaim(some))) return false;
  const now = new Date();
  const row = newRow(core, visit, bearings, identities[0]!, undefined);
  const id = await core.store.insert({ ...row, state: "completed", data: null, expires_at: null, completed_at: now });
  if (id !== false) await core.trail.announce({ ...row, id, state: "completed" }, [{ kind: "completed" }]);
  return id !== false;
}

/** A controller without a visitor: for seeds and imports. */
function standIn(host: Application, { account, user, entity }: Person, isScoped: boolean): BaseController {
  const nobody = { method: "POST", url: "/", headers: {}, socket: { remoteAddress: "" } };
  const controller = new BaseController(new RequestContext(host, nobody as never));
  controller.request.authentication = { mode: "authlib", account };
  controller.currentUser = user as BaseController["currentUser"];
  controller.currentScopedEntity = isScoped ? entity : undefined;
  return controller;
}

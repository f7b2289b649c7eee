import { type Application, BaseController, RequestContext } from "framewright";
import type { Mount, Person } from "../faces.ts";
import type { Core } from "./core.ts";
import { bearingsOf, keyDigests } from "./identity.ts";
import { newRow } from "./launch.ts";

/** Writes a completed run where there is none of this key; false where there is. */
export async function markCompleted(core: Core, host: Application, mount: Mount, person: Person): Promise<boolean> {
  const visit = { mount, controller: standIn(host, person), anchor: person.anchor, base: "", returnTo: undefined };
  const bearings = bearingsOf(core.database, visit);
  const identities = keyDigests(core, visit, bearings);
  if (await core.store.byClaim(identities)) return false;
  const now = new Date();
  const row = newRow(core, visit, bearings, identities[0]!, undefined);
  const id = await core.store.insert({ ...row, state: "completed", data: null, expires_at: null, completed_at: now });
  if (id !== false) await core.trail.announce({ ...row, id, state: "completed" }, [{ kind: "completed" }]);
  return id !== false;
}

/** A controller without a visitor: for seeds and imports. */
function standIn(host: Application, { account, user, entity }: Person): BaseController {
  const nobody = { method: "POST", url: "/", headers: {}, socket: { remoteAddress: "" } };
  const controller = new BaseController(new RequestContext(host, nobody as never));
  controller.request.authentication = { mode: "authlib", account };
  controller.currentUser = user as BaseController["currentUser"];
  controller.currentScopedEntity = entity;
  return controller;
}

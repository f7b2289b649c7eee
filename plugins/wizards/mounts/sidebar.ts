import type { BaseController } from "framewright/host";
import type { NavigationItem } from "framewright/plugins/portals";
import { wizardFor } from "../pages/open_request.ts";
import { titleOf } from "../pages/replies.ts";
import { baseOf, type DrawnMount, type Mounts } from "./mount.ts";

/** A line of the sidebar for each wizard that the portal serves at a path of its own. */
export function addToSidebar(mounts: Mounts, items: NavigationItem[], controller: BaseController): void {
  const { request, currentUser } = controller;
  if (currentUser === undefined) return;
  for (const mount of mounts.atPathsOf(request.engine?.name)) {
    const url = baseOf(mount, request.mountPath) || "/";
    const isHere = request.path === url || request.path.startsWith(`${url}/`);
    if (!isHere && !isOffered(mount, controller)) continue;
    const { icon = "list-check" } = mount.wizard.facts.presents;
    items.push({ label: titleOf({ controller, mount }), url, icon });
  }
}

const always = ["currentUser", "currentScopedEntity"];

/** Whether the wizard may be begun again and again, and it is known at once that this person may. */
function isOffered(mount: DrawnMount, controller: BaseController): boolean {
  const { facts, prototype } = mount.wizard;
  const via = facts.anchored?.via;
  if (facts.oneTime || (via !== undefined && !always.includes(via))) return false; // a page does not pay a query for it
  return !("authorize" in prototype) || (via === undefined && isAuthorized(mount, controller));
}

/** What `authorize` says without waiting. */
function isAuthorized(mount: DrawnMount, controller: BaseController): boolean {
  const base = baseOf(mount, controller.request.mountPath);
  const wizard = wizardFor({ mount, controller, anchor: undefined, base, returnTo: undefined });
  if (wizard.authorize === undefined || wizard.authorize.constructor.name === "AsyncFunction") return false;
  const answer = wizard.authorize();
  if (typeof answer === "boolean") return answer;
  answer.catch(() => undefined); // its own page says what went wrong
  return false;
}

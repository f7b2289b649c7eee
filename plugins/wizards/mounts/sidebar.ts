import type { BaseController } from "framewright/host";
import type { NavigationItem } from "framewright/plugins/portals";
import { wizardFor } from "../pages/open_request.ts";
import { titleOf } from "../pages/replies.ts";
import { baseOf, type DrawnMount, type Mounts } from "./mount.ts";

/** Adds a sidebar item for each wizard that the portal mounts with registerWizard. */
export function addToSidebar(mounts: Mounts, items: NavigationItem[], controller: BaseController): void {
  const { request, currentUser } = controller;
  if (currentUser === undefined || request.actorFor(currentUser)) return;
  for (const mount of mounts.routeMountsOf(request.engine?.name)) {
    const url = baseOf(mount, request) || "/";
    const isHere = request.path === url || request.path.startsWith(`${url}/`);
    if (!isHere && !isOffered(mount, controller)) continue;
    const { icon = "list-check", group } = mount.wizard.metadata.presents;
    items.push({ label: titleOf({ controller, mount }), url, icon, ...(group === undefined ? {} : { group }) });
  }
}

const ALWAYS_AVAILABLE = ["currentUser", "currentScopedEntity"];

/** Whether the wizard can be repeated and, without waiting, it is known that the current user may use it. */
function isOffered(mount: DrawnMount, controller: BaseController): boolean {
  const { metadata, prototype } = mount.wizard;
  const via = metadata.anchored?.via;
  if (metadata.oneTime || (via !== undefined && !ALWAYS_AVAILABLE.includes(via))) return false; // would cost every page a query
  return !("authorize" in prototype) || (via === undefined && isAuthorized(mount, controller));
}

/** The result of a synchronous `authorize`; false for an asynchronous one. */
function isAuthorized(mount: DrawnMount, controller: BaseController): boolean {
  const base = baseOf(mount, controller.request);
  const wizard = wizardFor({ mount, controller, anchor: undefined, base, returnTo: undefined });
  if (wizard.authorize === undefined || wizard.authorize.constructor.name === "AsyncFunction") return false;
  try {
    const answer: unknown = wizard.authorize();
    if (!(answer instanceof Promise)) return Boolean(answer);
    answer.catch(() => undefined);
  } catch {
    // its own page reports the error, as that of a promise
  }
  return false;
}

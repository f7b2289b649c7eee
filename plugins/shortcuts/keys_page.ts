import { type Application, type BaseController, notFound, type Reply, type RouteSet } from "framewright/host";
import { portalController } from "framewright/plugins/portals";

const PATH = "/_keys";

/** The shortcuts of a portal's pages, by the names that the script knows them by; it leaves out those that a page has no use for. */
const shortcuts = [
  { name: "search", keys: ["Ctrl", "K"] },
  { name: "find", keys: ["/"] },
  { name: "new", keys: ["n"] },
  { name: "edit", keys: ["e"] },
  { name: "next", keys: ["j"] },
  { name: "previous", keys: ["k"] },
  { name: "open", keys: ["Enter"] },
  { name: "close", keys: ["Esc"] },
  { name: "help", keys: ["?"] },
] as const;

/** Draws the list of a portal's shortcuts, as a page and for the dialog of the script. */
export function drawKeys(host: Application, set: RouteSet, drawn: Set<string>): void {
  const portal = set.owner;
  const controller = portal === undefined ? undefined : portalController(host, portal, "keys");
  if (portal === undefined || !controller) return;
  set.draw("GET", PATH, { controller, action: answerShortcuts, policy: "(signed in)" });
  drawn.add(portal);
}

/** The address of the shortcuts, for people who are signed in to a portal that has them. */
export function keysUrl(drawn: ReadonlySet<string>, { currentUser, request }: BaseController): string | undefined {
  const { engine, mountPath } = request;
  const isOffered = currentUser !== undefined && engine !== undefined && drawn.has(engine.name);
  return isOffered ? mountPath + PATH : undefined;
}

/** @throws HttpError 404 for guests */
async function answerShortcuts(controller: BaseController): Promise<Reply> {
  if (controller.currentUser === undefined) throw notFound();
  const keys = shortcuts.map((one) => ({ ...one, text: controller.t(`resource.keys.${one.name}`) }));
  if (controller.request.format === "json") return controller.json({ data: keys });
  const title = controller.t("resource.keys.title");
  return controller.render("resource/keys", { locals: { title, keys, breadcrumbs: [{ label: title }] } });
}

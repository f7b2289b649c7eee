import { humanize, notFound, type Reply } from "framewright/host";
import type { Move, Notice, Run } from "../contract/index.ts";
import { shortNameOf } from "../mounts/wizard_class.ts";
import { faceOf } from "./customization.ts";
import type { Entered } from "./open_request.ts";
import { cancelLocation, completedPath, doneLocation, outside, rememberCancelled, stepPath } from "./redirects.ts";

/** Answers what a request came to, where that is another page than the one that was asked for. @throws HttpError 404 */
export function answerMove(entered: Entered, move: Move): Reply {
  const { visit, controller } = entered;
  switch (move.kind) {
    case "step":
      tell(entered, move.notices);
      return controller.redirectTo(stepPath(visit, move.run, move.step));
    case "busy":
      return controller.redirectTo(stepPath(visit, move.run, move.run.cursor));
    case "done":
      return leave(entered, locationOf(entered, move.run));
    case "cancelled":
      controller.flash.add("info", controller.t("wizards.cancelled", { wizard: titleOf(entered) }));
      if (entered.mount.wizard.facts.oneTime) rememberCancelled(controller, entered.mount.name);
      return leave(entered, cancelLocation(visit, move.returnTo));
    default:
      throw notFound();
  }
}

/** Where a done run leads; its message is said there, the completed page says it itself. */
function locationOf(entered: Entered, run: Run): string {
  const { visit, controller, onto } = entered;
  const location = doneLocation(visit, run, onto);
  const message = run.outcome?.message ?? controller.t("wizards.done", { wizard: titleOf(entered) });
  const { method } = controller.request;
  if (method === "POST" && location !== completedPath(visit, run)) controller.flash.add("success", message);
  return location;
}

/** Leads on; out of a frame first, when one asks: the address that it is led to opens as a whole page. */
export function leave(entered: Entered, location: string): Reply {
  const { controller, visit } = entered;
  if (controller.request.frame === undefined) return faceOf(controller).wizardEnded(location);
  const isOwn = outside(controller, visit.base, location) === undefined; // its completed page leads out by itself
  return controller.redirectTo(isOwn ? location : `${visit.base}/completed?to=${encodeURIComponent(location)}`);
}

/** What the person has to be told on the next page. */
export function tell({ controller }: Entered, notices: readonly Notice[] = []): void {
  for (const { text, vars } of notices) controller.flash.add("info", controller.t(text, vars));
}

/** What a wizard is called: as it presents itself, else by its class. */
export function titleOf({ mount, controller }: Pick<Entered, "mount" | "controller">): string {
  const { label } = mount.wizard.facts.presents;
  if (label !== undefined) return label;
  const { key, english } = namesOf(mount.name);
  return controller.request.tOr(key, english);
}

/** Of every wizard once: the sidebar says it on each page. */
const names = new Map<string, { key: string; english: string }>();
function namesOf(constant: string): { key: string; english: string } {
  let found = names.get(constant);
  if (!found) {
    const short = shortNameOf(constant);
    found = { key: `wizards.names.${short}`, english: humanize(short) };
    names.set(constant, found);
  }
  return found;
}

import { type BaseController, humanize, notFound, type Reply } from "framewright/host";
import type { Notice, Run, StepResult } from "../contract/index.ts";
import { shortNameOf } from "../mounts/wizard_class.ts";
import { customizationOf } from "./customization.ts";
import type { PageContext } from "./open_request.ts";
import {
  cancelLocation,
  completedPath,
  doneLocation,
  pathOutsideWizard,
  rememberCancelled,
  stepPath,
} from "./redirects.ts";

/** The response to a result that leads to another page than the requested one. @throws HttpError 404 */
export function replyTo(context: PageContext, result: StepResult): Reply {
  const { visit, controller } = context;
  switch (result.kind) {
    case "step":
      flashNotices(context, result.notices);
      return controller.redirectTo(stepPath(visit, result.run, result.step));
    case "busy":
      return controller.redirectTo(stepPath(visit, result.run, result.run.cursor));
    case "done":
      return leaveWizard(context, flashAndLocation(context, result.run));
    case "cancelled":
      if (!isProgram(controller)) {
        controller.flash.add("info", controller.t("wizards.cancelled", { wizard: titleOf(context) }));
        if (context.mount.wizard.metadata.oneTime) rememberCancelled(controller, context.mount.name);
      }
      return leaveWizard(context, cancelLocation(visit, result.returnTo));
    default:
      throw notFound();
  }
}

/** Whether nobody will read the next page: a message would only begin a session. */
const isProgram = ({ request }: BaseController): boolean => request.format === "json";

/** Where a completed run leads, with its message in the flash; the completed page shows the message itself. */
function flashAndLocation(context: PageContext, run: Run): string {
  const { visit, controller, subjectUrl } = context;
  const location = doneLocation(visit, run, subjectUrl);
  const message = run.outcome?.message ?? controller.t("wizards.done", { wizard: titleOf(context) });
  const { method } = controller.request;
  if (method === "POST" && !isProgram(controller) && location !== completedPath(visit, run))
    controller.flash.add("success", message);
  return location;
}

/** Redirects out of the wizard; for a frame, through a page that makes Turbo load the target as a whole page. */
export function leaveWizard(context: PageContext, location: string): Reply {
  const { controller, visit } = context;
  if (controller.request.frame === undefined) return customizationOf(controller).wizardEnded(location);
  const isOwn = pathOutsideWizard(controller, visit.base, location) === undefined; // the completed page leaves the frame by itself
  return controller.redirectTo(isOwn ? location : `${visit.base}/completed?to=${encodeURIComponent(location)}`);
}

/** Puts notices into the flash, for the next page. */
export function flashNotices({ controller }: PageContext, notices: readonly Notice[] = []): void {
  if (isProgram(controller)) return;
  for (const { text, vars } of notices) controller.flash.add("info", controller.t(text, vars));
}

/** The title of a wizard: `wizards.names.<wizard>` of the catalogue, its label, else its class's name. */
export function titleOf({ mount, controller }: Pick<PageContext, "mount" | "controller">): string {
  const { label } = mount.wizard.metadata.presents;
  const { key, english } = titleTextOf(mount.name);
  return controller.request.tOr(key, label ?? english);
}

/** Module-level: a pure function, cached: the sidebar shows titles on every page. */
const titleTexts = new Map<string, { key: string; english: string }>();
function titleTextOf(constant: string): { key: string; english: string } {
  let found = titleTexts.get(constant);
  if (!found) {
    const short = shortNameOf(constant);
    found = { key: `wizards.names.${short}`, english: humanize(short) };
    titleTexts.set(constant, found);
  }
  return found;
}

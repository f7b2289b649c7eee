import type { BaseController } from "framewright/host";
import type { Run, Visit } from "../contract/index.ts";
import { customizationOf } from "./customization.ts";

/** A client-supplied path if it is safe: of this application, and not below the wizard's own mount. */
export function pathOutsideWizard({ request }: BaseController, base: string, given: unknown): string | undefined {
  const safe = request.safeLocation(given, base === "" ? [] : [base]);
  return safe === undefined || isBelow(safe, base) ? undefined : safe;
}

/** Whether a path is at or below the mount, in any spelling. */
function isBelow(location: string, base: string): boolean {
  const path = location.replace(/[?#].*$/, "");
  try {
    const decoded = decodeURIComponent(path)
      .replace(/\.json$/, "")
      .replace(/(.)\/+$/, "$1")
      .toLowerCase();
    const mount = base.toLowerCase();
    return mount !== "" && (decoded === mount || decoded.startsWith(`${mount}/`));
  } catch {
    return true; // refuse what can't be decoded
  }
}

/** Where cancel leads: the launch's parameter `return_to`, else the referring page. */
export function returnToOf(controller: BaseController, base: string): string | undefined {
  const { request } = controller;
  return (
    pathOutsideWizard(controller, base, request.query.get("return_to")) ??
    pathOutsideWizard(controller, base, request.referer)
  );
}

const GATES_KEY = "wizard_gates";
const MAX_PATH_CHARS = 500;
const MAX_REMEMBERED = 3; // a session travels in a cookie

/** Stores the page that a gate redirected from. */
export function rememberGate({ session }: BaseController, wizard: string, path: string): void {
  if (path.length > MAX_PATH_CHARS) return;
  const { [wizard]: _, ...others } = (session.get(GATES_KEY) ?? {}) as Record<string, string>;
  session.setExpendable(
    GATES_KEY,
    Object.fromEntries([...Object.entries(others).slice(1 - MAX_REMEMBERED), [wizard, path]]),
  );
}
/** The page that a gate of this wizard redirected from last. Not removed when read: a last step that is posted twice leads to the same page twice. */
export function gateOf(visit: Visit): string | undefined {
  const kept = visit.controller.session.get(GATES_KEY) as Record<string, string> | undefined;
  return pathOutsideWizard(visit.controller, visit.base, kept?.[visit.mount.name]);
}

const CANCELLED_KEY = "wizards_cancelled";
const cancelledWizards = ({ session }: BaseController) => (session.get(CANCELLED_KEY) ?? []) as readonly string[];

/** Whether the person cancelled this wizard and has not launched it since: a gate then shows what is required instead of launching it. */
export const wasCancelled = (controller: BaseController, wizard: string): boolean =>
  cancelledWizards(controller).includes(wizard);
export function rememberCancelled(controller: BaseController, wizard: string): void {
  const others = cancelledWizards(controller).filter((one) => one !== wizard);
  controller.session.setExpendable(CANCELLED_KEY, [...others.slice(1 - MAX_REMEMBERED), wizard]);
}
export function forgetCancelled(controller: BaseController, wizard: string): void {
  if (!wasCancelled(controller, wizard) || controller.request.isSpeculative) return;
  controller.session.setExpendable(
    CANCELLED_KEY,
    cancelledWizards(controller).filter((one) => one !== wizard),
  );
}

/** Where cancel leads. A page gated by this wizard would redirect back into it, so the list of runs, with the gate's message, is shown instead. */
export function cancelLocation(visit: Visit, returnTo: string | undefined): string {
  const { controller, base } = visit;
  const location = pathOutsideWizard(controller, base, returnTo) ?? customizationOf(controller).wizardHome();
  return location === gateOf(visit) ? runsPath(visit) : location;
}
export const runsPath = ({ base }: Pick<Visit, "base">): string => `${base}/runs`;

/** The path of a step; with the token for a tokened run. */
export function stepPath({ base }: Pick<Visit, "base">, run: Run, step: string): string {
  const token = run.kind === "tokened" && run.token !== undefined ? `/${encodeURIComponent(run.token)}` : "";
  return `${base}${token}/${step}`;
}
export const completedPath = (visit: Visit, run: Run): string => stepPath(visit, run, "completed");

/** Where a completed run leads: the location of `execute`, the gated page, the completed page, the subject's page, home. */
export function doneLocation(visit: Visit, run: Run, subjectUrl: string | undefined): string {
  const { metadata } = visit.mount.wizard;
  const ofOutcome = visit.controller.request.safeLocation(run.outcome?.location);
  const page = metadata.completed || metadata.anonymous ? completedPath(visit, run) : undefined;
  return ofOutcome ?? gateOf(visit) ?? page ?? subjectUrl ?? customizationOf(visit.controller).wizardHome();
}

import type { BaseController } from "framewright/host";
import type { Run, Visit } from "../contract/index.ts";
import { faceOf } from "./customization.ts";

/** A path of this application that a client had a hand in, unless it lies below the wizard's own mount. */
export function outside({ request }: BaseController, base: string, given: unknown): string | undefined {
  const safe = request.safeLocation(given, base === "" ? [] : [base]);
  return safe === undefined || isBelow(safe, base) ? undefined : safe;
}

/** Whether a path is the mount's, however it is spelled. */
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
    return true; // what can't be read is not gone to
  }
}

/** Where cancel leads: what the launch's query says, else the page that the person came from. */
export function returnToOf(controller: BaseController, base: string): string | undefined {
  const { request } = controller;
  return outside(controller, base, request.query.get("return_to")) ?? outside(controller, base, request.referer);
}

const place = "wizard_gates";
const LONGEST = 500;
const MOST = 3; // a session travels in a cookie

/** Remembers where a person was going when a gate turned up. */
export function rememberGate({ session }: BaseController, wizard: string, path: string): void {
  if (path.length > LONGEST) return;
  const { [wizard]: _, ...others } = (session.get(place) ?? {}) as Record<string, string>;
  session.setExpendable(place, Object.fromEntries([...Object.entries(others).slice(1 - MOST), [wizard, path]]));
}
/** Where a gate of this wizard stopped the person last. Read, and kept: every answer to a last step that is posted twice leads to the same place. */
export function gateOf(visit: Visit): string | undefined {
  const kept = visit.controller.session.get(place) as Record<string, string> | undefined;
  return outside(visit.controller, visit.base, kept?.[visit.mount.name]);
}

const declined = "wizards_cancelled";
const declinedOf = ({ session }: BaseController) => (session.get(declined) ?? []) as readonly string[];

/** Whether the person cancelled this wizard, and did not launch it since: a gate tells them so, and does not begin it anew. */
export const wasCancelled = (controller: BaseController, wizard: string): boolean =>
  declinedOf(controller).includes(wizard);
export function rememberCancelled(controller: BaseController, wizard: string): void {
  const others = declinedOf(controller).filter((one) => one !== wizard);
  controller.session.setExpendable(declined, [...others.slice(1 - MOST), wizard]);
}
export function forgetCancelled(controller: BaseController, wizard: string): void {
  if (!wasCancelled(controller, wizard) || controller.request.isSpeculative) return;
  controller.session.setExpendable(
    declined,
    declinedOf(controller).filter((one) => one !== wizard),
  );
}

/** Where cancel leads. A page behind a gate of this very wizard would lead back into it: what the gate asks for is said instead. */
export function cancelLocation(visit: Visit, returnTo: string | undefined): string {
  const { controller, base } = visit;
  const location = outside(controller, base, returnTo) ?? faceOf(controller).wizardHome();
  return location === gateOf(visit) ? runsPath(visit) : location;
}
export const runsPath = ({ base }: Pick<Visit, "base">): string => `${base}/runs`;

/** The address of a step; a tokened run's says the token. */
export function stepPath({ base }: Pick<Visit, "base">, run: Run, step: string): string {
  const token = run.kind === "tokened" && run.token !== undefined ? `/${encodeURIComponent(run.token)}` : "";
  return `${base}${token}/${step}`;
}
export const completedPath = (visit: Visit, run: Run): string => stepPath(visit, run, "completed");

/** Where a run that is done leads: what `execute` said, where the gate stood, its completed page, what it was about. */
export function doneLocation(visit: Visit, run: Run, onto: string | undefined): string {
  const { facts } = visit.mount.wizard;
  const said = visit.controller.request.safeLocation(run.outcome?.location);
  const page = facts.completed || facts.anonymous ? completedPath(visit, run) : undefined;
  return said ?? gateOf(visit) ?? page ?? onto ?? faceOf(visit.controller).wizardHome();
}

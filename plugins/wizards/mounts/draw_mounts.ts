import type { Action, Route, Verb } from "framewright/host";
import type { WizardClass } from "../contract/index.ts";
import { type OpenRequest, type PageName, wizardAction } from "../pages/page_action.ts";
import type { Mounts } from "./mount.ts";

type Draw = (verb: Verb, path: string, action: Action) => Route;
interface DrawnRoutes {
  launch: Route;
  /** `…/:step` */
  withoutToken: Route;
  /** `…/:token/:step` */
  withToken: Route;
}

/** Draws the routes of a wizard below its base path, or of those that the path names: launch, runs (DELETE cancels one), steps (GET, POST, PUT for drafts) and completed. */
export function drawWizard(
  mounts: Mounts,
  draw: Draw,
  { base, wizard }: { base: string; wizard?: WizardClass },
  enter: OpenRequest,
): DrawnRoutes {
  const add = (verb: Verb, path: string, page: PageName) => {
    const route = draw(verb, path, wizardAction(page, enter));
    mounts.addRoute(route, wizard);
    return route;
  };
  const launch = add("GET", base, "launchWizard");
  add("GET", `${base}/runs`, "wizardRuns");
  add("DELETE", `${base}/runs/:run`, "cancelWizardRun");
  const steps = [base, `${base}/:token`].map((at) => {
    add("GET", `${at}/completed`, "wizardCompleted");
    add("POST", `${at}/:step`, "advanceWizard");
    add("PUT", `${at}/:step`, "saveWizard");
    return add("GET", `${at}/:step`, "wizardStep");
  });
  return { launch, withoutToken: steps[0]!, withToken: steps[1]! };
}

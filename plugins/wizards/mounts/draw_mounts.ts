import type { Action, Route, Verb } from "framewright/host";
import { type Entering, type Page, wizardAction } from "../pages/page_action.ts";
import type { Mounts } from "./mount.ts";

type Draw = (verb: Verb, path: string, action: Action) => Route;
interface Drawn {
  launch: Route;
  /** `…/:step` */
  short: Route;
  /** `…/:token/:step` */
  long: Route;
}

/** Draws the addresses of a wizard below its base, and ours: completed, runs, and PUT for what is typed. */
export function drawWizard(mounts: Mounts, draw: Draw, base: string, enter: Entering): Drawn {
  const add = (verb: Verb, path: string, page: Page) => {
    const route = draw(verb, path, wizardAction(page, enter));
    mounts.drawn(route);
    return route;
  };
  const launch = add("GET", base, "launchWizard");
  add("GET", `${base}/runs`, "wizardRuns");
  const steps = [base, `${base}/:token`].map((at) => {
    add("GET", `${at}/completed`, "wizardCompleted");
    add("POST", `${at}/:step`, "advanceWizard");
    add("PUT", `${at}/:step`, "saveWizard");
    return add("GET", `${at}/:step`, "wizardStep");
  });
  return { launch, short: steps[0]!, long: steps[1]! };
}

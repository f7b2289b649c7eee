import type { Action, BaseController, Reply } from "framewright/host";
import { launchWizard } from "./launch.ts";
import type { Entered } from "./open_request.ts";
import { wizardRuns } from "./runs_page.ts";
import { advanceWizard, saveWizard, wizardCompleted, wizardStep } from "./steps.ts";

const pages = { launchWizard, wizardStep, advanceWizard, saveWizard, wizardCompleted, wizardRuns };
export type Page = keyof typeof pages;
export type Entering = (controller: BaseController) => Promise<Entered>;

/** The action of a wizard's route; it has the page's name, so that lists of routes and before-actions know it. */
export function wizardAction(page: Page, enter: Entering): Action {
  const actions: Record<string, (controller: BaseController) => Promise<Reply>> = {
    async [page](controller) {
      const entered = await enter(controller);
      const reply = controller.reply ?? (await pages[page](entered));
      reply.headers["cache-control"] ??= "no-store"; // what a guest typed is nobody else's either
      return reply;
    },
  };
  return actions[page]!;
}

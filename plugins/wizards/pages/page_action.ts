import { type Action, addToOrigin, type BaseController, type Reply } from "framewright/host";
import { isDraftFrame, wizardDrafts } from "./drafts.ts";
import { launchWizard } from "./launch.ts";
import type { PageContext } from "./open_request.ts";
import { wizardRuns } from "./runs_page.ts";
import { advanceWizard, cancelWizardRun, saveWizard, wizardCompleted, wizardStep } from "./steps.ts";

const pages = {
  launchWizard,
  wizardStep,
  advanceWizard,
  saveWizard,
  wizardCompleted,
  cancelWizardRun,
  wizardRuns: (context: PageContext) => (isDraftFrame(context) ? wizardDrafts(context) : wizardRuns(context)),
};
export type PageName = keyof typeof pages;
export type OpenRequest = (controller: BaseController) => Promise<PageContext>;

/** The action of a wizard's route, named as the page, so that route lists and before-actions can refer to it. */
export function wizardAction(page: PageName, enter: OpenRequest): Action {
  const actions: Record<string, (controller: BaseController) => Promise<Reply>> = {
    async [page](controller) {
      const context = await enter(controller);
      addToOrigin({ wizard: context.mount.name });
      const reply = controller.reply ?? (await pages[page](context));
      reply.headers["cache-control"] ??= "no-store"; // answers must not be cached, also those of guests
      return reply;
    },
  };
  return actions[page]!;
}

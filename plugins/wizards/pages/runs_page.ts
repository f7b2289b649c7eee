import type { BaseController, Reply } from "framewright/host";
import type { WaitingItem } from "framewright/plugins/dashboards";
import type { Run, Visit } from "../contract/index.ts";
import { kindOf } from "../options.ts";
import { customizationOf } from "./customization.ts";
import { frameLocals, layoutOf, stepLabel } from "./frame.ts";
import type { PageContext } from "./open_request.ts";
import { hiddenInputs } from "./posted_run.ts";
import { gateOf, stepPath } from "./redirects.ts";
import { titleOf } from "./replies.ts";

/** Lists a person's open runs of this wizard, to resume or to cancel. */
export async function wizardRuns(context: PageContext): Promise<Reply> {
  const { controller, mount, visit } = context;
  const runs = (await openRunsOfMount(context)).map((run) => runView(context, run));
  if (controller.request.format === "json") {
    const data = runs.map(({ csrf: _, ...run }) => run);
    return controller.json({ data });
  }
  const locals = {
    ...frameLocals(context),
    runs,
    launch_url: visit.base || "/",
    wizard_name: mount.name,
    ...(await exitLocals(context)),
  };
  return controller.render("wizards/runs", { locals, ...layoutOf(context) });
}

/** Whether the wizard gates other pages, and the link out of it; none where it leads to a gated page. */
async function exitLocals({ engine, controller, mount, visit, subjectUrl }: PageContext) {
  const gate = mount.wizard.metadata.oneTime ? gateOf(visit) : undefined;
  const gated = gate !== undefined && !(await engine.isCompleted(visit));
  const home = subjectUrl ?? customizationOf(controller).wizardHome();
  return { gated, home: gated && gate === home ? undefined : home };
}

/** The open runs of this mount: in this portal and tenant and, for an anchored wizard, with this anchor. */
async function openRunsOfMount(
  { engine, controller, mount, visit }: PageContext,
  limit?: number,
): Promise<readonly Run[]> {
  if (controller.currentUser === undefined) return [];
  const all = await engine.openRuns(controller, mount.name, limit);
  const { anchorType, anchorId } = anchorOf(visit);
  const own = all.filter((run) => isInProgress(run) && run.anchorId === anchorId && run.anchorType === anchorType);
  const isOne = mount.wizard.metadata.shared && kindOf(mount.wizard) === "keyed";
  const shared = isOne ? await engine.find(visit, undefined) : undefined; // launched by anybody
  return shared?.startedAt && isInProgress(shared) ? [shared] : own;
}
function anchorOf({ anchor, controller }: Visit): Pick<Run, "anchorType" | "anchorId"> {
  if (!anchor) return { anchorType: undefined, anchorId: undefined };
  const { constant } = controller.request.kernel.service("database").model(anchor.constructor as never);
  return { anchorType: constant, anchorId: String(anchor.$id()) };
}
const isInProgress = ({ state }: Run): boolean => state === "in_progress";

function runView(
  { controller, mount, visit }: Pick<PageContext, "controller" | "mount"> & { visit: Pick<Visit, "base"> },
  run: Run,
) {
  const url = stepPath(visit, run, run.cursor);
  const step = mount.wizard.flow.step(run.cursor);
  return {
    wizard: mount.name,
    title: titleOf({ controller, mount }),
    step: step ? stepLabel(step) : run.cursor,
    url,
    updated_at: run.updatedAt,
    csrf: hiddenInputs(controller, run, url),
  };
}

/** Another open run, offered when a tokened wizard is launched again. */
export async function offeredRuns(context: PageContext, run: Run, isEntry: boolean) {
  const { mount } = context;
  const asks = mount.wizard.metadata.onRelaunch === "ask" && run.kind === "tokened" && run.startedAt === undefined;
  if (!isEntry || !asks) return [];
  const others = (await openRunsOfMount(context, 2)).filter(({ id }) => id !== run.id);
  return others.slice(0, 1).map((other) => runView(context, other));
}

/** A run that can be resumed. */
export interface OpenRun {
  /** The wizard's title. */
  readonly title: string;
  /** The label of the current step. */
  readonly step: string;
  readonly url: string;
  readonly updatedAt: Date;
}

/** The current user's open runs in this portal and tenant, the latest first; for pages that offer to continue them. */
export async function openRuns(controller: BaseController): Promise<readonly OpenRun[]> {
  if (controller.currentUser === undefined) return [];
  const { engine, mounts } = controller.request.kernel.service("wizards");
  const found: OpenRun[] = [];
  for (const run of await engine.openRuns(controller)) {
    const base = await mounts.mountOfRun(controller, run);
    if (!base || !isInProgress(run)) continue;
    const { title, step, url } = runView({ controller, mount: base.mount, visit: base }, run);
    found.push({ title, step, url, updatedAt: run.updatedAt });
  }
  return found;
}

/** Lists the current user's open runs among what waits for them on a dashboard. */
export async function addDrafts(items: WaitingItem[], controller: BaseController): Promise<void> {
  for (const { title, step, url, updatedAt } of await openRuns(controller))
    items.push({ title, text: controller.t("wizards.draft_at", { step }), url, at: updatedAt });
}

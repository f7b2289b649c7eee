import type { BaseController, Reply } from "framewright/host";
import type { Run, Visit } from "../contract/index.ts";
import { kindOf } from "../options.ts";
import { faceOf } from "./customization.ts";
import type { Entered } from "./open_request.ts";
import { hiddenInputs } from "./posted_run.ts";
import { gateOf, stepPath } from "./redirects.ts";
import { titleOf } from "./replies.ts";
import { around, labelOf, layoutOf } from "./step_page.ts";

/** A person's open runs of this wizard, to go on with or to cancel. */
export async function wizardRuns(entered: Entered): Promise<Reply> {
  const { controller, mount, visit } = entered;
  const runs = (await runsHere(entered)).map((run) => runView(entered, run));
  if (controller.request.format === "json") {
    const data = runs.map(({ csrf: _, ...run }) => run);
    return controller.json({ data });
  }
  const locals = {
    ...around(entered),
    runs,
    launch_url: visit.base || "/",
    wizard_name: mount.name,
    ...(await outOf(entered)),
  };
  return controller.render("wizards/runs", { locals, ...layoutOf(entered) });
}

/** Whether other pages wait for this wizard, and the page that leads out of it; none where that one waits as well. */
async function outOf({ engine, controller, mount, visit, onto }: Entered) {
  const gate = mount.wizard.facts.oneTime ? gateOf(visit) : undefined;
  const gated = gate !== undefined && !(await engine.isCompleted(visit));
  const home = onto ?? faceOf(controller).wizardHome();
  return { gated, home: gated && gate === home ? undefined : home };
}

/** The open runs of this mount: in this portal and tenant, of an anchored wizard those about this record. */
async function runsHere({ engine, controller, mount, visit }: Entered, limit?: number): Promise<readonly Run[]> {
  if (controller.currentUser === undefined) return [];
  const all = await engine.open(controller, mount.name, limit);
  const { anchorType, anchorId } = anchorOf(visit);
  const own = all.filter((run) => isOpen(run) && run.anchorId === anchorId && run.anchorType === anchorType);
  const isOne = mount.wizard.facts.shared && kindOf(mount.wizard) === "keyed";
  const shared = isOne ? await engine.find(visit, undefined) : undefined; // whoever launched it
  return shared?.startedAt && isOpen(shared) ? [shared] : own;
}
function anchorOf({ anchor, controller }: Visit): Pick<Run, "anchorType" | "anchorId"> {
  if (!anchor) return { anchorType: undefined, anchorId: undefined };
  const { constant } = controller.request.kernel.service("database").model(anchor.constructor as never);
  return { anchorType: constant, anchorId: String(anchor.$id()) };
}
const isOpen = ({ state }: Run): boolean => state === "in_progress";

function runView(
  { controller, mount, visit }: Pick<Entered, "controller" | "mount"> & { visit: Pick<Visit, "base"> },
  run: Run,
) {
  const url = stepPath(visit, run, run.cursor);
  const step = mount.wizard.flow.step(run.cursor);
  return {
    wizard: mount.name,
    title: titleOf({ controller, mount }),
    step: step ? labelOf(step) : run.cursor,
    url,
    updated_at: run.updatedAt,
    csrf: hiddenInputs(controller, run, url),
  };
}

/** Another run that is open already, offered where a tokened wizard was launched again. */
export async function offeredRuns(entered: Entered, run: Run, isEntry: boolean) {
  const { mount } = entered;
  const asks = mount.wizard.facts.onRelaunch === "ask" && run.kind === "tokened" && run.startedAt === undefined;
  if (!isEntry || !asks) return [];
  const others = (await runsHere(entered, 2)).filter(({ id }) => id !== run.id);
  return others.slice(0, 1).map((other) => runView(entered, other));
}

/** A run that somebody may go on with. */
export interface OpenRun {
  /** What the wizard is called. */
  readonly title: string;
  /** The step that it stands at. */
  readonly step: string;
  readonly url: string;
  readonly updatedAt: Date;
}

/** What the person of this request left open in this portal and tenant, the latest first: for a page that says "continue". */
export async function openRuns(controller: BaseController): Promise<readonly OpenRun[]> {
  if (controller.currentUser === undefined) return [];
  const { engine, mounts } = controller.request.kernel.service("wizards");
  const found: OpenRun[] = [];
  for (const run of await engine.open(controller)) {
    const base = mounts.baseOf(controller, run);
    if (!base || !isOpen(run)) continue;
    const { title, step, url } = runView({ controller, mount: base.mount, visit: base }, run);
    found.push({ title, step, url, updatedAt: run.updatedAt });
  }
  return found;
}

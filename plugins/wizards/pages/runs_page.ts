import { type BaseController, csrfInput, html, type Reply, type SafeHtml } from "framewright/host";
import { describe } from "framewright/kernel";
import type { WaitingItem } from "framewright/plugins/dashboards";
import { BaseModel, ModelInfo } from "framewright/plugins/database";
import type { Run, Visit, WizardClass } from "../contract/index.ts";
import { errors } from "../errors.ts";
import { checkWizard, constantOf } from "../mounts/wizard_class.ts";
import { kindOf } from "../options.ts";
import { customizationOf } from "./customization.ts";
import { frameLocals, layoutOf, stepLabel } from "./frame.ts";
import type { PageContext } from "./open_request.ts";
import { gateOf, runsPath, stepPath } from "./redirects.ts";
import { titleOf } from "./replies.ts";

/** Lists a person's open runs of this wizard, to resume or to cancel. */
export async function wizardRuns(context: PageContext): Promise<Reply> {
  const { controller, mount, visit } = context;
  const runs = (await openRunsOfMount(context)).map((run) => runView(context, run));
  if (controller.request.format === "json") {
    return controller.json({ data: runs });
  }
  const locals = {
    ...frameLocals(context),
    runs: runs.map((run) => ({ ...run, cancel_inputs: cancelInputs(controller, run.cancel_url) })),
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
export async function openRunsOfMount(
  { engine, controller, mount, visit }: PageContext,
  limit?: number,
): Promise<readonly Run[]> {
  if (controller.currentUser === undefined) return [];
  const all = await engine.openRuns(controller, { wizard: mount.name, anchor: visit.anchor, limit });
  const { anchorType, anchorId } = anchorOf(visit);
  const own = all.filter((run) => isInProgress(run) && run.anchorId === anchorId && run.anchorType === anchorType);
  const isOne = mount.wizard.metadata.shared && kindOf(mount.wizard) === "keyed";
  const shared = isOne ? await engine.find(visit, undefined) : undefined; // launched by anybody
  return shared?.startedAt && isInProgress(shared) ? [shared] : own;
}
function anchorOf({ anchor, controller }: Visit): Pick<Run, "anchorType" | "anchorId"> {
  if (!anchor) return { anchorType: undefined, anchorId: undefined };
  const { constant } = controller.request.kernel.service("database").model(anchor.constructor as never);
  return { anchorType: constant, anchorId: String(ModelInfo.keyOf(anchor)) };
}
const isInProgress = ({ state }: Run): boolean => state === "in_progress";

/** The address by which a run is cancelled. */
export const runUrl = (visit: Pick<Visit, "base">, run: Run): string => `${runsPath(visit)}/${run.id}`;

type RunView = ReturnType<typeof runView>;
function runView(
  { controller, mount, visit }: Pick<PageContext, "controller" | "mount"> & { visit: Pick<Visit, "base"> },
  run: Run,
) {
  const url = stepPath(visit, run, run.cursor);
  const step = mount.wizard.flow.step(run.cursor);
  return {
    wizard: mount.name,
    title: titleOf({ controller, mount }),
    step: step ? stepLabel({ controller, mount }, step) : run.cursor,
    url,
    cancel_url: runUrl(visit, run),
    updated_at: run.updatedAt,
  };
}

/** The hidden inputs of a form that cancels a run. */
export const cancelInputs = ({ request }: BaseController, url: string): SafeHtml =>
  html`${csrfInput(request, url, "delete")}<input type="hidden" name="_method" value="delete">`;

/** Another open run, offered when a tokened wizard is launched again. */
export async function offeredRuns(context: PageContext, run: Run, isEntry: boolean) {
  const { mount } = context;
  const asks = mount.wizard.metadata.onRelaunch === "ask" && run.kind === "tokened" && run.startedAt === undefined;
  if (!isEntry || !asks) return [];
  const others = (await openRunsOfMount(context, 2)).filter(({ id }) => id !== run.id);
  return others.slice(0, 1).map((other) => runView(context, other));
}

/** A run that can be resumed or cancelled. */
export interface OpenRun {
  /** The wizard's title. */
  readonly title: string;
  /** The label of the current step. */
  readonly step: string;
  readonly url: string;
  /** DELETE cancels the run: `<form method="post" action="{{ run.cancelUrl }}">{{ run.cancelInputs }}<button>Cancel</button></form>`. */
  readonly cancelUrl: string;
  /** The hidden inputs of that form: its token and its verb. Not part of the run's JSON, nor of a copy. */
  readonly cancelInputs: SafeHtml;
  readonly updatedAt: Date;
}
/** Which runs `openRuns` lists; without options, all. */
export interface OpenRunsOptions<W extends WizardClass = WizardClass> {
  /** The runs of this wizard. */
  wizard?: W;
  /** The runs that are anchored to this record. */
  anchor?: InstanceType<W>["anchor"];
}

/**
 * The current user's open runs in this portal and tenant, the latest first; for pages that offer to continue them:
 * `openRuns(this, { wizard: ConfigureWizard, anchor: post })`. @throws FW_WIZARD_CLASS, FW_WIZARD_OPEN_RUNS
 */
export async function openRuns<W extends WizardClass>(
  controller: BaseController,
  options: OpenRunsOptions<W> = {},
): Promise<readonly OpenRun[]> {
  const filter = filterOf(controller, options);
  if (controller.currentUser === undefined) return [];
  const { engine, mounts } = controller.request.kernel.service("wizards");
  const found: OpenRun[] = [];
  for (const run of await engine.openRuns(controller, filter)) {
    const base = await mounts.mountOfRun(controller, run);
    if (base && isInProgress(run))
      found.push(openRun(controller, runView({ controller, mount: base.mount, visit: base }, run)));
  }
  return found;
}

function openRun(
  controller: BaseController,
  { title, step, url, cancel_url: cancelUrl, updated_at: updatedAt }: RunView,
) {
  const run = { title, step, url, cancelUrl, updatedAt };
  // Computed when a page reads it, and left out of JSON: a token starts a session.
  return Object.defineProperty(run, "cancelInputs", { get: () => cancelInputs(controller, cancelUrl) }) as OpenRun;
}

/** An option that is given without a value is refused: it would list the runs of all wizards or records. @throws FW_WIZARD_CLASS, FW_WIZARD_OPEN_RUNS */
function filterOf({ request }: BaseController, options: OpenRunsOptions) {
  const { wizard, anchor } = options;
  if ("anchor" in options && (!(anchor instanceof BaseModel) || ModelInfo.keyOf(anchor) === undefined))
    throw errors.FW_WIZARD_OPEN_RUNS(anchor instanceof BaseModel ? "a record that is not saved" : describe(anchor));
  if (!("wizard" in options)) return { anchor };
  return { anchor, wizard: constantOf(request.application, checkWizard(wizard, "openRuns(controller, { wizard })")) };
}

/** Lists the current user's open runs among what waits for them on a dashboard. */
export async function addDrafts(items: WaitingItem[], controller: BaseController): Promise<void> {
  for (const { title, step, url, updatedAt } of await openRuns(controller))
    items.push({ title, text: controller.t("wizards.draft_at", { step }), url, at: updatedAt });
}

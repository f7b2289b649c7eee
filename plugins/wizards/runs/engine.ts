import type { Application, BaseController, ParamObject, Params } from "framewright/host";
import type { BaseModel } from "framewright/plugins/database";
import type {
  Direction,
  Mount,
  OpenRunsFilter,
  Person,
  Run,
  RunEngine,
  SavedDraft,
  StepResult,
  SweepReport,
  Visit,
} from "../contract/index.ts";
import { kindOf } from "../options.ts";
import { EngineCore, type EngineParts } from "./context.ts";
import { find, findOwn, findRow, identityDigests, listOpenRuns, recoverAndRekey } from "./find.ts";
import { cancel } from "./lifecycle/cancel.ts";
import { launch } from "./lifecycle/launch.ts";
import { markCompleted } from "./lifecycle/mark_completed.ts";
import { autosave, goBack, resolveStep, submitStep } from "./lifecycle/navigate.ts";
import { waitForCompletion } from "./lifecycle/wait_for_completion.ts";
import { progress } from "./progress.ts";
import type { StoredRun } from "./run.ts";
import { belongsToScope, keyDigests, legacyKeyDigests, type RunScope, scopeOf, stepContextOf } from "./run_scope.ts";
import { cursorResult, doneResult, findStep, redirectFor } from "./step_position.ts";
import { sweep } from "./upkeep/sweep.ts";

export type { EngineParts } from "./context.ts";

/** Runs of wizards as rows: created, advanced, completed once. Every run that is passed in was returned by the engine. */
class StandardRunEngine implements RunEngine {
  readonly core: EngineCore;

  constructor(core: EngineCore) {
    this.core = core;
  }
  launch(visit: Visit): Promise<StepResult> {
    return launch(this.core, visit);
  }
  find(visit: Visit, token: string | undefined, id?: number): Promise<Run | undefined> {
    return find(this.core, visit, token, id);
  }
  async resolveStep(visit: Visit, run: Run, step: string): Promise<StepResult> {
    return run.state === "completing" ? { kind: "busy", run } : resolveStep(visit, run as StoredRun, step);
  }
  async advance(visit: Visit, run: Run, key: string, params: Params, direction: Direction) {
    if (run.state === "completed") return doneResult(run);
    if (run.state === "completing") return waitForCompletion(this.core, visit, run);
    const { flow } = visit.mount.wizard;
    const context = { core: this.core, visit, run: run as StoredRun };
    const redirect = redirectFor(flow, context.run, key, stepContextOf(visit));
    if (redirect?.kind === "gone") return redirect;
    if (direction === "cancel") return cancel(context);
    const step = findStep(flow, key);
    if (redirect || !step) return redirect!;
    if (direction === "back") return goBack({ ...context, step }, params);
    if (direction === "review" && step.review) return cursorResult(context.run); // it is shown, not finished
    return submitStep(Object.assign({}, context, { step }), params, direction);
  }
  autosave(visit: Visit, run: Run, step: string, typed: ParamObject): Promise<SavedDraft> {
    return autosave({ core: this.core, visit, run: run as StoredRun }, step, typed);
  }
  progress(visit: Visit, run: Run) {
    return progress(visit, run as StoredRun);
  }
  async isCompleted(visit: Visit): Promise<boolean> {
    if (kindOf(visit.mount.wizard) !== "keyed") return false;
    const { core } = this;
    const context = { core, visit, scope: scopeOf(core.database, visit) };
    const identities = identityDigests(context, undefined)!;
    const row = await findRow(context, identities, (some) => core.store.byClaim(some));
    if (row?.state !== "completed") return false;
    const { controller } = visit;
    if (!controller.request.isSpeculative) await recoverAndRekey(core, row, identities[0]!, controller);
    return true;
  }
  async completedAnchors(visit: Visit, anchors: readonly BaseModel[]): Promise<ReadonlySet<string>> {
    const { wizard } = visit.mount;
    if (kindOf(wizard) !== "keyed") return new Set();
    const claims = new Map<string, RunScope>();
    for (const anchor of anchors) {
      const one = { ...visit, anchor };
      const scope = scopeOf(this.core.database, one);
      for (const digests of [keyDigests, legacyKeyDigests])
        for (const claim of digests(this.core, one, scope)) claims.set(claim, scope);
    }
    const rows = await this.core.store.byClaims([...claims.keys()]);
    const done = rows.filter(
      (row) => row.state === "completed" && belongsToScope(row, wizard, claims.get(row.claim!)!),
    );
    return new Set(done.map((row) => row.anchor_id!));
  }
  openRuns(controller: BaseController, filter: OpenRunsFilter = {}): Promise<readonly Run[]> {
    const { scopeGid, anchor } = scopeOf(this.core.database, { controller, anchor: filter.anchor });
    const { wizard, limit } = filter;
    const given = { wizard, limit, portal: controller.request.engine?.name, scopeGid, anchor };
    const filled = Object.entries(given).filter(([, value]) => value !== undefined);
    return listOpenRuns(this.core, controller, Object.fromEntries(filled));
  }
  findOwn(visit: Visit, id: number): Promise<Run | undefined> {
    return findOwn(this.core, visit, id);
  }
  sweep(): Promise<SweepReport> {
    return sweep(this.core);
  }
  markCompleted(host: Application, mount: Mount, person: Person): Promise<boolean> {
    return markCompleted(this.core, host, mount, person);
  }
}

/** Creates the engine for an application's wizards. */
export const openEngine = (parts: EngineParts): RunEngine => new StandardRunEngine(new EngineCore(parts));

import type { Application, BaseController, ParamObject, Params } from "framewright/host";
import type { BaseModel } from "framewright/plugins/database";
import type { Engine, Mount, Move, Person, Run, Saved, SweepReport, Visit } from "../contract/index.ts";
import { kindOf } from "../options.ts";
import { Core, type EngineParts } from "./context.ts";
import { find, identitiesOf, openRuns, rowOf, tended } from "./find.ts";
import { cancel } from "./lifecycle/cancel.ts";
import { launch } from "./lifecycle/launch.ts";
import { markCompleted } from "./lifecycle/mark_completed.ts";
import { autosave, back, look, next } from "./lifecycle/navigate.ts";
import { awaitEnd } from "./lifecycle/wait_for_completion.ts";
import { progress } from "./progress.ts";
import type { OpenRun } from "./run.ts";
import { type Bearings, bearingsOf, contextOf, formerDigests, isTheirs, keyDigests } from "./run_scope.ts";
import { done, elsewhere, stepNamed } from "./step_position.ts";
import { sweep } from "./upkeep/sweep.ts";

export type { EngineParts } from "./context.ts";

/** Runs of wizards as rows: found, gone on with, completed once. A run that is handed in is one that it gave out. */
class RunEngine implements Engine {
  readonly core: Core;

  constructor(core: Core) {
    this.core = core;
  }
  launch(visit: Visit): Promise<Move> {
    return launch(this.core, visit);
  }
  find(visit: Visit, token: string | undefined, id?: number): Promise<Run | undefined> {
    return find(this.core, visit, token, id);
  }
  async look(visit: Visit, run: Run, step: string): Promise<Move> {
    return run.state === "completing" ? { kind: "busy", run } : look(visit, run as OpenRun, step);
  }
  async advance(visit: Visit, run: Run, key: string, params: Params, direction: "next" | "back" | "cancel") {
    if (run.state === "completed") return done(run);
    if (run.state === "completing") return awaitEnd(this.core, visit, run);
    const open = run as OpenRun;
    const move = elsewhere(visit.mount.wizard.flow, open, key, contextOf(visit));
    if (move?.kind === "gone") return move;
    if (direction === "cancel") return cancel(this.core, visit, open);
    const step = stepNamed(visit.mount.wizard.flow, key);
    if (move || !step) return move!;
    return direction === "back"
      ? back(this.core, visit, open, step, params)
      : next(this.core, visit, open, step, params);
  }
  autosave(visit: Visit, run: Run, step: string, typed: ParamObject): Promise<Saved> {
    return autosave(this.core, visit, run as OpenRun, step, typed);
  }
  progress(visit: Visit, run: Run) {
    return progress(visit, run as OpenRun);
  }
  async isCompleted(visit: Visit): Promise<boolean> {
    if (kindOf(visit.mount.wizard) !== "keyed") return false;
    const { store, database } = this.core;
    const bearings = bearingsOf(database, visit);
    const identities = identitiesOf(this.core, visit, bearings, undefined)!;
    const row = await rowOf(this.core, visit, bearings, identities, (some) => store.byClaim(some));
    if (row?.state !== "completed") return false;
    const { controller } = visit;
    if (!controller.request.isSpeculative) await tended(this.core, row, identities[0]!, controller);
    return true;
  }
  async completedAnchors(visit: Visit, anchors: readonly BaseModel[]): Promise<ReadonlySet<string>> {
    const { wizard } = visit.mount;
    if (kindOf(wizard) !== "keyed") return new Set();
    const claims = new Map<string, Bearings>();
    for (const anchor of anchors) {
      const one = { ...visit, anchor };
      const bearings = bearingsOf(this.core.database, one);
      for (const digests of [keyDigests, formerDigests])
        for (const claim of digests(this.core, one, bearings)) claims.set(claim, bearings);
    }
    const rows = await this.core.store.byClaims([...claims.keys()]);
    const done = rows.filter((row) => row.state === "completed" && isTheirs(row, wizard, claims.get(row.claim!)!));
    return new Set(done.map((row) => row.anchor_id!));
  }
  open(controller: BaseController, wizard?: string, limit?: number): Promise<readonly Run[]> {
    const { engine } = controller.request;
    const scope = bearingsOf(this.core.database, { controller }).scopeGid;
    return openRuns(this.core, controller, {
      ...(wizard === undefined ? {} : { wizard }),
      ...(limit === undefined ? {} : { limit }),
      ...(engine === undefined ? {} : { portal: engine.name }),
      ...(scope === undefined ? {} : { scopeGid: scope }),
    });
  }
  sweep(): Promise<SweepReport> {
    return sweep(this.core);
  }
  markCompleted(host: Application, mount: Mount, person: Person): Promise<boolean> {
    return markCompleted(this.core, host, mount, person);
  }
}

/** Opens the engine of an application's wizards. */
export const openEngine = (parts: EngineParts): Engine => new RunEngine(new Core(parts));

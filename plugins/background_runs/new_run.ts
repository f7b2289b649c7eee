import { forbidden, type Reply } from "framewright/host";
import type { Transaction } from "framewright/plugins/database";
import { type RowOwner, rowOwner } from "framewright/plugins/portals";
import type { ResourceController } from "framewright/plugins/resources";
import { Refusal } from "framewright/plugins/resources/toolkit";
import type { RunContent } from "./content.ts";
import { enter } from "./enter.ts";
import { runsOf } from "./own_run.ts";
import { noteStarted } from "./own_runs.ts";
import type { RunRow } from "./run.ts";
import { answerRun, runUrl } from "./run_page.ts";

/** The columns of a run that nothing has worked on. */
const blank = {
  ...({ state: "waiting", version: 0, starts: 0, done: 0, refused: 0, failed: 0 } as const),
  locked_by: null,
  locked_until: null,
  cursor_id: null,
  problems: null,
  finished_at: null,
};

/** What a run is stored with; `lastId` is the highest id where its records have an order in time. */
export interface NewRunParts {
  readonly content: RunContent;
  readonly total: number;
  readonly lastId?: string | null;
}

/** A run that the person of a request is about to start. */
export class NewRun {
  /** Whose it is, with its action. */
  readonly owner: RowOwner & { readonly action: string };
  readonly #controller: ResourceController;

  /** @throws HttpError 403 for guests, and for people who act for another person */
  constructor(controller: ResourceController, action: string) {
    this.#controller = controller;
    if (controller.request.actorFor(controller.currentUser)) throw forbidden(); // the job would act as the person alone
    this.owner = { ...rowOwner(controller, controller.registration.constant), action };
  }

  /** Enters as the job will: what can't be entered without the person's browser is to be refused. @throws HttpError 403, FW_BACKGROUND_ACCOUNT */
  async canEnter(content: RunContent): Promise<boolean> {
    try {
      await enter(runsOf(this.#controller).parts, { ...this.#row(0, null), id: 0, content: null }, content);
      return true;
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      if (error.kind === "account") throw forbidden();
      return false;
    }
  }
  /** Stores it with its job. */
  async store({ content, total, lastId = null }: NewRunParts, transaction: Transaction): Promise<RunRow> {
    const runs = runsOf(this.#controller);
    const sealed = runs.sealer.seal(content, this.owner);
    const stored = await runs.store.insert({ ...this.#row(total, lastId), content: sealed }, transaction);
    await runs.enqueue(stored.id, { transaction });
    return stored;
  }

  #row(total: number, last_id: string | null) {
    const now = new Date();
    return { ...this.owner, ...blank, created_at: now, heartbeat_at: now, total, last_id };
  }
}

/** Leads to the page of a run that was started; a program gets 202 with its address. */
export function answerStarted(controller: ResourceController, run: RunRow): Reply {
  noteStarted(controller);
  if (controller.request.format !== "json") return controller.redirectTo(runUrl(controller, run));
  const reply = answerRun(controller, run, 202);
  reply.headers.location = runUrl(controller, run);
  return reply;
}

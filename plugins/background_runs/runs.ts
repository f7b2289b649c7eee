import { type Application, announce, type SafeHtml } from "framewright/host";
import { Registry } from "framewright/kernel";
import type { Database } from "framewright/plugins/database";
import type { JobOptions, Jobs } from "framewright/plugins/jobs";
import type { BackgroundRunInfo, Registration, ResourceController, ResourceHooks } from "framewright/plugins/resources";
import type { Registrations } from "framewright/plugins/resources/toolkit";
import type { Storage } from "framewright/plugins/storage";
import { dropFiles } from "./carried_files.ts";
import { hasInteractions, selectsRows } from "./checks.ts";
import { type RunContent, RunSealer } from "./content.ts";
import { accountOf, actionOf, controllerOf, type EntryParts } from "./enter.ts";
import { isOpen, type RunRow } from "./run.ts";
import { RunStore } from "./store.ts";
import { workOnRun } from "./work.ts";

/** Options of `backgroundRuns()`. */
export interface BackgroundRunsOptions {
  /** Days that runs are retained after their end; 30 by default. */
  keep?: number;
  /** Milliseconds after which another process takes over the run of one that died; renewed with each record. */
  lease?: number;
}
export interface BackgroundParts extends EntryParts {
  readonly registry: Registrations;
  readonly hooks: ResourceHooks;
  readonly database: Database;
  readonly secrets: readonly string[];
  readonly options: BackgroundRunsOptions;
  readonly jobs: Jobs;
  readonly storage: Storage | undefined;
  registrant(): string | undefined;
}

const JOB = "resources.background";
const DAY_MS = 86_400_000;
/** An open run that nothing has worked on for so long has lost its job, or waits for others. */
const STALE_MS = 15 * 60_000;

/** What the end of a run writes, besides its counts. */
const closed = (state: "done" | "failed" | "cancelled"): Partial<RunRow> => ({
  locked_by: null,
  locked_until: null,
  content: null,
  finished_at: new Date(),
  state,
});

/** Runs of one kind, that a plugin adds to those of interactions. */
export interface RunKind {
  /** By what such runs are known in their rows. A dot keeps them apart from the keys of actions. */
  readonly actions: readonly string[];
  /** Whether a resource has such runs, so that it has the routes of runs. */
  has(registration: Registration): boolean;
  /** Works on a run from its cursor on, until it ends, or another job is to go on. */
  advance(run: RunRow, content: RunContent): Promise<void>;
  /** The path of the run's page; by default the page of runs, with its id. */
  urlOf?(content: RunContent, run: RunRow): string;
  /** What the page of a run shows in place of the counts of an interaction. */
  page?(controller: ResourceController, run: RunRow): RunPage;
  /** What a run has as JSON besides. */
  json?(controller: ResourceController, run: RunRow): Record<string, unknown>;
  /** Deletes what has expired; before runs that ended long ago are removed. It may run on several nodes at once. */
  sweep?(now: number): Promise<void>;
}
/** What the page of a run of a kind shows. */
export interface RunPage {
  readonly title: string;
  readonly details?: SafeHtml | undefined;
  readonly note?: string | undefined;
  /** Where its file is downloaded. */
  readonly fileUrl?: string | undefined;
  /** The button that cancels it. */
  readonly cancelLabel: string;
}

/** The runs in the background: of interactions, and of the kinds that plugins add. */
export class BackgroundRunService {
  readonly parts: BackgroundParts;
  readonly store: RunStore;
  readonly sealer: RunSealer;
  readonly #kinds: RunKind[] = [];
  readonly #actions: Registry<RunKind>;
  isStopping = false;

  constructor(parts: BackgroundParts) {
    this.parts = parts;
    this.store = new RunStore(parts.database);
    this.sealer = new RunSealer(parts.secrets);
    this.#actions = new Registry("the kind of runs in the background", parts.registrant, { isReplaceable: false });
  }
  get database(): Database {
    return this.parts.database;
  }
  get log(): Application["log"] {
    return this.parts.registry.application.log;
  }

  /** Adds a kind of runs, in a plugin's `apply`. @throws FW_REGISTRY_TAKEN */
  define(kind: RunKind): void {
    for (const action of kind.actions) this.#actions.add(action, kind);
    this.#kinds.push(kind);
  }
  /** The kind of a run; undefined for that of an interaction. */
  kindOf({ action }: Pick<RunRow, "action">): RunKind | undefined {
    return this.#actions.get(action);
  }
  /** Whether a resource has runs: of interactions, of rows that are selected, or of a kind that a plugin adds. */
  has(registration: Registration): boolean {
    return (
      hasInteractions(registration) || selectsRows(registration) || this.#kinds.some((kind) => kind.has(registration))
    );
  }
  /** Lets the jobs of the application work on runs; at boot. */
  open(): void {
    this.parts.jobs.define<{ run: number }>(JOB, ({ run }) => workOnRun(this, run));
  }
  /** Ends work on runs after the current record: another process, or the next start, goes on. */
  async stop(): Promise<void> {
    this.isStopping = true;
  }
  async enqueue(run: number, options: JobOptions = {}): Promise<void> {
    await this.parts.jobs.enqueue(JOB, { run }, options);
  }

  /** What each write of the process that works on a run reports: it is alive, and got further. */
  renewed(): Pick<RunRow, "locked_until" | "starts"> {
    return { locked_until: new Date(Date.now() + (this.parts.options.lease ?? 60_000)), starts: 0 };
  }
  /** Leaves a run to another job, at once. */
  async handOver(run: RunRow): Promise<void> {
    await this.database.transaction(async (transaction) => {
      await this.store.write(run, { locked_by: null, locked_until: null }, transaction);
      await this.enqueue(run.id, { transaction });
    });
  }
  /** Leaves a run to the next attempt of its job. A database that is unavailable lets the lease expire. */
  async release(run: RunRow): Promise<void> {
    await this.store.write(run, { locked_by: null, locked_until: null }).catch(() => undefined);
  }

  /** Ends a run, deletes its input, and calls the hook. @throws RunMovedError */
  async end(
    run: RunRow,
    state: "done" | "failed" | "cancelled",
    key?: string,
    more: Partial<RunRow> = {},
  ): Promise<RunRow> {
    const { problems, ...rest } = this.sealer.problems({ ...run, ...more });
    const text = key === undefined ? [] : [{ record: null, text: this.#text(key) }];
    const sealed =
      text.length > 0 ? { problems: this.sealer.seal({ ...rest, problems: [...text, ...problems] }, run) } : {};
    const ended = await this.store.write(run, { ...more, ...sealed, ...closed(state) });
    await this.#dropFiles(run);
    await this.#announce(run, ended);
    return ended;
  }
  /** Cancels an open run; records that had their turn stay as they are. */
  async cancel(run: RunRow): Promise<RunRow> {
    const isClosed = await this.store.close(run, closed("cancelled"));
    const ended = (await this.store.find(run.id)) ?? run;
    if (isClosed) await this.#dropFiles(run);
    if (isClosed) await this.#announce(run, ended);
    return ended;
  }

  /** Runs of all people, the newest first: for those who look after the application. None where the table was never needed. */
  async latest(limit = 20): Promise<BackgroundRunInfo[]> {
    if (!(await this.store.isInstalled())) return [];
    return (await this.store.latest(limit)).map((run) => this.sealer.info(run));
  }
  /** Cancels a run, whoever started it; false where there is none, or it has ended. */
  async cancelById(id: number): Promise<boolean> {
    const run = (await this.store.isInstalled()) ? await this.store.find(id) : undefined;
    return run !== undefined && isOpen(run) && (await this.cancel(run)).state === "cancelled";
  }

  /** Gives stale runs a new job, and removes those that ended long ago. It may run on several nodes at once. */
  async sweep(now = Date.now()): Promise<void> {
    if (!this.#isRequired() && !(await this.store.isInstalled())) return;
    for (const run of await this.store.stale(new Date(now - STALE_MS))) {
      await this.handOver(run).catch((error: unknown) =>
        this.log.warn({ err: error, run: run.id }, "a stale background run was not resumed"),
      );
    }
    for (const kind of this.#kinds) await kind.sweep?.(now);
    await this.store.removeEnded(new Date(now - (this.parts.options.keep ?? 30) * DAY_MS));
  }

  /** Whether an interaction can't do without the table; actions on selected rows can. */
  #isRequired(): boolean {
    return this.parts.registry.all().some(hasInteractions);
  }
  #dropFiles(run: RunRow): Promise<void> {
    return dropFiles(this.parts.storage, this.sealer.content(run)?.files);
  }
  async #announce(before: RunRow, ended: RunRow): Promise<void> {
    const { backgroundRun } = this.parts.hooks;
    const content = this.sealer.content(before);
    if (!content || !backgroundRun.isUsed()) return;
    const kind = this.kindOf(before);
    const isKnown = kind !== undefined || actionOf(this.parts.registry, before, content) !== undefined;
    const account = isKnown
      ? await accountOf(this.parts, controllerOf(this.parts, before, content), before.owner_id)
      : undefined;
    const event = {
      run: this.sealer.info(ended),
      url: kind?.urlOf?.(content, ended) ?? `${content.page}/${ended.id}`,
      account: account || undefined,
      tenant: before.tenant ?? undefined,
    };
    await announce(backgroundRun, "resources.backgroundRun", event, { log: this.log });
  }
  #text(key: string): string {
    return this.parts.registry.application.texts?.t(key) ?? key;
  }
}

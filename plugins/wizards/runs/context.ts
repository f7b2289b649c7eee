import { BoundedCache, type Digests, openDigests, openSealer } from "framewright/host";
import type { Settings } from "framewright/kernel";
import type { Database, Transaction } from "framewright/plugins/database";
import type { Limits } from "framewright/plugins/limits";
import type { Storage } from "framewright/plugins/storage";
import type { RunRow, StepContext, StepSpec, Visit, WizardClass, WizardHooks, WizardStore } from "../contract/index.ts";
import { GuestLimiter } from "./guest_limiter.ts";
import { type RunEvent, RunHistory } from "./history.ts";
import { StaleRunError } from "./retry_on_conflict.ts";
import { RunCodec, type RunContent, type StoredRun } from "./run.ts";
import type { RunScope } from "./run_scope.ts";
import { type MigratedRun, migrateRun } from "./upkeep/migrate_steps.ts";

/** What the engine is built from. */
export interface EngineParts {
  readonly database: Database;
  readonly store: WizardStore;
  readonly settings: Pick<Settings, "secrets">;
  readonly hooks: WizardHooks;
  readonly log: { warn(facts: object, message: string): void; error(facts: object, message: string): void };
  /** Stores the files of steps. */
  readonly storage: Pick<Storage, "put" | "delete"> | undefined;
  /** Counts what guests launch. */
  readonly limits: Limits;
  /** A wizard's class by its constant, for runs that no request visits. */
  wizard(constant: string): WizardClass | undefined;
  /** Whether answers are encrypted where their wizard does not set it. */
  readonly encryptData: boolean;
  /** Milliseconds that an open run is retained after its last change, where its wizard sets no limit. */
  readonly cleanupAfter: number | "never";
  /** Milliseconds after which a run that is being completed counts as abandoned. */
  readonly grace: number;
}

/** A request at a mount, and the scope that its run is looked up in. */
export interface VisitContext {
  readonly core: EngineCore;
  readonly visit: Visit;
  readonly scope: RunScope;
}
/** A request that works on a run. */
export interface RunContext {
  readonly core: EngineCore;
  readonly visit: Visit;
  readonly run: StoredRun;
}
/** A request that works on one step of a run. */
export interface RunStepContext extends RunContext {
  readonly step: StepSpec;
}

/** Caches digests: every request computes those of its run's key several times. */
function withCache(digests: Digests): Digests {
  const recent = new BoundedCache<readonly string[]>(500);
  return { ...digests, all: (text) => recent.getOrMake(text, () => digests.all(text)) };
}

/** What all operations on runs share: store, codec, history, files, hooks. */
export class EngineCore {
  readonly parts: EngineParts;
  readonly digests: Digests;
  readonly codec: RunCodec;
  readonly history: RunHistory;
  readonly guestLimiter: GuestLimiter;

  constructor(parts: EngineParts) {
    this.parts = parts;
    this.guestLimiter = new GuestLimiter(parts.limits);
    this.digests = withCache(openDigests(parts.settings, "wizards"));
    this.codec = new RunCodec(openSealer(parts.settings.secrets, "wizard run"), parts.encryptData);
    this.history = new RunHistory(parts);
  }
  get store(): WizardStore {
    return this.parts.store;
  }
  get database(): Database {
    return this.parts.database;
  }

  /** Decodes a row and migrates it to the current steps; undefined when the secret that sealed it is unavailable. */
  open(row: RunRow, wizard: WizardClass, context: StepContext): MigratedRun | undefined {
    const run = this.codec.open(row);
    return run && migrateRun(run, wizard.flow, context);
  }

  /** Writes a run's content if the row is still at the version that was read. @throws StaleRunError */
  async write(
    { run, wizard, transaction }: { run: StoredRun; wizard: WizardClass; transaction?: Transaction },
    content: RunContent,
    more: Partial<RunRow> = {},
  ): Promise<RunRow> {
    const { row } = run;
    const now = new Date();
    const times = { started_at: row.started_at ?? now, updated_at: now, expires_at: this.expiry(wizard, now) };
    const columns = this.codec.columns(content, { identity: row.identity, wizard });
    const change: Partial<RunRow> = Object.assign(columns, { version: row.version + 1 }, times, more);
    // The version alone: a condition on an indexed column makes MariaDB lock that index first, and deadlock.
    if (!(await this.store.update(row.id!, { version: row.version }, change, transaction))) throw new StaleRunError();
    return Object.assign({}, row, change);
  }
  expiry({ metadata }: WizardClass, from: Date): Date | null {
    const after = metadata.cleanupAfter ?? this.parts.cleanupAfter;
    return after === "never" ? null : new Date(from.getTime() + after);
  }

  /** After the commit: removes files that are no longer needed, and emits the public events. */
  async afterCommit(row: RunRow, events: readonly RunEvent[], keys: readonly string[] = []): Promise<void> {
    await this.removeFiles(keys);
    await this.history.announce(row, events);
  }
  /** A file that can't be removed is logged: the run itself has moved on. */
  async removeFiles(keys: readonly string[]): Promise<void> {
    const { storage, log } = this.parts;
    for (const key of keys) {
      await storage?.delete(key).catch((error: unknown) => log.warn({ err: error }, "a wizard's file was not removed"));
    }
  }
}

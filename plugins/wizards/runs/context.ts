import { BoundedCache, type Digests, openDigests, openSealer } from "framewright/host";
import type { Settings } from "framewright/kernel";
import type { Database, Transaction } from "framewright/plugins/database";
import type { Storage } from "framewright/plugins/storage";
import type { RunRow, StepContext, WizardClass, WizardStore } from "../contract/index.ts";
import { Strangers } from "./guest_limiter.ts";
import { type Happening, Trail } from "./history.ts";
import type { WizardHooks } from "./hooks.ts";
import { Again } from "./retry_on_conflict.ts";
import { type Content, type OpenRun, RunTexts } from "./run.ts";
import { type Migrated, migrated } from "./upkeep/migrate_steps.ts";

/** What the engine works with. */
export interface EngineParts {
  readonly database: Database;
  readonly store: WizardStore;
  readonly settings: Pick<Settings, "secrets">;
  readonly hooks: WizardHooks;
  readonly log: { warn(facts: object, message: string): void; error(facts: object, message: string): void };
  /** Where the files of steps lie. */
  readonly storage: Pick<Storage, "put" | "delete"> | undefined;
  /** A wizard's class by its constant, for runs that nobody visits. */
  wizard(constant: string): WizardClass | undefined;
  /** Milliseconds that an open run is kept after its last change, where its wizard doesn't say. */
  readonly cleanupAfter: number | "never";
  /** Milliseconds after which a run that is being completed is taken for left behind. */
  readonly grace: number;
}

/** A step asks for the digests of its run's key again and again. */
function remembering(digests: Digests): Digests {
  const recent = new BoundedCache<readonly string[]>(500);
  return { ...digests, all: (text) => recent.getOrMake(text, () => digests.all(text)) };
}

/** What all parts of the engine share. */
export class Core {
  readonly parts: EngineParts;
  readonly digests: Digests;
  readonly texts: RunTexts;
  readonly trail: Trail;
  readonly strangers = new Strangers();

  constructor(parts: EngineParts) {
    this.parts = parts;
    this.digests = remembering(openDigests(parts.settings, "wizards"));
    this.texts = new RunTexts(openSealer(parts.settings.secrets, "wizard run"));
    this.trail = new Trail(parts);
  }
  get store(): WizardStore {
    return this.parts.store;
  }
  get database(): Database {
    return this.parts.database;
  }

  /** A row as today's steps see it; undefined when its secret is not known any more. */
  open(row: RunRow, wizard: WizardClass, context: StepContext): Migrated | undefined {
    const run = this.texts.open(row);
    return run && migrated(run, wizard.flow, context);
  }

  /** Writes a run's content where nobody wrote since it was read. @throws Again */
  async write(
    { run, wizard, transaction }: { run: OpenRun; wizard: WizardClass; transaction?: Transaction },
    content: Content,
    more: Partial<RunRow> = {},
  ): Promise<RunRow> {
    const { row } = run;
    const now = new Date();
    const change: Partial<RunRow> = {
      ...this.texts.columns(content, { identity: row.identity, wizard }),
      version: row.version + 1,
      started_at: row.started_at ?? now,
      updated_at: now,
      expires_at: this.expiry(wizard, now),
      ...more,
    };
    // The version alone: a condition on an indexed column makes MariaDB lock that index first, and deadlock.
    if (!(await this.store.update(row.id!, { version: row.version }, change, transaction))) throw new Again();
    return { ...row, ...change };
  }
  expiry({ facts }: WizardClass, from: Date): Date | null {
    const after = facts.cleanupAfter ?? this.parts.cleanupAfter;
    return after === "never" ? null : new Date(from.getTime() + after);
  }

  /** Says what is committed, and forgets the files that are not needed any more. */
  async after(row: RunRow, happenings: readonly Happening[], keys: readonly string[] = []): Promise<void> {
    await this.removeFiles(keys);
    await this.trail.announce(row, happenings);
  }
  /** A file that can't be removed is a line in the log: the run has gone on. */
  async removeFiles(keys: readonly string[]): Promise<void> {
    const { storage, log } = this.parts;
    for (const key of keys) {
      await storage?.delete(key).catch((error: unknown) => log.warn({ err: error }, "a wizard's file was not removed"));
    }
  }
}

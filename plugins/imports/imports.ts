import { messageOf } from "framewright/kernel";
import { type BackgroundRuns, isOpen } from "framewright/plugins/background_runs";
import type { Database } from "framewright/plugins/database";
import type { Storage } from "framewright/plugins/storage";
import { type ImportContent, ImportSealer } from "./content.ts";
import { KEPT_MS, MAX_READING, MAX_READING_OF_ONE } from "./limits.ts";
import { PersonTurns } from "./person_turns.ts";
import { type ImportRow, ImportStore } from "./store.ts";

export interface ImportParts {
  readonly database: Database;
  readonly secrets: readonly string[];
  readonly storage: Storage;
  /** The runs that write the rows. */
  readonly runs: BackgroundRuns;
}

/** The imports of an application: files that wait, what their columns are for, and the rows that failed. */
export class ImportService {
  readonly store: ImportStore;
  readonly sealer: ImportSealer;
  /** When files are read. */
  readonly readingTurns = new PersonTurns({ maxRunning: MAX_READING, maxOfOne: MAX_READING_OF_ONE });
  readonly #parts: ImportParts;

  constructor(parts: ImportParts) {
    this.#parts = parts;
    this.store = new ImportStore(parts.database);
    this.sealer = new ImportSealer(parts.secrets);
  }
  get runs(): BackgroundRuns {
    return this.#parts.runs;
  }
  get storage(): Storage {
    return this.#parts.storage;
  }
  content(row: ImportRow): ImportContent | undefined {
    return this.sealer.content(row.content, row);
  }

  /** Deletes the files of an import, whose result is retained a while. */
  async finish(id: number): Promise<void> {
    const row = await this.store.find(id);
    if (!row) return;
    await this.#deleteFilesOf(row);
    await this.store.keepUntil(id, new Date(Date.now() + KEPT_MS));
  }
  /** Deletes an import with all that is known of it. */
  async remove(row: ImportRow): Promise<void> {
    await this.#deleteFilesOf(row);
    await this.store.remove(row.id);
  }
  /** Deletes what has expired, unless it still runs. It may run on several nodes at once. */
  async sweep(now = Date.now()): Promise<void> {
    for (const row of await this.store.expired(new Date(now))) {
      const run = row.run_id === null ? undefined : await this.runs.store.find(row.run_id);
      const undo = this.content(row)?.undo;
      const undoing = undo === undefined ? undefined : await this.runs.store.find(undo);
      if ([run, undoing].some((one) => one && isOpen(one))) await this.store.keepUntil(row.id, new Date(now + KEPT_MS));
      else await this.remove(row);
    }
  }

  /** Deletes the rows of an import, and what was sent. */
  async deleteFiles({ file, source }: Pick<ImportContent, "file" | "source">): Promise<void> {
    for (const { key } of source ? [file, source] : [file])
      await this.storage.delete(key).catch((error: unknown) => {
        this.runs.log.error({ err: error }, `the file of an import could not be deleted: ${messageOf(error)}`);
      });
  }
  async #deleteFilesOf(row: ImportRow): Promise<void> {
    const content = this.content(row);
    if (content) await this.deleteFiles(content);
  }
}

import { type Registry, suggest } from "framewright/kernel";
import type { Database, Transaction } from "framewright/plugins/database";
import type { ScheduleInfo, ScheduleOptions } from "../contract.ts";
import { errors } from "../errors.ts";
import { readSchedule, type Schedule } from "./schedule.ts";
import { type ScheduleRow, ScheduleStore } from "./store.ts";

/** How long what was read of a schedule is believed: its row may have been changed by another release, or by hand. */
const MAX_BELIEF_MS = 60_000;
/** A due time so old that no process with the stored declaration can be running: this one takes the schedule over. */
const ABANDONED_MS = 120_000;

export interface SchedulerOptions {
  database: Database;
  kinds: Pick<Registry<unknown>, "has" | "names">;
  /** Stores a job in the transaction. */
  enqueue(schedule: Schedule, transaction: Transaction): Promise<number>;
  /** Milliseconds since 1970. */
  now?(): number;
}
/** A declared schedule, and when its row is to be looked at again. */
interface Entry extends Schedule {
  lookAt: number;
  /** Whether this process has seen its own declaration in the row. */
  isAdopted: boolean;
  /** Whether the database failed when it was looked at: tried again at the next poll, not at once. */
  isFailing: boolean;
}

/** Stores one job for each due time of each schedule: of all processes, the one that ends the due time in its row. */
export class Scheduler {
  readonly #options: SchedulerOptions;
  readonly #store: ScheduleStore;
  readonly #entries = new Map<string, Entry>();
  #isBooted = false;

  constructor(options: SchedulerOptions) {
    this.#options = options;
    this.#store = new ScheduleStore(options.database);
  }

  /** @throws FW_SCHEDULE_TAKEN, and what readSchedule throws */
  declare(name: string, owner: string, options: ScheduleOptions): void {
    const schedule = readSchedule(name, owner, options);
    const key = name.toLowerCase(); // as the databases compare
    const taken = this.#entries.get(key);
    if (taken) throw errors.FW_SCHEDULE_TAKEN(name, taken.owner, owner);
    if (this.#isBooted) this.#checkKind(schedule);
    this.#entries.set(key, { ...schedule, lookAt: 0, isAdopted: false, isFailing: false });
  }

  /**
   * At the end of boot. A table that a pending migration may create, or a database that is unavailable, refuses nothing.
   * @throws FW_SCHEDULE_KIND, FW_SCHEDULES_TABLE
   */
  async boot(): Promise<void> {
    this.#isBooted = true;
    for (const schedule of this.#entries.values()) this.#checkKind(schedule);
    if (this.#entries.size > 0 && (await this.#lacksTable())) throw errors.FW_SCHEDULES_TABLE();
  }
  async #lacksTable(): Promise<boolean> {
    const { database } = this.#options;
    if (database.unready) return false;
    try {
      return !(await this.#store.hasTable()) && (await database.migrations.pending()).length === 0;
    } catch {
      return false; // reported where the table is used
    }
  }
  #checkKind({ name, owner, kind }: Schedule): void {
    const { kinds } = this.#options;
    if (!kinds.has(kind)) throw errors.FW_SCHEDULE_KIND(name, owner, kind, suggest(kind, kinds.names()));
  }

  /** Stores the jobs of all schedules that are due; returns how many. What fails for one is thrown after the others. */
  async enqueueDue(): Promise<number> {
    const failures: unknown[] = [];
    let count = 0;
    for (const entry of this.#entries.values()) {
      const wait = entry.lookAt - this.#now();
      if (wait > 0 && wait <= MAX_BELIEF_MS) continue; // more: the clock was set back
      try {
        if (await this.#look(entry)) count++;
        entry.isFailing = false;
      } catch (error) {
        entry.isFailing = true;
        failures.push(error);
      }
    }
    if (failures.length > 0) throw failures[0];
    return count;
  }

  /** Milliseconds until a schedule is to be looked at; Infinity where there is none. */
  get wait(): number {
    let wait = Number.POSITIVE_INFINITY;
    for (const { lookAt, isFailing } of this.#entries.values())
      if (!isFailing) wait = Math.min(wait, Math.max(1, lookAt - this.#now()));
    return wait;
  }

  /** @throws FW_SCHEDULES_TABLE */
  async list(): Promise<ScheduleInfo[]> {
    const entries = [...this.#entries.values()].sort((a, b) => (a.name < b.name ? -1 : 1));
    if (entries.length === 0) return [];
    const rows = await this.#store.find(entries.map(({ name }) => name));
    return entries.map((entry) => {
      const row = rows.find(({ name }) => name.toLowerCase() === entry.name.toLowerCase());
      const { name, kind, due } = entry;
      const nextAt = row?.timing === due.text ? row.nextAt : this.#nextAfter(entry, row?.lastAt);
      return { name, kind, timing: due.text, nextAt, lastAt: row?.lastAt, lastJob: row?.lastJob };
    });
  }

  /** Removes what is left of schedules that no process declares any more. */
  async sweep(before: Date): Promise<void> {
    try {
      const names = [...this.#entries.values()].map(({ name }) => name);
      await this.#store.sweep(names, before);
    } catch (error) {
      if ((error as { code?: string }).code !== "FW_SCHEDULES_TABLE") throw error; // no table, nothing to remove
    }
  }

  /** Reads a schedule's row, and ends its due time; true when this process did. */
  async #look(entry: Entry): Promise<boolean> {
    const [row] = await this.#store.find([entry.name]);
    if (!row) {
      await this.#store.insert(entry.name, entry.due.text, this.#nextAfter(entry));
      return false; // looked at again at once: another process may have been first
    }
    if (row.timing !== entry.due.text) return this.#adopt(entry, row);
    entry.isAdopted = true;
    if (row.nextAt.getTime() <= this.#now()) return this.#run(entry, row);
    this.#lookLater(entry, row.nextAt.getTime());
    return false;
  }

  /**
   * The process that started last decides: those of before leave the row alone, until its due time shows that nobody runs
   * it. The new declaration counts from the stored due time if that has passed, so that what was missed is made up for.
   */
  async #adopt(entry: Entry, row: ScheduleRow): Promise<false> {
    const storedAt = row.nextAt.getTime();
    if (entry.isAdopted && this.#now() < storedAt + ABANDONED_MS) {
      this.#lookLater(entry, storedAt + ABANDONED_MS);
      return false;
    }
    const nextAt = storedAt > this.#now() ? this.#nextAfter(entry, row.lastAt) : entry.due.next(new Date(storedAt - 1));
    await this.#store.redeclare(row, entry.due.text, nextAt);
    return false;
  }

  async #run(entry: Entry, row: ScheduleRow): Promise<boolean> {
    const nextAt = this.#nextAfter(entry, row.nextAt);
    const isFirst = await this.#store.advance(row, nextAt, (transaction) => this.#options.enqueue(entry, transaction));
    if (isFirst) this.#lookLater(entry, nextAt.getTime());
    return isFirst;
  }

  /** Never at or before a due time that had its job: a clock that was set back repeats nothing. */
  #nextAfter({ due }: Schedule, lastAt?: Date): Date {
    return due.next(new Date(Math.max(this.#now(), lastAt?.getTime() ?? 0)));
  }
  #lookLater(entry: Entry, at: number): void {
    entry.lookAt = Math.min(at, this.#now() + MAX_BELIEF_MS);
  }
  #now(): number {
    return this.#options.now?.() ?? Date.now();
  }
}

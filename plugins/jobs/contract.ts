import type { SyncHook } from "framewright/kernel";
import type { Transaction } from "framewright/plugins/database";

declare module "framewright/kernel" {
  interface Slots {
    jobs: { service: Jobs; hooks: JobHooks };
  }
}

/** The states of a job. */
export const jobStates = ["waiting", "running", "done", "failed"] as const;
/** `failed`: out of attempts; the row stays until the job is retried or discarded. */
export type JobState = (typeof jobStates)[number];

/** When a job runs, how often it is tried, and with which transaction it exists. */
export interface JobOptions {
  /** Not before this instant. */
  runAt?: Date;
  /** The number of attempts in all; 12 by default. */
  maxAttempts?: number;
  /** The job exists when this commits, and not when it is rolled back. */
  transaction?: Transaction;
}
/** What is shown of a job: never its payload. */
export interface JobInfo {
  id: number;
  kind: string;
  state: JobState;
  attempts: number;
  maxAttempts: number;
  runAt: Date;
  createdAt: Date;
  finishedAt: Date | undefined;
  /** The last attempt's error message, at most 500 characters. */
  lastError: string | undefined;
}
/** Which jobs `list` returns. */
export interface JobFilter {
  state?: JobState;
  kind?: string;
  /** 100 by default. */
  limit?: number;
}
/** The current attempt; the first is 1. */
export interface Attempt {
  id: number;
  attempt: number;
}
export type Work<P extends object = object> = (payload: P, job: Attempt) => Promise<void>;

/** The slot's service: work that is stored, then run in the background, at least once. */
export interface Jobs {
  /** Registers the handler of a kind of job; in a plugin's `apply`. @throws FW_JOB_KIND_TAKEN */
  define<P extends object>(kind: string, work: Work<P>): void;
  /**
   * Stores a job; it runs soon after the transaction commits, in this process or another. The payload is stored as
   * encrypted JSON. Returns the job's id. @throws FW_JOB_KIND_UNKNOWN, FW_JOBS_TABLE
   */
  enqueue(kind: string, payload: object, options?: JobOptions): Promise<number>;
  /** Lists jobs, the newest first. @throws FW_JOBS_TABLE */
  list(filter?: JobFilter): Promise<JobInfo[]>;
  /** Makes a failed or waiting job due now, with all its attempts; false when there is none. */
  retry(id: number): Promise<boolean>;
  /** Removes a job that is not running; false when there is none. */
  discard(id: number): Promise<boolean>;
  /** Runs all due jobs now, and waits for those that this process is running. Returns how many ended, successfully or not. */
  drain(): Promise<number>;
}
/** The hooks of the slot "jobs". */
export interface JobHooks {
  /** A job failed its last attempt; `fw jobs` shows it. */
  failed: SyncHook<[info: JobInfo]>;
}

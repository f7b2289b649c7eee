import type { SyncHook } from "framewright/kernel";
import type { Transaction } from "framewright/plugins/database";

export const jobStates = ["waiting", "running", "done", "failed"] as const;
/** `failed`: given up; it stays until it is retried or discarded. */
export type JobState = (typeof jobStates)[number];

export interface JobOptions {
  /** Not before this instant. */
  runAt?: Date;
  /** How often it is tried in all; 12 unless told. */
  maxAttempts?: number;
  /** The job exists when this commits, and not when it is rolled back. */
  transaction?: Transaction;
}
/** What may be known about a job: never its payload. */
export interface JobInfo {
  id: number;
  kind: string;
  state: JobState;
  attempts: number;
  maxAttempts: number;
  runAt: Date;
  createdAt: Date;
  finishedAt: Date | undefined;
  /** What the last attempt failed with: a message of at most 500 characters. */
  lastError: string | undefined;
}
export interface JobFilter {
  state?: JobState;
  kind?: string;
  /** 100 unless told. */
  limit?: number;
}
/** Which attempt this is, from 1. */
export interface Attempt {
  id: number;
  attempt: number;
}
export type Work<P extends object = object> = (payload: P, job: Attempt) => Promise<void>;

/** The slot's service: work that is stored first and done after, at least once. */
export interface Jobs {
  /** Registers who does a kind of job; in a plugin's apply. @throws FW_JOB_KIND_TAKEN */
  define<P extends object>(kind: string, work: Work<P>): void;
  /**
   * Stores a job; done soon after the transaction commits, in this process or another. The payload is kept as JSON,
   * sealed. Returns its id. @throws FW_JOB_KIND_UNKNOWN, FW_JOBS_TABLE
   */
  enqueue(kind: string, payload: object, options?: JobOptions): Promise<number>;
  /** The newest first. @throws FW_JOBS_TABLE */
  list(filter?: JobFilter): Promise<JobInfo[]>;
  /** Makes a job that failed, or waits, due now, with all its attempts; false when there is none such. */
  retry(id: number): Promise<boolean>;
  /** Removes a job that nobody is doing; false when there is none such. */
  discard(id: number): Promise<boolean>;
  /** Does everything that is due, now, and waits for what this process is doing. Returns how many it did, well or not. */
  drain(): Promise<number>;
}
export interface JobHooks {
  /** A job was given up; `fw jobs` shows it. */
  failed: SyncHook<[info: JobInfo]>;
}

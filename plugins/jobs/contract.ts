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
/** How many jobs of a kind are in a state. */
export interface JobCount {
  kind: string;
  state: Exclude<JobState, "done">;
  count: number;
}
/** The current attempt; the first is 1. */
export interface Attempt {
  id: number;
  attempt: number;
}
/**
 * When a schedule is due: by the five fields of a cron text (minute, hour, day, month, weekday), in UTC or a time zone,
 * or at every multiple of a number of minutes or hours, counted from midnight UTC.
 */
export type Timing =
  | { cron: string; timeZone?: string; minutes?: never; hours?: never }
  | { minutes: number; hours?: never; cron?: never; timeZone?: never }
  | { hours: number; minutes?: never; cron?: never; timeZone?: never };
/** When a schedule is due, and which job it stores then. */
export type ScheduleOptions = Timing & {
  /** The kind of the job; the schedule's name by default. */
  kind?: string;
  /** The payload of each job; empty by default. */
  payload?: object;
  /** The number of attempts of each job; 12 by default. */
  maxAttempts?: number;
};
/** What is shown of a schedule: never its payload. */
export interface ScheduleInfo {
  name: string;
  kind: string;
  /** As declared: `0 3 * * * Europe/Zurich`, `every 15 minutes`. */
  timing: string;
  /** When it is due next; in the past while no process runs jobs. */
  nextAt: Date;
  /** The due time that it last stored a job for. */
  lastAt: Date | undefined;
  /** The id of that job. */
  lastJob: number | undefined;
}
/** What does the jobs of a kind: gets the payload, and which attempt it is. A job whose work throws is tried again later. */
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
  /**
   * Declares a schedule, in a plugin's `apply` or at boot: for each due time one job is stored, by whichever process is
   * first. Due times that passed while no process ran are made up for by one job.
   * @throws FW_SCHEDULE_TAKEN, FW_SCHEDULE_OPTION, FW_SCHEDULE_CRON, FW_SCHEDULE_ZONE; at the end of boot
   * FW_SCHEDULE_KIND, FW_SCHEDULES_TABLE
   */
  every(name: string, options: ScheduleOptions): void;
  /** Lists the declared schedules, in the order of their names. @throws FW_SCHEDULES_TABLE */
  schedules(): Promise<ScheduleInfo[]>;
  /** Lists jobs, the newest first. @throws FW_JOBS_TABLE */
  list(filter?: JobFilter): Promise<JobInfo[]>;
  /** Counts the jobs that wait, run or failed, by kind; where the queue can count them at little cost. @throws FW_JOBS_TABLE */
  counts?(): Promise<JobCount[]>;
  /** Makes a failed or waiting job due now, with all its attempts; false when there is none. */
  retry(id: number): Promise<boolean>;
  /** Removes a job that is not running; false when there is none. */
  discard(id: number): Promise<boolean>;
  /** Stores the jobs of due schedules, runs all due jobs, and waits for those that this process is running. Returns how many ended, successfully or not. */
  drain(): Promise<number>;
}
/** The hooks of the slot "jobs". */
export interface JobHooks {
  /** A job failed its last attempt; `fw jobs` shows it. */
  failed: SyncHook<[info: JobInfo]>;
}

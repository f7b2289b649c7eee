import type { Job } from "bullmq";
import type { JobInfo, JobState } from "framewright/plugins/jobs";

/** What is stored with a job in Redis. */
export interface JobData {
  /** Encrypted; null once the job is done. */
  payload: string | null;
  /** Attempts that were started: those of processes that died count. */
  attempts: number;
  maxAttempts: number;
  /** Milliseconds since 1970: when it was enqueued, and when it is due. */
  createdAt: number;
  runAt: number;
  error?: string;
}
/** A job as BullMQ has it. */
export type QueuedJob = Job<JobData>;

const MAX_ERROR_CHARS = 500;
export const shortened = (message: string): string => [...message].slice(0, MAX_ERROR_CHARS).join("");

/** BullMQ takes no number for an id of one's own. */
export const queueId = (id: number): string => `j${id}`;
export const idOf = ({ id }: Pick<QueuedJob, "id">): number => Number(String(id).slice(1));

export function infoOf(job: QueuedJob, state: JobState): JobInfo {
  const { attempts, maxAttempts, createdAt, runAt, error } = job.data;
  return {
    id: idOf(job),
    kind: job.name,
    state,
    attempts,
    maxAttempts,
    runAt: new Date(runAt),
    createdAt: new Date(createdAt),
    finishedAt: job.finishedOn === undefined ? undefined : new Date(job.finishedOn),
    lastError: state === "done" ? undefined : error,
  };
}

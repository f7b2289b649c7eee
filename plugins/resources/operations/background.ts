import type { Authentication, Reply, RequestContext } from "framewright/host";
import type { ResourceAction } from "../definition/actions.ts";
import { errors } from "../errors.ts";
import type { ResourceRequest } from "../request.ts";
import type { RefusalKind } from "./denial.ts";

/** An account that a run needs outside of its requests. */
export interface BackgroundPerson {
  /** How the controllers of the place authenticate. */
  readonly authentication: Authentication | undefined;
  /** The account's id, as text. */
  readonly id: string;
  /** The request that is built for the run. */
  readonly request: RequestContext;
}

/** `done`: every target had its turn; `failed`: it could not be continued; what was done to records stays in each case. */
export type BackgroundRunState = "waiting" | "running" | "done" | "failed" | "cancelled";

/** A problem with one record, or with the run as a whole. */
export interface BackgroundProblem {
  /** The record's id; null for the whole. */
  readonly record: string | null;
  readonly text: string;
}

/** What is shown of a run. */
export interface BackgroundRunInfo {
  readonly id: number;
  /** The resource's constant and the action's key. */
  readonly resource: string;
  readonly action: string;
  readonly portal: string | undefined;
  readonly state: BackgroundRunState;
  /** How many records there were when it was started. */
  readonly total: number;
  readonly done: number;
  readonly refused: number;
  readonly failed: number;
  readonly reasons: Readonly<Partial<Record<RefusalKind, number>>>;
  /** The first of them. */
  readonly problems: readonly BackgroundProblem[];
  readonly createdAt: Date;
  readonly finishedAt: Date | undefined;
}

/** A run has ended. */
export interface BackgroundRunEvent {
  readonly run: BackgroundRunInfo;
  /** The path of its page. */
  readonly url: string;
  /** The account that started it; undefined where it may not act any more. */
  readonly account: object | undefined;
  /** The tenant that it was started in, by its table and id, as `organizations/7`; undefined in a portal without tenants. */
  readonly tenant: string | undefined;
}

/** What resources leave actions to: those of interactions in the background, of whole lists and of very many rows. */
export interface BackgroundStarter {
  /** Whether actions can be left to it now. */
  isReady(): Promise<boolean>;
  /** Stores what is to be done with its job, and answers with the page that shows how far it is. @throws HttpError 403 for guests */
  start(controller: ResourceRequest, action: ResourceAction, values: Record<string, unknown>): Promise<Reply>;
  /** Runs of all people, the newest first: for those who look after the application. */
  latest(limit?: number): Promise<BackgroundRunInfo[]>;
  /** Cancels a run, whoever started it; false where there is none, or it has ended. */
  cancelById(id: number): Promise<boolean>;
}

/** @throws FW_BACKGROUND_JOBS where no plugin runs actions in the background */
export function startInBackground(
  controller: ResourceRequest,
  action: ResourceAction,
  values: Record<string, unknown>,
): Promise<Reply> {
  const { background } = controller.resources;
  if (!background) throw errors.FW_BACKGROUND_JOBS(action.interaction?.name ?? action.key);
  return background.start(controller, action, values);
}

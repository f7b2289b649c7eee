import { FramewrightError, messageOf } from "framewright/kernel";
import { errors } from "./errors.ts";

/** Seconds. */
const RETRY_AFTER = 2;
/** Replies of a server that can't serve now: it starts, is a replica, is full, or refuses the password. */
const refusals =
  /^(?:LOADING|READONLY|OOM|MISCONF|MASTERDOWN|NOREPLICAS|CLUSTERDOWN|TRYAGAIN|UNBLOCKED|NOAUTH|WRONGPASS|NOPERM|BUSY)\b/;
const broken =
  /^(?:Connection is closed|Command timed out|Stream isn't writeable|Connection is in|Socket |connect |read |write )/;

/** 503: the request may be tried again. */
export function away(reason: string): FramewrightError {
  const error = errors.FW_REDIS_AWAY(reason);
  error.status = 503;
  return Object.assign(error, { retryAfter: RETRY_AFTER });
}

export const isAway = (error: unknown): boolean => (error as { code?: string }).code === "FW_REDIS_AWAY";

/**
 * What a failed command is to the application: 503 where Redis is unavailable. Other errors of Redis keep their message
 * alone: those of ioredis carry the command with its arguments, and they would be logged.
 */
export function explained(error: unknown, conceal: (text: string) => string): unknown {
  if (!(error instanceof Error) || error instanceof FramewrightError) return error;
  const { name, code } = error as Error & { code?: unknown };
  const message = conceal(messageOf(error));
  if (name === "MaxRetriesPerRequestError") return away("no connection");
  if (typeof code === "string" && /^(?:E[A-Z_]+|UND_ERR\w+)$/.test(code)) return away(code);
  if (name === "ReplyError") return refusals.test(message) ? away(message.split(" ")[0]!) : new Error(message);
  return broken.test(message) ? away(message.replace(/\.$/, "")) : error;
}

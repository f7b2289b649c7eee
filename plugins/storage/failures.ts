import { messageOf } from "framewright/kernel";
import { errors } from "./errors.ts";

/** What is read of errors of drivers: flydrive's has the reason as its cause, AWS's the status of the answer. */
interface DriverError {
  readonly name?: string;
  readonly code?: string;
  readonly cause?: unknown;
  readonly $metadata?: { readonly httpStatusCode?: number };
}
const RETRY_AFTER_SECONDS = 5;
const AWAY =
  /^(?:ECONNREFUSED|ECONNRESET|ECONNABORTED|EPIPE|ETIMEDOUT|ENOTFOUND|EAI_AGAIN|EHOSTUNREACH|ENETUNREACH|TimeoutError|SlowDown|RequestTimeout)$/;

/** The error within others that names what happened. */
function innermost(error: unknown): DriverError {
  let found = error as DriverError;
  for (let depth = 0; depth < 5 && found.cause instanceof Error; depth++) found = found.cause;
  return found;
}

const isOurs = ({ code }: DriverError): boolean => code?.startsWith("FW_") === true;

/**
 * An error of a server that stores files, as one of ours: 503 while it is unavailable, else what it refused. The original is left
 * out, since it has the key and what was signed with it. Errors of a directory are returned as they are.
 */
export function explain(error: unknown, place: string): unknown {
  if (isOurs(error as DriverError)) return error;
  const { name = "", code = "", $metadata } = innermost(error);
  const status = $metadata?.httpStatusCode;
  const [known] = [code, name].filter((word) => AWAY.test(word));
  if (known !== undefined || (status !== undefined && (status >= 500 || status === 429))) {
    const away = errors.FW_STORAGE_AWAY(place, known ?? `status ${status}`);
    return Object.assign(away, { status: 503, retryAfter: RETRY_AFTER_SECONDS });
  }
  return status === undefined ? error : errors.FW_STORAGE_REFUSED(place, `${name} (status ${status})`);
}

/** Why a file could not be written in a directory. */
export const reasonOf = (error: unknown): string => messageOf((error as Error).cause ?? error);

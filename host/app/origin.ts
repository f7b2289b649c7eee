import { AsyncLocalStorage } from "node:async_hooks";
import type { RequestContext } from "../http/request.ts";
import type { TraceContext } from "../http/trace_context.ts";

/** Where the code that runs now was entered. */
export interface Origin {
  request?: RequestContext;
  /** As in `Blogging::Checkout`. */
  wizard?: string;
  /** The job's kind. */
  job?: string;
  /** By what means records are written, as "import"; undefined where the request, wizard or job is enough. */
  means?: string;
  /** The account that really acts, where it acts for the account of the request. */
  actor?: object;
  /** The trace that a job begins. */
  trace?: TraceContext;
}

/** Module-level: it follows a request, a job or a command through code that is handed nothing. */
const origins = new AsyncLocalStorage<Origin>();

/** Runs work as what was entered there; within another it is that one with more. */
export const withOrigin = <T>(origin: Origin, work: () => T): T =>
  origins.run({ ...origins.getStore(), ...origin }, work);

/**
 * Adds to the origin of the code that runs now, where it has one. The first name of the means stays: an action of several
 * records is "bulk", whatever it calls. @example addToOrigin({ means: "import" })
 */
export function addToOrigin(more: Origin): void {
  const origin = origins.getStore();
  const means = origin?.means ?? more.means;
  if (origin) Object.assign(origin, more, means === undefined ? {} : { means });
}

/** Where the code that runs now was entered: requests are known while a plugin requires it (`tracksOrigins`), jobs always. */
export const currentOrigin = (): Origin | undefined => origins.getStore();

/**
 * The trace of the code that runs now, where no request is at hand: that of the job, or of the request where requests are
 * known. @example await fetch(url, { headers: { ...currentTrace()?.headers } })
 */
export function currentTrace(): TraceContext | undefined {
  const { request, trace } = origins.getStore() ?? {};
  return trace ?? request?.trace;
}

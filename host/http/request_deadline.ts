import type { ServerResponse } from "node:http";
import { InFlight } from "framewright/kernel";
import { errors } from "../errors.ts";
import { describeRoute } from "../routing/route.ts";
import { loggedPath } from "./logged_path.ts";
import { abandonTaps } from "./pending_taps.ts";
import type { RequestContext } from "./request.ts";

/** Answers a request that took too long, without waiting for its action. */
type OnLate = (error: Error, request: RequestContext, res: ServerResponse) => void;

/** A watched request, as `watch` returns it. */
export interface WatchedRequest {
  readonly request: RequestContext;
  readonly res: ServerResponse;
  index: number;
}

/** Watches the requests in flight: one interval looks at all of them, instead of a timer for each. */
export class RequestDeadlines {
  readonly #pending = new InFlight<WatchedRequest>();
  readonly #milliseconds: number;
  readonly #onLate: OnLate;
  #timer: NodeJS.Timeout | undefined;

  /** 0 milliseconds: requests may take any time. */
  constructor(milliseconds: number, onLate: OnLate) {
    this.#milliseconds = milliseconds;
    this.#onLate = onLate;
  }

  open(): void {
    const interval = Math.min(1000, this.#milliseconds / 4);
    if (this.#milliseconds > 0) this.#timer = setInterval(() => this.#check(), interval).unref();
  }

  watch(request: RequestContext, res: ServerResponse): WatchedRequest {
    const watched: WatchedRequest = { request, res, index: -1 };
    watched.index = this.#pending.add(watched);
    return watched;
  }
  unwatch(watched: WatchedRequest): void {
    this.#pending.remove(watched.index, watched);
  }
  close(): void {
    clearInterval(this.#timer);
  }

  #check(): void {
    const oldest = performance.now() - this.#milliseconds;
    for (const watched of this.#pending) {
      const { request, res } = watched;
      if (request.startedAt > oldest) continue;
      this.unwatch(watched);
      this.#onLate(lateError(request, this.#milliseconds), request, res);
    }
  }
}

/** Names the route, and the taps that it waits for. */
function lateError(request: RequestContext, milliseconds: number): Error {
  const waits = abandonTaps(request);
  const route = request.route && `${request.engine ? `${request.engine.name}: ` : ""}${describeRoute(request.route)}`;
  const error = errors.FW_REQUEST_LATE(`${request.method} ${loggedPath(request)}`, route, waits, milliseconds);
  error.status = 503;
  return error;
}

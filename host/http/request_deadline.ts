import type { ServerResponse } from "node:http";
import { InFlight } from "framewright/kernel";
import { errors } from "../errors.ts";
import { describeRoute } from "../routing/route.ts";
import { loggedPath } from "./logged_path.ts";
import type { RequestContext } from "./request.ts";

/** A request took too long: answer it without what it still waits for. */
type Late = (error: Error, request: RequestContext, res: ServerResponse) => void;

/** Watches the requests in flight: one look at all of them now and then, no timer for each. */
export class Deadline {
  readonly #pending = new InFlight<RequestContext>();
  /** By seat. */
  readonly #responses: (ServerResponse | undefined)[] = [];
  readonly #milliseconds: number;
  readonly #late: Late;
  #timer: NodeJS.Timeout | undefined;

  /** 0 milliseconds: requests may take as long as they like. */
  constructor(milliseconds: number, late: Late) {
    this.#milliseconds = milliseconds;
    this.#late = late;
  }

  open(): void {
    const often = Math.min(1000, this.#milliseconds / 4);
    if (this.#milliseconds > 0) this.#timer = setInterval(() => this.#look(), often).unref();
  }

  begin(request: RequestContext, res: ServerResponse): void {
    request.seat = this.#pending.add(request);
    this.#responses[request.seat] = res;
  }
  end(request: RequestContext): void {
    if (this.#pending.remove(request.seat, request)) this.#responses[request.seat] = undefined;
  }
  close(): void {
    clearInterval(this.#timer);
  }

  #look(): void {
    const oldest = performance.now() - this.#milliseconds;
    for (const request of this.#pending) {
      if (request.startedAt > oldest) continue;
      const res = this.#responses[request.seat]!;
      this.end(request);
      this.#late(lateError(request, this.#milliseconds), request, res);
    }
  }
}

/** Names the route, and the taps that it waits for. */
function lateError(request: RequestContext, milliseconds: number): Error {
  const about = (given: unknown) => {
    const { request: own, controller } = (given ?? {}) as { request?: unknown; controller?: { request?: unknown } };
    return given === request || own === request || controller?.request === request;
  };
  const waits = request.kernel.abandon(about).map(({ hook, plugin }) => `the plugin "${plugin}" in the hook "${hook}"`);
  const route = request.route && `${request.engine ? `${request.engine.name}: ` : ""}${describeRoute(request.route)}`;
  const error = errors.FW_REQUEST_LATE(`${request.method} ${loggedPath(request)}`, route, waits, milliseconds);
  error.status = 503;
  return error;
}

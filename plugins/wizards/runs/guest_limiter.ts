import { networkOf, type RequestContext, tooManyRequests } from "framewright/host";
import type { Limiter, Limits } from "framewright/plugins/limits";
import { guestKey } from "./guest_key.ts";

/** Launches per network and window by browsers whose session has no guest key. */
const MAX_LAUNCHES = 100;
const WINDOW_SECONDS = 600;

/** Limits the launches of visitors whose session has no guest key, whatever cookie they send: each inserts a row. */
export class GuestLimiter {
  readonly #limits: Limits;
  #limiter: Limiter | undefined;

  constructor(limits: Limits) {
    this.#limits = limits;
  }

  /** @throws HttpError 429 with Retry-After; 503 where nothing can be counted */
  async consume({ session, address }: RequestContext): Promise<void> {
    if (guestKey(session) !== undefined) return;
    this.#limiter ??= this.#limits.open("wizards.launch", { points: MAX_LAUNCHES, seconds: WINDOW_SECONDS });
    const wait = await this.#limiter.consume(networkOf(address));
    if (wait !== undefined) throw tooManyRequests(wait);
  }
}

import { networkOf, type RequestContext, tooManyRequests } from "framewright/host";
import type { RateLimiterMemory, RateLimiterRes } from "rate-limiter-flexible";
import { guestKey } from "./guest_key.ts";

/** Launches per network and window by browsers whose session has no guest key. */
const MAX_LAUNCHES = 100;
const WINDOW_SECONDS = 600;

/** Limits, per process, the launches of visitors whose session has no guest key, whatever cookie they send: each inserts a row. */
export class GuestLimiter {
  #limiter: Promise<RateLimiterMemory> | undefined;

  /** @throws HttpError 429 with Retry-After */
  async consume({ session, address }: RequestContext): Promise<void> {
    if (guestKey(session) !== undefined) return;
    this.#limiter ??= openLimiter();
    try {
      await (await this.#limiter).consume(networkOf(address), 1);
    } catch (refused) {
      if (refused instanceof Error) throw refused;
      throw tooManyRequests((refused as RateLimiterRes).msBeforeNext / 1000);
    }
  }
}

async function openLimiter(): Promise<RateLimiterMemory> {
  const { RateLimiterMemory } = await import("rate-limiter-flexible");
  return new RateLimiterMemory({ points: MAX_LAUNCHES, duration: WINDOW_SECONDS });
}

import { networkOf, type RequestContext, tooManyRequests } from "framewright/host";
import type { RateLimiterMemory, RateLimiterRes } from "rate-limiter-flexible";
import { guestKey } from "./guest_key.ts";

/** Runs that an address may launch within these seconds by browsers whose session holds no guest's key. */
const MOST = 100;
const WITHIN = 600;

/** Counts, in this process, the launches of visitors who are no guests yet, whatever cookie they send: each makes a row. */
export class Strangers {
  #limiter: Promise<RateLimiterMemory> | undefined;

  /** @throws HttpError 429 with Retry-After */
  async take({ session, address }: RequestContext): Promise<void> {
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
  return new RateLimiterMemory({ points: MOST, duration: WITHIN });
}

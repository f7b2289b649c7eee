import { tooManyRequests } from "framewright";
import { RateLimiterMemory, type RateLimiterRes } from "rate-limiter-flexible";

/** How often something may be tried, in this process, before it is answered 429 (S8). */
export interface Limit {
  /** Tries for one login, as it was typed, whether anybody has it or not. */
  perLogin: number;
  /** Tries from one address. */
  perAddress: number;
  /** Seconds after which tries are forgotten. */
  within: number;
}
/** `login`: passwords. `code`: one-time and recovery codes. `mail`: whatever sends a mail. */
export type LimitName = "login" | "code" | "mail";
export type LimitOptions = Partial<Record<LimitName, Partial<Limit>>>;

export const standardLimits: Record<LimitName, Limit> = {
  login: { perLogin: 10, perAddress: 100, within: 900 },
  code: { perLogin: 10, perAddress: 100, within: 900 },
  mail: { perLogin: 5, perAddress: 50, within: 900 },
};

interface Pair {
  login: RateLimiterMemory;
  address: RateLimiterMemory;
}

/** Counts tries before they are looked at, so that parallel ones never pass a limit. */
export class Limits {
  readonly #pairs = new Map<LimitName, Pair>();

  constructor(options: LimitOptions | false = {}) {
    if (options === false) return;
    for (const name of Object.keys(standardLimits) as LimitName[]) {
      const { perLogin, perAddress, within } = { ...standardLimits[name], ...options[name] };
      const limiter = (points: number) => new RateLimiterMemory({ points, duration: within });
      this.#pairs.set(name, { login: limiter(perLogin), address: limiter(perAddress) });
    }
  }

  /** Takes one try for a login and an address. @throws HttpError 429 with Retry-After */
  async take(name: LimitName, login: string, address: string): Promise<void> {
    const pair = this.#pairs.get(name);
    if (!pair) return;
    await consume(pair.address, address);
    await consume(pair.login, login);
  }

  /** A try that succeeded does not count. */
  async giveBack(name: LimitName, login: string, address: string): Promise<void> {
    const pair = this.#pairs.get(name);
    if (!pair) return;
    await pair.login.delete(login);
    await pair.address.reward(address, 1);
  }
}

async function consume(limiter: RateLimiterMemory, key: string): Promise<void> {
  try {
    await limiter.consume(key, 1);
  } catch (refused) {
    if (refused instanceof Error) throw refused;
    throw tooManyRequests((refused as RateLimiterRes).msBeforeNext / 1000);
  }
}

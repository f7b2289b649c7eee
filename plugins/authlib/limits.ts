import { networkOf, tooManyRequests } from "framewright/host";
import type { RateLimiterMemory, RateLimiterRes } from "rate-limiter-flexible";

/** How often something may be tried, in this process, before it is answered 429. */
export interface Limit {
  /** Tries for one login, as it was typed, whether anybody has it or not; of `mail`: for one login from one address. */
  perLogin: number;
  /** Tries from one address. */
  perAddress: number;
  /** Seconds after which tries are forgotten. */
  within: number;
}
/** `login`: passwords. `code`: one-time and recovery codes. `mail`: whatever sends a mail. `form`: forms kept until a sign-in. */
export type LimitName = "login" | "code" | "mail" | "form";
export type LimitOptions = Partial<Record<LimitName, Partial<Limit>>>;

export const standardLimits: Record<LimitName, Limit> = {
  login: { perLogin: 10, perAddress: 100, within: 900 },
  code: { perLogin: 10, perAddress: 100, within: 900 },
  mail: { perLogin: 5, perAddress: 50, within: 900 },
  form: { perLogin: 50, perAddress: 50, within: 900 }, // nobody has logged in: both count the address
};

interface Pair {
  login: RateLimiterMemory;
  address: RateLimiterMemory;
}

/** Counts tries before they are looked at, so that parallel ones never pass a limit. */
export class Limits {
  readonly #options: LimitOptions | false;
  #pairs: Promise<Map<LimitName, Pair>> | undefined;

  constructor(options: LimitOptions | false = {}) {
    this.#options = options;
  }

  /** Takes one try for a login and an address. @throws HttpError 429 with Retry-After */
  async take(name: LimitName, login: string, address: string): Promise<void> {
    const pair = await this.#pair(name);
    if (!pair) return;
    await consume(pair.address, networkOf(address));
    await consume(pair.login, login);
  }

  /**
   * Takes one try and makes it. What is right counts for nothing, nor does what nobody looked at: a try that ended in an
   * error. @throws HttpError 429 with Retry-After
   */
  async judge<T>(name: LimitName, login: string, address: string, work: () => Promise<T>): Promise<T> {
    await this.take(name, login, address);
    try {
      const right = await work();
      if (right) await this.giveBack(name, login, address);
      return right;
    } catch (error) {
      const pair = await this.#pair(name);
      await pair?.login.reward(login, 1);
      await pair?.address.reward(networkOf(address), 1);
      throw error;
    }
  }
  /** Nothing is counted against a login any more. */
  async forget(name: LimitName, login: string): Promise<void> {
    await (await this.#pair(name))?.login.delete(login);
  }

  /** A try that succeeded does not count. */
  async giveBack(name: LimitName, login: string, address: string): Promise<void> {
    const pair = await this.#pair(name);
    if (!pair) return;
    await pair.login.delete(login);
    await pair.address.reward(networkOf(address), 1);
  }

  async #pair(name: LimitName): Promise<Pair | undefined> {
    if (this.#options === false) return undefined;
    this.#pairs ??= openPairs(this.#options);
    return (await this.#pairs).get(name);
  }
}

/** The library is loaded at the first try, not at boot. */
async function openPairs(options: LimitOptions): Promise<Map<LimitName, Pair>> {
  const { RateLimiterMemory } = await import("rate-limiter-flexible");
  const names = Object.keys(standardLimits) as LimitName[];
  return new Map(
    names.map((name) => {
      const { perLogin, perAddress, within } = { ...standardLimits[name], ...options[name] };
      const limiter = (points: number) => new RateLimiterMemory({ points, duration: within });
      return [name, { login: limiter(perLogin), address: limiter(perAddress) }];
    }),
  );
}

async function consume(limiter: RateLimiterMemory, key: string): Promise<void> {
  try {
    await limiter.consume(key, 1);
  } catch (refused) {
    if (refused instanceof Error) throw refused;
    throw tooManyRequests((refused as RateLimiterRes).msBeforeNext / 1000);
  }
}

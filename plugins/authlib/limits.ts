import { networkOf, tooManyRequests } from "framewright/host";
import type { RateLimiterMemory, RateLimiterRes } from "rate-limiter-flexible";

/** A rate limit, counted in this process. Beyond it the answer is 429. */
export interface Limit {
  /** Attempts for one login as typed, existing or not; of `mail`: for one login from one address. */
  perLogin: number;
  /** Attempts from one address. */
  perAddress: number;
  /** Seconds after which attempts no longer count. */
  within: number;
}
/** `login`: passwords. `code`: one-time and recovery codes. `mail`: whatever sends a mail. `form`: forms kept until a sign-in. */
export type LimitName = "login" | "code" | "mail" | "form";
/** Limits by what they count. */
export type LimitOptions = Partial<Record<LimitName, Partial<Limit>>>;

export const defaultLimits: Record<LimitName, Limit> = {
  login: { perLogin: 10, perAddress: 100, within: 900 },
  code: { perLogin: 10, perAddress: 100, within: 900 },
  mail: { perLogin: 5, perAddress: 50, within: 900 },
  form: { perLogin: 50, perAddress: 50, within: 900 }, // nobody is signed in: both count the address
};

interface Pair {
  login: RateLimiterMemory;
  address: RateLimiterMemory;
}

/** Counts attempts before they are checked, so that parallel ones never exceed a limit. */
export class Limits {
  readonly #options: LimitOptions | false;
  #pairs: Promise<Map<LimitName, Pair>> | undefined;

  constructor(options: LimitOptions | false = {}) {
    this.#options = options;
  }

  /** Counts one attempt for a login and an address. @throws HttpError 429 with Retry-After */
  async consume(name: LimitName, login: string, address: string): Promise<void> {
    const pair = await this.#pair(name);
    if (!pair) return;
    await consumePoint(pair.address, networkOf(address));
    await consumePoint(pair.login, login);
  }

  /**
   * Counts one attempt and runs it. A successful one is refunded, and so is one that ended in an error before it was
   * checked. @throws HttpError 429 with Retry-After
   */
  async attempt<T>(name: LimitName, login: string, address: string, work: () => Promise<T>): Promise<T> {
    await this.consume(name, login, address);
    try {
      const right = await work();
      if (right) await this.refund(name, login, address);
      return right;
    } catch (error) {
      const pair = await this.#pair(name);
      await pair?.login.reward(login, 1);
      await pair?.address.reward(networkOf(address), 1);
      throw error;
    }
  }
  /** Resets the count of a login. */
  async reset(name: LimitName, login: string): Promise<void> {
    await (await this.#pair(name))?.login.delete(login);
  }

  /** Refunds a successful attempt, and resets the count of its login. */
  async refund(name: LimitName, login: string, address: string): Promise<void> {
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

/** Loads the library at the first attempt, not at boot. */
async function openPairs(options: LimitOptions): Promise<Map<LimitName, Pair>> {
  const { RateLimiterMemory } = await import("rate-limiter-flexible");
  const names = Object.keys(defaultLimits) as LimitName[];
  return new Map(
    names.map((name) => {
      const { perLogin, perAddress, within } = { ...defaultLimits[name], ...options[name] };
      const limiter = (points: number) => new RateLimiterMemory({ points, duration: within });
      return [name, { login: limiter(perLogin), address: limiter(perAddress) }];
    }),
  );
}

async function consumePoint(limiter: RateLimiterMemory, key: string): Promise<void> {
  try {
    await limiter.consume(key, 1);
  } catch (refused) {
    if (refused instanceof Error) throw refused;
    throw tooManyRequests((refused as RateLimiterRes).msBeforeNext / 1000);
  }
}

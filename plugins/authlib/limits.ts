import { networkOf, tooManyRequests } from "framewright/host";
import type { Transaction } from "framewright/plugins/database";
import type { Limiter, Limits as LimitStore } from "framewright/plugins/limits";

/** A rate limit, counted in the slot "limits". Beyond it the answer is 429. */
export interface Limit {
  /** Attempts for one login as typed, existing or not; of `mail`: for one login from one address. */
  perLogin: number;
  /** Attempts from one address. */
  perAddress: number;
  /** Seconds after which attempts no longer count. */
  within: number;
}
/** `login`: passwords. `code`: one-time and recovery codes. `mail`: whatever sends a mail. `form`: forms stored until a sign-in. */
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
  login: Limiter;
  address: Limiter;
}

/** Counts attempts before they are checked, so that parallel ones never exceed a limit. */
export class Limits {
  readonly #store: LimitStore;
  readonly #options: LimitOptions | false;
  readonly #pairs = new Map<LimitName, Pair>();

  constructor(store: LimitStore, options: LimitOptions | false = {}) {
    this.#store = store;
    this.#options = options;
  }

  /** Opens the limits of an application that has accounts. */
  open(): void {
    const options = this.#options;
    if (options === false) return;
    for (const name of Object.keys(defaultLimits) as LimitName[]) {
      const { perLogin, perAddress, within: seconds } = { ...defaultLimits[name], ...options[name] };
      const open = (by: string, points: number) => this.#store.open(`authlib.${name}.${by}`, { points, seconds });
      this.#pairs.set(name, { login: open("login", perLogin), address: open("address", perAddress) });
    }
  }

  /** Counts one attempt for a login and an address. @throws HttpError 429 with Retry-After; 503 where nothing can be counted */
  async consume(name: LimitName, login: string, address: string, transaction?: Transaction): Promise<void> {
    const pair = this.#pairs.get(name);
    if (!pair) return;
    await count(pair.address, networkOf(address), transaction);
    await count(pair.login, login, transaction);
  }

  /**
   * Counts one attempt and runs it. A successful one is refunded, and so is one that ended in an error before it was
   * checked. @throws HttpError 429 with Retry-After; 503 where nothing can be counted
   */
  async attempt<T>(name: LimitName, login: string, address: string, work: () => Promise<T>): Promise<T> {
    await this.consume(name, login, address);
    try {
      const right = await work();
      if (right) await this.refund(name, login, address);
      return right;
    } catch (error) {
      await this.#takeBack(name, login, address).catch(() => undefined); // the error of the attempt is the one to report
      throw error;
    }
  }
  /** Resets the count of a login. */
  async reset(name: LimitName, login: string): Promise<void> {
    await this.#pairs.get(name)?.login.reset(login);
  }

  /** Refunds a successful attempt, and resets the count of its login. */
  async refund(name: LimitName, login: string, address: string): Promise<void> {
    const pair = this.#pairs.get(name);
    await pair?.login.reset(login);
    await pair?.address.refund(networkOf(address));
  }

  async #takeBack(name: LimitName, login: string, address: string): Promise<void> {
    const pair = this.#pairs.get(name);
    await pair?.login.refund(login);
    await pair?.address.refund(networkOf(address));
  }
}

async function count(limiter: Limiter, key: string, transaction: Transaction | undefined): Promise<void> {
  const wait = await limiter.consume(key, { transaction });
  if (wait !== undefined) throw tooManyRequests(wait);
}

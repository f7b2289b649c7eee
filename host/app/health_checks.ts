import { describe, messageOf, Registry } from "framewright/kernel";
import { errors } from "../errors.ts";
import type { Logger } from "./log.ts";
import type { Registrant } from "./registrant.ts";

/** Answers undefined when the application may get requests, else the reason why not. */
export type HealthCheck = () => string | undefined | Promise<string | undefined>;

/** Milliseconds that a check may take: balancers give up on `/readyz` after a few seconds. */
const CHECK_TIMEOUT_MS = 2000;
const MAX_TIMEOUT_MS = 30_000;
const NAME = /^[a-z][\w .-]{0,39}$/i;

/** Why a check failed: `detail` for the log, and `reason` where the check itself gave one. */
export interface CheckFailure {
  readonly detail: string;
  readonly reason?: string;
  readonly error?: unknown;
}
interface RegisteredCheck {
  readonly name: string;
  readonly plugin: string;
  readonly run: () => Promise<CheckFailure | undefined>;
}

/** What must work for the application to get requests, besides the database: the checks of plugins. */
export class HealthChecks {
  readonly #registrant: Registrant;
  readonly #log: Logger;
  readonly #checks: Registry<RegisteredCheck>;
  readonly #logged = new Map<string, string>();

  constructor(registrant: Registrant, log: Logger) {
    this.#registrant = registrant;
    this.#log = log;
    const owner = () => registrant.name("host.health.add");
    this.#checks = new Registry("the readiness check", owner, { taken: errors.FW_HEALTH_TAKEN });
  }

  /**
   * Adds a check of `/readyz`: `services.host.health.add("queue", async () => (await ping()) ? undefined : "no answer")`.
   * One that throws, or takes longer than `timeoutMs`, has failed.
   * @throws FW_HEALTH_CHECK, FW_HEALTH_TAKEN, FW_REGISTERED_LATE outside of `apply`
   */
  add(name: string, check: HealthCheck, { timeoutMs = CHECK_TIMEOUT_MS }: { timeoutMs?: number } = {}): void {
    const plugin = this.#registrant.name("host.health.add");
    const problem = problemOf(name, check, timeoutMs);
    if (problem !== undefined) throw errors.FW_HEALTH_CHECK(plugin, String(name), problem);
    this.#checks.add(name, { name, plugin, run: limitedCheck(check, timeoutMs) });
  }

  /** The names of all checks, with their plugins. */
  get names(): readonly { readonly name: string; readonly plugin: string }[] {
    return this.#all();
  }

  /** Runs all checks at once, and returns those that failed. */
  async failures(): Promise<readonly (CheckFailure & { readonly name: string })[]> {
    const results = await Promise.all(
      this.#all().map(async ({ name, run }) => {
        const failure = await run();
        this.report(`the readiness check "${name}"`, failure);
        return failure && { ...failure, name };
      }),
    );
    return results.filter((failure) => failure !== undefined);
  }

  #all(): RegisteredCheck[] {
    return Array.from(this.#checks.entries(), ([, check]) => check);
  }

  /** Logs that a check fails, or succeeds again: once, not at each request. */
  report(what: string, failure: CheckFailure | undefined): void {
    if (this.#logged.get(what) === failure?.detail) return;
    if (failure) {
      this.#logged.set(what, failure.detail);
      this.#log.warn({ err: failure.error }, `${what} failed: ${failure.detail}`);
    } else {
      this.#logged.delete(what);
      this.#log.info(`${what} succeeds again`);
    }
  }
}

/** A check that never rejects and answers in time. All who ask while it runs share that run: a slow one is not started for each. */
export function limitedCheck(check: () => unknown, timeoutMs = CHECK_TIMEOUT_MS): RegisteredCheck["run"] {
  let running: Promise<CheckFailure | undefined> | undefined;
  return () => {
    running ??= runCheck(check, timeoutMs).finally(() => {
      running = undefined;
    });
    return running;
  };
}

async function runCheck(check: () => unknown, timeoutMs: number): Promise<CheckFailure | undefined> {
  const answered = (async () => failureOf(await check()))().catch(
    (error: unknown): CheckFailure => ({ detail: messageOf(error), error }),
  );
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<CheckFailure>((resolve) => {
    timer = setTimeout(resolve, timeoutMs, { detail: `no answer within ${timeoutMs} ms` });
  });
  try {
    return await Promise.race([answered, late]);
  } finally {
    clearTimeout(timer);
  }
}

function failureOf(answer: unknown): CheckFailure | undefined {
  if (answer === undefined) return undefined;
  if (typeof answer === "string" && answer !== "") return { detail: answer, reason: answer };
  const given = answer === "" ? "an empty text" : describe(answer);
  return { detail: `it answered with ${given}; expected a reason, or undefined when all is well` };
}

function problemOf(name: unknown, check: unknown, timeoutMs: unknown): string | undefined {
  if (typeof name !== "string" || !NAME.test(name))
    return "a name begins with a letter and has at most 40 letters, digits, spaces, dots and dashes";
  if (typeof check !== "function") return `its check is ${describe(check)}, not a function`;
  if (!Number.isInteger(timeoutMs) || Number(timeoutMs) < 1 || Number(timeoutMs) > MAX_TIMEOUT_MS)
    return `timeoutMs must be a whole number from 1 to ${MAX_TIMEOUT_MS}`;
  return undefined;
}

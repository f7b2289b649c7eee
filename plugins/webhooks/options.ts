import type { BaseController } from "framewright/host";
import { Addresses, isNetwork, type Resolve, resolveName } from "framewright/host/outbound";
import { checkOptions, type OptionRule, option } from "framewright/kernel";
import { isManager } from "framewright/plugins/memberships";
import type { SendOptions } from "./sending/send.ts";

/** Seconds before each attempt after the first: ten attempts in a little more than a day. */
const RETRY_SECONDS = [10, 60, 300, 1200, 3600, 10_800, 21_600, 28_800, 28_800];
const DAY_MS = 86_400_000;

/** Options of `webhooks()`. */
export interface WebhooksOptions {
  /** Who may have webhooks in the portal and the tenant of a request; by default those who manage the tenant's members. */
  may?: (controller: BaseController) => boolean;
  /** How many a tenant may have in a portal; 20 by default. */
  limit?: number;
  /** Seconds before each attempt after the first, ±20 %; about a day in all by default. */
  retrySeconds?: readonly number[];
  /** Days that what was sent is stored with its attempts; 30 by default. */
  keepDays?: number;
  /** Days after which a webhook is disabled whose receiver fails at each attempt; 5 by default. */
  disableAfterDays?: number;
  /** Seconds that one attempt may take; 10 by default. */
  timeoutSeconds?: number;
  /** Attempts that a process makes at a time, and those to one webhook; 16 and 4 by default. */
  concurrency?: number;
  concurrencyPerWebhook?: number;
  /** Ports of receivers; 443 and 8443 by default. */
  ports?: readonly number[];
  /** Networks that are sent to besides the internet, on every port: `["10.1.0.0/16"]`. */
  allowAddresses?: readonly string[];
  /** Whether plain HTTP is permitted to `allowAddresses`, for development. */
  allowHttp?: boolean;
  /** Finds the addresses of a name; the system's resolver by default. */
  resolve?: Resolve;
}

/** The options with their defaults. */
export interface Settled {
  readonly may: (controller: BaseController) => boolean;
  readonly limit: number;
  readonly retrySeconds: readonly number[];
  readonly keepMs: number;
  readonly disableAfterMs: number;
  readonly concurrency: number;
  readonly concurrencyPerWebhook: number;
  readonly sending: SendOptions;
}

const aFunction: OptionRule = { expected: "a function", check: (value) => typeof value === "function" };
const listOf = (expected: string, check: (one: unknown) => boolean): OptionRule => ({
  expected,
  check: (value) => Array.isArray(value) && value.every(check),
});
const isPositive = (one: unknown) => typeof one === "number" && one > 0 && Number.isFinite(one);

/** @throws FW_PLUGIN_OPTION */
export function settled(options: WebhooksOptions): Settled {
  checkOptions("webhooks", options, {
    may: aFunction,
    resolve: aFunction,
    ...{ limit: option.positive, keepDays: option.positive, disableAfterDays: option.positive },
    ...{ timeoutSeconds: option.positive, concurrency: option.positive, concurrencyPerWebhook: option.positive },
    allowHttp: option.boolean,
    retrySeconds: listOf("a list of seconds", isPositive),
    ports: listOf("a list of ports, as [443, 8443]", (one) => Number.isInteger(one) && isPositive(one)),
    allowAddresses: listOf('a list of networks, as ["10.1.0.0/16"]', isNetwork),
  });
  const { may = isManager, limit = 20, retrySeconds = RETRY_SECONDS, keepDays = 30, disableAfterDays = 5 } = options;
  const { concurrency = 16, concurrencyPerWebhook = 4, timeoutSeconds = 10 } = options;
  const { ports = [443, 8443], allowAddresses = [], allowHttp = false, resolve = resolveName } = options;
  return {
    ...{ may, limit, retrySeconds, concurrency, concurrencyPerWebhook },
    keepMs: keepDays * DAY_MS,
    disableAfterMs: disableAfterDays * DAY_MS,
    sending: {
      ...{ ports, allowHttp, resolve },
      timeoutMs: timeoutSeconds * 1000,
      addresses: new Addresses(allowAddresses),
    },
  };
}

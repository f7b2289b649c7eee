import { isIP } from "node:net";
import { Addresses, type GuardedFetchOptions, isNetwork, type Resolve, resolveName } from "framewright/host/outbound";
import { checkOptions, type OptionRule, option } from "framewright/kernel";
import type { DnsOptions } from "./domains/txt_record.ts";

const DAY_MS = 86_400_000;
/** Bytes of an answer of a provider: keys and configurations. */
const MAX_BYTES = 1_000_000;

/** Options of `sso()`. */
export interface SsoOptions {
  /** The servers of DNS that proofs are read from, as `["10.0.0.2", "127.0.0.1:5353"]`; those of the system by default. */
  dnsServers?: readonly string[];
  /** Seconds for an answer of DNS, 5 by default, and of a provider, 10. */
  dnsTimeoutSeconds?: number;
  timeoutSeconds?: number;
  /** Days after which the proof of a domain is looked for again, 7 by default, and days without it after which it lapses, 14. */
  renewDays?: number;
  graceDays?: number;
  /** Domains that nobody claims, besides those where everybody gets an address: `["shop.example"]`. */
  refusedDomains?: readonly string[];
  /** Ports of providers; 443 and 8443 by default. */
  ports?: readonly number[];
  /** Networks that providers may be in besides the internet, on every port: `["10.1.0.0/16"]`. */
  allowAddresses?: readonly string[];
  /** Whether plain HTTP is permitted to `allowAddresses`, for development. */
  allowHttp?: boolean;
  /** Finds the addresses of a provider's name; DNS by default. */
  resolve?: Resolve;
}

/** The options with their defaults. */
export interface Settled {
  readonly dns: DnsOptions;
  readonly renewMs: number;
  readonly graceMs: number;
  readonly refused: ReadonlySet<string>;
  readonly outbound: GuardedFetchOptions;
}

const listOf = (expected: string, check: (one: unknown) => boolean): OptionRule => ({
  expected,
  check: (value) => Array.isArray(value) && value.every(check),
});
const isServer = (one: unknown) =>
  typeof one === "string" && (isIP(one) > 0 || /^(?:\d{1,3}(?:\.\d{1,3}){3}|\[[\da-f:]+\]):\d{1,5}$/i.test(one));

/** @throws FW_PLUGIN_OPTION */
export function settled(options: SsoOptions): Settled {
  checkOptions("sso", options, {
    dnsServers: listOf('a list of addresses, as ["10.0.0.2", "127.0.0.1:5353"]', isServer),
    ...{ dnsTimeoutSeconds: option.positive, timeoutSeconds: option.positive },
    ...{ renewDays: option.positive, graceDays: option.positive, refusedDomains: option.strings },
    ports: listOf("a list of ports, as [443, 8443]", (one) => Number.isInteger(one) && Number(one) > 0),
    allowAddresses: listOf('a list of networks, as ["10.1.0.0/16"]', isNetwork),
    allowHttp: option.boolean,
    resolve: { expected: "a function", check: (value) => typeof value === "function" },
  });
  const { dnsServers = [], dnsTimeoutSeconds = 5, timeoutSeconds = 10, renewDays = 7, graceDays = 14 } = options;
  const { ports = [443, 8443], allowAddresses = [], allowHttp = false, resolve = resolveName } = options;
  return {
    dns: { servers: dnsServers, timeoutMs: dnsTimeoutSeconds * 1000 },
    ...{ renewMs: renewDays * DAY_MS, graceMs: graceDays * DAY_MS },
    refused: new Set((options.refusedDomains ?? []).map((one) => one.toLowerCase())),
    outbound: {
      ...{ ports, allowHttp, resolve, maxBytes: MAX_BYTES },
      timeoutMs: timeoutSeconds * 1000,
      addresses: new Addresses(allowAddresses),
    },
  };
}

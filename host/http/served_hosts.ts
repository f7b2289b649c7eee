import { describe, messageOf, type Settings } from "framewright/kernel";
import type { Logger } from "../app/log.ts";
import type { Registrant } from "../app/registrant.ts";
import { errors } from "../errors.ts";
import { hostNameOf } from "./host_name.ts";

/** Whether a host name is served: in lower case, without a port. Only `true` admits it. */
export type HostRule = (name: string) => boolean;

/** A rule with the plugin that added it. */
interface RegisteredRule {
  readonly plugin: string;
  readonly rule: HostRule;
}

/** The host names that are served: those of the settings, and those that rules of plugins accept. */
export class ServedHosts {
  readonly #registrant: Registrant;
  readonly #rules: RegisteredRule[] = [];

  constructor(registrant: Registrant) {
    this.#registrant = registrant;
  }

  /**
   * Adds a rule for names that are not listed, as tenants' own domains: `services.host.hosts.add((name) => domains.has(name))`.
   * It is called at each request to such a name, and returns at once. What it throws counts as false.
   * @throws FW_HOST_RULE, FW_REGISTERED_LATE outside of `apply`
   */
  add(rule: HostRule): void {
    const plugin = this.#registrant.name("host.hosts.add");
    if (typeof rule !== "function") throw errors.FW_HOST_RULE(plugin, describe(rule));
    this.#rules.push({ plugin, rule });
  }

  /** The plugins that added rules. */
  get plugins(): readonly string[] {
    return [...new Set(this.#rules.map(({ plugin }) => plugin))];
  }

  /** Whether a Host header is served. Where nothing is listed and no plugin added a rule, all are. */
  matcher(settings: Settings, log: Logger): (host: string) => boolean {
    const isListed = listedHosts(listOf(settings), this.#rules.length === 0);
    if (this.#rules.length === 0) return (host) => isListed(hostNameOf(host));
    return (host) => {
      const name = hostNameOf(host);
      if (isListed(name)) return true;
      return isName(name) && this.#rules.some((one) => accepts(one, name, log));
    };
  }
}

/** The labels that `*` of `*.shop.example` may stand for. */
const LABELS = /^[\w-]+(?:\.[\w-]+)*$/;
/** The octets of a domain name at most. */
const MAX_NAME = 253;

const isName = (name: string) => name.length <= MAX_NAME && LABELS.test(name);

function listedHosts(names: readonly string[], isOpen: boolean): (name: string) => boolean {
  if (names.length === 0) return () => isOpen;
  const exact = new Set(names);
  const suffixes = names.filter((name) => name.startsWith("*.")).map((name) => name.slice(1));
  return (name) => {
    if (exact.has(name)) return true;
    const suffix = suffixes.find((ending) => name.endsWith(ending));
    return suffix !== undefined && LABELS.test(name.slice(0, -suffix.length));
  };
}

/** In development and test only this machine's names, unless configured; in production those of the settings. */
function listOf({ env, allowedHosts, appUrl }: Settings): readonly string[] {
  if (allowedHosts.length > 0) return allowedHosts;
  if (env !== "production") return ["localhost", "127.0.0.1", "[::1]", "*.localhost"];
  return appUrl ? [appUrl.hostname] : [];
}

function accepts({ plugin, rule }: RegisteredRule, name: string, log: Logger): boolean {
  try {
    const answer: unknown = rule(name);
    if (typeof answer === "boolean") return answer;
    if (answer instanceof Promise) answer.catch(() => undefined); // refused here; must not end the process as well
    const error = errors.FW_HOST_ANSWER(plugin, describe(answer));
    log.error({ err: error }, error.message);
  } catch (error) {
    log.error({ err: error }, `the plugin "${plugin}" failed to decide whether a host is served: ${messageOf(error)}`);
  }
  return false;
}

import type { Host, MysqlAddress } from "./address.ts";
import { mysqlFailure } from "./failure.ts";

/** A host, and since when it is down. */
interface HostState extends Host {
  /** performance.now() of its last failure; undefined while it works. */
  downSince?: number;
  /** performance.now() before which it is not looked at again. */
  nextLook: number;
}
/** Queries a host, by a connection of its own. */
export type Look = (host: Host) => Promise<"ready" | "answers" | "silent">;

/** Milliseconds between two looks at a host that is down. */
const LOOK_EVERY_MS = 1000;
/** Looks in a row at which a host is ready, before work goes back to it: one that has just come back may go again. */
const LOOKS_BEFORE_RETURN = 2;
/** Milliseconds from a look at which a host is ready, in which all processes go back to it, one after the other. */
const SETTLING_MS = 5000;

/**
 * Which server of a cluster is connected to: the first, in their order, that works. One that fails is left until it has
 * answered again for a while; then new work goes back to it, and what has begun elsewhere ends there.
 */
export class Hosts {
  readonly #hosts: readonly HostState[];
  readonly #look: Look;
  #settlingUntil = 0;
  readonly #looking = new Map<Host, Promise<"ready" | "answers" | "silent">>();

  constructor({ hosts, spread }: Pick<MysqlAddress, "hosts" | "spread">, look: Look) {
    const first = spread ? Math.floor(Math.random() * hosts.length) : 0;
    const ordered = [...hosts.slice(first), ...hosts.slice(0, first)];
    this.#hosts = ordered.map(({ host, port }) => ({ host, port, nextLook: 0 }));
    this.#look = look;
  }

  /** Whether a connection to this host is to be used for new work. */
  isPreferred(host: Host | undefined): boolean {
    this.#lookBack();
    const preferred = this.#hosts.find(({ downSince }) => downSince === undefined);
    return preferred === undefined || preferred === host;
  }
  /** Whether other processes may be at another host than this one: a read may not have yet what they wrote. */
  get isSettling(): boolean {
    return performance.now() < this.#settlingUntil;
  }
  isDown(host: Host | undefined): boolean {
    return (host as HostState | undefined)?.downSince !== undefined;
  }

  /** Connects to the first host that takes the connection: those that work, then those that failed longest ago. */
  async connect<T>(open: (host: Host) => Promise<T>): Promise<T> {
    const order = [...this.#hosts].sort((one, other) => (one.downSince ?? 0) - (other.downSince ?? 0));
    let failure: unknown;
    for (const host of order) {
      try {
        const connection = await open(host);
        host.downSince = undefined;
        return connection;
      } catch (error) {
        failure = error;
        if (!isConnectionLost(error) && !this.failed(host, error)) break;
        this.#down(host);
      }
    }
    throw failure;
  }

  /** Notes a failure on a connection to this host; whether another host may do better. */
  failed(host: Host, error: unknown): boolean {
    const isOfHost = isHostFailure(error);
    if (isOfHost) this.#down(host as HostState);
    return isOfHost;
  }
  #down(host: HostState): void {
    host.downSince = performance.now();
    host.nextLook = host.downSince + LOOK_EVERY_MS;
    this.#settlingUntil = 0; // waiting for other nodes would take as long as they wait for this one
  }

  /** Whether the host answers at all: one that doesn't is down. Calls meanwhile share the answer. */
  async answers(host: Host): Promise<boolean> {
    if (this.isDown(host)) return false;
    const found = await this.#ask(host);
    if (found === "silent") this.#down(host as HostState);
    return found !== "silent";
  }

  /** Looks at hosts that are preferred to what is used, now and then, while there is work at all. */
  #lookBack(): void {
    for (const host of this.#hosts) {
      if (host.downSince === undefined) return;
      if (performance.now() < host.nextLook) continue;
      host.nextLook = Number.POSITIVE_INFINITY;
      void this.#returns(host);
    }
  }
  async #returns(host: HostState): Promise<void> {
    const since = host.downSince;
    let ready = 0;
    while (ready < LOOKS_BEFORE_RETURN && (await this.#ask(host)) === "ready") {
      ready++;
      this.#settlingUntil = performance.now() + SETTLING_MS;
      await new Promise((resolve) => setTimeout(resolve, LOOK_EVERY_MS / LOOKS_BEFORE_RETURN).unref());
    }
    if (host.downSince !== since) return; // it failed again, or was connected to, in the meantime
    if (ready === LOOKS_BEFORE_RETURN) host.downSince = undefined;
    else host.nextLook = performance.now() + LOOK_EVERY_MS;
  }

  #ask(host: Host): Promise<"ready" | "answers" | "silent"> {
    const asked = this.#looking.get(host) ?? this.#look(host).finally(() => this.#looking.delete(host));
    this.#looking.set(host, asked);
    return asked;
  }
}

/** Too many connections, memory, connections or statements of this user, a connection that was killed; the disk. */
const ofLoad = new Set([1040, 1041, 1203, 1226, 1927, 1021, 1026, 1114, 1792]);

/** A connection that was lost shows nothing of its host: connecting again does. */
function isConnectionLost(error: unknown): boolean {
  const { code = "", fatal, sqlState } = error as { code?: string; fatal?: boolean; sqlState?: string };
  return /^(?:|PROTOCOL_CONNECTION_LOST|ECONNRESET|EPIPE)$/.test(code) && fatal === true && sqlState === undefined;
}

/** Whether another host may not have this failure. */
function isHostFailure(error: unknown): boolean {
  if (!(error instanceof Error) || isConnectionLost(error)) return false;
  if (ofLoad.has((error as { errno?: number }).errno ?? 0)) return false;
  const kind = mysqlFailure(error)?.kind;
  return kind === "unavailable" || kind === "unwritable";
}

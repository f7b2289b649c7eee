import type { Host } from "./address.ts";
import { failureOf } from "./failure.ts";

/** Milliseconds that a host which failed is tried last. */
const AVOID_MS = 5000;

/** The servers of a row: new connections lead to the first one that takes writes. */
export class Hosts {
  readonly #hosts: readonly Host[];
  /** performance.now() of the last failure of a host. */
  readonly #failedAt = new Map<Host, number>();

  constructor(hosts: readonly Host[]) {
    this.#hosts = hosts;
  }

  get areSeveral(): boolean {
    return this.#hosts.length > 1;
  }

  /** Connects to the first host that lets a connection in; `open` refuses a standby. The first failure is thrown. */
  async connect<T>(open: (host: Host) => Promise<T>): Promise<T> {
    let failure: unknown;
    for (const host of this.#inOrder()) {
      try {
        const connection = await open(host);
        this.#failedAt.delete(host);
        return connection;
      } catch (error) {
        failure ??= error;
        if (!isOfHost(error)) throw error;
        this.#failedAt.set(host, performance.now());
      }
    }
    throw failure;
  }

  #inOrder(): Host[] {
    const since = performance.now() - AVOID_MS;
    const failed = (host: Host) => (this.#failedAt.get(host) ?? -1) > since;
    return [...this.#hosts.filter((host) => !failed(host)), ...this.#hosts.filter(failed)];
  }
}

/** Whether another server may not have this failure: this one is down, starts, or is a standby. */
export const isOfHost = (error: unknown): boolean =>
  ["unavailable", "unwritable"].includes(failureOf(error)?.kind ?? "");

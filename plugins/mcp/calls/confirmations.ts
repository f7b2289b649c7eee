import { createHash, randomUUID } from "node:crypto";
import type { BaseController, Sealer } from "framewright/host";
import type {} from "framewright/plugins/api_keys";
import type { Limiter } from "framewright/plugins/limits";
import { accountId, rowOwner, tenantKey } from "framewright/plugins/portals";

/** Seconds. */
export const CONFIRMATION_SECONDS = 300;
export const CONFIRMATION_NAME = "mcp.confirmations";

/** A call that writes. */
export interface PlannedCall {
  readonly tool: string;
  /** Without the confirmation. */
  readonly given: Readonly<Record<string, unknown>>;
  /** The versions of the records that it changes, in the order of its arguments. */
  readonly versions: readonly string[];
}
/** Why a confirmation does not count. */
export type Refused = "unknown" | "expired" | "changed" | "used";

interface Sealed {
  readonly id: string;
  /** Milliseconds. */
  readonly until: number;
  readonly versions: string;
}

/** Confirmations of calls: sealed texts, which are stored nowhere; that one was used is counted among the limits. */
export class Confirmations {
  readonly #sealer: Sealer;
  readonly #used: Limiter;

  /** `used`: one point within `CONFIRMATION_SECONDS`. */
  constructor(sealer: Sealer, used: Limiter) {
    this.#sealer = sealer;
    this.#used = used;
  }

  issue(controller: BaseController, call: PlannedCall): string {
    const sealed: Sealed = {
      id: randomUUID(),
      until: Date.now() + CONFIRMATION_SECONDS * 1000,
      versions: digestOf(call.versions),
    };
    return this.#sealer.seal(JSON.stringify(sealed), boundTo(controller, call));
  }

  /** Why the text does not confirm this call; undefined where it does, for the first time. */
  async redeem(controller: BaseController, call: PlannedCall, text: string): Promise<Refused | undefined> {
    const opened = this.#sealer.open(text, boundTo(controller, call));
    if (opened === undefined) return "unknown";
    const { id, until, versions } = JSON.parse(opened) as Sealed;
    if (Date.now() > until) return "expired";
    if (versions !== digestOf(call.versions)) return "changed";
    return (await this.#used.consume(id)) === undefined ? undefined : "used";
  }
}

/** The caller, by which key, in which portal and tenant; the tool and its arguments. */
const boundTo = (controller: BaseController, { tool, given }: PlannedCall): string =>
  digestOf([callerOf(controller), tool, given]);

/** Names the caller among all of an application: the account with its key, tenant and portal; guests by their address. */
export function callerOf(controller: BaseController): readonly unknown[] {
  const { request, currentUser, currentScopedEntity } = controller;
  const portal = request.engine?.name;
  if (accountId(currentUser) === undefined) return [portal, tenantKey(currentScopedEntity), "guest", request.address];
  const { owner_type, owner_id, tenant } = rowOwner(controller, "mcp");
  const grant = request.kernel.has("api_keys") ? request.kernel.service("api_keys").grantOf(request) : undefined;
  return [portal, tenant, owner_type, owner_id, grant?.id ?? null];
}

/** The same for the same values, in whatever order their names are. */
export const digestOf = (value: unknown): string =>
  createHash("sha256")
    .update(JSON.stringify(sorted(value)) ?? "")
    .digest("base64url");

function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .sort(([one], [other]) => (one < other ? -1 : 1))
      .map(([name, one]) => [name, sorted(one)]),
  );
}

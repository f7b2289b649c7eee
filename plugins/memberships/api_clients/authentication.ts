import { type BaseController, forbidden, type RequestContext } from "framewright/host";
import { keysOf, readScopes } from "framewright/plugins/api_keys";
import { type BaseModel, type Database, encodeDate, ModelInfo, type Query } from "framewright/plugins/database";
import type { PolicyClass } from "framewright/plugins/resources";
import { digestOf } from "../invitations/invitation.ts";
import { columnOf, ownersOf } from "../shape.ts";
import { type ApiClientRecord, clientIsAtLeast, rolesOf } from "./api_client.ts";

/** How old `last_used_at` may be before it is written again. */
const USE_SPACING_MS = 60_000;
const readingMethods = new Set(["GET", "HEAD", "OPTIONS"]);
type Class<M extends BaseModel = BaseModel> = { new (): M };

/** Options of `apiClientByKey()`. */
export interface ApiClientOptions {
  /** The least role that may send requests which write. Others are answered 403, whatever a policy permits. */
  writes: string;
}

/**
 * Finds the client of a request by `Authorization: Bearer <key>`, for `CurrentUser`. Unknown keys and those of disabled
 * clients are refused alike, after the same query. @throws HttpError 403 for a request that writes, of a client that may only read
 */
export function apiClientByKey<M extends BaseModel>(
  Client: Class<M>,
  { writes }: ApiClientOptions,
): (request: RequestContext) => Promise<M | undefined> {
  return async (request) => {
    const database = request.kernel.service("database");
    const query = database.query(Client as Class) as unknown as Query<ApiClientRecord>;
    const found = (await query.where("key_digest", digestOf(request.bearer ?? "")).first()) as
      | ApiClientRecord
      | undefined;
    if (!found || found.disabled_at || isExpired(found) || !rolesOf(Client).includes(found.role)) return undefined;
    if (!clientIsAtLeast(Client, found, writes)) {
      if (isWrite(request)) throw forbidden();
      reading.add(request);
    }
    if (!applyScopes(request, found)) return undefined;
    await noteUse(database, found);
    return found as unknown as M;
  };
}

/** Module-level: requests of clients that may only read. */
const reading = new WeakSet<RequestContext>();
/** Whether a request came from a client that may only read. */
export const mayOnlyRead = (request: RequestContext): boolean => reading.has(request);

const isWrite = ({ method, route }: RequestContext): boolean =>
  !readingMethods.has(method) && route?.metadata.carriesRequests !== true;

const isExpired = ({ expires_at }: ApiClientRecord): boolean =>
  expires_at != null && new Date(expires_at).getTime() <= Date.now();

/** Lets the request do what the client's scopes name; a client without any does what its role permits. @throws FW_API_KEYS_PLUGIN */
function applyScopes(request: RequestContext, client: ApiClientRecord): boolean {
  if (client.scopes == null) return true;
  const id = `${ModelInfo.ofRecord(client).table} ${client.$id()}`;
  const grant = { id, name: undefined, scopes: readScopes(client.scopes) };
  return keysOf(request, `the API client ${client.$id()} has scopes`).grant(request, grant);
}

/** Writes the last use, at most once a minute. */
async function noteUse({ knex }: Database, client: ApiClientRecord): Promise<void> {
  const now = new Date();
  const due = new Date(now.getTime() - USE_SPACING_MS);
  if (client.last_used_at && new Date(client.last_used_at) > due) return;
  await knex(ModelInfo.ofRecord(client).table)
    .where({ id: client.$id() })
    .where((query) => query.whereNull("last_used_at").orWhere("last_used_at", "<=", encodeDate(due)))
    .update({ last_used_at: encodeDate(now) });
}

/** The tenant of the client that sends the request, for a portal's strategy of scoping. */
export async function tenantOfApiClient<T extends BaseModel>(
  { request, currentUser }: BaseController,
  Tenant: Class<T>,
): Promise<T | undefined> {
  const client = currentUser as unknown as BaseModel & Record<string, unknown>;
  const { entity } = ownersOf(ModelInfo.ofRecord(client));
  if (!entity || entity.target.class !== (Tenant as unknown)) return undefined;
  const tenants = request.kernel.service("database").query(Tenant as Class);
  return (await tenants.findById(Number(client[columnOf(entity)]))) as unknown as T | undefined;
}

/** What `ApiClientPolicy` adds to a portal's policies. */
export interface ApiClientPolicyMethods<M> {
  /** Whether the client's role is this one or a more privileged one: `return this.atLeast("write")`. @throws FW_MEMBERSHIP_ROLE */
  atLeast(role: M extends { role: infer R } ? R & string : string): boolean;
}

/** The base of policies that check the role of an API client: `class extends ApiClientPolicy(Base, ApiClient)`. */
export function ApiClientPolicy<B extends PolicyClass, M extends BaseModel>(
  Base: B,
  Client: Class<M>,
): B & PolicyClass<ApiClientPolicyMethods<M>> {
  class WithClient extends (Base as PolicyClass) {
    atLeast(role: string): boolean {
      const user: unknown = this.user;
      return clientIsAtLeast(Client, user instanceof Client ? user : undefined, role);
    }
  }
  return WithClient as never;
}

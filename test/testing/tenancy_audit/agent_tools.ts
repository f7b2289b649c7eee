import { RequestContext, type RouteInfo } from "framewright/host";
import type { AccountRecord, AccountType } from "framewright/plugins/authlib";
import type { BaseModel } from "framewright/plugins/database";
import type {} from "framewright/plugins/mcp";
import type { Attempts } from "./attempts.ts";
import type { Person } from "./people.ts";
import { nameOf } from "./portal_audit.ts";
import type { AuditAttempt, AuditRow, Uncovered } from "./report.ts";
import { tenantSegment } from "./sample_values.ts";
import { type Sent, Visitor } from "./visitor.ts";
import type { PortalParts } from "./wizard_walk.ts";

type Side = "a" | "b";
type Values = Readonly<Record<string, unknown>>;
interface Schema {
  readonly type?: string | readonly string[];
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly items?: Schema;
  readonly enum?: readonly unknown[];
  readonly anyOf?: readonly Schema[];
  readonly $ref?: string;
  readonly examples?: readonly unknown[];
  readonly format?: string;
}
interface Tool {
  readonly name: string;
  readonly inputSchema: Schema & { readonly $defs?: Readonly<Record<string, Schema>> };
}

/** What comes of the tools of agents in a portal. */
export interface ToolsFound {
  readonly rows: AuditRow[];
  readonly uncovered: Uncovered[];
}

/** Whether a route takes messages of agents. */
export const isOfAgents = ({ to }: RouteInfo): boolean => to.endsWith("#answerAgent");

/**
 * Calls every tool of agents as each member of a tenant, with records of their own and of the other tenant, and confirms what writes;
 * and sends messages to the address of the other tenant.
 */
export async function driveTools(
  parts: PortalParts,
  routes: readonly RouteInfo[],
  attempts: Attempts,
): Promise<ToolsFound> {
  const found: ToolsFound = { rows: [], uncovered: [] };
  for (const route of routes.filter(isOfAgents)) {
    const { all } = await parts.world.people.of(route.account);
    for (const person of all.filter(({ member }) => member === parts.side)) {
      const headers = await credentialOf(parts, person, route.account);
      if (!headers) {
        const reason = `accounts of "${route.account}" have no keys and no tokens`;
        found.uncovered.push({ what: `tools of ${nameOf(route)}`, reason });
        break;
      }
      await new ToolDrive(parts, route, person, attempts, found).run(headers);
    }
  }
  return found;
}

/** What a program of the person sends; undefined where the account type has nothing for programs. */
async function credentialOf(
  { world }: PortalParts,
  { account, label }: Person,
  name: string,
): Promise<Record<string, string> | undefined> {
  const { kernel } = world.application;
  const type = kernel.has("auth") ? kernel.service("auth").types.find(name) : undefined;
  if (!type) {
    const key = `agent of ${label}`;
    world.recorder.people.set(key, account!);
    return { [world.recorder.header]: key };
  }
  const token = type.features.has("api_keys")
    ? await newKey(type, account!)
    : type.features.has("jwt")
      ? await newToken(world.application, type, account!)
      : undefined;
  return token === undefined ? undefined : { authorization: `Bearer ${token}` };
}

async function newKey(type: AccountType, account: BaseModel): Promise<string> {
  const { digestOfKey, hintOf, newApiKey } = await import("framewright/plugins/api_keys");
  const key = newApiKey();
  const row = { account_id: account.$id(), name: "Audit", key_digest: digestOfKey(key), key_hint: hintOf(key) };
  const more = { scopes: "*:read *:write *:delete", created_at: new Date() };
  await type.services.database.knex(type.table("api_keys")).insert({ ...row, ...more });
  return key;
}

async function newToken(
  application: PortalParts["world"]["application"],
  type: AccountType,
  account: BaseModel,
): Promise<string> {
  const visit = { method: "POST", url: "/", headers: { host: "127.0.0.1" }, socket: { remoteAddress: "127.0.0.1" } };
  const request = new RequestContext(application, visit as never);
  const authlib = new type.class(request, type) as InstanceType<AccountType["class"]> & {
    tokens(key: string): Promise<{ access_token: string }>;
  };
  authlib.account = account as AccountRecord;
  return (await authlib.tokens(await authlib.openSession(account as AccountRecord, ["password"]))).access_token;
}

/** The tools of one person. */
class ToolDrive {
  readonly #parts: PortalParts;
  readonly #route: RouteInfo;
  #person: Person;
  readonly #attempts: Attempts;
  readonly #found: ToolsFound;
  #count = 0;
  #renewAt = 0;
  #isLimited = false;

  constructor(parts: PortalParts, route: RouteInfo, person: Person, attempts: Attempts, found: ToolsFound) {
    this.#parts = parts;
    this.#route = route;
    this.#person = person;
    this.#attempts = attempts;
    this.#found = found;
  }

  async run(headers: Record<string, string>): Promise<void> {
    const { side, world } = this.#parts;
    this.#bring(headers);
    const theirs = side === "a" ? "b" : "a";
    await this.#send("other tenant", this.#path(theirs), "tools/list", {});
    const tools = (await this.#send("own records", this.#path(side), "tools/list", {}))?.tools as Tool[] | undefined;
    await this.#send("own records", this.#path(side), "resources/list", {});
    for (const tool of tools ?? []) {
      for (const whose of [side, theirs] as const)
        for (const given of await this.#arguments(tool, whose)) {
          if (this.#count >= world.limits.requests) return this.#skip("its limit of requests was reached");
          if (this.#isLimited) return this.#skip("more messages than an account may send within a minute");
          if (this.#count >= this.#renewAt) await this.#renew();
          await this.#call(whose === side ? "own records" : "other records", tool, given);
        }
    }
  }
  #bring(headers: Record<string, string>): void {
    this.#person = { ...this.#person, visitor: new Visitor(this.#parts.world.application, headers) };
    this.#renewAt = this.#count + MAX_MESSAGES;
  }
  /** Another key, where there are keys: each may send so many messages within a minute. */
  async #renew(): Promise<void> {
    this.#bring((await credentialOf(this.#parts, this.#person, this.#route.account))!);
  }
  #skip(reason: string): void {
    const what = `tools of ${nameOf(this.#route)} as ${this.#person.label}`;
    this.#found.uncovered.push({ what, reason });
  }

  /** Calls a tool; what it would do first is done then. */
  async #call(kind: AuditAttempt, { name }: Tool, given: Values): Promise<void> {
    const path = this.#path(this.#parts.side);
    const answer = await this.#send(kind, path, "tools/call", { name, arguments: given });
    const confirmation = /"confirmation":"([\w-]+)"/.exec(
      String((answer?.content as { text?: string }[])?.at(-1)?.text),
    );
    if (!confirmation) return;
    await this.#send(kind, path, "tools/call", { name, arguments: { ...given, confirmation: confirmation[1] } });
  }

  /** A message, and what it was answered with. */
  async #send(kind: AuditAttempt, path: string, method: string, params: Values): Promise<Values | undefined> {
    const { side, rule, world } = this.#parts;
    world.signal?.throwIfAborted();
    const body = JSON.stringify({ jsonrpc: "2.0", id: ++this.#count, method, params });
    const accept = "application/json, text/event-stream";
    const sent: Sent = { method: "POST", url: path, type: "application/json", accept, body };
    const attempt = {
      kind,
      person: this.#person,
      side,
      sent,
      isPublic: false,
      isChooser: rule.parameter === undefined,
    };
    const { answer, problem, leaks } = await this.#attempts.run(attempt);
    this.#isLimited = answer.status === 429;
    this.#found.rows.push({
      ...{ portal: rule.engine.name, route: nameOf(this.#route), as: this.#person.label, attempt: kind, leaks },
      ...{ mayEnter: kind !== "other tenant", url: `${method} ${String(params.name ?? "")} ${path}` },
      ...{ status: answer.status, ...(problem === undefined ? {} : { problem }) },
    });
    const json = /^(?:event: message\ndata: )?(\{.*\})\s*$/s.exec(answer.text)?.[1];
    return json === undefined ? undefined : ((JSON.parse(json) as { result?: Values }).result ?? {});
  }

  #path(side: Side): string {
    const { rule, world } = this.#parts;
    const segment = tenantSegment(rule, world.records.tenant(side));
    return this.#route.path.replace(`:${rule.parameter}`, segment);
  }

  /** Arguments that name records of a tenant: each of its ids where a name tells no model. */
  async #arguments({ inputSchema }: Tool, whose: Side): Promise<Values[]> {
    const { ids } = this.#parts.world;
    const named = Object.keys(inputSchema.properties ?? {});
    const guessed = named.includes("id") || named.includes("ids") ? (await ids.all(whose)).slice(0, MAX_GUESSES) : [""];
    const found: Values[] = [];
    for (const id of guessed) {
      const values: Record<string, unknown> = {};
      for (const [name, schema] of Object.entries(inputSchema.properties ?? {})) {
        const value = await this.#value(name, schema, inputSchema.$defs ?? {}, { whose, id });
        if (value !== undefined) values[name] = value;
      }
      found.push(values);
    }
    return found;
  }

  async #value(
    name: string,
    given: Schema,
    shared: Readonly<Record<string, Schema>>,
    at: { whose: Side; id: string },
    depth = 0,
  ): Promise<unknown> {
    const referred = given.$ref === undefined ? given : (shared[given.$ref.replace("#/$defs/", "")] ?? {});
    const schema = referred.anyOf?.[0] ?? referred;
    if (["confirmation", "page", "per_page", "after", "sort", "columns", "match", "scope"].includes(name))
      return undefined;
    if (name === "id") return at.id;
    if (name === "ids") return [at.id];
    const { world, side } = this.#parts;
    const id = await world.ids.named(name, at.whose);
    const type = [schema.type ?? "string"].flat()[0];
    if (id !== undefined) return type === "array" ? [id] : type === "integer" ? Number(id) : id;
    if (name === "q") return world.records.marks[at.whose].slice(0, 8);
    if (schema.enum) return schema.enum[0];
    if (type === "object" && depth < 3) {
      const values: Record<string, unknown> = {};
      for (const [one, part] of Object.entries(schema.properties ?? {})) {
        const value = await this.#value(one, part, shared, at, depth + 1);
        if (value !== undefined) values[one] = value;
      }
      return name === "filter" ? undefined : values;
    }
    if (type === "string" && schema.format === undefined && !schema.examples?.some((one) => one !== "Example"))
      return `${world.records.marks[side]} ${this.#count}`;
    return schema.examples?.[0];
  }
}

/** Messages after which another key is sent. */
const MAX_MESSAGES = 100;
/** The most ids that are tried where a name tells no model. */
const MAX_GUESSES = 3;

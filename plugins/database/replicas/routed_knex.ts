import type { Knex } from "knex";
import { failureOf } from "../drivers/failure.ts";
import { checkMethods } from "../drivers/private_apis.ts";
import { createKnex } from "../packages.ts";
import type { Replica } from "./replica.ts";

interface Query {
  sql: string;
  /** For observers of statements: see time_statements.ts. */
  server?: "replica";
}
/** What is used of knex's clients. */
interface Client {
  readonly config: Knex.Config;
  acquireConnection(query?: Query): Promise<object>;
  releaseConnection(connection: object): Promise<void>;
  _query(connection: object, query: Query): Promise<unknown>;
  transaction(...given: unknown[]): unknown;
  emit(event: string, ...values: unknown[]): boolean;
}
const clientOf = (knex: Knex): Client => knex.client as Client;

/** Where statements go. */
export interface Routing {
  /** The replica for the code that runs now; undefined for the primary. */
  choose(): Promise<Replica | undefined>;
  /** Whether a replica may answer a statement. */
  accepts(sql: string): boolean;
}

/**
 * A knex whose reads run on the connections of a replica, and of the primary where that fails or there is none: what is
 * given this knex needs to know of neither. Writes and transactions are the primary's. Statements are reported by the primary's knex.
 */
export function routedKnex(primary: Knex, routing: Routing): Knex {
  const own = clientOf(primary);
  const Base = own.constructor as new (config: object) => Client;
  checkMethods("knex", Base, ["acquireConnection", "releaseConnection", "_query", "transaction", "emit"]);
  const owners = new WeakMap<object, Replica>();

  class RoutedClient extends Base {
    override async acquireConnection(query?: Query): Promise<object> {
      const replica = query && !routing.accepts(query.sql) ? undefined : await routing.choose();
      const connection = replica && (await acquired(replica));
      if (!connection) return own.acquireConnection(query);
      owners.set(connection, replica!);
      return connection;
    }
    override releaseConnection(connection: object): Promise<void> {
      const replica = owners.get(connection);
      return (replica ? clientOf(replica.knex) : own).releaseConnection(connection);
    }
    override async _query(connection: object, query: Query): Promise<unknown> {
      const replica = owners.get(connection);
      if (!replica) return own._query(connection, query);
      if (!routing.accepts(query.sql)) return onPrimary(query);
      try {
        query.server = "replica";
        return await clientOf(replica.knex)._query(connection, query);
      } catch (error) {
        replica.failed(error);
        if (failureOf(error)?.kind === "slow") throw error; // another server would take as long
        return onPrimary(query);
      }
    }
    override transaction(...given: unknown[]): unknown {
      return own.transaction(...given);
    }
    override emit(event: string, ...values: unknown[]): boolean {
      return own.emit(event, ...values);
    }
  }

  async function onPrimary(query: Query): Promise<unknown> {
    delete query.server;
    const connection = await own.acquireConnection(query);
    try {
      return await own._query(connection, query);
    } finally {
      await own.releaseConnection(connection);
    }
  }
  return createKnex({ ...own.config, client: RoutedClient as unknown as typeof Knex.Client, pool: { min: 0, max: 1 } });
}

async function acquired(replica: Replica): Promise<object | undefined> {
  try {
    return await clientOf(replica.knex).acquireConnection();
  } catch (error) {
    replica.failed(error);
    return undefined;
  }
}

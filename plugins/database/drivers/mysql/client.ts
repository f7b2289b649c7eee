import { createRequire } from "node:module";
import type { Knex } from "knex";
import { failureOf } from "../failure.ts";
import { checkMethods, requirePrivate } from "../private_apis.ts";
import { clientError } from "../unavailable.ts";
import type { Host } from "./address.ts";
import { answerWhileAlive, answerWithin, noAnswer } from "./answer_limit.ts";
import { refuseUnready } from "./host_look.ts";
import type { Hosts } from "./hosts.ts";
import { type MysqlConnection, type MysqlQuery, PreparedProtocol, type Whole } from "./prepared_statements.ts";
import { limitSession, prepareSession, type RawConnection, type SessionLimits, waitForOthers } from "./session.ts";

const require = createRequire(import.meta.url);

interface QueryingClient {
  connectionSettings: object;
  /** Set in a transaction. */
  transacting?: boolean;
  _query(connection: PooledConnection, query: MysqlQuery): Promise<unknown>;
  acquireConnection(): Promise<PooledConnection>;
  acquireRawConnection(): Promise<PooledConnection>;
  destroyRawConnection(connection: PooledConnection): Promise<unknown>;
  validateConnection(connection: PooledConnection): boolean;
}
/** A connection of the pool. */
interface PooledConnection extends MysqlConnection, RawConnection {
  /** Statements that it has not answered. */
  running?: number;
  /** Whether its session has no time limit for statements. */
  isPatient?: boolean;
  /** Of several, the one that it leads to. */
  server?: Host;
  /** Whether that is a node of a Galera cluster. */
  isOfGalera?: boolean;
  /** Whether its reads wait for what was committed on other nodes before. */
  waitsForOthers?: boolean;
  destroy(): void;
}
/** A client with it set has no time limit for statements, as for migrations. */
export interface Patient {
  isPatient?: boolean;
}

type ClientClass = new (config: object) => QueryingClient;

/** The client that knex is given for MySQL and MariaDB; `hosts` where there are several. Loads the driver when it is called. */
export function mysqlClient(limits: SessionLimits, hosts?: Hosts): typeof Knex.Client {
  const Base = require("knex/lib/dialects/mysql2/index.js") as ClientClass;
  checkMethods("knex", Base, ["_query", "acquireConnection", "acquireRawConnection"]);
  const { TypedParameter } = require("mysql2") as { TypedParameter: { LONGLONG: Whole } };
  requirePrivate("mysql2", "TypedParameter.LONGLONG", typeof TypedParameter?.LONGLONG === "function");
  const prepared = new PreparedProtocol(TypedParameter.LONGLONG); // a transaction's client is created without its constructor
  class Client extends Base {
    isPatient?: boolean;

    /** The driver attaches the query with its values to an error: they must reach no log. */
    override async _query(connection: PooledConnection, query: MysqlQuery): Promise<unknown> {
      try {
        const limit = connection.isPatient ? 0 : limits.statementTimeout;
        const ask = () => this.ask(connection, query);
        return await (hosts ? answerWhileAlive(limit, connection, hosts, ask) : answerWithin(limit, connection, ask));
      } catch (error) {
        if (connection.server) hosts?.failed(connection.server, error);
        for (const property of ["sql", "parameters"]) delete (error as Record<string, unknown>)[property];
        throw clientError(error, query.sql);
      }
    }
    async ask(connection: PooledConnection, query: MysqlQuery): Promise<unknown> {
      return (await prepared.run(connection, query)) ? query : super._query(connection, query);
    }
    override async acquireRawConnection(): Promise<PooledConnection> {
      const connection = await super.acquireRawConnection();
      return closedUnless(connection, () => prepareSession(connection, limits));
    }
    override async acquireConnection(): Promise<PooledConnection> {
      try {
        const connection = await super.acquireConnection();
        const isPatient = this.isPatient ?? false;
        if ((connection.isPatient ?? false) !== isPatient) {
          await limitSession(connection, isPatient ? { statementTimeout: 0, lockTimeout: 50_000 } : limits);
          connection.isPatient = isPatient;
        }
        return connection;
      } catch (error) {
        throw clientError(error);
      }
    }
  }
  return (hosts ? withHosts(Client, hosts) : Client) as unknown as typeof Knex.Client;
}

/** Milliseconds until a connection to one of several hosts is ready for use: one that stops meanwhile would never report it. */
const SET_UP_TIMEOUT_MS = 2000;

/** Connections go to the host that is preferred at the time; those to another one end when what they are used for is done. */
function withHosts(Base: ClientClass, hosts: Hosts): typeof Base {
  checkMethods("knex", Base, ["destroyRawConnection", "validateConnection"]);
  return class extends Base {
    readonly hasOtherHosts = true;

    override acquireRawConnection(): Promise<PooledConnection> {
      return hosts.connect((host) => openWithin(SET_UP_TIMEOUT_MS, () => this.open(host)));
    }
    async open(host: Host): Promise<PooledConnection> {
      this.connectionSettings = { ...this.connectionSettings, host: host.host, port: host.port }; // read before the first await
      const connection = await super.acquireRawConnection();
      connection.server = host;
      return closedUnless(connection, async () => {
        connection.isOfGalera = await refuseUnready(connection);
      });
    }
    override async acquireConnection(): Promise<PooledConnection> {
      const connection = await super.acquireConnection();
      const { isSettling } = hosts;
      if (!connection.isOfGalera || (connection.waitsForOthers ?? false) === isSettling) return connection;
      await waitForOthers(connection, isSettling).catch(() => undefined); // one that is lost is found to be by its query
      connection.waitsForOthers = isSettling;
      return connection;
    }
    /** A select that lost its host is run again, by a connection of its own: those of the pool may all be lost. */
    override async _query(connection: PooledConnection, query: MysqlQuery): Promise<unknown> {
      try {
        return await super._query(connection, query);
      } catch (error) {
        if (this.transacting || !isRead(query) || failureOf(error)?.kind !== "unavailable") throw error;
        const other = await this.acquireRawConnection().catch(() => undefined);
        if (!other) throw error;
        return await super._query(other, query).finally(() => other.destroy());
      }
    }
    override validateConnection(connection: PooledConnection): boolean {
      return hosts.isPreferred(connection.server) && super.validateConnection(connection);
    }
    /** A host that is down would not answer that the connection ends. */
    override async destroyRawConnection(connection: PooledConnection): Promise<unknown> {
      return hosts.isDown(connection.server) ? connection.destroy() : super.destroyRawConnection(connection);
    }
  };
}

/** As query builders write them: raw SQL may do more than it shows. */
const isRead = ({ sql, method = "" }: MysqlQuery): boolean =>
  /^(?:select|first|pluck)$/.test(method) &&
  /^\(*select\b/i.test(sql) &&
  !/\bfor (?:update|share)\b|\block in /i.test(sql);

/** The connection, which is closed where its preparation fails. */
async function closedUnless(connection: PooledConnection, prepare: () => Promise<void>): Promise<PooledConnection> {
  try {
    await prepare();
    return connection;
  } catch (error) {
    connection.destroy();
    throw error;
  }
}

/** The connection, if it is there in time; one that comes later is closed. */
async function openWithin(limit: number, open: () => Promise<PooledConnection>): Promise<PooledConnection> {
  let timer: NodeJS.Timeout | undefined;
  let isLate = false;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => {
      isLate = true;
      reject(noAnswer());
    }, limit);
  });
  const opened = open().then((connection) => {
    if (isLate) connection.destroy();
    return connection;
  });
  try {
    return await Promise.race([opened, late]);
  } finally {
    clearTimeout(timer);
  }
}

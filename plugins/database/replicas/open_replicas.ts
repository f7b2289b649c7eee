import type { Knex } from "knex";
import type { ConnectionOptions } from "../drivers/connection.ts";
import { driverFor } from "../drivers/drivers.ts";
import { useFrameworkPrefix } from "../drivers/framework_tables.ts";
import { replicaAddresses } from "./addresses.ts";
import { Replica } from "./replica.ts";
import { Replicas } from "./replicas.ts";

/** Milliseconds that a read waits for a connection, before the primary is used. */
const ACQUIRE_TIMEOUT_MS = 1000;

export interface ReplicaSettings {
  /** The value of DATABASE_REPLICA_URLS. */
  urls: string;
  /** Seconds that a replica may be late. */
  maxLag: number;
  /** How the database itself is connected to. */
  connection: ConnectionOptions;
  /** What the positions that clients keep are sealed by. */
  secrets: readonly string[];
}

/** Opens the replicas of a database; they connect at the first request that reads. @throws FW_DATABASE_REPLICAS */
export function openReplicas(primary: Knex, { urls, maxLag, connection, secrets }: ReplicaSettings): Replicas {
  const { replication, addresses } = replicaAddresses(urls, driverFor(connection));
  const acquireTimeout = Math.min(connection.acquireTimeout, ACQUIRE_TIMEOUT_MS);
  const open = (url: string) =>
    useFrameworkPrefix(replication.connect({ ...connection, acquireTimeout, url }), connection.frameworkPrefix);
  const replicas = addresses.map(({ url, name }) => new Replica(name, open(url), replication));
  return new Replicas({ primary, replicas, replication, maxLag: maxLag * 1000, secrets });
}

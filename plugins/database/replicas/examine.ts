import type { Finding } from "framewright/host";
import { messageOf } from "framewright/kernel";
import type { Replica } from "./replica.ts";
import type { ReplicasParts } from "./replicas.ts";

/** Milliseconds that a replica has for what the primary has now. */
const CATCH_UP_MS = 2000;

/** A line of `fw doctor` for each replica: what is wrong with its settings, or how late it is. */
export async function examineReplicas(parts: ReplicasParts): Promise<Finding[]> {
  const position = await parts.replication.position(parts.primary);
  if (position === undefined) {
    const detail =
      "the server in DATABASE_URL logs nothing that replicas follow: turn on its binary log, and on MySQL gtid_mode";
    return [{ what: "database replicas", ok: false, detail }];
  }
  return Promise.all(parts.replicas.map((replica) => examineReplica(parts, replica, position)));
}

async function examineReplica(
  { primary, replication, maxLag }: ReplicasParts,
  { name, knex }: Replica,
  position: string,
): Promise<Finding> {
  const what = `database replica ${name}`;
  try {
    const problems = (await replication.problems?.(knex, primary)) ?? [];
    const start = performance.now();
    const isThere = await replication.has(knex, position, CATCH_UP_MS);
    const milliseconds = Math.round(performance.now() - start);
    if (!isThere)
      problems.push(
        `it is more than ${CATCH_UP_MS / 1000} s late: see that it replicates (show replica status); beyond ${maxLag / 1000} s it is not read`,
      );
    const isOk = problems.length === 0;
    return {
      what,
      ok: isOk,
      detail: isOk ? `has what the primary has, after ${milliseconds} ms` : problems.join("; "),
    };
  } catch (error) {
    return { what, ok: false, detail: `it can't be read, and the primary is: ${messageOf(error)}` };
  }
}

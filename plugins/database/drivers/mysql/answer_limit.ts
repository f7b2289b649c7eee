import type { Host } from "./address.ts";
import type { Hosts } from "./hosts.ts";

interface AskedConnection {
  /** Statements that it has not answered. */
  running?: number;
  /** Of several, the one that it leads to. */
  server?: Host;
  destroy(): void;
}

/** Time for the server to end a statement that takes too long by itself, before its connection counts as dead. */
const GRACE_MS = 1000;
/** Without an answer for so long, it is checked whether the host answers at all, where another one can take over. */
const LOOK_AFTER_MS = 1000;

/** Waits for a server's answer no longer than so (0: as long as it takes): a connection that got none is closed, and the pool makes another. */
export async function answerWithin<T>(limit: number, connection: AskedConnection, ask: () => Promise<T>): Promise<T> {
  connection.running = (connection.running ?? 0) + 1;
  let timer: NodeJS.Timeout | undefined;
  try {
    if (limit === 0) return await ask();
    return await new Promise<T>((resolve, reject) => {
      timer = setTimeout(() => {
        connection.destroy();
        reject(noAnswer());
      }, limit + GRACE_MS);
      ask().then(resolve, reject);
    });
  } finally {
    clearTimeout(timer);
    connection.running--;
  }
}

/** As answerWithin, and no longer than this host answers others: one that stopped does not hold what waits for it. */
export function answerWhileAlive<T>(
  limit: number,
  connection: AskedConnection,
  hosts: Hosts,
  ask: () => Promise<T>,
): Promise<T> {
  return answerWithin(limit, connection, async () => {
    let timer: NodeJS.Timeout | undefined;
    let isOver = false;
    const dead = new Promise<never>((_, reject) => {
      const look = async () => {
        const isAlive = connection.server === undefined || (await hosts.answers(connection.server));
        if (isOver) return;
        if (isAlive) return wait();
        connection.destroy();
        reject(noAnswer());
      };
      const wait = () => {
        timer = setTimeout(() => void look(), LOOK_AFTER_MS);
      };
      wait();
    });
    try {
      return await Promise.race([ask(), dead]);
    } finally {
      isOver = true;
      clearTimeout(timer);
    }
  });
}

/** As the driver reports that an answer did not come in time. */
export const noAnswer = (): Error =>
  Object.assign(new Error("the server does not answer"), { code: "PROTOCOL_SEQUENCE_TIMEOUT" });

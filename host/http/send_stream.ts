import type { ServerResponse } from "node:http";
import { setImmediate } from "node:timers/promises";
import type { ReplyStream } from "./reply.ts";

/**
 * Sends chunks as the client takes them, after the head. Once the client has disconnected no further chunk is read.
 * @throws what a chunk throws; the connection is reset then, since an end would make a part look like the whole
 */
export async function sendStream(res: ServerResponse, stream: ReplyStream): Promise<void> {
  try {
    for await (const chunk of stream) {
      if (res.destroyed) return;
      if (!res.write(chunk)) await drained(res);
      await setImmediate(); // a database in this process would let no other request in
      if (res.destroyed) return;
    }
    res.end();
  } catch (error) {
    if (res.destroyed) return; // nobody waits for it, and a shutdown may have closed what it reads
    res.socket?.resetAndDestroy();
    res.destroy();
    throw error;
  }
}

function drained(res: ServerResponse): Promise<void> {
  return new Promise((resolve) => {
    const done = () => {
      res.off("drain", done).off("close", done);
      resolve();
    };
    res.on("drain", done).on("close", done);
  });
}

/** All chunks in one. */
export async function wholeOf(stream: ReplyStream): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of stream) chunks.push(Buffer.from(chunk));
  return Buffer.concat(chunks);
}

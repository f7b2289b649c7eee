import { once } from "node:events";
import type { IncomingMessage } from "node:http";
import { promisify } from "node:util";
import { brotliCompress, constants, createBrotliCompress, createGzip, gzip } from "node:zlib";
import type { Settings } from "framewright/kernel";
import { acceptedEncoding } from "./accepted_encoding.ts";
import type { Reply, ReplyStream } from "./reply.ts";

/** An encoding of a body, as `Content-Encoding` names it. */
export type Encoding = "br" | "gzip";

/** Bytes below which a body is sent as it is: a packet holds as much. */
const SMALLEST = 1400;
const QUALITY = 4;
const LEVEL = 6;
/** Texts that are sent at once. Chunks of events would wait for each other. */
const COMPRESSIBLE =
  /^(?:text\/(?!event-stream)|application\/(?:[\w.-]+\+)?(?:json|jsonl|xml|javascript)\b|image\/svg\+xml)/i;

const zip = promisify<Buffer, object, Buffer>(gzip);
const brotli = promisify<Buffer, object, Buffer>(brotliCompress);

/** Whether this process compresses what it answers, by `COMPRESS`: `auto` leaves it to a proxy where one is configured to be in front. */
export function compresses({ compress, env, trustProxy, trustedProxies }: Settings): boolean {
  if (compress !== "auto") return compress === "on";
  return env === "production" && trustProxy === 0 && trustedProxies === undefined;
}

/**
 * A reply as the client accepts it: compressed in a thread of Node's pool, a stream chunk by chunk. The same reply where its
 * body is small, no text, encoded already or a part of one. What could be compressed depends on `Accept-Encoding`, and has `Vary`.
 */
export function compressed(reply: Reply, { headers }: IncomingMessage): Reply | Promise<Reply> {
  if (!isCompressible(reply)) return reply;
  varyByEncoding(reply);
  const accepted = String(headers["accept-encoding"] ?? "");
  const encoding = acceptedEncoding<Encoding>(accepted, reply.stream ? ["gzip", "br"] : ["br", "gzip"]);
  if (!encoding) return reply;
  reply.headers["content-encoding"] = encoding;
  if (reply.stream) {
    reply.stream = compressedChunks(reply.stream, encoding);
    return reply;
  }
  return bytesOf(reply.body, encoding).then((body) => {
    reply.body = body;
    return reply;
  });
}

function isCompressible({ status, body, headers, stream }: Reply): boolean {
  if (!stream && body.length < SMALLEST) return false;
  if (status === 206 || headers["content-encoding"] !== undefined) return false;
  if (/\bno-transform\b/i.test(String(headers["cache-control"] ?? ""))) return false;
  return COMPRESSIBLE.test(String(headers["content-type"] ?? ""));
}

function varyByEncoding({ headers }: Reply): void {
  const vary = headers.vary === undefined ? [] : [headers.vary].flat();
  if (!vary.some((names) => /(?:^|,)\s*(?:accept-encoding|\*)\s*(?:,|$)/i.test(names)))
    headers.vary = [...vary, "accept-encoding"].join(", ");
}

function bytesOf(body: string | Buffer, encoding: Encoding): Promise<Buffer> {
  const bytes = typeof body === "string" ? Buffer.from(body) : body;
  if (encoding === "gzip") return zip(bytes, { level: LEVEL });
  const params = { [constants.BROTLI_PARAM_QUALITY]: QUALITY, [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length };
  return brotli(bytes, { params });
}

/** Each chunk is sent as soon as it is there: who downloads sees that it goes on, and the next is read when this one is taken. */
async function* compressedChunks(stream: ReplyStream, encoding: Encoding): ReplyStream {
  const zipped =
    encoding === "gzip"
      ? createGzip({ level: LEVEL })
      : createBrotliCompress({ params: { [constants.BROTLI_PARAM_QUALITY]: QUALITY } });
  const flush = encoding === "gzip" ? constants.Z_SYNC_FLUSH : constants.BROTLI_OPERATION_FLUSH;
  let ready: Buffer[] = [];
  zipped.on("data", (bytes: Buffer) => ready.push(bytes));
  const failed = new Promise<never>((_, reject) => zipped.once("error", reject));
  failed.catch(() => undefined);
  const taken = () => {
    const bytes = Buffer.concat(ready);
    ready = [];
    return bytes;
  };
  try {
    for await (const chunk of stream) {
      zipped.write(chunk);
      await Promise.race([failed, new Promise<void>((resolve) => zipped.flush(flush, resolve))]);
      yield taken();
    }
    zipped.end();
    await Promise.race([failed, once(zipped, "end")]);
    yield taken();
  } finally {
    zipped.close();
  }
}

import { attachment } from "./filenames.ts";

/** Chunks of a reply, made while it is sent. */
export type ReplyStream = AsyncIterable<string | Buffer>;

type HostReply = Reply;
declare module "framewright/kernel" {
  interface Response extends HostReply {}
}

/** The answer to a request: sent in one write, or as a stream of chunks. */
export class Reply {
  status: number;
  body: string | Buffer;
  readonly headers: Record<string, string | string[]>;
  /** What is sent in place of a body: each chunk is read once the client has taken the one before. */
  stream: ReplyStream | undefined = undefined;

  constructor(status: number, body: string | Buffer = "", headers: Record<string, string | string[]> = {}) {
    this.status = status;
    this.body = body;
    this.headers = headers;
  }
}

/** For a reply that a plugin may answer with again: cookies and headers of one visitor must not stay in it. */
export function copyOf({ status, body, headers, stream }: Reply): Reply {
  const copy = new Reply(status, body, Object.assign({}, headers)); // fast path: a spread that grows takes new hidden classes
  copy.stream = stream;
  return copy;
}

export const htmlType = "text/html; charset=utf-8";
export const jsonType = "application/json; charset=utf-8";
export const problemType = "application/problem+json; charset=utf-8";

/** A reply with HTML. */
export const htmlReply = (body: string, status = 200): Reply => new Reply(status, body, { "content-type": htmlType });
/** A reply with JSON. */
export const jsonReply = (data: unknown, status = 200): Reply =>
  new Reply(status, JSON.stringify(data), { "content-type": jsonType });
/** 303 by default: the browser follows with a GET. */
export const redirectReply = (location: string, status = 303): Reply => new Reply(status, "", { location });

/** A file as code makes it. */
export interface FileContent {
  /** The name under which the browser saves it. */
  filename: string;
  content: string | Buffer;
  /** Its media type; `application/octet-stream` by default. */
  type?: string;
}
/** Downloaded under its name, never displayed in the application's origin, and kept by no cache. */
export const fileReply = ({ filename, content, type = "application/octet-stream" }: FileContent): Reply =>
  new Reply(200, content, {
    "content-type": type,
    "content-disposition": attachment(filename),
    "x-content-type-options": "nosniff",
    "cache-control": "private, no-store",
  });

/** A file that is made while it is sent. */
export interface FileStream extends Omit<FileContent, "content"> {
  chunks: ReplyStream;
}
/**
 * As fileReply, for a file of any size. Where a chunk fails, the connection is broken off: the client sees that the
 * download failed. The request's deadline counts until the reply is returned, so make the first chunk before.
 */
export function streamReply({ chunks, ...file }: FileStream): Reply {
  const reply = fileReply({ ...file, content: "" });
  reply.stream = chunks;
  return reply;
}

import { once } from "node:events";
import { existsSync, ReadStream, readdirSync, realpathSync, statSync } from "node:fs";
import type { IncomingMessage, ServerResponse } from "node:http";
import { createRequire } from "node:module";
import { join, relative, sep } from "node:path";
import type { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { compressed, Reply } from "framewright/host";

/** Handles a request for a file; false when there is none. */
export type ServeFile = (request: IncomingMessage, response: ServerResponse, path: string) => boolean;

export interface PublicFolderOptions {
  /** Looks for files at each request; otherwise only files that exist at boot are served. */
  watch: boolean;
  /** Compresses texts while they are sent. */
  compresses: boolean;
  /** Logs a file that could not be sent, or a link that is not served. */
  report(message: string, error?: unknown): void;
}

/** Names that begin with a dot, except .well-known. */
const HIDDEN = /(?:^|\/)\.(?!well-known\/)/;
const HEADERS = { "x-content-type-options": "nosniff" };

/** Bytes below which a file is sent as it is. */
const SMALLEST = 1400;

/** Serves a folder unchanged, revalidated at each use; nothing when it does not exist. Links are followed only within the folder. */
export function publicFolder(directory: string, { watch, compresses, report }: PublicFolderOptions): ServeFile {
  if (!existsSync(directory)) return () => false;
  const root = realpathSync(directory);
  const listed = watch ? undefined : new Set(listFiles(root, report));
  return (request, response, encoded) => {
    const path = decodePath(encoded);
    if (path === undefined || HIDDEN.test(path)) return false;
    const file = findFile(root, path, listed);
    if (file === undefined) return false;
    sendFile({ root, file, compresses }, request, response).catch((error: unknown) => {
      if (codeOf(error) !== "ERR_STREAM_PREMATURE_CLOSE") report(`public${path} could not be sent`, error); // the client disconnected
      fail(response, error);
    });
    return true;
  };
}

function decodePath(url: string): string | undefined {
  try {
    const path = decodeURIComponent(url.split("?", 1)[0] as string);
    return path.includes("\0") || path.includes("\\") || path.split("/").includes("..") ? undefined : path;
  } catch {
    return undefined;
  }
}

/** The real path, relative to the root, of the file for a URL path: itself, with .html, or a folder's index.html. */
function findFile(root: string, path: string, listed: ReadonlySet<string> | undefined): string | undefined {
  const name = path.replace(/^\/+|\/+$/g, "");
  const names = name === "" ? ["index.html"] : [name, `${name}.html`, `${name}/index.html`];
  for (const candidate of names) {
    if (listed && !listed.has(candidate)) continue;
    const file = realFile(root, candidate);
    if (file !== undefined) return file;
  }
  return undefined;
}

/** The path after following links; undefined unless it is a file inside the root. */
function realFile(root: string, name: string): string | undefined {
  try {
    const real = realpathSync(join(root, name));
    if (!real.startsWith(root + sep) || !statSync(real).isFile()) return undefined;
    const file = relative(root, real);
    return HIDDEN.test(file) ? undefined : file;
  } catch {
    return undefined; // missing, a link loop, or unreadable
  }
}

/** All files below the root, by relative path. Links that lead out of the root, to nothing or in a circle are reported and skipped. */
function listFiles(root: string, report: PublicFolderOptions["report"]): string[] {
  const below = (folder: string, ancestors: readonly string[]): string[] =>
    readdirSync(join(root, folder), { withFileTypes: true }).flatMap((entry) => {
      const name = folder === "" ? entry.name : `${folder}/${entry.name}`;
      if (HIDDEN.test(`${name}/`)) return [];
      if (entry.isFile()) return [name];
      const real = realOf(join(root, name));
      const isInside = real?.startsWith(root + sep) === true && !ancestors.includes(real);
      if (!isInside) {
        report(`public/${name} is a link that leads out of the folder, to nothing or in a circle; it is not served`);
        return [];
      }
      return statSync(real).isDirectory() ? below(name, [...ancestors, real]) : [name];
    });
  return below("", [root]);
}

function realOf(path: string): string | undefined {
  try {
    return realpathSync(path);
  } catch {
    return undefined;
  }
}

interface FoundFile {
  root: string;
  file: string;
  compresses: boolean;
}

/** Writes nothing before the file is open, so that a failure to open can still get an error status. */
async function sendFile(found: FoundFile, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const send = createRequire(import.meta.url)("@fastify/send") as typeof import("@fastify/send").default; // loaded only when a file is served
  const name = found.file.split(sep).map(encodeURIComponent).join("/");
  const { statusCode, headers, stream } = await send(request, name, { root: found.root, dotfiles: "allow", maxAge: 0 });
  if (stream instanceof ReadStream) await once(stream, "open");
  const reply = replyOf(statusCode, { ...headers, ...HEADERS }, stream);
  const isSmall = Number(reply.headers["content-length"] ?? 0) < SMALLEST;
  if (found.compresses && !isSmall) await compressed(reply, request);
  if (reply.headers["content-encoding"] !== undefined) delete reply.headers["content-length"];
  response.writeHead(statusCode, reply.headers);
  if (request.method === "HEAD") {
    stream.destroy();
    response.end();
  } else await pipeline(reply.stream!, response);
}

function replyOf(status: number, headers: Record<string, string>, stream: Readable): Reply {
  const lower = Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]);
  const reply = new Reply(status, "", Object.fromEntries(lower));
  reply.stream = stream;
  return reply;
}

const STATUS: Readonly<Record<string, number>> = { ENOENT: 404, ENOTDIR: 404, EMFILE: 503, ENFILE: 503 };

const codeOf = (error: unknown): string => (error as { code?: string }).code ?? "";

function fail(response: ServerResponse, error: unknown): void {
  if (response.headersSent) return void response.destroy();
  const status = STATUS[codeOf(error)] ?? 500;
  const retry = status === 503 ? { "retry-after": "1" } : {};
  response.writeHead(status, { ...HEADERS, ...retry, "content-type": "text/plain; charset=utf-8" });
  response.end(status === 404 ? "Not found" : "The file could not be read");
}

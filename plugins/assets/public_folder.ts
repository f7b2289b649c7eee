import { once } from "node:events";
import { existsSync, ReadStream, readdirSync, realpathSync, statSync } from "node:fs";
import type { IncomingMessage, ServerResponse } from "node:http";
import { createRequire } from "node:module";
import { join, relative, sep } from "node:path";
import { pipeline } from "node:stream/promises";

/** Answers a request for a file, or says that it has none. */
export type Serve = (request: IncomingMessage, response: ServerResponse) => boolean;

export interface PublicFolderOptions {
  /** Looks for files at each request; otherwise those that are there at boot are served. */
  watch: boolean;
  /** A file that could not be sent, and a link that is not served. */
  report(message: string, error?: unknown): void;
}

/** A name that begins with a dot, other than .well-known. */
const HIDDEN = /(?:^|\/)\.(?!well-known\/)/;
const HEADERS = { "x-content-type-options": "nosniff" };

/** Serves a folder as it is, revalidated at each use; nothing when it is absent. A link serves only what lies in the folder. */
export function publicFolder(directory: string, { watch, report }: PublicFolderOptions): Serve {
  if (!existsSync(directory)) return () => false;
  const root = realpathSync(directory);
  const listed = watch ? undefined : new Set(listFiles(root, report));
  return (request, response) => {
    const path = decodePath(request.url ?? "/");
    if (path === undefined || HIDDEN.test(path)) return false;
    const file = findFile(root, path, listed);
    if (file === undefined) return false;
    sendFile(root, file, request, response).catch((error: unknown) => {
      if (codeOf(error) !== "ERR_STREAM_PREMATURE_CLOSE") report(`public${path} could not be sent`, error); // the reader left
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

/** The real path, from the root, of the file that a path means: itself, with .html, or a folder's index.html. */
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

/** Where a name leads once its links are followed; undefined when that is no file inside the root. */
function realFile(root: string, name: string): string | undefined {
  try {
    const real = realpathSync(join(root, name));
    if (!real.startsWith(root + sep) || !statSync(real).isFile()) return undefined;
    const file = relative(root, real);
    return HIDDEN.test(file) ? undefined : file;
  } catch {
    return undefined; // gone, a link loop, or not readable
  }
}

/** Every file below the root by its name from there. A link that leads out, to nothing or in a circle is reported and left out. */
function listFiles(root: string, report: PublicFolderOptions["report"]): string[] {
  const below = (folder: string, above: readonly string[]): string[] =>
    readdirSync(join(root, folder), { withFileTypes: true }).flatMap((entry) => {
      const name = folder === "" ? entry.name : `${folder}/${entry.name}`;
      if (HIDDEN.test(`${name}/`)) return [];
      if (entry.isFile()) return [name];
      const real = realOf(join(root, name));
      const isInside = real?.startsWith(root + sep) === true && !above.includes(real);
      if (!isInside) {
        report(`public/${name} is a link that leads out of the folder, to nothing or in a circle; it is not served`);
        return [];
      }
      return statSync(real).isDirectory() ? below(name, [...above, real]) : [name];
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

/** Writes nothing before the file is open: what can't be opened is answered by what went wrong. */
async function sendFile(root: string, file: string, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const send = createRequire(import.meta.url)("@fastify/send") as typeof import("@fastify/send").default; // where there is something to serve
  const name = file.split(sep).map(encodeURIComponent).join("/");
  const { statusCode, headers, stream } = await send(request, name, { root, dotfiles: "allow", maxAge: 0 });
  if (stream instanceof ReadStream) await once(stream, "open");
  response.writeHead(statusCode, { ...headers, ...HEADERS });
  if (request.method === "HEAD") {
    stream.destroy();
    response.end();
  } else await pipeline(stream, response);
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

import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { type IncomingHttpHeaders, request } from "node:http";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import type { Plugin } from "framewright/kernel";
import { openTestApplication, type TestApplication, type TestOptions } from "framewright/testing";

/**
 * The application in which a plugin is tried, as `openTestApplication` takes it: `{ plugins: [i18n(), views(), mine()] }`.
 * Each check boots one of its own, with plugins of the suite beside these; no other may be open in the process.
 */
export type Subject = Pick<TestOptions, "plugins" | "files" | "env" | "database">;

/** Boots the application with plugins of a check, and closes it after the work. */
export async function within(
  { plugins = [], files = {}, ...subject }: Subject,
  probes: readonly Plugin[],
  work: (app: TestApplication) => void | Promise<void>,
): Promise<void> {
  const app = await openTestApplication({ ...subject, files, plugins: [...plugins, ...probes] });
  try {
    await work(app);
  } finally {
    await app.close();
  }
}

/** Boots an application that is expected to be refused: the error, or undefined when it started. */
export async function refusal(subject: Subject, probes: readonly Plugin[]): Promise<Error | undefined> {
  try {
    await within(subject, probes, () => undefined);
    return undefined;
  } catch (error) {
    return error instanceof Error ? error : new Error(String(error));
  }
}

/** Writes files into a temporary folder, which is removed when the process ends. */
export function writeFolder(files: Readonly<Record<string, string>>): string {
  const folder = mkdtempSync(join(tmpdir(), "framewright-conformance-"));
  process.once("exit", () => rmSync(folder, { recursive: true, force: true }));
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  }
  return folder;
}

/** The reply to a request. */
export interface Answer {
  status: number;
  headers: IncomingHttpHeaders;
  bytes: Buffer;
  text: string;
}
/** A request. A header with a list is sent once for each of its values. */
export interface Asked {
  method?: string;
  headers?: Readonly<Record<string, string | readonly string[]>>;
  body?: string;
}

/** A request whose path and headers reach the server as they are: `fetch` resolves `..` and joins headers. */
export function ask(app: TestApplication, path: string, { method = "GET", headers = {}, body }: Asked = {}) {
  const { hostname, port, host } = new URL(app.url);
  const lines = Object.entries({ host, ...headers }).map(
    ([name, value]) => [name, value] as [string, string | string[]],
  );
  return new Promise<Answer>((resolve, reject) => {
    const sent = request(
      { hostname, port, path, method, headers: Object.fromEntries(lines), agent: false },
      (reply) => {
        const chunks: Buffer[] = [];
        reply.on("data", (chunk: Buffer) => chunks.push(chunk));
        reply.on("end", () => {
          const bytes = Buffer.concat(chunks);
          resolve({ status: reply.statusCode ?? 0, headers: reply.headers, bytes, text: bytes.toString() });
        });
      },
    );
    sent.on("error", reject).end(body);
  });
}

/** How often a text occurs. */
export const count = (text: string, part: string): number => text.split(part).length - 1;

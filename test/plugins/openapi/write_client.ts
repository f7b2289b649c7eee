import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import type { OpenApiDocument } from "framewright/plugins/openapi";
import { clientText } from "../../../plugins/openapi/commands/typed_client/index.ts";

/** A method of a client, as a test calls it whose compiler has not seen the file. */
type Method = (...given: readonly unknown[]) => Promise<Answer> & AsyncIterable<Record<string, unknown>>;
export interface Answer extends Response {
  readonly data: Record<string, unknown> & { readonly id: number };
  readonly meta: Record<string, unknown>;
  readonly etag?: string;
  readonly location?: string;
}
export type Client = Readonly<Record<string, Method>>;
/** What a client throws for an answer that is an error. */
export interface Refusal extends Error {
  readonly status: number;
  readonly code: string;
  readonly errors: Record<string, string[]>;
  on(field: string): string[];
}

/** Writes the client of a document to a file, and loads it. Returns what makes one, with its text. */
export async function writeClient(document: OpenApiDocument) {
  const text = clientText(document, { name: "customer_portal", command: "fw client" });
  const folder = mkdtempSync(join(tmpdir(), "fw-client-"));
  const file = join(folder, "client.ts");
  writeFileSync(file, text);
  try {
    const loaded = (await import(pathToFileURL(file).href)) as Record<string, new (options: object) => Client>;
    const name = /export class (\w+Client) /.exec(text)![1]!;
    return { text, name, create: (options: object): Client => new loaded[name]!(options) };
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** What a call is refused with. */
export async function refusalOf(call: Promise<unknown>): Promise<Refusal> {
  try {
    await call;
  } catch (error) {
    if ((error as Error).name === "ApiError") return error as Refusal;
    throw error;
  }
  throw new Error("The call was not refused.");
}

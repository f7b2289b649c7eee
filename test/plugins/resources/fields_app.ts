import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { TestApp } from "../../support/apps.ts";
import { copyFixture } from "../../support/fixtures.ts";
import { Client } from "../../testing/client.ts";
import { openTenants } from "../scoping/tenants.ts";

const schema = readFileSync(join(import.meta.dirname, "../../../plugins/wizards/schema.liquid"), "utf8");

/** Two tenants whose posts have a form, an interaction and a wizard that ask for the same. */
export const fieldsFiles = {
  ...copyFixture("tenant_fields"),
  "db/migrate/20260101000001_create_framewright_wizards.ts": `import type { Schema } from "framewright/plugins/database";
    export async function up(db: Schema): Promise<void> { ${schema} }
    export async function down(): Promise<void> {}`,
};

export interface FieldsApp extends TestApp {
  /** A request of a person as JSON. */
  json(path: string, body?: object, method?: string, user?: number): Promise<{ status: number; body: JsonBody }>;
  /** Opens a form in a browser without scripts and sends it; `typed` is what is filled in over what it begins with. */
  send(
    page: string,
    typed: Record<string, string>,
    user?: number,
  ): Promise<{ status: number; html: string; to: string }>;
  page(path: string, user?: number): Promise<string>;
}
interface JsonBody {
  data: Record<string, unknown> & { message: string };
  errors: Record<string, string[]>;
}

export async function openFieldsApp(
  values: Record<string, string>,
  changes: Record<string, string> = {},
): Promise<FieldsApp> {
  const app = await openTenants({ ...fieldsFiles, ...changes }, values);
  const json: FieldsApp["json"] = async (path, body, method = body ? "POST" : "GET", user = 1) => {
    const headers = { accept: "application/json", "content-type": "application/json", "x-user": String(user) };
    const answer = await app.request(path, { method, headers, ...(body ? { body: JSON.stringify(body) } : {}) });
    const text = await answer.text();
    return { status: answer.status, body: (text.startsWith("{") ? JSON.parse(text) : {}) as JsonBody };
  };
  const clients = new Map<number, Person>();
  const person = (user: number) => {
    const client = clients.get(user) ?? new Person(app.url, user);
    clients.set(user, client);
    return client;
  };
  const page: FieldsApp["page"] = (path, user = 1) => person(user).page(path);
  const send: FieldsApp["send"] = async (path, typed, user = 1) => {
    const answer = await person(user).submit(path, typed);
    return { status: answer.status, html: await answer.text(), to: answer.headers.get("location") ?? "" };
  };
  return { ...app, json, send, page };
}

/** A visitor without scripts whom the portal knows by a header. */
export class Person extends Client {
  readonly #user: string;
  constructor(url: string, user: number) {
    super(url);
    this.#user = String(user);
  }
  override request(path: string, init: RequestInit = {}): Promise<Response> {
    const headers = new Headers(init.headers);
    headers.set("x-user", this.#user);
    return super.request(path, { ...init, headers });
  }
}

/** What a form carries without being asked. */
export const hiddenIn = (form: string): Record<string, string> =>
  Object.fromEntries(
    [...form.matchAll(/<input type="hidden" name="([^"]+)" value="([^"]*)">/g)].map(([, name, value]) => [
      name!,
      value!,
    ]),
  );

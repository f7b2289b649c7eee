import { readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { inflateRawSync } from "node:zlib";
import type { BaseModel } from "framewright/plugins/database";
import type { TestApp } from "../../support/apps.ts";
import { assert } from "../../support/index.ts";
import type { Client } from "../../testing/client.ts";
import { addPeople, databaseOf, signIn } from "../authlib/accounts.ts";

/** Somebody whose mark stands in everything that they leave behind. */
export interface Marked {
  readonly id: number;
  readonly mark: string;
  readonly login: string;
  readonly client: Client;
  readonly note: number;
}

const inDays = (days: number) => new Date(Date.now() + days * 86_400_000);

/** A person with text in every place in which a person can leave some, by the application's pages where it has them. */
export async function addMarked(app: TestApp, mark: string, tenant: number): Promise<Marked> {
  const { kernel } = app.application;
  const database = databaseOf(app.application);
  const { knex } = database;
  const login = `${mark.toLowerCase()}@example.test`;
  const [id] = (await addPeople(app, "user", login)) as [number];
  await database
    .query(database.model("User").class as never)
    .findById(id)
    .patch({ name: `Mia ${mark}` } as never);
  const client = await signIn(app, "user", login);
  const insert = async (model: string, values: object) =>
    (await database.insert(database.model(model).class, values)) as BaseModel & { id: number };
  const profile = await insert("Profile", {
    user_id: id,
    bio: `Born ${mark}`,
    code: `code-${mark}`,
    born_on: "1980-01-02",
    data: { nick: mark },
    api_token: `secret-${mark}`,
  });
  await insert("Address", { profile_id: profile.id, street: `${mark} Street` });
  await knex("rooms").insert({
    address_id: (await knex("addresses").where({ profile_id: profile.id }).first()).id,
    title: `Room of ${mark}`,
  });
  await insert("Draft", { author_id: id, text: `Draft of ${mark}` });
  const deleted = await insert("Draft", { author_id: id, text: `Deleted draft of ${mark}` });
  await deleted.$query().delete();
  await insert("Invoice", { buyer_id: id, creator_id: id, recipient: `Kept ${mark.slice(0, 3)}`, hint: mark });
  await insert("Seat", { user_id: id, organization_id: tenant, role: "member" });
  await knex("invites").insert({
    organization_id: tenant,
    email: login,
    role: "member",
    inviter_id: id,
    key_digest: mark,
    sent_at: new Date(),
    expires_at: inDays(1),
  });

  // a note, written and changed by its form: history, presence
  const created = await client.submit(
    "/user/notes/new",
    { "note[title]": `First ${mark}`, "note[body]": mark, "note[author_id]": String(id) },
    /action="\/user\/notes"/,
  );
  assert.is(created.status, 303, await created.text());
  const note = Number((await knex("notes").where({ author_id: id }).first("id")).id);
  const at = `/user/notes/${note}`;
  await client.submit(`${at}/edit`, { "note[title]": `Second ${mark}` }, /notes\/\d+"/);
  await client.page(`${at}/edit`); // is open now
  const record = (await database.query(database.model("Note").class).findById(note)) as BaseModel;
  await kernel
    .service("attachments")
    .attach(record, "papers", { filename: `${mark}.txt`, bytes: Buffer.from(`Paper of ${mark}`) });

  const { body } = await client.json<{ csrf_token: string }>("/users/account");
  const post = async (path: string, given: object) => {
    const headers = { accept: "application/json", "content-type": "application/json", "x-csrf-token": body.csrf_token };
    const answer = await client.request(path, { method: "POST", headers, body: JSON.stringify(given) });
    assert.ok(answer.status < 400, `${path}: ${answer.status} ${await answer.text()}`);
  };
  await post(`${at}/_comments`, { text: `I, ${mark}, wrote this` });
  await post(`/user/notes/views?q=${mark}`, { name: `View ${mark}` });
  await post("/user/notes/list/settings", { query: `?q=${mark}` });
  await client.submit("/user/ask", { text: mark, "what[text]": mark }, /method="post"/).catch(() => undefined);
  await knex("framewright_wizard_runs")
    .where({ owner_id: String(id) })
    .update({
      data: JSON.stringify({ what: { text: mark, paper: await paperOf(app, mark) } }),
      schema_map: JSON.stringify({ what: { text: "string", paper: "file" } }),
    });

  await kernel
    .service("notifications")
    .send(record as never, { title: "unused" })
    .catch(() => undefined);
  const account = (await database.query(database.model("User").class).findById(id)) as never;
  await kernel.service("notifications").send(account, { title: `For ${mark}`, body: mark });
  await kernel
    .service("mailer")
    .deliver({
      to: login,
      names: ["authlib/mailer/password_changed"],
      subject: `Mail for ${mark}`,
      locals: {},
    } as never)
    .catch(() => undefined);
  const owner = { owner_type: "authlib user", owner_id: String(id), portal: "UserPortal", tenant: null };
  await knex("framewright_imports").insert({
    resource: "Note",
    ...owner,
    content: `sealed ${mark}`,
    version: 0,
    created_at: new Date(),
    expires_at: inDays(1),
  });
  const found = await knex("framewright_imports")
    .where(owner as never)
    .first("id");
  await knex("framewright_import_failures").insert({ import_id: found.id, row_number: 1, content: `row of ${mark}` });
  await knex("framewright_background_runs").insert({
    resource: "Note",
    action: "export",
    ...owner,
    state: "done",
    version: 0,
    starts: 0,
    total: 1,
    done: 1,
    refused: 0,
    failed: 0,
    heartbeat_at: new Date(),
    created_at: new Date(),
    cursor_id: mark,
  });
  await knex("framewright_deletions").insert({
    undo_key: mark,
    resource: "Note",
    ...owner,
    content: `sealed ${mark}`,
    expires_at: inDays(1),
  });
  await knex("framewright_held_forms").insert({
    key_digest: mark,
    account_type: "user",
    account_id: id,
    payload: `sealed ${mark}`,
    deadline: inDays(1),
  });
  await knex("user_login_change_keys").insert({
    account_id: id,
    key_digest: mark,
    login: `new-${login}`,
    requested_at: new Date(),
    deadline: inDays(1),
  });
  await knex("user_active_session_keys")
    .where({ account_id: id })
    .update({ user_agent: `Browser of ${mark}`, address: "192.0.2.1" });
  await knex("user_authentication_audit_logs")
    .where({ account_id: id })
    .update({ metadata: JSON.stringify({ by: mark }) });
  return { id, mark, login, client, note };
}

/** A file that a step of a wizard was sent. */
const paperOf = (app: TestApp, mark: string) =>
  app.application.kernel
    .service("storage")
    .put({ filename: `${mark}.txt`, type: "text/plain", bytes: Buffer.from(`Sent by ${mark}`) });

/** Where a text stands: in which column of which table, of whatever type, and in which file of the storage. */
export async function placesOf(app: TestApp, text: string): Promise<string[]> {
  const database = databaseOf(app.application);
  const found: string[] = [];
  const has = (value: unknown): boolean => {
    if (Buffer.isBuffer(value) || value instanceof Uint8Array)
      return Buffer.from(value).toString("latin1").toLowerCase().includes(text.toLowerCase());
    if (typeof value === "object" && value !== null && !(value instanceof Date)) return Object.values(value).some(has);
    return String(value).toLowerCase().includes(text.toLowerCase());
  };
  for (const table of (await database.tables()).sort())
    for (const row of await database.rows(database.knex(table)))
      for (const [column, value] of Object.entries(row)) if (has(value)) found.push(`${table}.${column}`);
  for (const path of filesBelow(join(app.root, "storage")))
    if (has(path) || has(readFileSync(path))) found.push(path.slice(app.root.length + 1).replace(/[\w-]{20,}/, "…"));
  return [...new Set(found)];
}
function filesBelow(folder: string): string[] {
  try {
    return readdirSync(folder).flatMap((name) => {
      const path = join(folder, name);
      return statSync(path).isDirectory() ? filesBelow(path) : /\.sqlite|-wal$|-shm$|\.db/.test(name) ? [] : [path];
    });
  } catch {
    return [];
  }
}

/** The files of an archive by name, read as archives are: by the directory at its end. */
export function unzipped(bytes: Buffer): Map<string, Buffer> {
  const end = bytes.lastIndexOf(Buffer.from([0x50, 0x4b, 5, 6]));
  const count = bytes.readUInt16LE(end + 10);
  const files = new Map<string, Buffer>();
  let at = bytes.readUInt32LE(end + 16);
  for (let index = 0; index < count; index++) {
    assert.is(bytes.readUInt32LE(at), 0x02014b50, "an entry of the directory");
    const [packed, size] = [bytes.readUInt32LE(at + 20), bytes.readUInt32LE(at + 24)];
    const [name, extra, comment] = [28, 30, 32].map((offset) => bytes.readUInt16LE(at + offset)) as [
      number,
      number,
      number,
    ];
    const start = bytes.readUInt32LE(at + 42);
    const content = start + 30 + bytes.readUInt16LE(start + 26) + bytes.readUInt16LE(start + 28);
    const file = inflateRawSync(bytes.subarray(content, content + packed));
    assert.is(file.length, size);
    files.set(bytes.toString("utf8", at + 46, at + 46 + name), file);
    at += 46 + name + extra + comment;
  }
  return files;
}

import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openKernel, type Settings } from "framewright/kernel";
import { type Database, database, isDuplicate, Schema } from "framewright/plugins/database";
import { postgres } from "framewright/plugins/postgres";
import { parseAddress } from "../../../plugins/postgres/address.ts";
import { failureOf } from "../../../plugins/postgres/failure.ts";
import { databaseConformance } from "../../conformance/database.ts";
import { assert, describe, reasonToSkip, throwsCode } from "../../support/index.ts";
import { databaseOf, openShop } from "../../support/shop.ts";

// PostgreSQL in the process, without a server; `npm run soak -- postgres` runs the suites on one.

const withoutPglite = await reasonToSkip("pglite");
const START_MS = 120_000; // it is compiled first

/** The plugin is one value, so that all kernels open one database. */
async function withPglite(tell: (open: () => Promise<Database>) => Promise<void>): Promise<void> {
  const root = mkdtempSync(join(tmpdir(), "framewright-pglite-"));
  const plugin = postgres();
  const settings = { root, env: "test", databaseUrl: "pglite:storage/test" } as unknown as Settings;
  const kernels: { close(): Promise<void> }[] = [];
  const open = async () => {
    const kernel = await openKernel([database(), plugin], { settings });
    kernels.push(kernel);
    const service = kernel.service("database");
    await service.tables(); // waits for the start, as a ping does not
    return service;
  };
  try {
    await open(); // it stays until the end
    await tell(open);
  } finally {
    for (const kernel of kernels.reverse()) await kernel.close();
    rmSync(root, { recursive: true, force: true });
  }
}

describe("PostgreSQL in the process", (it) => {
  it.unless(
    withoutPglite,
    "The driver passes the contract of the database, and does as the built-in drivers do",
    () =>
      withPglite(async (open) => {
        for (const { sentence, check } of databaseConformance) {
          const service = await open();
          await check(service).catch((cause) => assert.unreachable(`${sentence}: ${cause}`));
        }
        await asElsewhere(await open());
      }),
    START_MS,
  );

  it.unless(
    withoutPglite,
    "An application runs on it as it is: its migrations, its pages and its forms",
    async () => {
      const app = await openShop({}, { DATABASE_URL: "pglite:storage/shop" });
      try {
        const { knex } = databaseOf(app.application);
        const stamps = { created_at: new Date(), updated_at: new Date() };
        await knex("authors").insert({ name: "Ärger 🚀", email: "ada@x.test", ...stamps });
        const headers = { accept: "application/json", "content-type": "application/json" };
        const body = JSON.stringify({ blogging_post: { title: "One", author: 1, price: "12.50" } });
        const saved = await app.request("/admin/blogging/posts", { method: "POST", headers, body });
        assert.is(saved.status, 201);
        const { data } = (await saved.json()) as { data: { price: string; author: object } };
        assert.equal([data.price, data.author], ["12.50", { id: 1, label: "Ärger 🚀" }]);
        assert.match(await (await app.request("/admin/blogging/posts?q=oNE")).text(), "Ärger 🚀");
      } finally {
        await app.close();
      }
    },
    START_MS,
  );
});

async function asElsewhere(service: Database): Promise<void> {
  const { knex } = service;
  await new Schema(knex).createTable("things", (t) => {
    t.id();
    t.string("name", 20).unique();
    t.boolean("open").notNull().default(true);
    t.enum("state", ["draft", "it's"]).notNull().default("it's");
    t.json("data").notNull().default({ a: 1 });
    t.datetime("at");
  });
  const id = await service.insertRow("things", { name: "Élan", at: new Date("2026-01-31T12:00:00.100Z") });
  assert.is(id, 1);
  const expected = { id: 1, name: "Élan", open: 1, state: "it's", data: '{"a": 1}', at: "2026-01-31 12:00:00.100" };
  assert.equal(await knex("things").first(), expected);
  assert.equal(await knex("things").where({ name: "éLAN" }).pluck("id"), [1]);
  await knex("things").insert({ id: 7, name: null });
  assert.equal(await knex("things").insert({ name: "after" }), [8]);
  assert.equal(await knex("things").orderBy("name").pluck("id"), [7, 8, 1]);
  assert.equal(await knex("things").orderBy("name", "desc").pluck("id"), [1, 8, 7]);
  const columns = new Map((await service.introspect("things")).map((column) => [column.name, column]));
  assert.equal([columns.get("name")?.maxLength, columns.get("state")?.values], [20, ["draft", "it's"]]);
  assert.equal(
    [columns.get("open"), columns.get("state"), columns.get("data")].map((column) => column?.default),
    [true, "it's", { a: 1 }],
  );
  await service.transaction(async (transaction) => {
    const refused = await transaction("things")
      .insert({ name: "AFTER" })
      .catch((error: unknown) => isDuplicate(error));
    assert.is(refused, true);
    await transaction("things").where({ id: 8 }).update({ name: "still here" }); // the refused insert alone was undone
  });
  assert.equal(await knex("things").where({ id: 8 }).pluck("name"), ["still here"]);
  await throwsCode("FW_TRANSACTION_LOST", () => service.transaction(async () => knex("things").first()));
}

describe("Failures of PostgreSQL", (it) => {
  const failure = (code: string, more: object = {}) => failureOf(Object.assign(new Error("no"), { code, ...more }));
  it("A failure has the kind that the framework knows, the column or the constraint", () => {
    assert.equal(failure("23505", { constraint: "posts_slug_unique" }), {
      ...{ kind: "unique", code: "23505", constraint: "posts_slug_unique" },
    });
    assert.equal(failure("23502", { column: "title" })?.columns, ["title"]);
    const kinds = ["23503", "40P01", "55P03", "57014", "57P01", "53300", "53100", "25006", "08006", "42P01"];
    assert.equal(
      kinds.map((code) => failure(code)?.kind),
      [
        ...["foreign_key", "conflict", "conflict", "slow", "unavailable", "unavailable"],
        ...["unwritable", "unwritable", "unavailable", "no_table"],
      ],
    );
    assert.is(failure("23514", { constraint: "posts_title_length" })?.kind, "too_long");
    assert.is(failure("23514", { constraint: "posts_status_values" })?.kind, "inclusion");
    assert.is(failure("ECONNREFUSED")?.kind, "unavailable");
    assert.is(failure("42601"), undefined);
    assert.is(failure("FW_INVALID"), undefined);
  });
});

describe("Addresses of PostgreSQL", (it) => {
  it("An address that asks for encryption gets it with the certificate checked, and what would be without effect is refused", async () => {
    const sslOf = (more: string) => parseAddress(`postgres://me:pa%40ss@db.test/shop${more}`).config.ssl;
    for (const more of ["?sslmode=require", "?sslmode=verify-full", "?ssl=true"])
      assert.equal(sslOf(more), { rejectUnauthorized: true }, more);
    for (const more of ["", "?sslmode=disable"]) assert.is(sslOf(more), false, more);
    for (const more of ["?sslmode=prefer", "?sslmode=no-verify", "?sslrootcert=x", "?ssl=1"]) {
      const { message } = await throwsCode("FW_DATABASE_URL", () => sslOf(more));
      assert.not.match(message, /pa%40ss|pa@ss/);
      assert.match(message, /Write postgres:/);
    }
    assert.is(parseAddress("postgresql://me:pa%40ss@db.test/shop").config.password, "pa@ss");
  });
});

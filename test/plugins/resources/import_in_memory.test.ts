import type { TestApp } from "../../support/apps.ts";
import { assert, describe } from "../../support/index.ts";
import { databaseOf } from "../../support/shop.ts";
import { openTenants } from "../scoping/tenants.ts";
import { Importer, importFiles, statusOf } from "./import_app.ts";

// As tests of applications have it: one connection, beside whose transactions nothing is read.
describe("Imports of files, on SQLite in memory", (it, { before, after }) => {
  let app: TestApp;
  before(async () => {
    app = await openTenants(importFiles, { DATABASE_URL: "sqlite::memory:" });
  });
  after(() => app.close());

  it("Records that a cell names are found while the rows are checked, and while they are written", async () => {
    const done = await new Importer(app, 1).import("Reference,Author\nA-1,Ann Alpine\n", ["reference", "author"]);
    assert.is(statusOf(done), "Imported");
    const rows = await databaseOf(app.application).knex("shipments").select("reference", "author_id");
    assert.equal(rows, [{ reference: "A-1", author_id: 1 }]);
  });
});

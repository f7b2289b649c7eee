import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { editedText } from "../support/fixtures.ts";
import { assert, describe } from "../support/index.ts";
import type { TenancyReport } from "../testing/index.ts";
import { ensureBuilt, fwOk, newApp, runFw } from "./support.ts";

/** A product is generated, and each of its routes is sent many requests. */
const DEADLINE_MS = 300_000;

describe("The audit of a product as it is generated with slugs", (it) => {
  it(
    "It accuses nobody of what a list repeats of its query, and has records of a model with a color",
    async () => {
      await ensureBuilt();
      const app = await newApp();
      const g = (...words: string[]) => fwOk(app, "g", ...words);
      await g("fw:res:scaffold", "User", "name:string", "email:string:uniq");
      await g("fw:authlib:account", "user", "--defaults");
      const saas = ["--user=User", "--entity=Organization", "--roles=admin,member", "--portal_name=customer"];
      await g("fw:saas:setup", ...saas, "--entity_attributes=slug:slug{name}");
      await g("fw:res:scaffold", "Label", "name:string", "slug:slug{name}", "color:string", "organization:belongs_to");
      await fwOk(app, "db:migrate");
      await g("fw:res:conn", "Label", "--dest=customer_portal");
      const model = join(app, "app/models/label.ts");
      const rule = "color: { presence: true, format: { with: /^#[0-9a-f]{6}$/i } }";
      writeFileSync(model, editedText(readFileSync(model, "utf8"), [/color: \{ presence: true \}/, rule]));
      const { out, err } = await runFw(app, "audit:tenancy", "--json");
      assert.match(out, '"leaks": [],', err);
      const { totals, marked, uncovered } = JSON.parse(out) as TenancyReport;
      assert.equal([totals.leaks, totals.covered], [0, totals.routes]);
      assert.ok(marked.includes("Label"));
      assert.equal(
        uncovered.filter(({ reason }) => !/answers 403 to members/.test(reason)),
        [],
      );
    },
    DEADLINE_MS,
  );
});

import { edited } from "../../support/fixtures.ts";
import { assert, describe } from "../../support/index.ts";
import { printedBy } from "../../support/printed.ts";
import { openPermits, permitFiles, publicPermitPolicy } from "./permits_app.ts";

/** What the application of permits warns of when it boots. */
const warnedBy = (changes: Record<string, string>): Promise<string> =>
  printedBy(async () => await (await openPermits(changes, { LOG_LEVEL: "warn" })).close());
const documentModel = "app/models/document.ts";
const unique = (rule: string) => ({
  [documentModel]: edited(permitFiles, documentModel, [
    "static override associations",
    `static override validations = { title: { uniqueness: ${rule} } }; static override associations`,
  ]),
});

describe("What a boot says of policies", (it) => {
  it("A search that does not declare what it reads, blocks by hidden columns and hidden labels are named with the fix", async () => {
    const text = await warnedBy({});
    assert.match(text, "PermitDefinition has a search with a query of its own that does not declare what it reads");
    assert.match(text, /this\.search\(\(query, term\) => …, \{ reads: \[\\?"name\\?"\] \}\)/);
    assert.match(
      text,
      /the filter \\?"mail\\?", the filter \\?"dear\\?", the scope \\?"expensive\\?", the sort \\?"dearest\\?"/,
    );
    assert.match(text, "The label of Permit is made of email, which PermitPolicy of PublicPortal hides");
    assert.not.match(text, "of StaffPortal");
  });
  it("A policy permits a column in labels alone", async () => {
    const permitted = {
      [publicPermitPolicy]: edited(permitFiles, publicPermitPolicy, [
        "override canUpdate",
        'override permittedAttributesForLabel() { return ["email"]; } override canUpdate',
      ]),
    };
    assert.not.match(await warnedBy(permitted), "The label of Permit");
    const app = await openPermits(permitted);
    try {
      const answer = await app.request("/public/1/documents/3", { headers: { accept: "application/json" } });
      const { data } = (await answer.json()) as { data: { permit: object } };
      assert.equal(data.permit, { id: 3, label: "a3@example.com · Parkallee 3" });
      assert.is(
        (
          await app.request("/public/1/permits?filter[email]=a3@example.com", {
            headers: { accept: "application/json" },
          })
        ).status,
        422,
      );
    } finally {
      await app.close();
    }
  });
  it("What is unique across tenants is named, unless it says so", async () => {
    assert.match(await warnedBy(unique("true")), "Document is unique by title across all of Town");
    assert.not.match(await warnedBy(unique('{ scope: "town" }')), "is unique by");
    assert.not.match(await warnedBy(unique("{ everywhere: true }")), "is unique by");
  });
});

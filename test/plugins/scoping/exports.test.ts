import type { TestApp } from "../../support/apps.ts";
import { databases } from "../../support/databases.ts";
import { edited } from "../../support/fixtures.ts";
import { assert, describe } from "../../support/index.ts";
import { textsOf } from "../resources/read_sheet.ts";
import { openTenants, people, tenantFiles } from "./tenants.ts";

const exported = (name: string) => {
  const path = `app/policies/${name}_policy.ts`;
  const text = edited(tenantFiles, path, [
    "override canRead()",
    "override canExport() { return true; } override canRead()",
  ]);
  return { [path]: text };
};
const files = { ...exported("post"), ...exported("comment") };
const formats = ["export.csv", "export.xlsx", "export.jsonl"];
/** What a file says, of a spreadsheet too. */
const said = (bytes: Buffer) =>
  bytes.subarray(0, 2).toString() === "PK" ? textsOf(bytes).join("\n") : bytes.toString();

for (const database of await databases({ withPostgres: true })) {
  describe(`Exports of tenants, on ${database.name}`, (it, { before, after }) => {
    let app: TestApp;
    if (database.skip === undefined) {
      before(async () => {
        app = await openTenants(files, await database.values());
      });
      after(async () => {
        await app?.close();
        await database.clean();
      });
    }
    const can = (sentence: string, body: () => Promise<void>) => it.unless(database.skip, sentence, body);
    const ask = (path: string, user?: keyof typeof people) =>
      app.request(path, { headers: user ? { "x-user": String(people[user]) } : {} });

    can("A tenant's export has its own rows, though a policy, a search and a scope try to widen it", async () => {
      for (const [tenant, own, foreign] of [
        [1, "Alpine", "Baltic"],
        [2, "Baltic", "Alpine"],
      ] as const)
        for (const list of ["posts", `posts/${tenant}/nested_comments`, "comments"])
          for (const format of formats) {
            const answer = await ask(`/customer/${tenant}/${list}/${format}`, "cat");
            const text = said(Buffer.from(await answer.arrayBuffer()));
            assert.is(answer.status, 200, text);
            assert.match(text, own);
            assert.not.match(text, foreign);
          }
    });

    can("Who is no member, and whose parent is another tenant's, gets what they get of the list", async () => {
      for (const format of formats) {
        for (const path of ["/customer/2/posts", "/customer/1/posts/2/nested_comments"])
          assert.is((await ask(`${path}/${format}`, "ann")).status, (await ask(path, "ann")).status);
        assert.is((await ask(`/customer/1/posts/2/nested_comments/${format}`, "ann")).status, 404);
        assert.is((await ask(`/customer/2/posts/${format}`)).status, (await ask("/customer/2/posts")).status);
      }
    });

    can("Guests of a portal export nothing unless the portal's own policy says so", async () => {
      assert.is((await ask("/guest/1/posts")).status, 200);
      for (const format of formats) assert.is((await ask(`/guest/1/posts/${format}`)).status, 403);
    });
  });
}

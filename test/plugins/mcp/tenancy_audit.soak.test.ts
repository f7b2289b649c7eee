import { addFiles, writeApp } from "../../support/apps.ts";
import { edited } from "../../support/fixtures.ts";
import { assert, describe } from "../../support/index.ts";
import { openMigrated } from "../../support/shop.ts";
import { auditTenancy } from "../../testing/index.ts";
import { secret } from "../scoping/audit_apps.ts";
import { tenantFiles } from "../scoping/tenants.ts";
import { mcpFiles } from "./mcp_app.ts";

const DEADLINE_MS = 300_000;
const audit = async (changes: Record<string, string> = {}) => {
  const root = writeApp({ ...tenantFiles });
  addFiles(root, { ...mcpFiles, ...changes });
  await (await openMigrated(root, secret)).close();
  return auditTenancy({ root, portal: "CustomerPortal", values: secret, requests: 1000 });
};
const isOfAgents = ({ route }: { route: string }) => route.endsWith("/mcp");

describe("An audit of an application with agents", (it) => {
  it(
    "No tool shows or changes anything of another tenant, whatever ids it is called with",
    async () => {
      const report = await audit();
      const called = report.rows.filter((row) => isOfAgents(row) && row.url.startsWith("tools/call"));
      const names = new Set(called.map(({ url }) => url.split(" ")[1]));
      for (const name of ["listPosts", "getPost", "updatePost", "deletePost", "publishPost", "searchEverywhere", "createPostComment", "destroySelectedPost"]) // biome-ignore format: a list
        assert.ok(names.has(name), `${name} is not among ${[...names].join(", ")}`);
      assert.ok(called.some(({ attempt }) => attempt === "other records"));
      assert.equal(report.leaks.filter(isOfAgents), []);
      assert.equal(
        report.uncovered.filter(({ what }) => what.startsWith("tools of")),
        [],
      );
    },
    DEADLINE_MS,
  );
  it(
    "A policy that shows records of all tenants is found by its tool",
    async () => {
      const report = await audit({
        "app/definitions/note_definition.ts": `import { ResourceDefinition } from "framewright/plugins/resources"; import type Note from "#app/models/note.ts"; import LeakNotes from "../interactions/leak_notes.ts";
          export default class NoteDefinition extends ResourceDefinition<Note> { override configure() { super.configure(); this.action("leak", { interaction: LeakNotes }); } }`,
        "app/interactions/leak_notes.ts": `import { Interaction, succeed } from "framewright/plugins/resources"; import Note from "#app/models/note.ts";
          export default class LeakNotes extends Interaction<Note> { async execute() { const all = await this.unscopedQuery(Note); return succeed(this.record).withMessage(all.map((one) => one.title).join(", ")); } }`,
        "app/policies/note_policy.ts": edited(tenantFiles, "app/policies/note_policy.ts", [
          "override canRead() {",
          "canLeak() { return true; }\n  override canRead() {",
        ]),
      });
      const found = report.leaks.filter(isOfAgents);
      assert.ok(
        found.some(({ url }) => url.startsWith("tools/call leakNote")),
        JSON.stringify(found.slice(0, 5)),
      );
    },
    DEADLINE_MS,
  );
});

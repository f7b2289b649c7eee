import type { TestApp } from "../../support/apps.ts";
import { edited } from "../../support/fixtures.ts";
import { taskFiles } from "../resources/tasks_app.ts";
import { tenantFiles } from "../scoping/tenants.ts";

// Tasks of two tenants. "Locked" is renamed by nobody, "Twice" does not suit the interaction, and "Closed" is none that Ann may write.

const [definition, policy] = ["app/definitions/task_definition.ts", "app/policies/task_policy.ts"];
const files =
  taskFiles(`this.action("rename", { interaction: Rename, condition: ({ record }) => record?.title !== "Fixed" });
    this.input("status", { default: "busy" });`);

export const batchFiles: Record<string, string> = {
  ...files,
  [definition]: `import Rename from "#app/interactions/rename.ts";
${files[definition]}`,
  [policy]: edited(
    files,
    policy,
    ["canDuplicate()", 'canRename() { return this.record?.title !== "Locked"; } canDuplicate()'],
    [
      "override canCreate() { return true; }",
      'override canCreate() { return this.user?.name !== "Dan" && this.user?.name !== "Cat"; }',
    ],
  ),
  "app/interactions/rename.ts": `import { fail, Interaction, succeed } from "framewright/plugins/resources";
export default class Rename extends Interaction {
  static override attributes = { title: { as: "string", required: true, length: { maximum: 20 } } } as const;
  override async execute() {
    if (this.record.title === "Twice") return fail({ title: ["suits it not"] }, "Not this one.");
    await this.record.$query(this.transaction).patch({ title: this.values.title + " " + this.record.$id() } as object);
    return succeed(this.record);
  }
  override async afterCommit() {
    (globalThis as { batchEvents?: string[] }).batchEvents?.push("after commit of " + this.record.$id());
  }
}`,
  "lib/heard.ts": `import { definePlugin } from "framewright/kernel";
    export const heard = () => definePlugin({
      name: "heard",
      requires: ["resources"],
      apply({ hooks }) {
        const events = ((globalThis as { batchEvents?: string[] }).batchEvents ??= []);
        hooks.resources.record.tap("heard", ({ kind, record }) => void events.push(kind + " " + (record as { title?: string }).title));
        hooks.resources.creating.tapPromise("heard", async (columns) => void (columns.note = "from a batch"));
      },
    });`,
  "plugins.config.ts": edited(
    tenantFiles,
    "plugins.config.ts",
    ["import { database }", 'import { batches } from "framewright/plugins/batches";\nimport { database }'],
    ["const widening", 'import { heard } from "./lib/heard.ts";\nconst widening'],
    ["  resources(),", "  resources(),\n  batches(),\n  heard(),"],
  ),
};

export const batchesOf = (app: TestApp) => app.application.kernel.service("batches");

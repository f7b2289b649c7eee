import { edited } from "../../support/fixtures.ts";
import { taskFiles } from "./tasks_app.ts";

const [definition, policy] = ["app/definitions/task_definition.ts", "app/policies/task_policy.ts"];
const files = taskFiles(`this.action("edit", { open: "dialog", collectionRecordAction: true });
    this.action("new", { open: "panel" });
    this.action("duplicate", { open: "dialog" });
    this.action("rename", { interaction: Rename, open: "panel", collectionRecordAction: false });
    this.action("leave", { interaction: Leave, open: "dialog", collectionRecordAction: false });
    this.fieldset("Times", ["due_on", "starts_at", "urgent"], { collapsed: true, columns: 3, text: "When it is." });
    this.filter("status", { as: "select", choices: ["open", "done"] });`);

/** Tasks whose forms open over the page: to change and to copy one in a dialog, the others in a panel. */
export const dialogFiles: Record<string, string> = {
  ...files,
  [definition]: `import Leave from "#app/interactions/leave.ts";
import Rename from "#app/interactions/rename.ts";
${files[definition]}`,
  [policy]: edited(files, policy, [
    "canDuplicate()",
    "canRename() { return true; } canLeave() { return true; } canDuplicate()",
  ]),
  "app/interactions/rename.ts": `import { fail, Interaction, succeed } from "framewright/plugins/resources";
export default class Rename extends Interaction {
  static override attributes = { title: { as: "string", presence: true } } as const;
  override async execute() {
    if (this.values.title === "no") return fail({ title: ["needs more"] });
    await this.record.$query(this.transaction).patch({ title: this.values.title } as object);
    return succeed().withMessage("Renamed");
  }
}`,
  "app/interactions/leave.ts": `import { Interaction, succeed } from "framewright/plugins/resources";
export default class Leave extends Interaction {
  static override attributes = { why: { as: "string" } } as const;
  override async execute() {
    return succeed().withRedirect("/customer/1/tasks?status=done");
  }
}`,
};

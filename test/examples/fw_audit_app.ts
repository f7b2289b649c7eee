import { changesFiles } from "../plugins/resources/changes_app.ts";
import { openTenants, tenantFiles } from "../plugins/scoping/tenants.ts";
import type { TestApp } from "../support/apps.ts";
import { edited, editedText } from "../support/fixtures.ts";

// An application with tenants that lists the package, a plugin that taps its hook, and one with a job that writes.

const policies = "app/policies/";
/** Bob may audit no post, and nobody the one that is sealed. */
const canAudit = `  canAudit() {
    return (this.user as { id?: number } | undefined)?.id !== 2 && this.record?.title !== "Sealed";
  }
  canAuditDeleted() {
    return this.canAudit();
  }
`;
const engine = "packages/customer_portal/lib/engine.ts";
const guests = "packages/guest_portal/lib/engine.ts";
const uses = (path: string): string =>
  edited(
    tenantFiles,
    path,
    ["import { definePortal }", 'import { audit } from "fw-audit";\nimport { definePortal }'],
    ["(engine) => {", '(engine) => {\n  engine.use(audit.pages({ at: "trail" }));'],
  );

export const auditFiles: Record<string, string> = {
  ...changesFiles,
  "audit.ts": `import { definePlugin } from "framewright/kernel";
    import type {} from "framewright/plugins/jobs";
    import type {} from "fw-audit";
    import Post from "./app/models/post.ts";
    export const audit = definePlugin({
      name: "listener",
      requires: ["database", "jobs", "audit"],
      apply({ hooks, tap, services: { jobs } }) {
        tap(hooks.audit.recorded, async ({ kind, model, record }, transaction) => {
          await transaction("lines").insert({ kind, now: model, post: record });
        });
        jobs.define("rename", async () => {
          await Post.query().findById(1).patch({ title: "By the job" });
        });
      },
    });`,
  "plugins.config.ts": `import { audit as recording } from "fw-audit";\n${changesFiles["plugins.config.ts"]!.replace("  audit,\n", '  audit,\n  recording({ except: ["Category"] }),\n')}`,
  [`${policies}post_policy.ts`]: editedText(
    changesFiles[`${policies}post_policy.ts`]!,
    ["  canRename() {", `${canAudit}  canRename() {`],
    ['where("status", "nowhere").orWhereRaw("1 = 1")', "whereRaw(\"coalesce(status, '') <> 'hidden'\")"],
  ),
  [engine]: uses(engine),
  [guests]: uses(guests),
};

export const openAudited = (files: Record<string, string>, values: Record<string, string>): Promise<TestApp> =>
  openTenants({ ...auditFiles, ...files }, values);

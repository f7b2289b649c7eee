import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { BaseModel } from "framewright/plugins/database";
import type { NotificationContent, SendOptions } from "framewright/plugins/notifications";
import type { TestApp } from "../../support/apps.ts";
import { edited } from "../../support/fixtures.ts";
import { tenantFiles } from "../scoping/tenants.ts";

const schema = readFileSync(join(import.meta.dirname, "../../../plugins/notifications/schema.liquid"), "utf8");

/** The migration of the table, as the generator writes it. */
export const notificationsMigration = {
  "db/migrate/20260501000000_create_framewright_notifications.ts": `export async function up(db) {\n${schema}}\nexport async function down(db) { await db.dropTable("framewright_notifications"); }\n`,
};

/** An application's list of plugins with notifications in it, after scoping. */
export const withNotifications = (files: Record<string, string>, options = "") => ({
  "plugins.config.ts": edited(
    files,
    "plugins.config.ts",
    ["  scoping(),", `  scoping(),\n  notifications(${options}),`],
    ["import { portals }", 'import { notifications } from "framewright/plugins/notifications";\nimport { portals }'],
  ),
});

/** The tenants, whose publishing of a post notifies Ann and Cat in its transaction. */
export const notificationFiles: Record<string, string> = {
  ...withNotifications(tenantFiles),
  ...notificationsMigration,
  "app/interactions/publish_post.ts": `import { fail, Interaction, succeed } from "framewright/plugins/resources"; import type {} from "framewright/plugins/notifications";
    import User from "#app/models/user.ts";
    export default class PublishPost extends Interaction {
      async execute() {
        const content = { title: "Published: " + this.record.title, url: this.controller.resourceUrlFor(this.record), kind: "success" } as const;
        const people = await this.unscopedQuery(User).whereIn("id", [1, 3]);
        await this.controller.request.kernel.service("notifications").send(people, content, { transaction: this.transaction, tenant: this.currentScopedEntity as object });
        return this.record.title === "Refused" ? fail({}, "Not now.") : succeed(this.record);
      }
    }`,
};

/** Sends a notification to a person, in a tenant or in none. */
export async function send(
  { application }: TestApp,
  user: number,
  content: NotificationContent,
  { tenant, ...options }: Omit<SendOptions, "tenant"> & { tenant?: number } = {},
): Promise<void> {
  const { kernel } = application;
  const database = kernel.service("database");
  const record = (model: string, id: number) =>
    database.query(database.model(model).class).findById(id) as unknown as Promise<BaseModel>;
  const about = tenant === undefined ? {} : { tenant: await record("Organization", tenant) };
  await kernel.service("notifications").send(await record("User", user), content, { ...options, ...about });
}

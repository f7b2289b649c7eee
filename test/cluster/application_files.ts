/** What the developer of the application writes into what the generators wrote, by path. */
export const applicationFiles: Readonly<Record<string, string>> = {
  "lib/trail.ts": `import { definePlugin } from "framewright/kernel";
import type {} from "framewright/plugins/mailer";
import Line from "#app/models/line.ts";
import Note from "#app/models/note.ts";

/** Each change of a note writes a line, and a new one a mail, in the transaction of the change. */
export const trail = () =>
  definePlugin({
    name: "trail",
    requires: ["database", "mailer"],
    apply({ hooks, services: { mailer } }) {
      hooks.database.changing.for(Note).tapPromise("trail", async ({ kind, record, changed, transaction }) => {
        const mark =
          kind === "created" ? record.title : changed.includes("body") ? record.body : (record.paper as { filename?: string } | null)?.filename?.replace(".txt", "");
        await Line.query(transaction).insert({ kind, mark: String(mark) });
        if (kind === "created")
          await mailer.deliver({
            ...{ to: "trail@shop.test", names: ["mails/mark"], subject: \`note \${record.title}\` },
            ...{ locals: { mark: record.title }, transaction },
          });
      });
    },
  });
`,
  "app/views/mails/mark_text.liquid": "{{ mark }}\n",
  "app/definitions/note_definition.ts": `import ResourceDefinition from "#app/definitions/resource_definition.ts";
import Announce from "#app/interactions/note/announce.ts";
import type Note from "#app/models/note.ts";

export default class NoteDefinition extends ResourceDefinition<Note> {
  override configure() {
    super.configure();
    this.input("paper", { as: "file", accept: [".txt"], maximum: 100_000 });
    this.action("announce", { interaction: Announce });
  }
}
`,
  "app/interactions/note/announce.ts": `import ResourceInteraction from "#app/interactions/resource_interaction.ts";
import type Note from "#app/models/note.ts";
import { type InteractionAttributes, type InteractionValues, succeed } from "framewright/plugins/resources";

const attributes = { mark: { as: "string", required: true } } as const satisfies InteractionAttributes<Note>;

export default class Announce extends ResourceInteraction<Note, InteractionValues<typeof attributes>> {
  static override attributes = attributes;

  async execute() {
    const { mark } = this.values;
    await this.controller.request.kernel.service("mailer").deliver({
      ...{ to: "readers@shop.test", names: ["mails/mark"], subject: \`announce \${mark}\` },
      ...{ locals: { mark }, transaction: this.transaction },
    });
    return succeed(this.record).withMessage("They are told.");
  }
}
`,
  "packages/dashboard_portal/app/wizards/dashboard_portal/order_wizard.ts": `import { steps, succeed, Wizard } from "framewright/plugins/wizards";
import Order from "#app/models/order.ts";

const flow = steps()
  .step("what", { label: "What" }, (f) => f.string("mark", { presence: true }))
  .step("who", { label: "Who" }, (f) => f.string("buyer", { presence: true }))
  .review({ label: "Review" });

export default class OrderWizard extends Wizard(flow, { presents: { label: "Order" } }) {
  async execute() {
    const { mark } = this.data.what;
    await this.query(Order).insert({ mark, buyer: this.data.who.buyer });
    await this.request.kernel.service("mailer").deliver({
      ...{ to: "orders@shop.test", names: ["mails/mark"], subject: \`order \${mark}\` },
      ...{ locals: { mark }, transaction: this.transaction },
    });
    return succeed().withMessage("Ordered.");
  }
}
`,
  "app/controllers/me_controller.ts": `import { concern } from "framewright";
import { Authlib } from "framewright/plugins/authlib";
import BaseController from "#app/controllers/base_controller.ts";

export default class MeController extends concern(BaseController, Authlib("api_user")) {
  show() {
    return this.json({ login: this.currentUser?.email });
  }
}
`,
  "db/seeds.ts": `import type { Application } from "framewright";
import Organization from "#app/models/organization.ts";
import OrganizationCustomer from "#app/models/organization_customer.ts";

export default async function seed(app: Application): Promise<void> {
  const { people, tenants, password } = JSON.parse(process.env.CLUSTER_PEOPLE!);
  const [database, auth] = [app.kernel.service("database"), app.kernel.service("auth")];
  const organizations: Organization[] = [];
  for (const name of tenants) organizations.push(await database.query(Organization).insert({ name }));
  for (const { login, tenant } of people) {
    const { id } = await auth.createAccount("customer", { email: login }, { password });
    await auth.createAccount("api_user", { email: login }, { password });
    await database
      .query(OrganizationCustomer)
      .insert({ customer_id: id, organization_id: organizations[tenant]!.id, role: "member" });
  }
}
`,
};

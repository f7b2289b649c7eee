import type {} from "framewright/plugins/attachments";
import type {} from "framewright/plugins/confirmed_addresses";
import { steps, succeed, Wizard } from "framewright/plugins/wizards";
import Municipality from "#app/models/municipality.ts";
import Parcel from "#app/models/parcel.ts";
import Permit from "#app/models/permit.ts";

const flow = steps()
  .step("town", { label: "Town" }, (f) => f.association("municipality", Municipality, { presence: true }))
  .step("work", { label: "Work", using: Permit, fields: ["kind"] })
  .step("size", {
    label: "Size",
    using: Permit,
    fields: ["floors"],
    condition: ({ data }) => data.work?.kind !== "demolition",
  })
  .step("parcels", { label: "Parcels" }, (f) =>
    f.repeated("list", { minimum: 1 }, (row) =>
      row.string("district", { presence: true }).string("plot", { presence: true }).integer("area"),
    ),
  )
  .step("plans", { label: "Plans" }, (f) => f.file("plan", { accept: [".pdf", "image/*"] }))
  .step("contact", { label: "Contact" }, (f) =>
    f.string("applicant", { presence: true }).field("email", { as: "confirmed_email", presence: true }),
  )
  .review({ label: "Review" });

export default class ApplyWizard extends Wizard(flow, { presents: { label: "Apply" }, anonymous: true }) {
  async execute() {
    const { town, work, size, parcels, plans, contact } = this.data;
    const permit = await this.unscopedQuery(Permit).insert({
      municipality_id: town.municipality,
      kind: work.kind,
      floors: size?.floors,
      ...contact,
    });
    for (const row of parcels.list) await this.unscopedQuery(Parcel).insert({ ...row, permit_id: permit.id });
    if (plans.plan) {
      const { kernel } = this.request;
      const { filename, size: bytes } = plans.plan;
      const stream = await kernel.service("storage").stream(plans.plan.key);
      await kernel
        .service("attachments")
        .attach(permit, "plans", { filename, size: bytes, stream }, { transaction: this.transaction });
    }
    return succeed().withMessage(`Your application has the number ${permit.number}.`);
  }
}

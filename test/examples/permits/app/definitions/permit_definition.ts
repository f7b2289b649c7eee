import { html } from "framewright";
import ResourceDefinition from "#app/definitions/resource_definition.ts";
import type Permit from "#app/models/permit.ts";

export default class PermitDefinition extends ResourceDefinition<Permit> {
  override configure() {
    super.configure();
    this.files("plans", { accept: [".pdf", "image/*"], most: 12 });
    this.repeated("parcels", { fields: ["district", "plot", "area"], maximum: 20 });
    this.input("floors", { condition: ({ values }) => values.kind !== "demolition" });
    this.search(["number", "applicant"]);
    this.printPage("permit", {
      condition: ({ record }) => record?.status === "approved",
      content: ({ record }) => html`<p>${record.applicant} may begin: ${record.kind}, ${record.number}.</p>`,
    });
    this.action("destroy", { bulk: true });
  }
}

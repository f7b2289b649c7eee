import ResourceDefinition from "#app/definitions/resource_definition.ts";
import type Inspection from "#app/models/inspection.ts";

export default class InspectionDefinition extends ResourceDefinition<Inspection> {
  override configure() {
    super.configure();
    this.calendar({ on: "at" });
    this.action("destroy", { bulk: true });
  }
}

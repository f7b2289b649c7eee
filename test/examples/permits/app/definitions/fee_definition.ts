import ResourceDefinition from "#app/definitions/resource_definition.ts";
import type Fee from "#app/models/fee.ts";

export default class FeeDefinition extends ResourceDefinition<Fee> {
  override configure() {
    super.configure();
    this.display("amount", { currency: "EUR" });
    this.action("destroy", { bulk: true });
  }
}

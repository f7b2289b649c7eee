import { ResourceDefinition } from "framewright/plugins/resources";

export class HolidayDefinition extends ResourceDefinition {
  override configure(): void {
    super.configure();
    this.search((query, text) => query.where("name", "like", `%${text}%`));
  }
}

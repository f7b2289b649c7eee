import { Interaction, ResourceDefinition, succeed } from "framewright/plugins/resources";

class CloseTicket extends Interaction {
  async execute() {
    await this.record.$query(this.transaction).patch({ state: "closed" });
    return succeed(this.record).withMessage(this.controller.t("desk.closed"));
  }
}

export class TicketDefinition extends ResourceDefinition {
  override configure(): void {
    super.configure();
    this.search((query, text) => query.where("title", "like", `%${text}%`));
    this.action("close", { interaction: CloseTicket, icon: "check" });
  }
}

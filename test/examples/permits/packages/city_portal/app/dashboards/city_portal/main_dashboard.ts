import { countBy, countIn, Dashboard, sumIn } from "framewright/plugins/dashboards";
import Fee from "#app/models/fee.ts";
import Permit from "#app/models/permit.ts";

export default class MainDashboard extends Dashboard {
  override configure(): void {
    super.configure();
    this.metric("received", { value: (period) => countIn(this.query(Permit), "created_at", period), link: Permit });
    this.metric("fees", {
      value: (period) => sumIn(this.query(Fee).where("paid", true), "amount", "created_at", period),
      format: (amount) => amount.toLocaleString(this.controller.request.locale, { style: "currency", currency: "EUR" }),
    });
    this.chart("by_week", { data: (period) => countBy(this.query(Permit), "created_at", "week", period) });
    this.list("overdue", {
      query: () =>
        this.query(Permit)
          .where("status", "in_review")
          .where("due_on", "<", new Date().toISOString().slice(0, 10))
          .orderBy("due_on"),
      text: (permit) => `${permit.number} ${permit.applicant}`,
    });
  }
}

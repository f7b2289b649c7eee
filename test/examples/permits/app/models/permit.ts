import type { Files } from "framewright/plugins/attachments";
import { belongsTo, hasMany, Model } from "framewright/plugins/database";
import { numbered } from "framewright/plugins/numbers";
import { states } from "framewright/plugins/states";
import Fee from "#app/models/fee.ts";

export default class Permit extends Model("permits") {
  declare plans: Files;

  static override associations = {
    municipality: belongsTo(),
    parcels: hasMany(),
    fees: hasMany(),
    notes: hasMany(),
    inspections: hasMany(),
  };
  static override enums = { kind: ["house", "garage", "demolition"] };
  static override validations = {
    number: { uniqueness: { scope: "municipality" } },
    kind: { presence: true },
    applicant: { presence: true },
    email: { presence: true, format: { with: /^[^\s@]+@[^\s@]+$/ } },
  };
  static numbers = numbered("number", { scope: "municipality", format: "{year}-{0000}" });
  static states = states(
    "status",
    {
      submitted: { review: "in_review", withdraw: "withdrawn" },
      in_review: {
        approve: {
          to: "approved",
          category: "primary",
          prepare: async (permits: readonly Permit[], { query }) => {
            const ids = permits.map(({ id }) => id);
            const fees = await query(Fee).where("paid", false).whereIn("permit_id", ids);
            return new Set(fees.map((fee) => fee.permit_id));
          },
          if: (permit: Permit, unpaid: Set<number>) => !unpaid.has(permit.id) || "permits.fees_unpaid",
        },
        reject: { to: "rejected", category: "danger", fields: { reason: { required: true } } },
        withdraw: "withdrawn",
      },
      approved: {},
      rejected: {},
      withdrawn: {},
    },
    { tones: { approved: "success", rejected: "danger", in_review: "warning" } },
  );
  override toLabel(): string {
    return this.number ?? super.toLabel();
  }
}

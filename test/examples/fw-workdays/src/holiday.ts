import { type BaseModel, belongsTo, Model, type ModelClass } from "framewright/plugins/database";

/** A day on which a tenant does not work, as it is read. */
export interface Holiday extends BaseModel {
  /** `2026-12-25` */
  day: string;
  name: string;
}

/** The class of holidays: their tenant is of the application's model of that name. */
export function holidayModel(tenant: string | undefined): ModelClass {
  return class extends Model("workdays_holidays") {
    static override associations = tenant === undefined ? {} : { tenant: belongsTo({ class: tenant }) };
    static override validations = {
      day: { presence: true, uniqueness: tenant === undefined ? true : { scope: "tenant_id" } },
      name: { presence: true },
    };
  };
}

import { type BaseModel, belongsTo, Model, type ModelClass } from "framewright/plugins/database";

/** A ticket, as it is read. */
export interface Ticket extends BaseModel {
  title: string;
  state: string;
}

/** The class of tickets: their tenant is of the application's model of that name. */
export function ticketModel(tenant: string | undefined): ModelClass {
  return class extends Model("desk_tickets") {
    static override associations = tenant === undefined ? {} : { tenant: belongsTo({ class: tenant }) };
    static override validations = { title: { presence: true } };
  };
}

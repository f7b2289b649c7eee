import { Policy } from "framewright/plugins/resources";
import type { Ticket } from "./ticket.ts";

/** Everybody of the portal reads and writes tickets, and closes open ones; nobody deletes them. */
export class TicketPolicy extends Policy<Ticket> {
  override canRead(): boolean {
    return true;
  }
  override canCreate(): boolean {
    return true;
  }
  override canDestroy(): boolean {
    return false;
  }
  canClose(): boolean {
    return this.record?.state === "open";
  }
  override permittedAttributesForCreate(): string[] {
    return ["title"];
  }
  override permittedAttributesForRead(): string[] {
    return ["title", "state"];
  }
}

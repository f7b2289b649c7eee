import { join } from "node:path";
import type { Reply } from "framewright";
import { definePlugin, type Plugin } from "framewright/kernel";
import { defineResource, type PluginResource } from "framewright/plugins/resources";
import { ticketModel } from "./ticket.ts";
import { TicketDefinition } from "./ticket_definition.ts";
import { TicketPolicy } from "./ticket_policy.ts";

/** Options of `desk()`. */
export interface DeskOptions {
  /** The application's model of tenants, as `"Organization"`: each ticket belongs to one. */
  readonly tenant?: string;
}

/** Tickets: the plugin for plugins.config.ts, and the resource that portals register. */
export function desk({ tenant }: DeskOptions = {}): { plugin: Plugin; tickets: PluginResource } {
  const tickets = defineResource({
    constant: "Desk::Ticket",
    model: ticketModel(tenant),
    policy: TicketPolicy,
    definition: TicketDefinition,
    controller: (Base) =>
      class TicketsController extends Base {
        override async index(): Promise<Reply> {
          const reply = await super.index();
          reply.headers["x-desk"] = this.actionName;
          return reply;
        }
      },
  });
  const plugin = definePlugin({
    name: "fw-desk",
    framewright: "^0.1",
    directory: join(import.meta.dirname, ".."),
    requires: ["database", "resources"],
    apply({ services: { resources } }) {
      resources.addResource(tickets);
    },
  });
  return { plugin, tickets };
}

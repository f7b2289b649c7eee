import type { PersonalSources } from "framewright/plugins/personal_data";

/** The webhooks of a person are exported without their secrets; an erasure deletes them with what they sent. */
export function addWebhookSource(sources: PersonalSources): void {
  sources.table({
    name: "webhooks",
    table: "framewright_webhooks",
    shown: ["portal", "tenant", "url", "description", "events", "state", "created_at"],
    erase: "delete",
    parts: ["events", "deliveries", "tries"].map((part) => ({
      table: `framewright_webhook_${part}`,
      column: "webhook_id",
    })),
  });
}

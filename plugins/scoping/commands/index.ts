import type { Command } from "framewright/generators";

/** Commands about tenants. */
export const commands: readonly Command[] = [
  {
    name: "db:shards",
    args: "<log>",
    summary: "Report which statements of a query log would need several shards, if each tenant's rows were on one",
    example: "fw db:shards /var/lib/mysql/general.log --tenant=Organization",
    options: {
      env: { summary: "development, test or production", value: "NAME" },
      tenant: { summary: "The model of tenants; that of the scoped portals by default", value: "MODEL" },
      json: { summary: "Print JSON" },
    },
    load: () => import("./shards.ts"),
  },
];

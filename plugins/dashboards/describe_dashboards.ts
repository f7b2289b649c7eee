import { camelize } from "framewright/host";
import type { TapOnly } from "framewright/kernel";
import type { OpenApiHooks, Schema } from "framewright/plugins/openapi";
import type { DashboardMounts } from "./mounts.ts";

const text: Schema = { type: "string" };
const shown: Schema = {
  type: "object",
  required: ["data"],
  properties: {
    data: {
      type: "object",
      required: ["label", "period", "cards"],
      properties: {
        label: text,
        period: text,
        cards: {
          type: "array",
          items: {
            type: "object",
            required: ["key", "kind", "label"],
            properties: {
              key: text,
              kind: text,
              label: text,
              data: { description: "A figure, points, records or links, by its kind; nothing for a template." },
              failed: { type: "string", enum: ["late", "failed"] },
            },
          },
        },
      },
    },
  },
};

/** Describes the dashboards of a portal in its document of OpenAPI. Who sees which card is decided at each request. */
export function describeDashboards(hook: TapOnly<OpenApiHooks>["operation"], mounts: DashboardMounts): void {
  hook.tap("dashboards", ({ route, parts }) => {
    const mount = mounts.of(parts.portal).find(({ routes }) => routes.page === route.name);
    if (!mount) return undefined;
    const { dashboard, key } = mount;
    const { periods } = new dashboard({ portal: mount.portal, kernel: mounts.kernel, controller: undefined });
    const period: Schema = { name: "period", in: "query", schema: { type: "string", enum: periods } };
    const operation = {
      operationId: parts.operationId(`get${camelize(key)}Dashboard`),
      summary: `Read the dashboard ${mount.name.replace(/^.*::|Dashboard$/g, "")}`,
      parameters: [period],
      responses: parts.answers({
        200: parts.json(
          "Its cards.",
          parts.schema("DashboardCards", () => shown),
        ),
      }),
    };
    return [{ verb: "get", operation }];
  });
}

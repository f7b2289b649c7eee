import { withPlugin } from "../../support/fixtures.ts";
import { taskFiles } from "../resources/tasks_app.ts";
import { openTenants, tenantFiles } from "../scoping/tenants.ts";

/** Tasks of two tenants in a calendar. */
export const openCalendar = (line: string, values: Record<string, string> = {}) =>
  openTenants(
    {
      ...taskFiles(line),
      "plugins.config.ts": withPlugin(tenantFiles["plugins.config.ts"]!, "calendar()", "calendar"),
    },
    values,
  );

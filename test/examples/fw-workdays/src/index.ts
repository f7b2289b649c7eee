import { join } from "node:path";
import { definePlugin, type Plugin } from "framewright/kernel";
import { defineResource, type PluginResource } from "framewright/plugins/resources";
import { holidayModel } from "./holiday.ts";
import { HolidayDefinition } from "./holiday_definition.ts";
import { HolidayPolicy } from "./holiday_policy.ts";
import { type WorkingDays, workingDays } from "./working_days.ts";

export type { Holiday } from "./holiday.ts";
export type { TenantKey, WorkingDays } from "./working_days.ts";

/** Options of `workdays()`. */
export interface WorkdaysOptions {
  /** The application's model of tenants, as `"Organization"`: each has holidays of its own. */
  readonly tenant?: string;
  /** The days of the week on which nobody works, 0 for Sunday; Saturday and Sunday by default. */
  readonly weekend?: readonly number[];
}
/** What `workdays()` gives. */
export interface Workdays extends WorkingDays {
  readonly plugin: Plugin;
  readonly holidays: PluginResource;
}

/** Holidays of tenants: the plugin for plugins.config.ts, the resource that portals register, and what counts days between them. */
export function workdays({ tenant, weekend = [0, 6] }: WorkdaysOptions = {}): Workdays {
  if (new Set(weekend.filter((day) => day >= 0 && day <= 6)).size === 7)
    throw new RangeError("weekend names every day of the week: nobody would ever work");
  const model = holidayModel(tenant);
  const holidays = defineResource({
    constant: "Workdays::Holiday",
    model,
    policy: HolidayPolicy,
    definition: HolidayDefinition,
  });
  const plugin = definePlugin({
    name: "fw-workdays",
    framewright: "^0.1",
    directory: join(import.meta.dirname, ".."),
    requires: ["database", "resources"],
    apply({ services: { resources } }) {
      resources.addResource(holidays);
    },
  });
  return { plugin, holidays, ...workingDays(model, weekend) };
}

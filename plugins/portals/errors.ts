import { errorTable } from "framewright/kernel";

export const errors = errorTable({
  FW_CONTROLLER_OPEN: (controller: string, route: string, lacks: string) =>
    `${controller}, which serves ${route}, does not include ${lacks}. Extend it through the portal's concern: class … extends Controller(…), with PublicAccess, CurrentUser or Authlib in it.`,
  FW_CURRENT_USER: (where: string, message: string) =>
    `the function that ${where} gives to CurrentUser failed: ${message}. Return undefined where it finds nobody; set failure: 503 where it calls a service that may be unavailable.`,
  FW_LAYOUT_MISSING: (portal: string) =>
    `no plugin chooses a layout for the pages of ${portal}: they would be fragments without a head. Add layout() to plugins.config.ts, or a plugin that taps hooks.kernel.layout ("none" where that is meant).`,
  FW_PORTAL_NAME: (name: string) => `definePortal takes a name such as "AdminPortal", got ${JSON.stringify(name)}.`,
});

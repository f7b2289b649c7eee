import { errorTable } from "framewright/kernel";

export const errors = errorTable({
  FW_CONTROLLER_OPEN: (controller: string, route: string, lacks: string) =>
    `${controller}, which serves ${route}, has no ${lacks} in its chain. Extend it through the portal's concern: class … extends Controller(…), with PublicAccess, CurrentUser or Authlib in it.`,
  FW_CURRENT_USER: (where: string, message: string) =>
    `the function that ${where} gives to CurrentUser failed: ${message}. Return undefined where it finds nobody; say failure: 503 where what it asks may be away.`,
  FW_PORTAL_NAME: (name: string) => `definePortal takes a name such as "AdminPortal", got ${JSON.stringify(name)}.`,
});

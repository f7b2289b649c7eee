import { errorTable } from "framewright/kernel";

export const errors = errorTable({
  FW_CONTROLLER_OPEN: (controller: string, route: string, lacks: string) =>
    `${controller}, which serves ${route}, does not include ${lacks}. Extend it through the portal's concern: class … extends Controller(…), with PublicAccess, CurrentUser or Authlib in it.`,
  FW_CURRENT_USER: (where: string, message: string) =>
    `the function that ${where} gives to CurrentUser failed: ${message}. Return undefined where it finds nobody; set failure: 503 where it calls a service that may be unavailable.`,
  FW_LAYOUT_MISSING: () =>
    `no plugin chooses a layout for pages: they would be fragments without a head. Add layout() to plugins.config.ts, or a plugin that taps hooks.kernel.layout ("none" where that is meant).`,
  FW_NAVIGATION_BADGE: (label: string, message: string) =>
    `the badge of the line "${label}" of the sidebar failed, and is left out: ${message}. Fix the function that its plugin gives as badge:.`,
  FW_NAVIGATION_URL: (label: string) =>
    `the line "${label}" of the sidebar has no url, and is left out. Give it one: items.push({ label, url: \`\${request.mountPath}/reports\` }).`,
  FW_PORTAL_BASE: (portal: string, part: string, path: string) =>
    `the part "${part}" needs a controller of ${portal} to extend, and it has none. Write packages/${path}/app/controllers/${path}/base_controller.ts: export default class extends Controller(BaseController) {}, through the portal's concern.`,
  FW_PORTAL_PART: (part: string, problem: string) =>
    `definePortalPart can't take ${part}: ${problem}. It takes name, routes, navigation and prepare.`,
  FW_PORTAL_PART_TWICE: (portal: string, part: string) =>
    `${portal} uses the part "${part}" twice. Remove one of the two lines, or give one of them another name.`,
  FW_PORTAL_PART_FAILED: (part: string, what: string, message: string) =>
    `the part "${part}" of portals failed in "${what}": ${message}. Fix the function that it gives to definePortalPart(…).`,
  FW_PORTAL_USE: (portal: string, problem: string) =>
    `${portal} can't use a part: ${problem}. Call it as in: definePortal("AdminPortal", (portal) => portal.use(audit.pages())).`,
  FW_PORTAL_NAME: (name: string) => `definePortal takes a name such as "AdminPortal", got ${JSON.stringify(name)}.`,
});

import { createRequire } from "node:module";
import { type BaseController, openSealer } from "framewright/host";
import { checkOptions, definePlugin, option, type Plugin, SyncBailHook, suggest } from "framewright/kernel";
import { memoryLimits } from "framewright/plugins/limits";
import type {} from "framewright/plugins/openapi";
import { portalBaseController, portalController } from "framewright/plugins/portals";
import { answerMcp, PATH } from "./answer.ts";
import { checkVersion } from "./calls/check_version.ts";
import { CONFIRMATION_NAME, CONFIRMATION_SECONDS, Confirmations } from "./calls/confirmations.ts";
import { InnerRequests } from "./calls/inner_request.ts";
import type { McpHooks } from "./contract.ts";
import { errors } from "./errors.ts";
import { McpServers } from "./server.ts";
import { AccountTools } from "./tools/account_tools.ts";

export type { Mcp, McpHooks, McpOffer, McpTool } from "./contract.ts";

/** Of the server, as clients are shown it. */
const VERSION = "1.0.0";

/** Options of `mcp()`. */
export interface McpOptions {
  /** The portals that have it, by their names; all that sign accounts in by default. */
  portals?: readonly string[];
  /** Messages that a key, or an account by its tokens, may send within a minute; 120 by default. */
  perMinute?: number;
  /** The most records that one call writes; 50 by default. */
  bulk?: number;
}

/**
 * `POST <portal>/mcp`: agents work on the records of a portal by the Model Context Protocol, with the key or token of a person or a
 * program, and with its rights. Requires `@modelcontextprotocol/server`.
 */
export function mcp({ portals: named, perMinute = 120, bulk = 50, ...rest }: McpOptions = {}): Plugin {
  checkOptions(
    "mcp",
    { portals: named, perMinute, bulk, ...rest },
    { portals: option.strings, perMinute: option.positive, bulk: option.positive },
  );
  return definePlugin({
    name: "mcp",
    directory: import.meta.dirname,
    requires: ["host", "i18n", "portals", "resources", "openapi"],
    uses: ["limits"],
    provides: "mcp",
    hooks: (): McpHooks => ({ offered: new SyncBailHook(["offer"]) }),
    portalOf: { offered: ({ controller }) => controller.request.engine?.name },
    apply({ services: { host, openapi, limits = memoryLimits() }, hooks, settings }) {
      const requests = new InnerRequests(host);
      const used = limits.open(CONFIRMATION_NAME, { points: 1, seconds: CONFIRMATION_SECONDS });
      const confirmations = new Confirmations(openSealer(settings.secrets, "mcp confirmations"), used);
      const calls = limits.open("mcp.calls", { points: perMinute, seconds: 60 });
      const tools = new AccountTools(host, openapi, hooks.mcp, bulk);
      const servers = new McpServers(sdkLoader(), tools, { requests, confirmations, bulk }, VERSION);
      const drawn = new Set<string>();
      hooks.resources.portal.tap("mcp", (routes) => {
        const portal = routes.owner;
        if (portal === undefined || (named && !named.includes(portal))) return;
        const base = portalBaseController(host, host.engines.get(portal)!.path) as typeof BaseController | undefined;
        const controller = portalController(host, portal, "mcp");
        if (!controller || base?.authentication?.mode === "public") return;
        const answerAgent = (one: BaseController) => answerMcp(servers, calls, one);
        const { metadata } = routes.draw("POST", PATH, {
          controller,
          action: answerAgent,
          policy: "(by tool)",
          as: "fw_mcp",
        });
        Object.assign(metadata, { guests: "refuse", carriesRequests: true });
        drawn.add(portal);
      });
      hooks.host.reply.tap("mcp", (reply, request) => {
        if (reply.status === 401 && request.route?.metadata.carriesRequests)
          reply.headers["www-authenticate"] = "Bearer";
      });
      hooks.resources.authorize.tap("mcp", (_, controller) => checkVersion(requests, controller));
      hooks.kernel.drawRoutes.tap("mcp", () => {
        for (const portal of host.engines.values()) portal.prepare.push((controller) => requests.enter(controller));
      });
      hooks.kernel.ready.tap("mcp", () => {
        const unknown = named?.find((portal) => !drawn.has(portal));
        const known = openapi.portals;
        if (unknown !== undefined) throw errors.FW_MCP_PORTAL(unknown, known, suggest(unknown, known));
      });
      return { tools: async (controller) => (await tools.listed(controller)).map(({ tool }) => tool) };
    },
  });
}

/** The SDK is loaded with the first message, and looked for at boot. @throws FW_MCP_SDK */
function sdkLoader(): () => Promise<typeof import("@modelcontextprotocol/server")> {
  try {
    createRequire(import.meta.url).resolve("@modelcontextprotocol/server");
  } catch (cause) {
    throw Object.assign(errors.FW_MCP_SDK(), { cause });
  }
  return () => import("@modelcontextprotocol/server");
}

import type { BaseController, Route } from "framewright/host";
import type { InPortal, SyncBailHook } from "framewright/kernel";
import type { OperationVerb, Schema } from "framewright/plugins/openapi";

/** A tool as clients get it in a list. It contains names, labels and descriptions of the application, and nothing of records. */
export interface McpTool {
  /** The id of its operation in the portal's document of OpenAPI: `listPosts`, `publishPost`. */
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly inputSchema: Schema & { readonly type: "object" };
  readonly annotations: { readonly readOnlyHint: boolean; readonly destructiveHint?: boolean };
}

/** A tool that somebody may be offered, with the route that carries it out. */
export interface McpOffer {
  readonly tool: McpTool;
  readonly verb: OperationVerb;
  readonly route: Route;
  /** What the path has in place of the route's parameters, where the tool is for one of them alone: `{ action_key: "publish" }`. */
  readonly params: Readonly<Record<string, string>>;
  /** The request that lists tools, or calls one. */
  readonly controller: BaseController;
}

/** The hooks of the slot "mcp". */
export interface McpHooks {
  /** A tool is listed, or called: return false where the request would be refused whatever its arguments are, else undefined. */
  offered: SyncBailHook<[offer: McpOffer], false | undefined, InPortal>;
}

/** The service of the slot "mcp". */
export interface Mcp {
  /** The tools of the account of a request, in the portal that it is sent to. */
  tools(controller: BaseController): Promise<readonly McpTool[]>;
}

declare module "framewright/kernel" {
  interface Slots {
    mcp: { service: Mcp; hooks: McpHooks };
  }
}

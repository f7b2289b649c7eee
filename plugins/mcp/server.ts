import type { Implementation, Server } from "@modelcontextprotocol/server";
import { type BaseController, HttpError } from "framewright/host";
import { messageOf } from "framewright/kernel";
import { portalLabel } from "framewright/plugins/portals";
import { type CallParts, callTool } from "./calls/call_tool.ts";
import { DATA_MARK, type ToolResult } from "./calls/results.ts";
import type { AccountTools } from "./tools/account_tools.ts";
import { listResources, listTemplates, readResource } from "./tools/resources.ts";

type Sdk = typeof import("@modelcontextprotocol/server");

const INSTRUCTIONS = [
  "The tools work on the records of this application with the rights of the account whose key is sent.",
  "A tool that writes answers first with what it would do, and a confirmation; show that to the person, and call it again with the confirmation to do it.",
  DATA_MARK.replace("What follows is", "Results are"),
].join(" ");

/** What a request of the protocol is answered with, by the SDK. */
export class McpServers {
  readonly #load: () => Promise<Sdk>;
  readonly #tools: AccountTools;
  readonly #parts: Omit<CallParts, "prefix" | "routeOf" | "offered">;
  readonly #version: string;

  constructor(
    load: () => Promise<Sdk>,
    tools: AccountTools,
    parts: Omit<CallParts, "prefix" | "routeOf" | "offered">,
    version: string,
  ) {
    this.#load = load;
    this.#tools = tools;
    this.#parts = parts;
    this.#version = version;
  }

  /** Answers one message: a server of its own for each, so that any process answers the next. */
  async answer(controller: BaseController): Promise<Response> {
    const { request } = controller;
    const sdk = await this.#load();
    const handler = sdk.createMcpHandler(() => this.#open(sdk, controller), {
      onerror: (error) => request.application.log.debug({ err: error }, "MCP"),
      keepAliveMs: 0,
    });
    const headers = new Headers();
    for (const name of ["content-type", "accept", "mcp-protocol-version", "mcp-method", "mcp-name"]) {
      const value = request.header(name);
      if (value !== undefined) headers.set(name, value);
    }
    const parsedBody: unknown = JSON.parse(JSON.stringify(request.body.toObject()));
    const sent = new Request(request.origin + request.path, { method: "POST", headers, body: "{}" });
    return handler.fetch(sent, { parsedBody });
  }

  #open({ ProtocolError, ProtocolErrorCode, ResourceNotFoundError, Server }: Sdk, controller: BaseController): Server {
    const { engine } = controller.request;
    const about: Implementation = { name: engine!.name, title: portalLabel(engine!), version: this.#version };
    const server = new Server(about, { capabilities: { tools: {}, resources: {} }, instructions: INSTRUCTIONS });
    /** The SDK answers with the message of whatever is thrown: that of a mistake is for the log alone. */
    const guarded = async <T>(run: () => Promise<T>): Promise<T> => {
      try {
        return await run();
      } catch (error) {
        if (error instanceof ProtocolError || (error instanceof HttpError && error.status < 500)) throw error;
        const { application, id } = controller.request;
        application.log.error({ err: error, request: id }, messageOf(error));
        throw new ProtocolError(ProtocolErrorCode.InternalError, `Something went wrong, in request ${id}.`);
      }
    };
    server.setRequestHandler("tools/list", () =>
      guarded(async () => ({ tools: (await this.#tools.listed(controller)).map(({ tool }) => tool) as never })),
    );
    server.setRequestHandler("tools/call", ({ params: { name, arguments: given = {} } }) =>
      guarded(async () => {
        const result = await this.#call(controller, name, given);
        if (result) return result as never;
        throw new ProtocolError(ProtocolErrorCode.InvalidParams, `There is no tool "${name.slice(0, 100)}".`);
      }),
    );
    server.setRequestHandler("resources/list", () =>
      guarded(async () => ({ resources: await listResources(this.#tools, controller) })),
    );
    server.setRequestHandler("resources/templates/list", () =>
      guarded(async () => ({ resourceTemplates: await listTemplates(this.#tools, controller) })),
    );
    server.setRequestHandler("resources/read", ({ params: { uri } }) =>
      guarded(async () => {
        const found = await readResource(this.#callParts(controller), this.#tools, controller, uri);
        if (!found) throw new ResourceNotFoundError(uri);
        return { contents: [{ uri, mimeType: "text/plain", text: DATA_MARK }, found] };
      }),
    );
    return server;
  }

  /** Undefined where the request is offered no tool of that name. */
  async #call(
    controller: BaseController,
    name: string,
    given: Readonly<Record<string, unknown>>,
  ): Promise<ToolResult | undefined> {
    const tool = await this.#tools.find(controller, name);
    return tool && callTool(this.#callParts(controller), controller, tool, given);
  }

  #callParts(controller: BaseController): CallParts {
    const prefix = this.#tools.prefixOf(controller.request.engine!);
    const routeOf = (path: string) => this.#tools.routeOf(controller, path);
    return { ...this.#parts, prefix, routeOf, offered: () => this.#tools.listed(controller) };
  }
}

import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import type { TestApp } from "../../support/apps.ts";
import { edited } from "../../support/fixtures.ts";
import { assert } from "../../support/index.ts";
import { filesWith } from "../api_keys/clients_app.ts";
import { keyFiles, openKeys } from "../api_keys/keys_app.ts";

/** As the application with keys, with agents besides. */
export const mcpFiles: Record<string, string> = {
  ...keyFiles,
  "plugins.config.ts": edited(
    keyFiles,
    "plugins.config.ts",
    ["import standard", 'import { mcp } from "framewright/plugins/mcp"; import standard'],
    ["jsonApi(), openapi(),", "jsonApi(), openapi(), mcp(),"],
  ),
};

export const openMcp = (values: Record<string, string>, changes: Record<string, string> = {}): Promise<TestApp> =>
  openKeys(values, { ...mcpFiles, ...changes });

/** Programs of tenants, and agents. */
const programs = filesWith("", "");
export const clientFiles: Record<string, string> = {
  ...programs,
  "plugins.config.ts": edited(
    programs,
    "plugins.config.ts",
    ["import standard", 'import { mcp } from "framewright/plugins/mcp"; import { openapi } from "framewright/plugins/openapi"; import standard'], // biome-ignore format: one line of a file
    ["...standard, ", "...standard, openapi(), mcp(), "],
  ),
};

/** What a call was answered with. */
export interface ToolAnswer {
  readonly isError: boolean;
  /** All of its texts. */
  readonly text: string;
  /** The last of them, as JSON. */
  readonly body: {
    code?: string;
    detail?: string;
    confirmation?: string;
    done?: boolean;
    // biome-ignore lint/suspicious/noExplicitAny: what was answered
    data?: any;
    [name: string]: unknown;
  };
}

/** The official client, with a key. */
export class AgentClient {
  readonly client: Client;
  constructor(client: Client) {
    this.client = client;
  }
  async names(): Promise<string[]> {
    return (await this.client.listTools()).tools.map(({ name }) => name);
  }
  async call(name: string, given: Record<string, unknown> = {}): Promise<ToolAnswer> {
    const answer = await this.client.callTool({ name, arguments: given });
    const texts = (answer.content as { text: string }[]).map(({ text }) => text);
    return { isError: answer.isError === true, text: texts.join("\n"), body: JSON.parse(texts.at(-1)!) };
  }
  /** Calls a tool that writes, and confirms it. */
  async confirmed(name: string, given: Record<string, unknown> = {}): Promise<ToolAnswer> {
    const first = await this.call(name, given);
    if (first.isError) return first;
    return this.call(name, { ...given, confirmation: first.body.confirmation });
  }
}

/** With a key, or with headers of its own. */
export async function agent(app: TestApp, path: string, by: string | Record<string, string>): Promise<AgentClient> {
  const client = new Client({ name: "tests", version: "1" });
  const headers = typeof by === "string" ? { authorization: `Bearer ${by}` } : by;
  await client.connect(new StreamableHTTPClientTransport(new URL(app.url + path), { requestInit: { headers } }));
  return new AgentClient(client);
}

/** Asserts that the request fails, with an error that has the pattern. */
export async function fails(run: () => Promise<unknown>, pattern = /./, message = ""): Promise<void> {
  const error = await run().then(
    (value) => new Error(`it passed: ${JSON.stringify(value)}`),
    (reason: unknown) => reason as Error,
  );
  assert.is(/^it passed/.test(error.message), false, `${message} ${error.message}`);
  assert.match(`${(error as { code?: unknown }).code} ${error.message}`, pattern, message);
}

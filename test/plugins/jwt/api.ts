import { execFile } from "node:child_process";
import { promisify } from "node:util";
import type { TestApp } from "../../support/apps.ts";
import { type AccountsOptions, addPeople, openAccounts, PASSWORD, type TestType } from "../authlib/accounts.ts";
import { quickWithTokens } from "../authlib/promises/support.ts";

const imports = `import { jwt, jwtRefresh } from "framewright/plugins/jwt";`;
export const EMAIL = "ann@example.com";
export { addPeople, PASSWORD };

/** All requests of a race stand here before any of them spends its token. */
const meet = `async resumeToken(kind, token) { const found = await super.resumeToken(kind, token); if (kind === "refresh") await globalThis.meet?.(); return found; }`;
export function barrier(count: number): () => Promise<void> {
  let open = () => {};
  const all = new Promise<void>((resolve) => {
    open = resolve;
  });
  let here = 0;
  return () => {
    if (++here === count) open();
    return all;
  };
}

/** `api_user` has no pages and gets both tokens; `member` has pages too and gets one; `user` has no tokens. */
const types: Record<string, TestType> = {
  api_user: {
    features: "login(), logout(), jwt(), jwtRefresh()",
    imports,
    body: `static override apiOnly = true; ${meet}`,
  },
  member: { features: "login(), logout(), jwt()", imports },
  user: { features: "login(), logout()" },
};

/** An application with these account types, and Ann in each of them; passwords are hashed in no time. */
export async function openApi(
  { plugins: more, ...options }: AccountsOptions = {},
  changes: Record<string, TestType> = {},
): Promise<TestApp> {
  const plugins = {
    imports: quickWithTokens.imports + (more?.imports ?? ""),
    list: quickWithTokens.list + (more?.list ?? ""),
  };
  const all = { ...types, ...changes };
  const app = await openAccounts(all, { plugins, ...options });
  for (const type of Object.keys(all)) await addPeople(app, type, EMAIL, "bob@example.com");
  return app;
}

export interface Pair {
  access_token: string;
  refresh_token: string;
}
export interface Answer {
  status: number;
  headers: Headers;
  body: Record<string, unknown>;
}

/** A JSON client without cookies. */
export class ApiClient {
  readonly app: TestApp;
  readonly plural: string;

  constructor(app: TestApp, plural = "api_users") {
    this.app = app;
    this.plural = plural;
  }
  async send(path: string, body?: unknown, headers: Record<string, string> = {}): Promise<Answer> {
    const sent =
      body === undefined ? {} : { method: "POST", body: typeof body === "string" ? body : JSON.stringify(body) };
    const answer = await this.app.request(path, {
      ...sent,
      headers: {
        accept: "application/json",
        ...(body === undefined ? {} : { "content-type": "application/json" }),
        ...headers,
      },
    });
    const text = await answer.text();
    const isJson = /json/.test(answer.headers.get("content-type") ?? "");
    return {
      status: answer.status,
      headers: answer.headers,
      body: isJson ? (JSON.parse(text) as Answer["body"]) : { text },
    };
  }
  async login(email = EMAIL): Promise<Pair> {
    const { status, body } = await this.send(`/${this.plural}/login`, { login: email, password: PASSWORD });
    if (status !== 200) throw new Error(`login answered ${status}: ${JSON.stringify(body)}`);
    return body as unknown as Pair;
  }
  refresh(refresh_token: unknown): Promise<Answer> {
    return this.send(`/${this.plural}/jwt-refresh`, { refresh_token });
  }
  /** The portal's own page, as the bearer. */
  home(token: string | undefined, headers: Record<string, string> = {}): Promise<Answer> {
    const bearer: Record<string, string> = token === undefined ? {} : { authorization: `Bearer ${token}` };
    return this.send(`/${this.plural.slice(0, -1)}`, undefined, { ...bearer, ...headers });
  }
  /** Whether a token opens the portal. */
  async opens(token: string): Promise<boolean> {
    return (await this.home(token)).status === 200;
  }
}

const run = promisify(execFile);
/** Real curl: the status and the body. */
export async function curl(...args: string[]): Promise<{ status: number; body: string }> {
  const { stdout } = await run("curl", ["-s", "-w", "\n%{http_code}", ...args], { timeout: 10_000 });
  const cut = stdout.lastIndexOf("\n");
  return { status: Number(stdout.slice(cut + 1)), body: stdout.slice(0, cut) };
}
export const hasCurl: Promise<boolean> = run("curl", ["--version"]).then(
  () => true,
  () => false,
);

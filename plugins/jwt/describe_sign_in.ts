import type { TapOnly } from "framewright/kernel";
import type { Auth } from "framewright/plugins/authlib";
import type { DocumentParts, OpenApiHooks, Schema } from "framewright/plugins/openapi";

const text: Schema = { type: "string" };
const object = (properties: Readonly<Record<string, Schema>>, required = Object.keys(properties)): Schema => ({
  type: "object",
  required,
  properties,
});
const body = (schema: Schema): Schema => ({ required: true, content: { "application/json": { schema } } });

interface Page {
  readonly id: string;
  readonly summary: string;
  readonly sent: Schema;
  readonly answer: Schema;
  readonly description: string;
}

/** Describes how the accounts of a portal get tokens, in its document of OpenAPI. */
export function describeSignIn(hook: TapOnly<OpenApiHooks>["document"], types: Auth["types"]): void {
  hook.tap("jwt", ({ document, authentication, parts }) => {
    const type = authentication?.account === undefined ? undefined : types.find(authentication.account);
    if (!type?.features.has("jwt")) return;
    const refreshes = type.features.has("jwt_refresh");
    const tokens = parts.schema("Tokens", () =>
      refreshes ? object({ access_token: text, refresh_token: text }) : object({ access_token: text }),
    );
    const add = (path: string, page: Page): void => {
      document.paths[type.path(path)] = { post: { ...operation(parts, page), tags: ["SignIn"] } };
    };
    document.tags.push({ name: "SignIn", description: "Signing in" });
    add("login", {
      id: "signIn",
      summary: "Sign in",
      description: "The tokens. An account with a second factor is answered 401 with a `pending_token`.",
      sent: object({ login: text, password: { ...text, format: "password" } }),
      answer: tokens,
    });
    if (refreshes)
      add("jwt-refresh", {
        id: "refreshTokens",
        summary: "Get new tokens",
        description: "A new pair; the refresh token that was sent is spent.",
        sent: object({ refresh_token: text }),
        answer: tokens,
      });
    if (type.features.has("logout"))
      add("logout", {
        id: "signOut",
        summary: "Sign out",
        description: "The sign-in has ended, with all its tokens.",
        sent: object({ refresh_token: text }, []),
        answer: object({ success: text }),
      });
  });
}

function operation(parts: DocumentParts, { id, summary, sent, answer, description }: Page) {
  return {
    operationId: parts.operationId(id),
    summary,
    requestBody: body(sent),
    responses: parts.answers({ 200: parts.json(description, answer) }, { body: true }),
    security: [],
  };
}

import type { OpenApiDocument } from "framewright/plugins/openapi";
import { assert, describe } from "../../support/index.ts";
import { EMAIL, PASSWORD } from "../jwt/api.ts";
import { Checker, operationsOf } from "./checker.ts";
import { openProgramNotes } from "./program_notes.ts";

describe("Signing in by a document of OpenAPI", (it) => {
  it("It says how to get tokens, and what they open; guests have no document", async () => {
    const app = await openProgramNotes("openapi()");
    try {
      const guest = await app.request("/api_user/openapi.json");
      assert.is(guest.status, 401);
      assert.match(String(guest.headers.get("content-type")), "application/problem+json");
      const send = (path: string, body: unknown) =>
        app.request(path, {
          method: "POST",
          headers: { "content-type": "application/json" },
          body: JSON.stringify(body),
        });
      const login = await send("/api_users/login", { login: EMAIL, password: PASSWORD });
      const tokens = (await login.clone().json()) as { access_token: string; refresh_token: string };
      const headers = { authorization: `Bearer ${tokens.access_token}` };
      const document = (await (await app.request("/api_user/openapi.json", { headers })).json()) as OpenApiDocument;
      assert.equal(document.security, [{ token: [] }]);
      assert.is(document.components.securitySchemes.token?.scheme, "bearer");
      assert.not.match(JSON.stringify(document), "secret");
      const checker = new Checker(document);
      const problem = (id: string, answer: Response) => {
        const one = operationsOf(document).find(({ operation }) => operation.operationId === id);
        assert.ok(one, id);
        return checker.problemOf(one!, answer);
      };
      assert.is(await problem("signIn", login), undefined);
      assert.is(
        await problem("signIn", await send("/api_users/login", { login: EMAIL, password: "wrong" })),
        undefined,
      );
      assert.is(await problem("signIn", await send("/api_users/login", { login: 5 })), undefined);
      const refreshed = await send("/api_users/jwt-refresh", { refresh_token: tokens.refresh_token });
      assert.is(await problem("refreshTokens", refreshed.clone()), undefined);
      assert.is(
        await problem("refreshTokens", await send("/api_users/jwt-refresh", { refresh_token: "x" })),
        undefined,
      );
      assert.is(await problem("listNotes", await app.request("/api_user/notes.json", { headers })), undefined);
      assert.is(await problem("listNotes", await app.request("/api_user/notes.json")), undefined);
      const { refresh_token } = (await refreshed.json()) as { refresh_token: string };
      assert.is(await problem("signOut", await send("/api_users/logout", { refresh_token })), undefined);
    } finally {
      await app.close();
    }
  });
  it("An opened portal's whole document is read by guests", async () => {
    const app = await openProgramNotes('openapi({ open: ["ApiUserPortal"], version: "2.1.0" })');
    try {
      const answer = await app.request("/api_user/openapi.json");
      assert.is(answer.status, 200);
      const document = (await answer.json()) as OpenApiDocument;
      assert.is(document.info.version, "2.1.0");
      assert.ok("/api_user/notes.json" in document.paths);
      assert.is((await app.request("/api_user/openapi.json", { headers: { authorization: "Bearer x" } })).status, 401);
      assert.is((await app.request("/api_user/openapi", { headers: { accept: "application/json" } })).status, 200);
      assert.is((await app.request("/api_user/notes.json")).status, 401);
    } finally {
      await app.close();
    }
  });
});

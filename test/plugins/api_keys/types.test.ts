import { assert, describe, throwsCode } from "../../support/index.ts";
import { type AccountsOptions, addPeople, openAccounts, PASSWORD } from "../authlib/accounts.ts";
import { quickWithTokens, tokenImports } from "../authlib/promises/support.ts";
import { KeyClient } from "./keys_app.ts";

const imports = `import { apiKeys } from "framewright/plugins/api_keys"; ${tokenImports}`;
const types = {
  user: { features: "login(), logout(), jwt(), apiKeys()", imports },
  admin: { features: "login(), logout(), apiKeys({ endless: true })", imports },
};
const scopes = (call: string): NonNullable<AccountsOptions["plugins"]> => ({
  imports: `${quickWithTokens.imports} import { apiKeyScopes } from "framewright/plugins/api_keys"; void apiKeyScopes;`,
  list: `${quickWithTokens.list} ${call}`,
});

describe("API keys of several account types", (it) => {
  it("A key is of one account type; a token of the person creates one, and a key that is no key is a token", async () => {
    const app = await openAccounts(types, { plugins: scopes("apiKeyScopes(),") });
    try {
      for (const type of ["user", "admin"]) await addPeople(app, type, "ann@example.test");
      const login = await app.request("/users/login", {
        method: "POST",
        headers: { accept: "application/json", "content-type": "application/json" },
        body: JSON.stringify({ login: "ann@example.test", password: PASSWORD }),
      });
      const { access_token } = (await login.json()) as { access_token: string };
      const person = new KeyClient(app, access_token);
      assert.is((await person.get("/user")).status, 200, "a token still opens the portal");
      const created = await person.send("POST", "/users/api-keys", { name: "By a token", scopes: "*:read", days: 7 });
      assert.is(created.status, 201, created.text);
      assert.is((await person.get("/users/api-keys")).body.data[0].name, "By a token");
      const key = new KeyClient(app, created.body.data.key);
      assert.equal((await key.get("/user")).body.code, "FW_API_KEY_CLOSED", "it is Ann, and the page is no resource");
      assert.is((await key.send("POST", "/user/form", { text: "x" })).body.code, "FW_API_KEY_CLOSED");
      assert.is((await key.get("/admin")).status, 401);
      assert.is((await key.get("/admins/account")).status, 401);
      for (const [verb, path] of [["GET", "/users/api-keys"], ["POST", "/users/api-keys"], ["POST", "/users/logout"]] as const) // biome-ignore format: a list
        assert.is((await key.send(verb, path, verb === "POST" ? { name: "x", scopes: "*:read" } : undefined)).status, 403);
      const admin = app.client();
      await admin.submit("/admins/login", { login: "ann@example.test", password: PASSWORD });
      const page = await admin.submit("/admins/api-keys", { name: "Endless", days: "never", "scopes[]": "*:read" }, /api-keys/);
      assert.is(page.status, 201);
      assert.match(await admin.page("/admins/account"), "1 key");
    } finally {
      await app.close();
    }
  });
  it("Boot refuses the feature without the plugin, and a portal that there is not", async () => {
    const { message } = await throwsCode("FW_API_KEYS_PLUGIN", () => openAccounts(types, { plugins: scopes("") }));
    assert.match(message, 'the account type "user" has the feature "api_keys"');
    const call = 'apiKeyScopes({ closed: ["UserPortel"] }),';
    const wrong = await throwsCode("FW_API_KEYS_PORTAL", () => openAccounts(types, { plugins: scopes(call) }));
    assert.match(wrong.message, "UserPortal");
  });
});

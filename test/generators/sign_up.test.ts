import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { assert, describe } from "../support/index.ts";
import { exitOf, serveApp } from "../support/processes.ts";
import { Client } from "../testing/client.ts";
import { fwOk, newApp, runFw } from "./support.ts";

const plugin = "app/authlib/user_authlib_plugin.ts";
const typed = { login: "ann@example.test", password: "meadow under rain", password_confirmation: "meadow under rain" };

describe("The sign-up of an account type for an existing model", (it) => {
  let app = "";
  it("The sign-up validates and accepts the fields that the model requires", async () => {
    app = await newApp("shop");
    const fields = ["name:string", "email:string:uniq", "age:integer", "nick:string?", "api_token:string?"];
    await fwOk(app, "g", "fw:res:scaffold", "User", ...fields);
    await fwOk(app, "g", "fw:authlib:account", "user");
    assert.match(readFileSync(join(app, plugin), "utf8"), 'createAccount({ fields: ["name", "age"] })');
    await fwOk(app, "db:migrate");
    const served = await serveApp(app, { NODE_ENV: "development" });
    try {
      const client = new Client(served.url);
      const refused = await client.submit("/users/create-account", { ...typed, name: "Ann", age: "many" });
      assert.is(refused.status, 422);
      assert.match(await refused.text(), "must be a number");
      const answer = await client.submit("/users/create-account", { ...typed, name: "Ann", age: "41" });
      assert.is(answer.status, 303, await answer.text());
      assert.match(answer.headers.get("location")!, "/users/mailed");
    } finally {
      served.child.kill("SIGTERM");
      await exitOf(served.child);
    }
  });
  it("Boot fails with FW_SIGN_UP_FIELDS where the sign-up leaves out fields that the model requires", async () => {
    const path = join(app, plugin);
    assert.ok(existsSync(path));
    writeFileSync(path, readFileSync(path, "utf8").replace(/createAccount\([^)]*\)/, "createAccount()"));
    const { code, out, err } = await runFw(app, "routes");
    assert.is.not(code, 0);
    assert.match(out + err, /FW_SIGN_UP_FIELDS.*User requires name, age/);
  });
});

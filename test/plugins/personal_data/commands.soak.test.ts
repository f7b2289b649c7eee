import { readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { cleanEnv, runPiped } from "../../generators/production.ts";
import { ensureBuilt, fwOk, newApp, runFw } from "../../generators/support.ts";
import { assert, describe } from "../../support/index.ts";
import { unzipped } from "./everywhere.ts";

const ANN = "ann@shop.test";

describe("fw authlib:user:export and fw authlib:user:erase", (it, { before }) => {
  let app = "";
  before(async () => {
    await ensureBuilt();
    app = await newApp("shop");
    await fwOk(app, "g", "fw:authlib:account", "user", "--audit_logging");
    await fwOk(app, "g", "fw:install", "personal_data");
    await fwOk(app, "db:migrate");
    const words = ["authlib:admin:create", ANN, "--account=user", "--password-stdin"];
    const made = await runPiped(app, cleanEnv(), words, "correct horse battery staple");
    assert.is(made.code, 0, made.err);
  });
  const refused = async (wanted: string | RegExp, ...words: string[]) => {
    const { code, out, err } = await runFw(app, ...words);
    assert.is(code, 1, out + err);
    assert.match(err, wanted);
  };

  it("An export is a file for its owner alone, and replaces none without --force", async () => {
    const { out } = await fwOk(app, "authlib:user:export", ANN, "--out=ann.zip");
    const path = join(app, "ann.zip");
    assert.is(out.trim(), path);
    assert.is(statSync(path).mode & 0o777, 0o600);
    assert.match(unzipped(readFileSync(path)).get("models/user.json")!.toString(), ANN);
    writeFileSync(path, "mine");
    await refused("FW_PERSONAL_FILE", "authlib:user:export", ANN, "--out=ann.zip");
    assert.is(readFileSync(path, "utf8"), "mine");
    await fwOk(app, "authlib:user:export", "1", "--out=ann.zip", "--force");
    assert.ok(unzipped(readFileSync(path)).has("person.json"));
    await refused("FW_ACCOUNT_MISSING", "authlib:user:export", "nobody@shop.test");
  });
  it("An erasure asks for --yes, and prints how many rows it erased; a second one is of the same account", async () => {
    await refused(/FW_PERSONAL_CONFIRM.*fw authlib:user:erase ann@shop\.test --yes/, "authlib:user:erase", ANN);
    const { out } = await fwOk(app, "authlib:user:erase", ANN, "--yes");
    assert.match(out, `erased ${ANN}: User 1`);
    assert.match((await fwOk(app, "authlib:user:show", "1")).out, /^state +closed$/m);
    await refused("FW_ACCOUNT_MISSING", "authlib:user:erase", ANN, "--yes");
    await fwOk(app, "authlib:user:erase", "1", "--yes");
  });
  it("fw doctor names the account's model until it declares something", async () => {
    const model = join(app, "app/models/user.ts");
    const doctor = async () => ((ran) => ran.out + ran.err)(await runFw(app, "doctor"));
    assert.match(await doctor(), "declare nothing: User");
    const text = readFileSync(model, "utf8");
    writeFileSync(model, text.replace(/(export default class User[^{]*\{)/, "$1\n  static personal = {};"));
    assert.match(await doctor(), "every model that belongs to accounts declares its own");
  });
});

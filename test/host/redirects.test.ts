import { safeLocation } from "../../host/http/safe_location.ts";
import { bootApp, type TestApp } from "../support/apps.ts";
import { corpus } from "../support/corpora/index.ts";
import { assert, describe } from "../support/index.ts";
import { attackedFiles } from "./attacked.ts";

const targets = corpus("redirects").map(({ expected, sent, name }) => ({
  ok: expected === "yes",
  name,
  target: Buffer.from(sent, "latin1").toString(),
}));

describe("Redirect targets", (it, { before, after }) => {
  let app: TestApp;
  before(async () => {
    app = await bootApp(attackedFiles, { values: { ALLOWED_HOSTS: "shop.example,127.0.0.1" } });
  });
  after(() => app.close());

  it("The function safeLocation accepts targets within the origin, and refuses other origins and forbidden paths", () => {
    for (const { ok, name, target } of targets) {
      const location = safeLocation(target, { origin: "http://shop.example", forbidden: ["/wizards"] });
      assert.is(location !== undefined, ok, name);
    }
  });
  it("An accepted redirect target stays within the origin in a browser, and unchanged when it is sanitized again", () => {
    for (const { ok, name, target } of targets) {
      if (!ok) continue;
      const location = safeLocation(target, { origin: "http://shop.example" })!;
      assert.match(location, /^\/(?![/\\])/, name);
      assert.is(new URL(location, "http://shop.example/deep/page").origin, "http://shop.example", name);
      assert.is(safeLocation(location, { origin: "http://shop.example" }), location, name);
    }
  });
  it("The function safeLocation refuses a target that is not text", () => {
    for (const given of [undefined, null, 1, true, ["/posts"], { path: "/posts" }]) {
      assert.is(safeLocation(given, { origin: "http://shop.example" }), undefined);
    }
  });
  it("A return_to of another site never reaches the Location header", async () => {
    for (const { ok, name, target } of targets) {
      const answer = await app.request(`/go?return_to=${encodeURIComponent(target)}`);
      const location = answer.headers.get("location") ?? "";
      assert.is(answer.status, 303, name);
      assert.match(location, /^\/(?![/\\])[\x21-\x7e]*$/, name);
      if (!ok) assert.is(location, "/plain", name);
    }
  });
});

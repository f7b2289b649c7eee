import type { ModelInfo } from "framewright/plugins/database";
import { Changes } from "../../generators/support/changes.ts";
import { ownerLinkOf, seedOf } from "../../plugins/resources/generators/conn/columns.ts";
import { register, registeredIn } from "../../plugins/resources/generators/conn/registrations.ts";
import { isCredential } from "../../plugins/resources/generators/credentials.ts";
import { assert, describe } from "../support/index.ts";
import { temporaryFolder } from "./support.ts";

interface Link {
  name: string;
  kind: "belongsTo" | "hasMany" | "hasOne";
  key: { column: string; columns: readonly string[]; isComposite: boolean };
  target: { constant: string };
  through?: string;
}
function model(columns: readonly string[], links: readonly Link[] = [], money: Record<string, string> = {}): ModelInfo {
  const info = {
    columns: new Map(columns.map((name) => [name, { name, primary: name === "id" }])),
    associations: new Map(links.map((link) => [link.name, link])),
    polymorphic: new Map(),
    money,
    key: { isMissing: false },
  };
  return info as unknown as ModelInfo;
}
const keyOf = (column: string) => ({ column, columns: [column], isComposite: false });
const belongsTo = (name: string, constant: string): Link => ({
  name,
  kind: "belongsTo",
  key: keyOf(`${name}_id`),
  target: { constant },
});
const all = () => true;

describe("The seed of a policy", (it) => {
  it("The seed of a policy is every column but id and lock_version, with timestamps for reading only", () => {
    const seed = seedOf(model(["id", "title", "body", "lock_version", "created_at", "updated_at"]), all);
    assert.equal(seed.create, ["title", "body"]);
    assert.equal(seed.read, ["title", "body", "created_at", "updated_at"]);
  });

  it("The seed of a policy names an association instead of its key, and keeps a key without an association", () => {
    const seed = seedOf(model(["id", "author_id", "legacy_id"], [belongsTo("author", "User")]), all);
    assert.equal(seed.create, ["author", "legacy_id"]);
  });

  it("The seed of a policy names money by its base name, and keeps a column of cents that is no money", () => {
    const seed = seedOf(model(["id", "price_cents", "other_cents"], [], { price: "price_cents" }), all);
    assert.equal(seed.create, ["price", "other_cents"]);
  });

  it("The seed of a policy leaves credentials out and returns their names", () => {
    const columns = [
      "password_hash",
      "encrypted_password",
      "reset_token",
      "otp_counter",
      "api_key",
      "ApiToken",
      "client_secret",
      "password_digest",
      "email_salt",
      "salted_by",
      "encrypted_iban",
      "iban_encrypted",
      "reset_digest",
      "sim_pin",
      "digest",
    ];
    const seed = seedOf(model(["id", "email", ...columns]), all);
    assert.equal([seed.create, seed.credentials], [["email"], columns]);
  });

  it("A column whose name only resembles that of a credential is kept", () => {
    for (const name of [
      "keyboard",
      "tokens_used",
      "hashtag",
      "secretary",
      "monkey",
      "digestible",
      "shopping",
      "encryption",
    ])
      assert.is(isCredential(name), false, name);
  });

  it("The seed of a policy lists the direct associations to resources that the portal has registered", () => {
    const links: Link[] = [
      { name: "comments", kind: "hasMany", key: keyOf("post_id"), target: { constant: "Blogging::Comment" } },
      { name: "seo", kind: "hasOne", key: keyOf("post_id"), target: { constant: "Seo" } },
      { name: "readers", kind: "hasMany", key: keyOf("post_id"), target: { constant: "User" }, through: "comments" },
    ];
    const known = new Set(["Blogging::Comment", "User"]);
    assert.equal(seedOf(model(["id"], links), (constant) => known.has(constant)).associations, ["comments"]);
  });
});

describe("The owner of a singular resource", (it) => {
  it("A singular resource is owned by the account that an association is named after or has a unique key to", () => {
    const profile = model(["id", "bio", "user_id"], [belongsTo("user", "User")]);
    assert.equal(ownerLinkOf(profile, ["User"]), { name: "user", column: "user_id", account: "User", unique: false });
    assert.is(ownerLinkOf(profile, ["Admin"]), undefined);
    const shop = model(["id", "founder_id"], [belongsTo("founder", "User")]);
    assert.is(ownerLinkOf(shop, ["User"]), undefined);
    (shop.columns as Map<string, object>).set("founder_id", { name: "founder_id", unique: true });
    assert.is(ownerLinkOf(shop, ["User"])?.unique, true);
  });
});

describe("A portal's routes file", (it) => {
  const path = "packages/admin_portal/config/routes.ts";
  const text = `import { AdminPortal } from "../lib/engine.ts";\n\nexport default AdminPortal.routes.draw((routes) => {\n  // fw:resources\n});\n`;
  const post = {
    constant: "Blogging::Post",
    path: "packages/blogging/app/models/blogging/post.ts",
    package: "blogging",
  };
  const news = { constant: "News::Post", path: "packages/news/app/models/news/post.ts", package: "news" };
  const profile = { constant: "Profile", path: "app/models/profile.ts", package: undefined };

  it("Each registered resource gets an import and a line in the routes, also two with one name, and is found there", () => {
    const changes = new Changes(temporaryFolder());
    changes.create(path, text);
    register(changes, path, post);
    register(changes, path, news);
    register(changes, path, profile, { options: "{ singular: true }" });
    const after = changes.read(path)!;
    assert.match(after, 'import Post from "#packages/blogging/app/models/blogging/post.ts";');
    assert.match(after, 'import NewsPost from "#packages/news/app/models/news/post.ts";');
    assert.match(after, "  routes.registerResource(Post);\n  routes.registerResource(NewsPost);\n");
    assert.match(after, "  routes.registerResource(Profile, { singular: true });\n  // fw:resources");
    const known = registeredIn(path, after, [post, news, profile]);
    assert.equal([...known.keys()], ["Blogging::Post", "News::Post", "Profile"]);
  });

  it("A resource that is registered last stays below those that are connected later", () => {
    const changes = new Changes(temporaryFolder());
    changes.create(path, text);
    register(changes, path, profile, { options: "{ singular: true }", last: true });
    register(changes, path, post);
    const lines = [
      "routes.registerResource(Post);",
      "// fw:resources",
      "routes.registerResource(Profile, { singular: true });",
    ];
    assert.match(changes.read(path)!, `${lines.map((line) => `  ${line}\n`).join("")}});`);
  });

  it("A resource that was registered by hand with options and a relative import is found in the routes", () => {
    const byHand = `import Profile from "../../../app/models/profile.ts";\nroutes.registerResource(Profile, { associations: [] }, (r) => {});\n`;
    assert.equal([...registeredIn(path, byHand, [profile]).keys()], ["Profile"]);
  });
});

import type { Service, Slot } from "framewright/kernel";
import { edited } from "../support/fixtures.ts";
import { assert, describe } from "../support/index.ts";
import { databaseOf, openShop, shopFiles } from "../support/shop.ts";

// Each service can be filled by a plain object: nothing uses what is private to the class that the framework fills it with.

type Plain<T> = T extends (...args: never[]) => unknown ? T : { [K in keyof T]: T[K] };
/** Slots whose type only a class of the framework has; the application itself fills "host". */
type Unreplaceable = {
  [S in Exclude<Slot, "host" | "kernel">]: Plain<Service<S>> extends Service<S> ? never : S;
}[Exclude<Slot, "host" | "kernel">];
const unreplaceable: [Unreplaceable] extends [never] ? "none" : Unreplaceable = "none";

/** A plugin for each slot that hands out a plain object with the members of the service below. */
const plain = `
import { definePlugin, type Plugin } from "framewright/kernel";
function membersOf(service: object): string[] {
  const names = new Set<string>();
  for (let at = service; at !== Object.prototype; at = Object.getPrototypeOf(at))
    for (const name of Object.getOwnPropertyNames(at)) if (name !== "constructor") names.add(name);
  return [...names];
}
function plainOf<T extends object>(service: T): T {
  const plain = {};
  for (const name of membersOf(service)) {
    const member = name as keyof T;
    const get = () => (typeof service[member] === "function" ? (service[member] as Function).bind(service) : service[member]);
    Object.defineProperty(plain, name, { get, enumerable: true });
  }
  return plain as T;
}
const wrapping = (slot: "database"): Plugin =>
  definePlugin({ name: "plain-" + slot, decorates: slot, apply: ({ services }) => plainOf(services[slot]) });
export const plain = () => SLOTS.map((slot) => wrapping(slot as "database"));
`;

describe("Services of plugins", (it) => {
  it("Every service but the application can be written by somebody else, by its type", () => {
    assert.is(unreplaceable, "none");
  });
  it("An application whose services are all plain objects with the same members serves its pages and JSON", async () => {
    const slots = ["database", "i18n", "sessions", "views", "layout", "assets", "portals", "resources"];
    const config = edited(
      shopFiles,
      "plugins.config.ts",
      ["export default", 'import { plain } from "./lib/plain.ts"; export default'],
      ["resources(),\n]", "resources(), ...plain()]"],
    );
    const app = await openShop({
      "plugins.config.ts": config,
      "lib/plain.ts": plain.replace("SLOTS", JSON.stringify(slots)),
    });
    try {
      const stamps = { created_at: "2026-01-01 10:00:00.000", updated_at: "2026-01-01 10:00:00.000" };
      await databaseOf(app.application)
        .knex("authors")
        .insert({ name: "Ann", email: "ann@example.com", ...stamps });
      const sent = await app.client().submit("/admin/blogging/posts/new", {
        "blogging_post[title]": "First",
        "blogging_post[author]": "1",
      });
      assert.is(sent.status, 303, await sent.text());
      for (const path of [
        "/admin/authors",
        "/admin/authors/1",
        "/admin/blogging/posts",
        "/admin/blogging/posts/1/edit",
      ]) {
        const answer = await app.request(path);
        assert.equal([answer.status, (await answer.text()).includes("</html>")], [200, true], path);
      }
      assert.is((await app.request("/admin/blogging/posts/1.json")).status, 200);
      assert.equal(app.application.kernel.plugins.filter((name) => name.startsWith("plain-")).length, slots.length);
    } finally {
      await app.close();
    }
  });
});

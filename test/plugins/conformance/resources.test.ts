import { definePlugin, definePlugins, type Plugin } from "framewright/kernel";
import { database } from "framewright/plugins/database";
import { layout } from "framewright/plugins/layout";
import { portals } from "framewright/plugins/portals";
import { type Resources, resources } from "framewright/plugins/resources";
import { resourcesConformance } from "../../conformance/resources.ts";
import { describe } from "../../support/index.ts";
import { pagePlugins, refuses } from "./suites.ts";

const around = () => definePlugins([database(), ...pagePlugins(), layout(), portals(), resources()]);

/** Resources that differ from the standard ones in one point. */
const wrong = (change: (own: Resources) => Partial<Resources>): readonly Plugin[] => [
  ...around(),
  definePlugin({
    name: "wrong-resources",
    decorates: "resources",
    apply({ services }): Resources {
      const own: Resources = services.resources;
      const changed = change(own);
      return new Proxy(own, {
        get: (target, name) => {
          if (name in changed) return changed[name as keyof Resources];
          const value: unknown = Reflect.get(target, name);
          return typeof value === "function" ? value.bind(target) : value;
        },
      });
    },
  }),
];

describe("The suite of the slot resources", (it) => {
  for (const { sentence, check } of resourcesConformance)
    it(`The standard plugin: ${sentence}`, () => check({ plugins: around() }));

  it("It refuses resources that find what others may see", () =>
    refuses(
      resourcesConformance,
      {
        plugins: wrong((own) => ({
          visible: (_, model, transaction) => own.database.query(model.class as never, transaction) as never,
          readVisible: (_, model, { column, value }) =>
            own.database.readFirst(own.database.query(model.class as never).where(column, value as never)),
        })),
      },
      {
        "A list and a record": /Bob's first/,
        "A record is written": /200 !== 404/,
        "visible() and visibleIn()": /Bob's first/,
      },
    ));
  it("It refuses resources that take any id for a record's, and that say of no model that records are left out", () =>
    refuses(
      resourcesConformance,
      { plugins: wrong(() => ({ isScoped: () => false, keyOf: async (_, model, id) => model.key.parse(id) })) },
      { "find() and keyOf()": /2/, "isScoped()": /false/ },
    ));
});

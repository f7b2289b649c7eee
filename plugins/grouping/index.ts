import { join } from "node:path";
import { notFound, raw } from "framewright/host";
import { definePlugin, type Plugin } from "framewright/kernel";
import type { ResourceRequest } from "framewright/plugins/resources";
import type { ListShape } from "framewright/plugins/resources/toolkit";
import type { Summaries } from "framewright/plugins/summaries";
import { drawGroups } from "./draw_groups.ts";
import { checkGrouping, groupingMacro, groupNames } from "./grouping_options.ts";
import { type Groups, readGroups, wholePage } from "./read_groups.ts";

export type { GroupingOptions } from "./grouping_options.ts";

declare module "framewright/kernel" {
  interface Slots {
    grouping: {};
  }
}

/** As the address of a list has it. */
const KEY = "groups";
const STYLES = "grouping.css";

/** Lists in groups of rows that have the same value, with the number and the totals of each: `?shape=groups.status`. */
export function grouping(): Plugin {
  return definePlugin({
    name: "grouping",
    directory: import.meta.dirname,
    requires: ["host", "database", "i18n", "views", "assets", "layout", "resources"],
    uses: ["summaries"],
    provides: "grouping",
    apply({ services: { assets, layout, resources, summaries }, hooks }) {
      assets.add(STYLES, join(import.meta.dirname, "client/grouping.css"));
      layout.head.add(({ params }) =>
        params.string("shape")?.split(".", 1)[0] === KEY
          ? raw(`<link rel="stylesheet" href="${assets.url(STYLES)}">`)
          : undefined,
      );
      resources.registry.definitionMacros.define("grouping", "grouping", groupingMacro);
      hooks.resources.define.tap("grouping", (definition, { model }) => checkGrouping(definition, model));
      hooks.resources.listShapes.tap("grouping", (shapes, permitted, controller) => {
        const names = groupNames(controller, permitted);
        if (names.length > 0) shapes.add(KEY, groupShape(controller, names, summaries));
      });
    },
  });
}

function groupShape(
  controller: ResourceRequest,
  choices: readonly string[],
  summaries: Summaries | undefined,
): ListShape {
  let found: Groups | undefined;
  const byOf = (shape = ""): string => {
    const [, by = choices[0]!, ...more] = shape.split(".");
    if (!choices.includes(by) || more.length > 0) throw notFound();
    return by;
  };
  return {
    label: controller.t("resource.shapes.groups"),
    icon: "layout-rows",
    names: ({ shape }, listed) => [...new Set([...listed, byOf(shape)])],
    async read(list, read) {
      found = await readGroups(controller, byOf(list.shape), list, read);
      return wholePage(found);
    },
    draw(view) {
      const totals =
        summaries &&
        ((group: Groups["groups"][number]) =>
          summaries.cells(controller, { ...view.list, within: group.within }, view.columns));
      return drawGroups(controller, view, { ...found!, choices, totals });
    },
  };
}

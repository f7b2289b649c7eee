import { html } from "framewright/host";
import { definePlugin } from "framewright/kernel";
import type {} from "framewright/plugins/resources";
import type { ListShape, ShapePage } from "framewright/plugins/resources/toolkit";

const titles = ({ columns, page }: ShapePage) =>
  page.entries.map((entry) => html`<li><b>${entry.toLabel()}</b> ${columns.map(({ name }) => name).join(" ")}</li>`);

/** Takes a name that is taken: that costs its own part. */
export const rival = definePlugin({
  name: "rival",
  requires: ["resources"],
  apply({ hooks }) {
    hooks.resources.listShapes.tap("rival", (shapes) => {
      if (!shapes.has("gallery")) return;
      shapes.add("gallery", { label: "Rival", icon: "x", names: () => [], draw: () => html`rival` });
    });
  },
});

/** A shape of lists as a plugin from outside writes one: a page of the list by its titles, and the newest three alone. */
export const gallery = definePlugin({
  name: "gallery",
  requires: ["resources"],
  apply({ hooks }) {
    hooks.resources.listShapes.tap("gallery", (shapes, permitted, { registration }) => {
      if (registration.constant !== "Task") return;
      const named: ListShape = {
        label: `Gallery of ${permitted.length}`,
        icon: "photo",
        names: () => ["title", "fee", "internal"],
        draw: (page) => html`<ul class="gallery">${titles(page)}</ul>`,
      };
      shapes.add("gallery", named);
      shapes.add("newest", {
        ...named,
        label: "Newest",
        read: (list, read) => read({ ...list, perPage: 3, within: (rows) => rows.where("title", "like", "Task%") }),
      });
    });
  },
});

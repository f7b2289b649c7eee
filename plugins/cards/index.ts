import { join } from "node:path";
import { raw } from "framewright/host";
import { definePlugin, type Plugin } from "framewright/kernel";
import type { Assets } from "framewright/plugins/assets";
import type { ListShape } from "framewright/plugins/resources/toolkit";
import { statesOf } from "framewright/plugins/states";
import { CardDrawer, cardNames, namesOf } from "./card.ts";
import { cardsMacro, cardsOf, checkNames } from "./card_options.ts";

export { CardDrawer, type CardNames, cardNames, namesOf } from "./card.ts";
export { type CardOptions, checkNames, checkShape } from "./card_options.ts";
export { describeMove } from "./describe_move.ts";
export { fieldMarks, mayWrite, moveField } from "./move_field.ts";

declare module "framewright/kernel" {
  interface Slots {
    cards: {};
  }
}

/** As the address of a list has it. */
const KEY = "cards";
const MAX_FACTS = 4;
const STYLES = "cards.css";

/** Adds the styles of cards, for each plugin that draws some; returns their name. */
export function addCardStyles(assets: Assets): string {
  if (!assets.has(STYLES)) assets.add(STYLES, join(import.meta.dirname, "client/cards.css"));
  return STYLES;
}

/** Lists that are offered as cards: `this.cards({ image: "cover" })`. */
export function cards(): Plugin {
  return definePlugin({
    name: "cards",
    directory: import.meta.dirname,
    requires: ["host", "database", "i18n", "views", "assets", "layout", "resources"],
    provides: "cards",
    apply({ services: { assets, layout, resources }, hooks }) {
      const styles = addCardStyles(assets);
      layout.head.add(({ params }) =>
        params.get("shape") === KEY ? raw(`<link rel="stylesheet" href="${assets.url(styles)}">`) : undefined,
      );
      resources.registry.definitionMacros.define("cards", "cards", cardsMacro);
      hooks.resources.define.tap("cards", (definition, { model }) => {
        const options = cardsOf(definition);
        if (options) checkNames(options, definition, model, `${definition.constructor.name}.cards(…)`);
      });
      hooks.resources.listShapes.tap("cards", (shapes, _permitted, controller) => {
        const { registration } = controller;
        const options = cardsOf(registration.definition);
        if (!options) return;
        const state = statesOf(registration.model.class)?.column;
        const names: ListShape["names"] = (list, listed) =>
          namesOf(cardNames(registration, options, { list, listed, state, most: MAX_FACTS }));
        shapes.add(KEY, {
          label: controller.t("resource.shapes.cards"),
          icon: "layout-grid",
          names,
          draw: (page) => {
            const listed = page.columns.map(({ name }) => name);
            const shown = cardNames(registration, options, { list: page.list, listed, state, most: MAX_FACTS });
            const drawer = new CardDrawer(controller, shown, page);
            return raw(`<ul class="fw-tiles">${page.page.entries.map((entry) => drawer.draw(entry)).join("")}</ul>`);
          },
        });
      });
    },
  });
}

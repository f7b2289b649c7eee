import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { raw } from "framewright/host";
import { definePlugin, type Plugin } from "framewright/kernel";
import { addCardStyles, CardDrawer, cardNames, describeMove, namesOf } from "framewright/plugins/cards";
import type { ResourceRequest } from "framewright/plugins/resources";
import type { ListRequest, ListShape } from "framewright/plugins/resources/toolkit";
import { type Board, boardMacro, boardOf, checkBoard } from "./board_options.ts";
import { drawBoard } from "./draw_board.ts";
import { type Lane, readLanes, wholePage } from "./lanes.ts";
import { moveCard } from "./move_card.ts";

export type { BoardOptions } from "./board_options.ts";

declare module "framewright/kernel" {
  interface Slots {
    boards: {};
  }
}

/** As the address of a list has it. */
const KEY = "board";
const MAX_FACTS = 3;

/** The library that drags cards; `reorder()` adds it for rows under a name of its own. */
const dragLibrary = (): string =>
  join(
    dirname(createRequire(import.meta.url).resolve("@tabler/core/package.json")),
    "dist/libs/sortablejs/Sortable.min.js",
  );

/** Lists as boards, whose columns are the states of their records or the values of a column: `this.board({ by: "status" })`. */
export function boards(): Plugin {
  return definePlugin({
    name: "boards",
    directory: import.meta.dirname,
    requires: ["host", "database", "i18n", "views", "assets", "layout", "resources"],
    provides: "boards",
    apply({ services: { assets, layout, resources }, hooks }) {
      const styles = [addCardStyles(assets), "board.css"];
      assets.add("board.css", join(import.meta.dirname, "client/board.css"));
      assets.add("board_drag.js", dragLibrary());
      assets.add("board.js", join(import.meta.dirname, "client/board.js"));
      layout.head.add(({ params }) =>
        params.get("shape") === KEY
          ? raw(styles.map((name) => `<link rel="stylesheet" href="${assets.url(name)}">`).join(""))
          : undefined,
      );
      resources.registry.definitionMacros.define("boards", "board", boardMacro);
      hooks.resources.define.tap("boards", (definition, { model }) => checkBoard(definition, model));
      hooks.resources.place.tap("boards", ({ about, member, single, draw }) => {
        const board = single ? undefined : boardOf(about.registration);
        if (!board || board.machine) return; // transitions have routes of their own
        draw("POST", `${member}/board`, { action: "update", policy: "canUpdate", answer: moveCard });
      });
      hooks.openapi?.operation.tap("boards", (route) => {
        const board = route.about?.answer && boardOf(route.about.registration);
        if (!board || !route.route.pattern.endsWith("/board")) return undefined;
        return describeMove(route, { by: board.by, verb: "move", summary: "Move a card to another column of a board" });
      });
      hooks.resources.listShapes.tap("boards", (shapes, permitted, controller) => {
        const board = boardOf(controller.registration);
        if (board && permitted.includes(board.by)) shapes.add(KEY, boardShape(controller, board));
      });
    },
  });
}

function boardShape(controller: ResourceRequest, board: Board): ListShape {
  const { registration } = controller;
  const cardOf = (list: ListRequest, listed: readonly string[]) =>
    cardNames(registration, board.card, { list, listed, without: board.by, most: MAX_FACTS });
  let lanes: readonly Lane[] = [];
  return {
    label: controller.t("resource.shapes.board"),
    icon: "layout-kanban",
    names: (list, listed) => [...namesOf(cardOf(list, listed)), board.by],
    async read(list, read) {
      lanes = await readLanes(controller, board, list, read);
      return wholePage(lanes);
    },
    draw(page) {
      const names = cardOf(
        page.list,
        page.columns.map(({ name }) => name),
      );
      const drawer = new CardDrawer(controller, names, page);
      return drawBoard(controller, { ...page, board, lanes, drawer, scripts: ["board_drag.js", "board.js"] });
    },
  };
}

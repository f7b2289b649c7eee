import { join } from "node:path";
import { BaseController } from "framewright";
import { definePlugin, option } from "framewright/kernel";
import type {} from "framewright/plugins/i18n";
import { answerMessage, type Inbox, showMessages } from "./answers.ts";

class InboxController extends BaseController {
  static override readonly guests = "admit";
}

/**
 * Messages that other programs send to `/inbox`. Each further inbox has a name of its own, `inbox({ as: "press" })`, and by it
 * its address, its table and its title.
 */
export const inbox = definePlugin({
  name: "inbox",
  instances: true,
  framewright: "^0.1",
  directory: join(import.meta.dirname, ".."),
  options: { limit: option.number },
  requires: ["database", "host", "i18n"],
  apply({ name, options: { limit = 20 }, services: { database, i18n }, hooks, tap }) {
    const one: Inbox = {
      database,
      table: `${name}_messages`,
      limit,
      // the application's texts may have a title for each; the plugin has one for all
      title: (t) => t(i18n.has(`${name}.title`) ? `${name}.title` : "inbox.title"),
    };
    tap(hooks.kernel!.drawRoutes, (routes) => {
      routes.get(name, {
        controller: InboxController,
        action: (controller) => showMessages(controller, one),
        as: name,
      });
      routes.post(name, { controller: InboxController, action: (controller) => answerMessage(controller, one) });
    });
  },
});

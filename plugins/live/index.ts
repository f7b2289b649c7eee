import { join } from "node:path";
import { checkOptions, definePlugin, messageOf, type OptionRule, type Plugin } from "framewright/kernel";
import type { AnyRecord } from "framewright/plugins/database";
import type {} from "framewright/plugins/notifications";
import { portalController } from "framewright/plugins/portals";
import type {} from "framewright/plugins/redis";
import { Changes } from "./changes.ts";
import { liveMacro } from "./followed.ts";
import { Followers } from "./followers.ts";
import { OpenStreams } from "./open_streams.ts";
import { PageMarks, SCRIPT, STYLES } from "./page_marks.ts";
import { receive } from "./received.ts";
import { Relay } from "./relay.ts";
import { LiveRoutes, PATH } from "./routes.ts";
import { bellTopic } from "./topics.ts";

declare module "framewright/kernel" {
  interface Slots {
    live: {};
  }
}
declare module "framewright/plugins/resources" {
  interface DefinitionMacros<M extends AnyRecord> {
    /** Whether the list and the pages of records follow changes of others; `this.live(false)` for not. */
    live(isFollowed: boolean): void;
  }
}

/** Options of `live()`: how many streams may be open at a time. More pages than that do not follow changes until one is closed. */
export interface LiveOptions {
  /** Of a process; 2,000 by default. */
  streams?: number;
  /** Of one account in a process; 50 by default. */
  perPerson?: number;
  /** Of one address in a process, an IPv6 network counted as one; 500 by default. */
  perAddress?: number;
}
const whole: OptionRule = {
  expected: "a whole number above zero",
  check: (value) => Number.isSafeInteger(value) && Number(value) > 0,
};

/** Lists, records and the bell of notifications follow changes of others while they are looked at. */
export function live(options: LiveOptions = {}): Plugin {
  checkOptions("live", options, { streams: whole, perPerson: whole, perAddress: whole });
  const { streams = 2000, perPerson = 50, perAddress = 500 } = options;
  return definePlugin({
    name: "live",
    directory: import.meta.dirname,
    requires: ["host", "database", "i18n", "views", "assets", "portals", "resources"],
    uses: ["redis", "scoping", "notifications"],
    provides: "live",
    apply({ services, hooks, onClose }) {
      const { host, database, views, assets, portals, resources, redis, scoping, notifications } = services;
      const followers = new Followers();
      const hasBell = notifications !== undefined;
      const received = { host, database, scoping, followers };
      const relay = new Relay({
        redis,
        receive: (message) => receive(received, message, false),
        missed: () => followers.notifyAll(),
      });
      const changes = new Changes({
        host,
        scoping,
        portals: () => portals.all.keys(),
        async send(message) {
          receive(received, message, true);
          await relay.send(message);
        },
      });
      const open = new OpenStreams({ streams, perPerson, perAddress });
      const routes = new LiveRoutes({ host, scoping, followers, open, hasBell });

      hooks.database.changed.tap("live", (change) => changes.add(change));
      hooks.notifications?.changed.tap("live", (accounts) =>
        changes.addBells(accounts.map(({ table, id }) => bellTopic(table, id))),
      );
      hooks.host.listening.tap("live", () => {
        relay.open().catch((err: unknown) => host.log.warn({ err }, `live: ${messageOf(err)}`));
      });
      hooks.host.stopping.tap("live", () => {
        routes.close();
        followers.end();
      });
      onClose(async () => {
        await changes.close();
        relay.close();
      });

      resources.registry.definitionMacros.define("live", "live", liveMacro);
      hooks.resources.place.tap("live", (place) => routes.drawPlace(place));
      const withBell = new Set<string>();
      hooks.kernel.drawRoutes.tap("live", () => {
        for (const portal of hasBell ? portals.all.keys() : []) {
          const controller = portalController(host, portal, "live");
          if (!controller) continue;
          const options = { controller, action: routes.followBell, policy: "(signed in)" };
          host.routeSetOf(portal).draw("GET", `/${PATH}`, options).metadata.guests = "refuse";
          withBell.add(portal);
        }
      });

      assets.add(SCRIPT, join(import.meta.dirname, "client/live.js"));
      assets.add(STYLES, join(import.meta.dirname, "client/live.css"));
      const marks = new PageMarks(assets, withBell);
      views.slots.add("list.start", (_, controller) => marks.list(controller));
      views.slots.add("record.before_details", (_, controller) => marks.record(controller));
      views.slots.add("form.before_fields", (_, controller) => marks.form(controller));
      views.slots.add("shell.page_end", (_, controller) => marks.pageEnd(controller));
    },
  });
}

import { join } from "node:path";
import { checkOptions, definePlugin, type OptionRule, type Plugin } from "framewright/kernel";
import type {} from "framewright/plugins/history";
import type { ResourceRequest } from "framewright/plugins/resources";
import { rightsOf, visibleTo } from "./access.ts";
import type {} from "./contract.ts";
import { textOf } from "./draw.ts";
import { errors } from "./errors.ts";
import { notifier } from "./notify.ts";
import { commentsOf } from "./options.ts";
import { CommentPages } from "./pages.ts";
import { People } from "./people.ts";
import { CommentStore } from "./store.ts";
import { homeOf } from "./tenants.ts";

export type { Mention, StoredComment } from "./contract.ts";
export type { ModelComments } from "./options.ts";

/** Options of `comments()`. */
export interface CommentsOptions {
  /** Who gets a mail of a comment besides the notification: "all" who follow (the default), those whom it "mentions", or nobody. */
  mails?: "all" | "mentions" | false;
}
const mailed: OptionRule = {
  expected: '"all", "mentions" or false',
  check: (value) => ["all", "mentions", false].includes(value as never),
};

/** Comments on the records of models with `static comments`, with mentions, followers and notifications; from tables of `fw:install comments`. */
export function comments(options: CommentsOptions = {}): Plugin {
  checkOptions("comments", options, { mails: mailed });
  return definePlugin({
    name: "comments",
    directory: import.meta.dirname,
    requires: ["host", "database", "i18n", "views", "assets", "portals", "resources", "jobs"],
    uses: ["scoping", "history", "notifications", "mailer"],
    provides: "comments",
    apply({ services: { host, database, assets, resources, jobs, scoping, notifications, mailer }, hooks }) {
      assets.add("comments.css", join(import.meta.dirname, "client/comments.css"));
      assets.add("comments.js", join(import.meta.dirname, "client/comments.js"));
      const store = new CommentStore(database);
      const people = new People(resources);
      const { mails = "all" } = options;
      const announce = notifier({ store, people, jobs, notifications, mailer, mails });
      const pages = new CommentPages({
        store,
        assets,
        people,
        home: (controller, record) => homeOf(host, scoping, controller, record),
        announce,
      });
      hooks.resources.place.tap("comments", ({ about, member, through, draw }) => {
        if (through || !commentsOf(about.registration.model)) return;
        const at = `${member}/_comments`;
        const answer = (name: "list" | "create" | "edit" | "update" | "remove" | "follow" | "findPeople") => ({
          action: (controller: ResourceRequest) => pages[name](controller),
          policy: "canShowComments",
        });
        draw("GET", at, answer("list"));
        draw("POST", at, answer("create"));
        draw("GET", `${at}/people`, answer("findPeople"));
        draw("POST", `${at}/follow`, answer("follow"));
        draw("GET", `${at}/:comment_key/edit`, answer("edit"));
        draw("PATCH", `${at}/:comment_key`, answer("update"));
        draw("DELETE", `${at}/:comment_key`, answer("remove"));
      });
      hooks.resources.panels.tapPromise("comments", async (panels, page) => pages.addPanel(panels, page));
      hooks.history?.timeline.tapPromise("comments", async (items, { controller, record, before, limit }) => {
        const rights = rightsOf(controller, controller.registration, record);
        if (!rights) return;
        const found = await store.newest(visibleTo(controller, record, rights), limit, before && { at: before });
        for (const one of found)
          items.push({
            at: one.created_at,
            key: `comments:${one.id}`,
            person: one.author_label,
            html: textOf(one),
            json: { comment: one.id, text: one.text, internal: one.internal },
          });
      });
      hooks.kernel.ready.tap("comments", () => {
        for (const model of database.models()) commentsOf(model);
      });
      hooks.host.examine.tapPromise("comments", async (findings) => {
        const ok = await store.isInstalled().catch(() => true); // the database reports itself
        findings.push({
          what: "comments",
          ok,
          detail: ok ? "its tables are there" : errors.FW_COMMENTS_TABLE().message,
        });
      });
    },
  });
}

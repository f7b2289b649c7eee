import { join } from "node:path";
import type { Reply } from "framewright/host";
import { checkOptions, definePlugin, type OptionRule, type Plugin } from "framewright/kernel";
import type {} from "framewright/plugins/history";
import type { ResourceRequest } from "framewright/plugins/resources";
import { rightsOf, visibleTo } from "./access.ts";
import { CommentChangePages } from "./change_pages.ts";
import type {} from "./contract.ts";
import { describeComments } from "./describe_comments.ts";
import { textOf } from "./draw.ts";
import { errors } from "./errors.ts";
import { notifier } from "./notify.ts";
import { commentsOf } from "./options.ts";
import { CommentPages } from "./pages.ts";
import { People } from "./people.ts";
import { addCommentSources } from "./personal_data.ts";
import { CommentStore } from "./store.ts";
import { tenantOfComment } from "./tenants.ts";

export type { Mention, StoredComment } from "./contract.ts";
export type { ModelComments } from "./options.ts";

/** Options of `comments()`. */
export interface CommentsOptions {
  /** Who gets a mail of a comment besides the notification: "all" who follow (the default), those whom it "mentions", or nobody. */
  mails?: "all" | "mentions" | false;
}
type Answer = (controller: ResourceRequest) => Promise<Reply>;

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
      const sends = notifier({ store, people, jobs, notifications, mailer, mails });
      const pages = new CommentPages({
        store,
        assets,
        people,
        tenantOf: (controller, record) => tenantOfComment(host, scoping, controller, record),
        notifier: sends,
      });
      const changes = new CommentChangePages({ store, assets, people, notifier: sends });
      hooks.resources.place.tap("comments", ({ about, member, through, draw }) => {
        if (through || !commentsOf(about.registration.model)) return;
        const at = `${member}/_comments`;
        const policy = "canShowComments";
        const route = (verb: "GET" | "POST" | "PATCH" | "DELETE", path: string, action: Answer) =>
          draw(verb, at + path, { action, policy });
        route("GET", "", (controller) => pages.list(controller));
        route("POST", "", (controller) => pages.create(controller));
        route("GET", "/people", (controller) => pages.findPeople(controller));
        route("POST", "/follow", (controller) => pages.follow(controller));
        route("GET", "/:comment_key/edit", (controller) => changes.edit(controller));
        route("PATCH", "/:comment_key", (controller) => changes.update(controller));
        route("DELETE", "/:comment_key", (controller) => changes.remove(controller));
      });
      if (hooks.openapi) describeComments(hooks.openapi.operation);
      hooks.resources.panels.tap("comments", (panels, page) => pages.addPanel(panels, page));
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
      hooks.personal_data?.sources.tap("comments", addCommentSources);
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

import { join } from "node:path";
import type {} from "framewright/generators";
import { AsyncSeriesHook, definePlugin } from "framewright/kernel";
import type {} from "framewright/plugins/assets";
import type {} from "framewright/plugins/i18n";
import type {} from "framewright/plugins/jobs";
import type {} from "framewright/plugins/views";
import { AcmeController } from "./controller.ts";

/** The service of the slot `acme`: `kernel.service("acme").announce("Sale")`. */
export interface Acme {
  /** Stores a job that announces the text. */
  announce(text: string): Promise<void>;
}
/** The hooks of the slot: other plugins tap them. */
export interface AcmeHooks {
  /** A text is announced, by a job: one that throws is tried again. */
  announced: AsyncSeriesHook<[text: string]>;
}
declare module "framewright/kernel" {
  interface Slots {
    acme: { service: Acme; hooks: AcmeHooks };
  }
}

/** Announcements: a page at `/acme`, a job, a hook, and what `fw` has of them. */
export const acme = definePlugin({
  name: "fw-acme",
  directory: join(import.meta.dirname, ".."),
  requires: ["assets", "host", "i18n", "jobs", "views"],
  provides: "acme",
  hooks: (): AcmeHooks => ({ announced: new AsyncSeriesHook(["text"]) }),
  commands: [
    {
      name: "acme:announce",
      args: "<text>",
      summary: "Announce a text",
      example: "fw acme:announce Sale",
      load: () => import("./commands/announce.ts"),
    },
  ],
  generators: { "acme:announcement": () => import("./generator.ts") },
  apply({ services: { jobs, views }, hooks }) {
    views.addFilter("shout", (text) => `${String(text).toUpperCase()}!`);
    jobs.define<{ text: string }>("acme.announce", ({ text }) => hooks.acme.announced.promise(text));
    hooks.kernel?.drawRoutes.tap("fw-acme", (routes) =>
      routes.get("acme", { controller: AcmeController, action: "show", as: "acme" }),
    );
    return {
      async announce(text) {
        await jobs.enqueue("acme.announce", { text });
      },
    };
  },
});

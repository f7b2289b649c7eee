import { BaseController } from "framewright";
import { definePlugin, type Plugin } from "framewright/kernel";
import { database } from "framewright/plugins/database";
import { jobs } from "framewright/plugins/jobs";
import { metrics } from "framewright/plugins/metrics";
import { passwords } from "framewright/plugins/passwords";

class PostsController extends BaseController {
  static override guests = "admit" as const;
  async show() {
    await this.request.kernel.service("database").knex("framewright_jobs").where({ kind: "a-secret-value" });
    return this.json({ process: process.pid });
  }
}
const posts = definePlugin({
  name: "posts",
  requires: ["jobs"],
  apply({ services, hooks }) {
    services.jobs.define<{ fails?: boolean }>("greet", async ({ fails }) => {
      if (fails) throw new Error("nobody is there");
    });
    hooks.kernel.drawRoutes.tap("posts", (routes) => {
      routes.get("posts/:id", { controller: PostsController, action: "show" });
    });
  },
});
export const token = "a-token-of-some-length-0123456789";

/** An application with something of each kind to measure. */
export const measuredPlugins = (...more: Plugin[]): Plugin[] => [
  ...[database(), jobs({ poll: 100_000 }), passwords(), posts, metrics()],
  ...more,
];

/** The value of a sample, as in `fw_jobs{kind="greet",state="failed"}`: NaN where it is not there. */
export function sampleOf(text: string, sample: string): number {
  const line = text.split("\n").find((one) => one.startsWith(`${sample} `));
  return Number(line?.slice(sample.length + 1) ?? Number.NaN);
}
